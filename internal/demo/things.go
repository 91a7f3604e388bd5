package demo

// thingRows holds what people make, wear, ride and play on.
const thingRows = `
thing | plural | kind | material | place | use | user
car | cars | vehicle | steel, glass, rubber | garage, road, motorway | drive to work, travel fast | driver, commuter
table | tables | furniture | wood, oak, glass | kitchen, dining_room, café | eat dinner, lay the plates | family, guest
shirt | shirts | garment | cotton, linen, silk | wardrobe, laundry, drawer | dress for work, cover the chest | clerk, waiter
hammer | hammers | tool | steel, iron, wood | workshop, toolbox, shed | drive the nails, break the stone | carpenter, blacksmith
piano | pianos | instrument | wood, ivory, wire | concert_hall, parlour, studio | play the sonata, accompany the singer | pianist, composer
chair | chairs | furniture | wood, oak, leather | kitchen, dining_room, office | sit down, rest the legs | guest, clerk
train | trains | vehicle | steel, iron, glass | station, railway, tunnel | travel far, carry passengers | commuter, passenger
knife | knives | tool | steel, iron, silver | kitchen, drawer, butcher_shop | cut the meat, slice the bread | cook, butcher
coat | coats | garment | wool, leather, fur | wardrobe, hall, hook | keep warm, go out in winter | old man, traveller
violin | violins | instrument | wood, maple, wire | concert_hall, orchestra, case | play the sonata, lead the quartet | violinist, busker
bed | beds | furniture | wood, iron, cotton | bedroom, hospital, hotel | sleep, rest at night | patient, child
ship | ships | vehicle | steel, iron, timber | harbour, ocean, dock | cross the ocean, carry the cargo | captain, sailor
cup | cups | vessel | porcelain, clay, tin | cupboard, table, café | drink the tea, sip the coffee | guest, aunt
hat | hats | garment | felt, straw, wool | hall, hook, head | cover the head, keep off the sun | gentleman, farmer
saw | saws | tool | steel, iron, wood | workshop, toolbox, sawmill | cut the planks, fell the tree | carpenter, woodcutter
guitar | guitars | instrument | wood, cedar, wire | stage, campfire, studio | play the ballad, strum the chords | singer, busker
ball | balls | sport_thing | leather, rubber, plastic | field, playground, court | play the match, score a goal | goalkeeper, child
bicycle | bicycles | vehicle | steel, rubber, aluminium | garage, path, shed | ride to school, race downhill | student, cyclist
sofa | sofas | furniture | leather, velvet, wood | parlour, living_room, lobby | sit down, take a nap | family, lazy man
bottle | bottles | vessel | glass, plastic | cellar, bar, shelf | keep the wine, pour the water | barman, guest
shoe | shoes | garment | leather, rubber, canvas | hall, cupboard, shop | walk outside, protect the feet | dancer, child
spade | spades | tool | iron, steel, wood | garden, shed, field | dig the soil, plant the tree | gardener, grave_digger
drum | drums | instrument | wood, leather, brass | stage, parade, orchestra | beat the rhythm, lead the march | drummer, soldier
bus | buses | vehicle | steel, glass, rubber | street, station, depot | carry passengers, ride to work | commuter, pupil
dress | dresses | garment | silk, cotton, velvet | wardrobe, ballroom, shop | dance at the ball, dress for the party | bride, girl
plate | plates | vessel | porcelain, clay, silver | cupboard, table, kitchen | serve the meal, eat dinner | waiter, family
cupboard | cupboards | furniture | wood, oak, pine | kitchen, hall, pantry | store the plates, keep the cups | cook, maid
trumpet | trumpets | instrument | brass, silver | parade, stage, orchestra | sound the alarm, play the march | soldier, jazzman
axe | axes | tool | steel, iron, wood | shed, forest, sawmill | fell the tree, split the logs | woodcutter, fireman
scarf | scarves | garment | wool, silk, cotton | wardrobe, hook, drawer | keep warm, cover the neck | skier, old woman
boat | boats | vehicle | timber, steel, canvas | harbour, lake, dock | cross the lake, catch fish | fisherman, captain
glass | glasses | vessel | crystal, glass | cupboard, bar, table | drink the wine, sip the water | guest, barman
racket | rackets | sport_thing | wood, aluminium, wire | court, club, bag | play the match, hit the serve | champion, coach
flute | flutes | instrument | silver, wood, bamboo | orchestra, stage, case | play the melody, accompany the dance | flutist, shepherd
truck | trucks | vehicle | steel, rubber, iron | motorway, depot, factory | carry the cargo, deliver the goods | trucker, worker
trousers | | garment | cotton, wool, denim | wardrobe, laundry, drawer | dress for work, cover the legs | clerk, boy
desk | desks | furniture | oak, wood, pine | office, classroom, study | write the letter, read the report | pupil, clerk
screwdriver | screwdrivers | tool | steel, plastic | toolbox, garage, workshop | turn the screws, mend the lamp | mechanic, electrician
wardrobe | wardrobes | furniture | oak, pine, wood | bedroom, hotel, attic | store the clothes, hang the coats | maid, girl
glove | gloves | garment | leather, wool, cotton | pocket, drawer, hall | keep warm, protect the hands | skier, lady
jug | jugs | vessel | clay, porcelain, glass | kitchen, shelf, dairy | pour the water, keep the milk | potter, maid
plane | planes | vehicle | aluminium, steel, glass | airport, hangar, sky | travel far, cross the ocean | pilot, passenger
cello | cellos | instrument | wood, maple, wire | orchestra, concert_hall, case | play the sonata, join the quartet | cellist, composer
rake | rakes | tool | iron, wood, bamboo | garden, shed, lawn | gather the leaves, level the soil | gardener, peasant
boot | boots | garment | leather, rubber, fur | hall, barracks, stable | walk in mud, hike the hills | soldier, farmer
shelf | shelves | furniture | pine, wood, glass | library, study, pantry | store the books, keep the jars | librarian, collector
organ | organs | instrument | tin, wood, lead | church, cathedral, chapel | play the hymn, accompany the choir | organist, composer
bowl | bowls | vessel | clay, porcelain, wood | kitchen, table, cupboard | mix the salad, serve the soup | cook, potter
tram | trams | vehicle | steel, glass, iron | street, avenue, depot | ride to work, carry passengers | commuter, pupil
sweater | sweaters | garment | wool, cotton, cashmere | drawer, wardrobe, laundry | keep warm, go out in autumn | skier, fisherman
needle | needles | tool | steel, silver | sewing_box, drawer, workshop | sew the button, mend the sock | tailor, seamstress
armchair | armchairs | furniture | leather, velvet, oak | parlour, living_room, study | sit down, read the newspaper | grandfather, lodger
tractor | tractors | vehicle | steel, rubber, iron | farm, field, barn | plough the field, pull the wagon | farmer, peasant
accordion | accordions | instrument | leather, wood, brass | pub, village, stage | play the waltz, accompany the dance | musician, sailor
ski | skis | sport_thing | wood, plastic, fibreglass | slope, mountain, club | race downhill, cross the snow | skier, champion
pot | pots | vessel | iron, clay, tin | kitchen, stove, shelf | boil the soup, cook the rice | cook, witch
wrench | wrenches | tool | steel, iron | garage, toolbox, workshop | turn the bolts, mend the pipe | mechanic, plumber
bench | benches | furniture | wood, stone, iron | park, station, church | rest the legs, wait for hours | pensioner, lover
skirt | skirts | garment | cotton, silk, denim | wardrobe, shop, laundry | dance at the ball, cover the legs | girl, secretary
harp | harps | instrument | wood, maple, gold | orchestra, concert_hall, palace | play the melody, accompany the singer | harpist, angel
wagon | wagons | vehicle | timber, iron, wood | farm, village, road | carry the hay, pull the load | peasant, settler
kettle | kettles | vessel | copper, tin, iron | stove, kitchen, campfire | boil the water, make the tea | aunt, hiker
sock | socks | garment | wool, cotton, nylon | drawer, laundry, basket | protect the feet, keep warm | child, hiker
skate | skates | sport_thing | steel, leather, plastic | rink, lake, club | glide on ice, play hockey | champion, child
scissors | | tool | steel, iron | sewing_box, drawer, barbershop | cut the paper, trim the hair | barber, tailor
mattress | mattresses | furniture | cotton, wool, straw | bedroom, attic, hospital | sleep, take a nap | lodger, patient
helicopter | helicopters | vehicle | aluminium, steel, plastic | airport, sky, hospital | rescue the climbers, film the race | pilot, policeman
clarinet | clarinets | instrument | wood, ebony, silver | orchestra, stage, case | play the melody, join the band | jazzman, musician
belt | belts | garment | leather, canvas, nylon | wardrobe, drawer, hook | hold the trousers, carry the sword | soldier, cowboy
drill | drills | tool | steel, plastic, iron | workshop, mine, toolbox | bore the hole, break the rock | miner, carpenter
basket | baskets | vessel | straw, bamboo, wood | market, kitchen, picnic | carry the fruit, gather the eggs | peasant, shopper
kite | kites | sport_thing | paper, bamboo, nylon | beach, hill, meadow | fly in the wind, play outdoors | child, boy
bucket | buckets | vessel | tin, plastic, wood | well, barn, yard | carry the water, milk the cow | peasant, maid
ambulance | ambulances | vehicle | steel, glass, rubber | hospital, street, clinic | rescue the wounded, carry the patient | nurse, doctor
pyjamas | | garment | cotton, silk, linen | bedroom, drawer, laundry | sleep, rest at night | child, patient
`

