package demo

// animalRows mixes the kinds, so that none of them is made of rare words only.
const animalRows = `
animal | plural | kind | male | female | young | sound | eat | home | body
dog | dogs | pet | | | puppy | barks, growls | bones, meat, biscuits | kennel, basket, yard | paws, tail, fur
horse | horses | farm_animal | stallion | mare | foal | neighs, snorts | hay, oats, grass | stable, meadow, paddock | mane, hooves, tail
cat | cats | pet | tomcat | | kitten | purrs, meows | mice, milk, fish | basket, sofa, cushion | whiskers, paws, fur
cow | cows | farm_animal | bull | cow | calf | moos | grass, hay, clover | barn, pasture, meadow | horns, udder, hooves
lion | lions | wild_animal | | lioness | cub | roars, growls | meat, antelopes, zebras | savanna, den, zoo | mane, claws, teeth
eagle | eagles | bird | | | eaglet | screeches | fish, hares, mice | nest, cliff, mountain | wings, beak, claws
sheep | | farm_animal | ram | ewe | lamb | bleats | grass, clover, hay | pasture, fold, hillside | wool, hooves, horns
salmon | | water_animal | | | | | insects, shrimps, worms | river, sea, stream | fins, scales, gills
chicken | chickens | farm_animal | rooster | hen | chick | clucks, crows | grain, worms, corn | coop, yard, barn | feathers, beak, comb
wolf | wolves | wild_animal | | | pup | howls, growls | meat, sheep, deer | forest, den, cave | teeth, fur, tail
bear | bears | wild_animal | | | cub | growls, roars | honey, berries, salmon | cave, forest, den | claws, fur, paws
rabbit | rabbits | pet | buck | | bunny | squeaks | carrots, lettuce, clover | burrow, hutch, garden | ears, whiskers, fur
pig | pigs | farm_animal | boar | sow | piglet | grunts, squeals | potatoes, scraps, acorns | sty, farmyard, mud | snout, tail, hooves
elephant | elephants | wild_animal | | | | trumpets | leaves, grass, fruit | savanna, zoo, jungle | trunk, tusks, ears
duck | ducks | farm_animal | drake | | duckling | quacks | grain, snails, weeds | pond, lake, reeds | feathers, beak, wings
tiger | tigers | wild_animal | | tigress | cub | roars, growls | meat, deer, boars | jungle, den, zoo | stripes, claws, teeth
owl | owls | bird | | | owlet | hoots, screeches | mice, moths, frogs | tower, hollow, barn | wings, eyes, feathers
goat | goats | farm_animal | | nanny_goat | kid | bleats | grass, thistles, leaves | hillside, fold, pasture | horns, beard, hooves
fox | foxes | wild_animal | | vixen | | yelps, barks | hens, mice, berries | forest, den, burrow | tail, fur, ears
mouse | mice | wild_animal | | | | squeaks | cheese, grain, crumbs | hole, cellar, barn | tail, whiskers, ears
deer | | wild_animal | stag | doe | fawn | grunts | leaves, bark, grass | forest, glade, park | antlers, hooves, tail
monkey | monkeys | wild_animal | | | | chatters, screams | bananas, nuts, fruit | jungle, zoo, treetops | tail, hands, fur
goose | geese | farm_animal | gander | goose | gosling | honks, hisses | grass, grain, weeds | pond, farmyard, meadow | feathers, beak, wings
bee | bees | insect | drone | | larva | buzzes, hums | nectar, pollen, honey | hive, flowers, orchard | sting, wings, stripes
shark | sharks | water_animal | | | | | fish, seals, squid | ocean, reef, sea | fins, teeth, gills
snake | snakes | wild_animal | | | | hisses | mice, frogs, eggs | grass, desert, rocks | scales, fangs, tongue
swan | swans | bird | | | cygnet | honks, hisses | weeds, grass, grain | lake, pond, reeds | feathers, neck, wings
donkey | donkeys | farm_animal | | | | brays | hay, thistles, straw | stable, paddock, village | ears, hooves, tail
frog | frogs | water_animal | | | tadpole | croaks | flies, worms, snails | pond, marsh, reeds | legs, tongue, eyes
parrot | parrots | pet | | | | squawks, chatters | nuts, seeds, fruit | cage, jungle, perch | feathers, beak, tongue
whale | whales | water_animal | | | | sings | krill, squid, plankton | ocean, sea, bay | fins, tail, blubber
sparrow | sparrows | bird | | | fledgling | chirps, twitters | crumbs, seeds, insects | nest, hedge, roof | feathers, wings, beak
camel | camels | farm_animal | | | | grunts | thistles, dates, straw | desert, oasis, caravan | hump, hooves, lips
spider | spiders | insect | | | spiderling | | flies, moths, gnats | web, cellar, corner | legs, fangs, eyes
dolphin | dolphins | water_animal | | | | whistles, clicks | herrings, squid, fish | ocean, sea, bay | fins, tail, snout
crow | crows | bird | | | | caws | seeds, worms, corn | nest, field, treetops | wings, beak, feathers
giraffe | giraffes | wild_animal | | | | hums | leaves, buds, acacia | savanna, zoo, plain | neck, legs, spots
hamster | hamsters | pet | | | | squeaks | seeds, lettuce, nuts | cage, wheel, burrow | cheeks, whiskers, fur
ant | ants | insect | | | | | crumbs, sugar, leaves | anthill, forest, ground | legs, jaws, feelers
penguin | penguins | bird | | | | honks | krill, herrings, squid | ice, coast, zoo | flippers, beak, feathers
kangaroo | kangaroos | wild_animal | | | joey | grunts | grass, leaves, roots | outback, plain, zoo | pouch, tail, legs
butterfly | butterflies | insect | | | caterpillar | | nectar, pollen | meadow, garden, flowers | wings, feelers, spots
seal | seals | water_animal | | | pup | barks | herrings, squid, fish | ice, coast, bay | flippers, whiskers, blubber
turkey | turkeys | farm_animal | | | | gobbles | corn, grain, acorns | farmyard, coop, barn | feathers, beak, wings
hawk | hawks | bird | | | | screeches | mice, sparrows, hares | cliff, nest, sky | claws, beak, wings
trout | | water_animal | | | | | insects, worms, flies | stream, river, lake | scales, fins, gills
squirrel | squirrels | wild_animal | | | | chatters | nuts, acorns, seeds | treetops, hollow, park | tail, paws, fur
zebra | zebras | wild_animal | | | | barks, snorts | grass, leaves, bark | savanna, plain, zoo | stripes, mane, hooves
pigeon | pigeons | bird | | | squab | coos | crumbs, grain, seeds | roof, square, loft | wings, feathers, beak
hare | hares | wild_animal | | | leveret | squeaks | clover, grass, bark | meadow, field, hedge | ears, legs, fur
crocodile | crocodiles | water_animal | | | | growls, hisses | fish, antelopes, meat | river, swamp, marsh | jaws, scales, teeth
nightingale | nightingales | bird | | | | sings, trills | insects, berries, worms | hedge, garden, nest | feathers, throat, wings
crab | crabs | water_animal | | | | clicks | shrimps, weeds, worms | beach, reef, rocks | claws, shell, legs
stork | storks | bird | | | | clatters | frogs, snails, insects | roof, chimney, marsh | beak, legs, wings
bat | bats | wild_animal | | | | squeaks | moths, gnats, fruit | cave, attic, tower | wings, ears, teeth
ox | oxen | farm_animal | | | | bellows | hay, grass, straw | stable, field, barn | horns, neck, hooves
hedgehog | hedgehogs | wild_animal | | | | grunts, sniffs | snails, worms, beetles | hedge, garden, leaves | spines, snout, paws
fly | flies | insect | | | maggot | buzzes | sugar, scraps, crumbs | kitchen, window, stable | wings, eyes, legs
crane | cranes | bird | | | | trumpets | frogs, seeds, insects | marsh, lake, field | legs, neck, wings
mosquito | mosquitoes | insect | | | | hums, buzzes | blood, nectar | marsh, pond, bedroom | sting, wings, legs
`
