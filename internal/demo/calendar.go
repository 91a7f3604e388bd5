package demo

const monthRows = `
month | season | weather | event
january | winter | snow, frost, ice | new_year, skiing, long nights
june | summer | sun, heat, warm nights | weddings, strawberries, long evenings
december | winter | snow, frost, darkness | christmas, candles, presents
may | spring | sun, mild air, blossom | picnics, lilac, dances
july | summer | heat, sun, thunderstorms | holidays, swimming, ice_cream
september | autumn | mist, mild air, rain | school, grapes, harvest
april | spring | showers, mild air, wind | easter, tulips, lambs
october | autumn | fog, rain, wind | pumpkins, mushrooms, falling leaves
august | summer | heat, drought, thunderstorms | holidays, harvest, the beach
march | spring | wind, showers, thaw | daffodils, sowing, carnival
february | winter | frost, snow, cold wind | carnival, skiing, valentine
november | autumn | fog, rain, storms | funerals, wet leaves, grey days
`

const dayRows = `
day | kind | event
monday | weekday | the working week, the first lesson, the office
saturday | weekend | the market, a football match, shopping
sunday | weekend | church, a family lunch, a long sleep
friday | weekday | the last lesson, the pub, the end of work
wednesday | weekday | the meeting, a piano lesson, the office
tuesday | weekday | the office, a second meeting, homework
thursday | weekday | the office, choir practice, homework
`

const numberRows = `
number | ordinal
two | second
three | third
four | fourth
five | fifth
ten | tenth
six | sixth
seven | seventh
eight | eighth
twelve | twelfth
nine | ninth
twenty | twentieth
eleven | eleventh
thirty | thirtieth
fifty | fiftieth
hundred | hundredth
`

const weatherRows = `
weather | adjective | time | brings | wear
rain | rainy, wet | in autumn, in april | puddles, floods, mud | umbrella, raincoat, boots
snow | snowy, white | in winter, in january | sledges, snowmen, silence | mittens, boots, fur coat
sun | sunny, bright | in summer, in july | heat, sunburn, thirst | sunglasses, straw hat, sandals
wind | windy, rough | in march, in october | waves, kites, dust | raincoat, hood, scarf
storm | stormy, dark | in november, at sea | thunder, lightning, shipwrecks | raincoat, boots, hood
fog | foggy, grey | in november, at dawn | accidents, delays, silence | lantern, scarf, overcoat
frost | frosty, cold | in february, at night | ice, frozen pipes, slippery roads | mittens, overcoat, scarf
heat | hot, dry | in august, at noon | thirst, drought, sweat | sandals, straw hat, shorts
hail | icy, hard | in spring, in may | broken glass, ruined crops, dents | umbrella, helmet, hood
`
