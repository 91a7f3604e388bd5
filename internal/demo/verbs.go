package demo

import "slices"

// transitiveRows holds the verbs with an object, which may become the subject of
// a passive sentence.
const transitiveRows = `
base | third | ing | past | part | agent | who | object | where
write | writes | writing | wrote | written | writer | author, poet, student | a letter, the book, a poem, a story | on paper, with a pen, at the desk
make | makes | making | made | made | maker | craftsman, mother, company | the table, a plan, some coffee, a mistake | by hand, at home, in the workshop
take | takes | taking | took | taken | | traveller, student, thief | the bus, a photograph, the money, a seat | from the shelf, at the station
teach | teaches | teaching | taught | taught | teacher | professor, master, tutor | the lesson, history, mathematics, the class | at school, in the classroom
find | finds | finding | found | found | finder | child, explorer, detective | the key, a coin, the answer, a treasure | under the bed, in the drawer
give | gives | giving | gave | given | giver | friend, aunt, guest | a present, the flower, some advice, a speech | at the party, on the birthday
paint | paints | painting | painted | painted | painter | artist, pupil, neighbour | the wall, a picture, the portrait, the fence | with a brush, in the studio
eat | eats | eating | ate | eaten | eater | child, guest, family | the soup, breakfast, an apple, the dinner | at the table, with a spoon
drive | drives | driving | drove | driven | driver | chauffeur, father, worker | the car, a truck, the bus, the taxi | on the road, along the motorway
build | builds | building | built | built | builder | mason, engineer, worker | the house, a bridge, the wall, a tower | with bricks, beside the river
sing | sings | singing | sang | sung | singer | choir, soprano, child | the song, a hymn, an aria, the melody | on stage, in the choir
drink | drinks | drinking | drank | drunk | drinker | guest, traveller, farmer | the water, some tea, a beer, the milk | from a cup, at the bar
see | sees | seeing | saw | seen | | tourist, neighbour, visitor | the sea, a rainbow, the mountain, a film | through the window, from the tower
sell | sells | selling | sold | sold | seller | merchant, shopkeeper, farmer | the goods, the house, a ticket, the fruit | at the market, in the shop
buy | buys | buying | bought | bought | buyer | customer, shopper, merchant | the goods, the shoes, a ticket, some fruit | at the market, for ten coins
play | plays | playing | played | played | player | team, musician, child | the game, the piano, football, chess | in the garden, on the field
cook | cooks | cooking | cooked | cooked | | chef, mother, housekeeper | the dinner, a meal, the soup, the rice | in the kitchen, over the fire
help | helps | helping | helped | helped | helper | nurse, neighbour, friend | the patient, a stranger, the poor, the old man | with the work, across the street
bake | bakes | baking | baked | baked | baker | grandmother, confectioner, cook | the bread, a cake, the pie, a loaf | in the oven, with flour
catch | catches | catching | caught | caught | catcher | fisherman, policeman, goalkeeper | the fish, a thief, the ball, a cold | with a net, near the pond
know | knows | knowing | knew | known | | scholar, expert, student | the answer, the truth, the rule, a secret | by heart, from experience
break | breaks | breaking | broke | broken | breaker | burglar, clumsy boy, storm | the window, a glass, the vase, a promise | into pieces, with a stone
tell | tells | telling | told | told | teller | storyteller, grandfather, witness | the story, a joke, the truth, a lie | at bedtime, by the fireplace
wash | washes | washing | washed | washed | washer | maid, laundress, servant | the shirt, the dishes, the floor, the window | with soap, in hot water
clean | cleans | cleaning | cleaned | cleaned | cleaner | servant, maid, janitor | the floor, the office, the carpet, the stairs | with a broom, with a cloth
hunt | hunts | hunting | hunted | hunted | hunter | tribesman, baron, wolf | the deer, a boar, the rabbit, the fox | in the forest, with a rifle
read | reads | reading | read | read | reader | student, judge, librarian | the novel, a newspaper, the page, the letter | in the library, by lamplight
choose | chooses | choosing | chose | chosen | chooser | voter, customer, jury | the winner, a dress, the colour, a leader | from the list, with care
wear | wears | wearing | wore | worn | wearer | bride, soldier, model | the dress, a uniform, the hat, the coat | at the wedding, in winter
plant | plants | planting | planted | planted | planter | gardener, farmer, peasant | the seed, a tree, the rose, the crop | in the soil, in the garden
steal | steals | stealing | stole | stolen | | thief, burglar, pickpocket | the wallet, the jewel, a purse, the painting | from the museum, at night
ride | rides | riding | rode | ridden | rider | jockey, cowboy, knight | the horse, a bicycle, the pony, a camel | in the saddle, across the field
repair | repairs | repairing | repaired | repaired | repairer | mechanic, plumber, watchmaker | the engine, the clock, a pipe, the machine | in the garage, with a wrench
draw | draws | drawing | drew | drawn | drawer | architect, artist, pupil | a circle, the map, a plan, the sketch | with a pencil, on the blackboard
speak | speaks | speaking | spoke | spoken | speaker | orator, minister, ambassador | the language, a word, the truth, a dialect | in public, with an accent
carry | carries | carrying | carried | carried | carrier | porter, donkey, mule | the suitcase, a basket, the sack, a burden | up the stairs, on the back
throw | throws | throwing | threw | thrown | thrower | pitcher, athlete, naughty boy | the ball, a stone, the javelin, a spear | over the fence, into the air
grow | grows | growing | grew | grown | grower | farmer, gardener, peasant | the wheat, tomatoes, the rice, a vegetable | in the greenhouse, in the fields
win | wins | winning | won | won | winner | champion, athlete, team | the race, a medal, the match, a prize | at the stadium, in the final
lose | loses | losing | lost | lost | loser | gambler, team, careless girl | the match, a wallet, the bet, the game | at the casino, in the final
keep | keeps | keeping | kept | kept | keeper | farmer, guard, collector | the bees, a secret, the stamps, the treasure | in a box, under lock
send | sends | sending | sent | sent | sender | office, secretary, aunt | the parcel, a letter, the telegram, a message | by post, to the address
lead | leads | leading | led | led | leader | general, guide, captain | the army, the group, a revolt, the expedition | through the valley, into battle
feed | feeds | feeding | fed | fed | feeder | farmer, zookeeper, shepherd | the pigs, the baby, the hens, the lion | with hay, at the trough
hear | hears | hearing | heard | heard | hearer | watchman, owl, neighbour | the noise, a bell, the music, the thunder | in the distance, at midnight
hide | hides | hiding | hid | hidden | | pirate, squirrel, thief | the treasure, a nut, the loot, the letter | behind the curtain, in a cave
bite | bites | biting | bit | bitten | biter | dog, snake, mosquito | the postman, the leg, a finger, the bone | with sharp teeth, in the ankle
shake | shakes | shaking | shook | shaken | shaker | earthquake, barman, wind | the tree, a bottle, the cocktail, the house | with force, up and down
sew | sews | sewing | sewed | sewn | sewer | tailor, seamstress, grandmother | the button, a dress, the sleeve, the shirt | with needle and thread
weave | weaves | weaving | wove | woven | weaver | spider, craftsman, girl | the web, a carpet, the cloth, a basket | on the loom, with wool
dig | digs | digging | dug | dug | digger | miner, badger, gardener | the hole, a tunnel, the ditch, a well | with a spade, under ground
sweep | sweeps | sweeping | swept | swept | sweeper | servant, janitor, maid | the street, the chimney, the yard, the leaves | with a broom, in autumn
open | opens | opening | opened | opened | opener | doorman, porter, guard | the door, a gate, the window, the box | with a key, in the hall
close | closes | closing | closed | closed | | doorman, shopkeeper, guard | the door, the gate, a shop, the shutter | behind him, at six in the evening
push | pushes | pushing | pushed | pushed | pusher | nanny, worker, nurse | the cart, a pram, the wheelchair, the button | up the hill, along the corridor
pull | pulls | pulling | pulled | pulled | puller | horse, tractor, ox | the plough, a wagon, the sledge, the rope | across the field, with great effort
serve | serves | serving | served | served | server | waiter, butler, innkeeper | the meal, the wine, the guests, a dessert | on a tray, at the inn
order | orders | ordering | ordered | ordered | | customer, general, diner | a steak, the dessert, the attack, the wine | from the menu, at the restaurant
pay | pays | paying | paid | paid | payer | customer, tenant, employer | the bill, the rent, a fine, the wages | in cash, at the counter
borrow | borrows | borrowing | borrowed | borrowed | borrower | student, neighbour, debtor | the money, a ladder, the book, some sugar | from the bank, for a week
lend | lends | lending | lent | lent | lender | bank, neighbour, librarian | the money, a ladder, the book, an umbrella | at high interest, for a week
print | prints | printing | printed | printed | printer | publisher, newspaper, office | the page, a poster, the leaflet, the book | with black ink, on the press
publish | publishes | publishing | published | published | publisher | newspaper, author, university | the novel, an article, the report, the poem | in the magazine, every spring
translate | translates | translating | translated | translated | translator | scholar, interpreter, linguist | the poem, a sentence, the novel, the document | into another language, from latin
explain | explains | explaining | explained | explained | explainer | teacher, lawyer, scientist | the rule, a problem, the theory, the reason | to the pupils, in simple words
visit | visits | visiting | visited | visited | visitor | tourist, aunt, delegation | the museum, a castle, the cathedral, the patient | on sunday, during the holidays
invite | invites | inviting | invited | invited | | hostess, friend, duke | the guests, the neighbours, a friend, the orchestra | to the party, to the wedding
invent | invents | inventing | invented | invented | inventor | engineer, scientist, genius | the telephone, a machine, the engine, the radio | in the laboratory, by chance
discover | discovers | discovering | discovered | discovered | discoverer | explorer, astronomer, scientist | the island, a planet, the cure, a comet | beyond the ocean, with a telescope
study | studies | studying | studied | studied | | student, scholar, biologist | the plants, physics, the law, medicine | at university, for the exam
solve | solves | solving | solved | solved | solver | detective, mathematician, student | the puzzle, a crime, the equation, the riddle | with logic, in ten minutes
polish | polishes | polishing | polished | polished | polisher | butler, soldier, jeweller | the boots, the silver, the diamond, the lamp | with a cloth, until it shone
deliver | delivers | delivering | delivered | delivered | | postman, courier, midwife | the parcel, the mail, the newspaper, the milk | to the door, before breakfast
guard | guards | guarding | guarded | guarded | | soldier, sentry, dog | the palace, the prisoner, the gate, the bank | with a spear, all night
chase | chases | chasing | chased | chased | chaser | cat, dog, policeman | the mouse, a burglar, the hare, the ball | through the alley, around the yard
climb | climbs | climbing | climbed | climbed | climber | monkey, mountaineer, goat | the mountain, a tree, the rock, the ladder | with a rope, to the summit
milk | milks | milking | milked | milked | | dairymaid, farmer, peasant | the cow, the goat, the sheep | in the barn, into a bucket
harvest | harvests | harvesting | harvested | harvested | harvester | farmer, peasant, worker | the wheat, the grapes, the corn, the crop | in the vineyard, with a sickle
kick | kicks | kicking | kicked | kicked | kicker | striker, mule, footballer | the ball, a penalty, the bucket, the door | into the net, with the left foot
record | records | recording | recorded | recorded | recorder | musician, band, engineer | the song, an album, the concert, the voice | in the studio, on tape
marry | marries | marrying | married | married | | priest, prince, bride | the couple, a widow, the princess, the groom | in church, in june
love | loves | loving | loved | loved | lover | mother, poet, sailor | the child, the music, a woman, the spring | with all the heart, for ever
`

