package demo

// tradeRows names the main workplace first: the analogy set uses only that one.
const tradeRows = `
trade | plural | kind | workplace | tool | product | does
doctor | doctors | health | hospital | syringe, thermometer | medicine, cure | heals the sick, examines the patient
teacher | teachers | learning | school | chalk, blackboard | lesson, pupils | explains the rule, marks the tests
farmer | farmers | land | farm | tractor, plough | wheat, cattle | ploughs the fields, feeds the animals
soldier | soldiers | arms | barracks | rifle, helmet | battle, war | fights in the war, guards the gate
judge | judges | law | court | gavel, robe | trial, sentence | hears the case, punishes the thief
baker | bakers | food_trade | bakery | oven, rolling_pin | bread, cakes | bakes the bread, kneads the dough
sailor | sailors | sea | ship | anchor, compass | voyage, cargo | hoists the sails, scrubs the deck
nurse | nurses | health | clinic | bandage, thermometer | patients, medicine | cares for the sick, changes the bandage
priest | priests | faith | church | bible, candle | prayer, sermon | blesses the couple, reads the prayer
chef | chefs | food_trade | kitchen | frying_pan, ladle | soup, sauce | tastes the sauce, chops the onions
banker | bankers | money | bank | safe, ledger | loan, interest | counts the money, signs the loan
pilot | pilots | travel | airport | cockpit, headset | flight, landing | lands the plane, checks the instruments
scientist | scientists | learning | laboratory | microscope, test_tube | theory, experiment | tests the theory, measures the result
butcher | butchers | food_trade | slaughterhouse | cleaver, knife | meat, sausages | cuts the meat, grinds the beef
mechanic | mechanics | craft | garage | wrench, screwdriver | engine, tyres | repairs the engine, changes the tyres
miner | miners | craft | mine | pickaxe, lamp | coal, gold | digs the coal, breaks the rock
professor | professors | learning | university | lectern, textbook | lecture, theory | gives the lecture, examines the students
fisherman | fishermen | sea | harbour | net, rod | cod, herring | mends the net, sorts the catch
musician | musicians | art | concert_hall | violin, score | symphony, concert | tunes the violin, plays the melody
librarian | librarians | learning | library | catalogue, shelf | books, silence | sorts the books, lends the novel
gardener | gardeners | land | garden | rake, spade | roses, hedges | waters the roses, trims the hedge
tailor | tailors | craft | tailor_shop | needle, scissors | suit, trousers | sews the suit, measures the sleeve
blacksmith | blacksmiths | craft | forge | anvil, hammer | horseshoe, sword | forges the iron, shoes the horse
clerk | clerks | money | office | typewriter, stapler | reports, letters | types the letter, files the report
carpenter | carpenters | craft | workshop | saw, hammer | table, chairs | saws the plank, planes the board
astronomer | astronomers | learning | observatory | telescope, star_map | planet, comet | watches the stars, names the comet
barber | barbers | service | barbershop | razor, comb | haircut, shave | cuts the hair, shaves the customer
shepherd | shepherds | land | pasture | crook, whistle | wool, flock | counts the flock, shears the sheep
brewer | brewers | food_trade | brewery | barrel, kettle | beer, ale | brews the beer, fills the barrel
potter | potters | craft | pottery | wheel, kiln | vase, jug | shapes the clay, fires the kiln
artist | artists | art | studio | brush, easel | portrait, painting | mixes the colours, paints the portrait
lawyer | lawyers | law | law_firm | contract, briefcase | trial, defence | defends the client, writes the contract
athlete | athletes | sport | stadium | javelin, spikes | record, medal | trains for the race, breaks the record
grocer | grocers | food_trade | grocery | scales, counter | vegetables, sugar | weighs the sugar, sells the vegetables
dentist | dentists | health | dental_surgery | drill, mirror | teeth, filling | pulls the tooth, drills the filling
pharmacist | pharmacists | health | pharmacy | scales, mortar | pills, medicine | mixes the medicine, sells the pills
winemaker | winemakers | food_trade | vineyard | press, barrel | wine, grapes | presses the grapes, tastes the wine
jeweller | jewellers | craft | jewellery_shop | tweezers, lens | ring, diamonds | polishes the diamond, engraves the ring
bookseller | booksellers | money | bookshop | shelf, till | novels, poetry | sells the novels, recommends the poetry
florist | florists | land | flower_shop | ribbon, vase | bouquet, roses | ties the bouquet, arranges the tulips
journalist | journalists | art | newsroom | notebook, typewriter | article, interview | writes the article, interviews the minister
porter | porters | service | hotel | trolley, bell | luggage, suitcases | carries the luggage, rings the bell
jailer | jailers | law | prison | keys, handcuffs | cell, prisoners | locks the cell, watches the prisoners
minister | ministers | law | ministry | budget, briefcase | reform, law | signs the law, answers the press
conductor | conductors | art | opera_house | baton, score | orchestra, symphony | lifts the baton, leads the orchestra
`
