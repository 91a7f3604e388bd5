package demo

// kindRows holds what entities of one kind have in common: what is done to them,
// what they are like, and by whom it is done.
const kindRows = `
kind | done | look | doer
pet | stroked, brushed | tame, playful | owner, child, vet
farm_animal | bred, fattened | sturdy, useful | farmer, peasant, vet
wild_animal | hunted, trapped | wild, shy | hunter, poacher, ranger
bird | ringed, fed | feathered, singing | birdwatcher, ranger, poet
water_animal | netted, harpooned | slippery, wet | fisherman, diver, angler
insect | swatted, collected | tiny, winged | collector, biologist, gardener
fruit | peeled, picked | ripe, juicy | fruit_seller, picker, gardener
vegetable | chopped, boiled | raw, leafy | greengrocer, cook, gardener
meat | fried, roasted | grilled, fatty | butcher, cook, hunter
drink | poured, sipped | refreshing, diluted | barman, waiter, guest
dairy_food | churned, whipped | fatty, cheap | dairymaid, milkman, cook
bakery_food | baked, sliced | crisp, warm | baker, cook, child
sweet_food | licked, wrapped | sugary, delicious | confectioner, child, aunt
grain_food | boiled, stirred | steaming, overcooked | cook, mother, soldier
nut | cracked, roasted | hard, salted | squirrel, picker, child
vehicle | parked, driven | rusty, speeding | mechanic, driver, passenger
furniture | dusted, varnished | antique, carved | carpenter, mover, maid
garment | sewn, ironed | worn, fashionable | tailor, laundress, model
tool | sharpened, oiled | rusty, handy | craftsman, blacksmith, worker
instrument | tuned, played | melodious, tuneful | musician, pupil, virtuoso
vessel | filled, emptied | full, empty | cook, maid, guest
sport_thing | kicked, thrown | light, bouncing | coach, champion, child
health | consulted, thanked | caring, careful | patient, invalid, mother
learning | quoted, questioned | learned, absent_minded | student, scholar, pupil
land | hired, helped | sunburnt, hardy | neighbour, landowner, villager
arms | wounded, drilled | fearless, armed | general, sergeant, enemy
law | bribed, appointed | stern, just | citizen, thief, voter
food_trade | paid, praised | stout, floury | customer, diner, shopper
sea | drowned, shipwrecked | salty, tattooed | captain, pirate, mate
faith | ordained, blessed | pious, solemn | bishop, believer, pilgrim
money | employed, trusted | greedy, neat | boss, saver, debtor
travel | grounded, trained | alert, uniformed | passenger, company, traveller
craft | paid, apprenticed | skilled, sooty | master, apprentice, customer
art | applauded, interviewed | gifted, famous | critic, audience, admirer
service | tipped, thanked | obliging, chatty | customer, guest, traveller
sport | cheered, timed | fit, tireless | coach, fan, rival
`

// withKinds adds to each row what goes for its kind.
func withKinds(t *table) *table {
	kinds := parseTable(kindRows)
	of := t.column("kind")
	t.columns = append(t.columns, kinds.columns[1:]...)
	for i, row := range t.rows {
		for _, kind := range kinds.rows {
			if kind[0][0] == row[of][0] {
				t.rows[i] = append(row, kind[1:]...)
			}
		}
	}
	return t
}