// intransitiveRows holds the other verbs; "what" is the phrase that follows them.
const intransitiveRows = `
base | third | ing | past | part | agent | who | what | where
go | goes | going | went | gone | goer | family, pupil, neighbour | to school, to the market, to church, home | on foot, by bus
run | runs | running | ran | run | runner | athlete, horse, boy | a marathon, to the finish, around the track | very fast, through the park
walk | walks | walking | walked | walked | walker | pensioner, tourist, dog | along the beach, through the park, down the street | on foot, with a stick
come | comes | coming | came | come | comer | guest, uncle, stranger | to the party, to the village, back home | by train, from far away
work | works | working | worked | worked | worker | engineer, clerk, labourer | in the factory, at the office, in the mine | for low wages, eight hours
live | lives | living | lived | lived | | family, hermit, couple | in a cottage, in the city, on the island | with the parents, for many years
sleep | sleeps | sleeping | slept | slept | sleeper | baby, cat, hermit | in the bed, in a cradle, under the blanket | all night, until noon
dance | dances | dancing | danced | danced | dancer | ballerina, couple, princess | the waltz, a tango, on the stage, at the ball | to the music, until midnight
swim | swims | swimming | swam | swum | swimmer | dolphin, lifeguard, athlete | in the pool, across the lake, in the sea | under water, against the current
travel | travels | travelling | travelled | travelled | traveller | tourist, salesman, pilgrim | around the world, by train, to distant lands | with a suitcase, across the border
fly | flies | flying | flew | flown | flyer | pilot, eagle, swallow | over the clouds, to the south, the plane | above the mountains, with spread wings
sit | sits | sitting | sat | sat | sitter | passenger, grandfather, cat | on the chair, on the sofa, on the bench | near the fire, in the front row
stand | stands | standing | stood | stood | | sentry, crowd, statue | at the gate, in the queue, on the hill | without moving, in the square
fall | falls | falling | fell | fallen | | rain, leaf, drunkard | from the roof, down the stairs, to the ground | in autumn, with a crash
rise | rises | rising | rose | risen | riser | sun, moon, price | over the hills, above the horizon, in the east | at dawn, very slowly
wait | waits | waiting | waited | waited | | passenger, patient, lover | at the bus stop, for the train, for an hour | with patience, on the platform
talk | talks | talking | talked | talked | talker | neighbour, politician, parrot | about the weather, on the telephone, to the press | for hours, with a friend
laugh | laughs | laughing | laughed | laughed | | clown, audience, girl | at the joke, at the comedy, in the circus | out loud, with joy
cry | cries | crying | cried | cried | crier | baby, widow, child | at the funeral, in the cradle, in the film | with grief, bitter tears
smile | smiles | smiling | smiled | smiled | | bride, nurse, hostess | at the camera, at the guests, in the mirror | with joy, with white teeth
shout | shouts | shouting | shouted | shouted | shouter | sergeant, coach, fan | at the soldiers, at the referee, across the field | out loud, in anger
whisper | whispers | whispering | whispered | whispered | whisperer | librarian, spy, lover | in the library, in the dark, a secret | into the ear, in a low voice
jump | jumps | jumping | jumped | jumped | jumper | frog, horse, kangaroo | over the fence, into the pond, across the ditch | very high, from the branch
sail | sails | sailing | sailed | sailed | sailor | captain, pirate, yacht | across the ocean, around the cape, into the harbour | in the storm, with the wind
march | marches | marching | marched | marched | marcher | army, soldier, regiment | through the town, to the front, into battle | in step, with drums
fight | fights | fighting | fought | fought | fighter | soldier, boxer, knight | in the war, in the ring, for freedom | with a sword, against the enemy
arrive | arrives | arriving | arrived | arrived | | train, guest, ambassador | at the station, at the airport, at the hotel | on time, with an hour of delay
shine | shines | shining | shone | shone | | sun, star, lantern | in the sky, above the sea, through the clouds | with a bright light, all day
dream | dreams | dreaming | dreamed | dreamed | dreamer | poet, prisoner, sleeper | about the future, of freedom, in the bed | with closed eyes, all night
listen | listens | listening | listened | listened | listener | pupil, audience, judge | to the radio, to the music, to the lecture | with attention, in silence
skate | skates | skating | skated | skated | skater | boy, champion, couple | on the ice, on the frozen lake, at the rink | in winter, with grace
crawl | crawls | crawling | crawled | crawled | crawler | baby, snail, soldier | across the floor, under the fence, through the mud | on the knees, very slowly
wander | wanders | wandering | wandered | wandered | wanderer | hermit, poet, nomad | through the forest, in the desert, over the hills | without aim, for many days
fish | fishes | fishing | fished | fished | | angler, grandfather, boy | in the river, on the lake, for trout | with a rod, from the boat
`

// verbs joins the two kinds in one table, one intransitive verb after every two
// transitive ones, because a row's place decides its frequency. What follows the
// verb is in "what" for both; "object" is empty for intransitive verbs.
func verbs() *table {
	transitive, intransitive := parseTable(transitiveRows), parseTable(intransitiveRows)
	object := transitive.column("object")
	joined := &table{columns: append(slices.Clone(intransitive.columns), "object")}
	for i, row := range transitive.rows {
		joined.rows = append(joined.rows, append(slices.Clone(row), row[object]))
		if i%2 == 1 && i/2 < len(intransitive.rows) {
			joined.rows = append(joined.rows, append(slices.Clone(intransitive.rows[i/2]), nil))
		}
	}
	return joined
}
