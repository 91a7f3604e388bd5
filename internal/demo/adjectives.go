package demo

// adjectiveRows leaves cells empty where English has no such form in use.
// "what" is described by the adjective, "act" is done in its manner.
const adjectiveRows = `
adjective | comparative | superlative | adverb | negated | opposite | what | act
big | bigger | biggest | | | small | house, ship, elephant, box | filled the yard, took much room
small | smaller | smallest | | | big | mouse, box, room, insect | fitted into the pocket, took little room
old | older | oldest | | | young | castle, oak, grandfather, ruin | stood for centuries, remembered the war
young | younger | youngest | | | old | student, couple, lamb, sapling | learned a trade, grew up
quick | quicker | quickest | quickly | | slow | answer, fox, runner, reply | ran away, answered
slow | slower | slowest | slowly | | quick | snail, tortoise, train, cart | crawled along, moved
happy | happier | happiest | happily | unhappy | sad | child, couple, bride, ending | laughed, smiled
sad | sadder | saddest | sadly | | happy | widow, song, clown, farewell | wept, sighed
warm | warmer | warmest | warmly | | cool | coat, blanket, bath, evening | dressed, welcomed the guests
cold | colder | coldest | coldly | | hot | winter, wind, ice, night | stared, refused
loud | louder | loudest | loudly | | quiet | drum, thunder, crowd, trumpet | shouted, cheered
quiet | quieter | quietest | quietly | unquiet | loud | library, church, lake, mouse | whispered, tiptoed
strong | stronger | strongest | strongly | | weak | ox, wrestler, rope, bear | pulled, objected
weak | weaker | weakest | weakly | | strong | patient, old man, excuse, voice | nodded, protested
kind | kinder | kindest | kindly | unkind | cruel | nurse, aunt, neighbour, word | helped, offered a seat
rich | richer | richest | richly | | poor | merchant, banker, heir, soil | decorated the hall, rewarded the finder
poor | poorer | poorest | poorly | | rich | beggar, peasant, orphan, village | slept, ate
soft | softer | softest | softly | | hard | pillow, wool, fur, voice | spoke, sang
hard | harder | hardest | | | soft | stone, rock, steel, nut | resisted the hammer, broke a tooth
bright | brighter | brightest | brightly | | dark | star, lamp, sun, colour | shone, burned
dark | darker | darkest | darkly | | bright | cellar, cave, forest, cloud | muttered, frowned
deep | deeper | deepest | deeply | | shallow | lake, well, ocean, valley | breathed, slept
high | higher | highest | highly | | low | mountain, tower, wall, price | praised the work, recommended the book
low | lower | lowest | | | high | bridge, ceiling, fence, tide | bent the head, hung over the door
safe | safer | safest | safely | unsafe | dangerous | harbour, bank, shelter, road | arrived, landed
cheap | cheaper | cheapest | cheaply | | expensive | ticket, hotel, shoe, toy | bought the tickets, travelled
clever | cleverer | cleverest | cleverly | | stupid | fox, pupil, detective, trick | solved the riddle, escaped
brave | braver | bravest | bravely | | cowardly | knight, soldier, fireman, hero | fought, defended the town
heavy | heavier | heaviest | heavily | | light | stone, suitcase, anvil, lorry | rained, fell
light | lighter | lightest | lightly | | heavy | feather, dress, breeze, balloon | touched the arm, floated
lucky | luckier | luckiest | luckily | unlucky | | gambler, winner, number, guess | escaped, won the lottery
angry | angrier | angriest | angrily | | calm | bull, boss, crowd, letter | shouted, slammed the door
calm | calmer | calmest | calmly | | angry | sea, doctor, voice, captain | explained, waited
gentle | gentler | gentlest | gently | | rough | nurse, lamb, breeze, touch | stroked the cat, rocked the cradle
rough | rougher | roughest | roughly | | smooth | sea, skin, bark, road | pushed, handled the goods
smooth | smoother | smoothest | smoothly | | rough | silk, glass, ice, marble | glided, landed
clear | clearer | clearest | clearly | unclear | vague | water, sky, answer, rule | spoke, explained
fair | fairer | fairest | fairly | unfair | | judge, referee, price, trial | decided, shared the money
tidy | tidier | tidiest | tidily | untidy | messy | room, desk, wardrobe, kitchen | folded the clothes, arranged the books
healthy | healthier | healthiest | healthily | unhealthy | sick | diet, baby, athlete, fruit | ate, lived
friendly | friendlier | friendliest | | unfriendly | hostile | dog, neighbour, village, greeting | waved, chatted
wise | wiser | wisest | wisely | unwise | foolish | judge, owl, old woman, advice | decided, chose
foolish | | | foolishly | | wise | boy, bet, idea, quarrel | laughed, gambled
proud | prouder | proudest | proudly | | humble | father, lion, champion, eagle | showed the medal, marched
polite | politer | politest | politely | impolite | rude | waiter, guest, butler, request | bowed, thanked
rude | ruder | rudest | rudely | | polite | customer, remark, clerk, gesture | interrupted, laughed
sharp | sharper | sharpest | sharply | | blunt | knife, razor, sword, tooth | cut, turned
sweet | sweeter | sweetest | sweetly | unsweetened | bitter | honey, cake, melon, melody | sang, smiled
bitter | | | bitterly | | sweet | medicine, coffee, quarrel, herb | complained, wept
clean | cleaner | cleanest | cleanly | unclean | dirty | shirt, glass, towel, floor | cut, shaved
dirty | dirtier | dirtiest | | | clean | boot, puddle, rag, sink | left stains, smelled of mud
thick | thicker | thickest | thickly | | thin | fog, wall, carpet, soup | spread the butter, covered the ground
thin | thinner | thinnest | thinly | | thick | wire, paper, slice, thread | sliced the ham, spread the jam
wide | wider | widest | widely | | narrow | river, avenue, plain, gate | travelled, opened the eyes
narrow | narrower | narrowest | narrowly | | wide | alley, path, bridge, gorge | escaped, missed the goal
long | longer | longest | | | short | journey, rope, snake, queue | lasted all day, stretched to the horizon
short | shorter | shortest | shortly | | long | holiday, sentence, pencil, visit | answered, replied
fresh | fresher | freshest | freshly | | stale | bread, fish, milk, air | baked, painted
easy | easier | easiest | easily | uneasy | difficult | task, exam, question, lesson | won, passed the exam
busy | busier | busiest | busily | | idle | street, ant, market, clerk | worked, wrote
lazy | lazier | laziest | lazily | | diligent | cat, servant, pupil, afternoon | stretched, yawned
noisy | noisier | noisiest | noisily | | silent | engine, class, street, parrot | rattled, slurped
tall | taller | tallest | | | | tree, giraffe, tower, giant | cast a shadow, looked over the wall
fast | faster | fastest | | | slow | car, horse, cheetah, plane | overtook the bus, won the race
certain | | | certainly | uncertain | doubtful | victory, proof, date, fact | knew, agreed
comfortable | | | comfortably | uncomfortable | | sofa, bed, shoe, armchair | sat, slept
honest | | | honestly | | false | witness, servant, merchant, answer | confessed, admitted
careful | | | carefully | | careless | driver, nurse, surgeon, plan | drove, measured
expected | | | expectedly | unexpected | | guest, visit, letter, result | arrived, came
usual | | | usually | unusual | strange | meal, place, hour, habit | happened, met
pleasant | | | pleasantly | unpleasant | | smell, walk, summer, voice | smiled, surprised
willing | | | willingly | unwilling | reluctant | helper, pupil, servant, volunteer | obeyed, joined
known | | | | unknown | | author, island, painter, illness | appeared in the paper, left no trace
able | | | ably | unable | | pilot, worker, leader, pupil | managed the shop, led the team
equal | | | equally | unequal | | share, right, fight, chance | divided the cake, shared
naïve | | | naïvely | | cunning | hero, question, belief, youth | believed, trusted
`