// bodyRows holds parts of the body.
const bodyRows = `
part | plural | kind | near | does | ill
hand | hands | limb | arm, finger, wrist | grasps, waves, writes | cramp, scratch, blister
eye | eyes | face_part | eyelid, brow, nose | sees, blinks, weeps | blindness, tears, spectacles
foot | feet | limb | ankle, toe, heel | steps, kicks, stamps | blister, cramp, sprain
tooth | teeth | face_part | mouth, tongue, jaw | chews, bites, grinds | toothache, filling, cavity
heart | hearts | inner_part | lung, chest, blood | beats, pumps, races | attack, fever, surgery
arm | arms | limb | shoulder, elbow, hand | lifts, bends, embraces | fracture, plaster, bruise
leg | legs | limb | knee, foot, hip | bends, kicks, runs | fracture, plaster, bruise
nose | noses | face_part | eye, mouth, cheek | smells, sneezes, drips | cold, sneeze, handkerchief
ear | ears | face_part | cheek, temple, hair | hears, listens, itches | deafness, earache, noise
knee | knees | limb | leg, thigh, shin | bends, kneels, aches | bruise, scratch, surgery
mouth | mouths | face_part | lip, tooth, tongue | speaks, chews, smiles | toothache, thirst, sore
stomach | stomachs | inner_part | liver, belly, gut | digests, rumbles, aches | hunger, ulcer, surgery
finger | fingers | limb | hand, thumb, nail | points, presses, itches | ring, blister, scratch
lung | lungs | inner_part | chest, heart, throat | breathes, coughs, fills | cough, smoke, pneumonia
shoulder | shoulders | limb | arm, neck, back | lifts, carries, aches | sprain, bruise, burden
brain | brains | inner_part | skull, nerve, blood | thinks, remembers, dreams | headache, surgery, shock
`

// materialRows holds what things are made of.
const materialRows = `
material | kind | origin | good
wood | plant_material | forest, sawmill | furniture, fuel
steel | metal | factory, furnace | bridges, tools
cotton | cloth | plantation, field | clothes, bandages
gold | metal | mine, river | jewels, coins
oil | fuel | well, desert | engines, plastic
wool | cloth | sheep, pasture | clothes, carpets
iron | metal | mine, furnace | bridges, tools
coal | fuel | mine, mountain | engines, furnaces
leather | animal_material | tannery, ox | shoes, belts
silver | metal | mine, mountain | jewels, coins
glass | mineral | furnace, sand | windows, bottles
silk | cloth | worm, mulberry | clothes, ribbons
copper | metal | mine, mountain | wires, kettles
rubber | plant_material | plantation, tree | tyres, boots
paper | plant_material | forest, mill | books, letters
timber | plant_material | forest, sawmill | ships, furniture
clay | mineral | river, pit | bricks, vases
petrol | fuel | well, refinery | engines, cars
linen | cloth | field, mill | clothes, sheets
tin | metal | mine, furnace | cans, kettles
marble | mineral | quarry, mountain | statues, stairs
`
