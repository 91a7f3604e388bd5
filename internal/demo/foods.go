package demo

// foodRows leaves the plural empty for what is not counted.
const foodRows = `
food | plural | kind | taste | colour | dish | source
bread | | bakery_food | crusty, fresh | brown, white | toast, sandwiches, breadcrumbs | bakery, oven, flour
apple | apples | fruit | sweet, sour | red, green | pie, juice, cider | orchard, tree, market
potato | potatoes | vegetable | floury, plain | brown, yellow | soup, salad, chips | field, cellar, farm
milk | | drink | fresh, creamy | white | butter, pudding, porridge | dairy, cow, jug
orange | oranges | fruit | sweet, juicy | orange | juice, marmalade, salad | grove, tree, market
cheese | cheeses | dairy_food | salty, creamy | yellow, white | sandwiches, sauce, fondue | dairy, goat, cellar
tomato | tomatoes | vegetable | juicy, sour | red | sauce, salad, soup | greenhouse, garden, market
beef | | meat | tender, salty | red, brown | stew, steak, roast | butcher, farm, ox
coffee | | drink | bitter, hot | black, brown | cake, breakfast, cream | café, plantation, cup
egg | eggs | dairy_food | soft, plain | white, brown | omelette, pancakes, cake | farm, hen, basket
carrot | carrots | vegetable | sweet, crunchy | orange | soup, stew, salad | garden, field, market
wine | wines | drink | dry, fruity | red, white | sauce, dinner, punch | vineyard, cellar, bottle
banana | bananas | fruit | sweet, soft | yellow | milkshake, salad, bread | plantation, tree, ship
chocolate | chocolates | sweet_food | sweet, bitter | brown, black | cake, pudding, sauce | confectioner, cocoa, box
onion | onions | vegetable | sharp, spicy | white, brown | soup, stew, sauce | garden, field, cellar
tea | teas | drink | hot, bitter | green, black | biscuits, breakfast, lemon | plantation, teapot, cup
cake | cakes | sweet_food | sweet, creamy | brown, white | coffee, birthday, candles | bakery, oven, confectioner
sausage | sausages | meat | spicy, salty | brown, red | mustard, stew, barbecue | butcher, farm, smokehouse
lemon | lemons | fruit | sour, juicy | yellow | lemonade, tea, sauce | grove, tree, market
rice | | grain_food | plain, soft | white, brown | pudding, curry, soup | field, sack, paddy
grape | grapes | fruit | sweet, juicy | green, purple | wine, juice, raisins | vineyard, hill, basket
butter | | dairy_food | salty, creamy | yellow | toast, cake, sauce | dairy, cow, churn
cabbage | cabbages | vegetable | plain, crunchy | green, white | soup, salad, stew | field, garden, cellar
ham | hams | meat | salty, smoky | pink | sandwiches, eggs, pea_soup | butcher, farm, smokehouse
beer | beers | drink | bitter, cold | brown, golden | sausages, stew, snacks | brewery, barrel, pub
strawberry | strawberries | fruit | sweet, juicy | red | jam, cream, tart | garden, field, basket
honey | | sweet_food | sweet, sticky | golden, yellow | pancakes, tea, cake | hive, bee, jar
pear | pears | fruit | sweet, juicy | green, yellow | tart, juice, jam | orchard, tree, basket
bean | beans | vegetable | floury, plain | green, white | stew, soup, salad | field, garden, sack
juice | juices | drink | sweet, cold | orange, red | breakfast, ice, punch | orchard, bottle, glass
cherry | cherries | fruit | sweet, sour | red, black | jam, tart, cake | orchard, tree, basket
pasta | | grain_food | plain, soft | yellow | sauce, salad, soup | wheat, flour, kitchen
mushroom | mushrooms | vegetable | earthy, soft | brown, white | soup, omelette, sauce | forest, meadow, basket
biscuit | biscuits | sweet_food | sweet, crunchy | brown, golden | tea, milk, breakfast | bakery, oven, tin
bacon | | meat | salty, smoky | pink, brown | eggs, breakfast, beans | butcher, farm, smokehouse
cucumber | cucumbers | vegetable | crunchy, cool | green | salad, sandwiches, pickles | greenhouse, garden, market
plum | plums | fruit | sweet, juicy | purple, blue | jam, brandy, tart | orchard, tree, garden
yoghurt | yoghurts | dairy_food | sour, creamy | white | breakfast, salad, berries | dairy, goat, jar
pea | peas | vegetable | sweet, floury | green | soup, stew, salad | garden, field, pod
lettuce | lettuces | vegetable | crunchy, fresh | green | salad, sandwiches | garden, greenhouse, market
peach | peaches | fruit | sweet, juicy | orange, yellow | jam, tart, punch | orchard, tree, market
jam | jams | sweet_food | sweet, sticky | red, purple | toast, pancakes, breakfast | jar, berries, kitchen
garlic | | vegetable | sharp, spicy | white | sauce, soup, roast | garden, string, market
lemonade | | drink | sour, cold | yellow | ice, picnic, snacks | lemon, bottle, glass
cream | | dairy_food | sweet, creamy | white | cake, coffee, strawberries | dairy, cow, jug
porridge | | grain_food | plain, hot | grey, white | breakfast, honey, milk | oats, pot, kitchen
loaf | loaves | bakery_food | crusty, fresh | brown | toast, butter, breadcrumbs | bakery, oven, flour
melon | melons | fruit | sweet, juicy | green, yellow | salad, punch, ham | field, market, greenhouse
pepper | peppers | vegetable | spicy, sharp | red, green | stew, salad, goulash | greenhouse, garden, market
walnut | walnuts | nut | bitter, crunchy | brown | cake, bread, salad | tree, garden, sack
almond | almonds | nut | sweet, crunchy | brown, white | cake, marzipan, biscuits | grove, tree, sack
cocoa | | drink | sweet, hot | brown | cake, breakfast, cream | plantation, cup, tin
roll | rolls | bakery_food | crusty, soft | brown, white | butter, breakfast, soup | bakery, oven, flour
steak | steaks | meat | tender, juicy | red, brown | chips, sauce, salad | butcher, grill, ox
spinach | | vegetable | bitter, soft | green | soup, omelette, salad | garden, field, market
pumpkin | pumpkins | vegetable | sweet, soft | orange | soup, pie, bread | field, garden, cellar
raspberry | raspberries | fruit | sweet, sour | red, pink | jam, cream, juice | garden, forest, hedge
olive | olives | fruit | salty, bitter | green, black | salad, oil, pizza | grove, tree, jar
brandy | brandies | drink | strong, fruity | golden, brown | punch, dessert, sauce | cellar, barrel, bottle
candy | candies | sweet_food | sweet, sticky | pink, red | birthday, party, snacks | confectioner, box, jar
mutton | | meat | tough, salty | brown, red | stew, roast, curry | butcher, farm, ewe
fig | figs | fruit | sweet, soft | purple, green | jam, cheese, dessert | grove, tree, basket
hazelnut | hazelnuts | nut | sweet, crunchy | brown | chocolate, cake, biscuits | forest, hedge, sack
pineapple | pineapples | fruit | sweet, juicy | yellow | juice, salad, punch | plantation, ship, market
pastry | pastries | bakery_food | sweet, crunchy | golden, brown | coffee, breakfast, jam | bakery, oven, confectioner
radish | radishes | vegetable | sharp, crunchy | red, pink | salad, butter, sandwiches | garden, field, market
crème | | sweet_food | sweet, creamy | white, golden | dessert, coffee, tart | kitchen, dairy, bowl
`
