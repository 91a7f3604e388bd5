package demo

import "slices"

// pairRows holds persons by sex; circle is the part of life they belong to.
const pairRows = `
male | female | males | females | circle | place | thing
man | woman | men | women | people | street, town, office, village | newspaper, letter, hat, chair
father | mother | fathers | mothers | family | home, kitchen, garden, house | baby, dinner, children, cradle
boy | girl | boys | girls | children | school, playground, classroom, park | ball, bicycle, lesson, toy
king | queen | kings | queens | court | palace, throne, castle, kingdom | crown, army, realm, subjects
brother | sister | brothers | sisters | family | bedroom, home, attic, yard | quarrel, secret, toys, twins
husband | wife | husbands | wives | marriage | home, flat, honeymoon, church | ring, marriage, anniversary, love
son | daughter | sons | daughters | family | nursery, school, college, home | birthday, parents, cradle, pocket_money
prince | princess | princes | princesses | court | palace, castle, ballroom, tower | throne, dragon, carriage, kingdom
uncle | aunt | uncles | aunts | family | farm, countryside, parlour, seaside | cousins, visit, present, parcel
grandfather | grandmother | grandfathers | grandmothers | family | armchair, fireplace, cottage, porch | stories, grandchildren, memories, spectacles
dad | mum | dads | mums | family | kitchen, car, supermarket, sofa | sandwich, bedtime, kids, laundry
actor | actress | actors | actresses | stage | theatre, stage, film, cinema | role, script, audience, applause
lord | lady | lords | ladies | court | manor, hall, castle, estate | servants, land, banquet, horses
waiter | waitress | waiters | waitresses | service | restaurant, café, bar, hotel | tray, menu, tip, bill
nephew | niece | nephews | nieces | family | picnic, seaside, holiday, garden | cousins, present, postcard, christening
grandson | granddaughter | grandsons | granddaughters | family | cottage, porch, garden, school | grandparents, fairy_tale, birthday, sweets
wizard | witch | wizards | witches | magic | forest, tower, cave, hut | spell, potion, cauldron, broom
groom | bride | grooms | brides | marriage | wedding, church, altar, honeymoon | ring, vows, bouquet, guests
emperor | empress | emperors | empresses | court | empire, palace, throne, capital | crown, legions, conquest, subjects
duke | duchess | dukes | duchesses | court | manor, ballroom, estate, castle | title, carriage, servants, portrait
hero | heroine | heroes | heroines | story | novel, legend, tale, battle | adventure, sword, courage, dragon
policeman | policewoman | policemen | policewomen | service | station, street, patrol, prison | thief, uniform, badge, crime
monk | nun | monks | nuns | faith | monastery, convent, chapel, abbey | prayer, candle, silence, hymn
host | hostess | hosts | hostesses | service | party, dinner, hall, parlour | guests, welcome, toast, banquet
steward | stewardess | stewards | stewardesses | service | plane, cabin, ship, airport | passengers, seat, blanket, tray
businessman | businesswoman | businessmen | businesswomen | service | office, meeting, bank, company | contract, profit, money, telephone
stepfather | stepmother | stepfathers | stepmothers | family | home, house, kitchen, cottage | stepchildren, marriage, quarrel, inheritance
grandpa | grandma | grandpas | grandmas | family | armchair, porch, garden, fireplace | grandchildren, biscuits, stories, knitting
landlord | landlady | landlords | landladies | service | flat, inn, cellar, boarding_house | rent, lodgers, keys, lease
god | goddess | gods | goddesses | faith | temple, heaven, altar, mountain | thunder, sacrifice, myth, worship
widower | widow | widowers | widows | marriage | cottage, funeral, churchyard, house | grief, mourning, inheritance, loneliness
baron | baroness | barons | baronesses | court | estate, manor, castle, hunt | title, land, portrait, peasants
heir | heiress | heirs | heiresses | court | estate, mansion, manor, bank | fortune, inheritance, will, jewels
sorcerer | sorceress | sorcerers | sorceresses | magic | cave, tower, swamp, island | spell, curse, crystal, potion
godfather | godmother | godfathers | godmothers | family | christening, church, chapel, font | baby, blessing, present, baptism
count | countess | counts | countesses | court | castle, ballroom, villa, opera | title, jewels, portrait, carriage
`

// sexRows holds what sets the two sides of every pair apart: the pronouns
// above all, then names and appearances.
const sexRows = `
sex | he | his | him | himself | fellow | fellows | wear | look | name
male | he | his | him | himself | man, gentleman, fellow | men, gentlemen, fellows | tie, beard, moustache, suit, waistcoat, top_hat | bearded, bald, handsome, shaven | thomas, peter, john, martin, david, paul, henry, george, robert, simon, oscar, felix, hugo, victor, arthur, walter, adam, daniel, ivan, andré, jürgen, josé
female | she | her | her | herself | woman, lady, maiden | women, ladies, maidens | skirt, necklace, gown, earrings, lipstick, brooch | pretty, graceful, elegant, veiled | anna, maria, julia, emma, laura, clara, helen, alice, sarah, martha, rosa, nina, lucy, eva, irene, grace, judith, olga, ingrid, zoë, chloé, inés
`

// persons has a row for either side of every pair, with what goes with its sex.
func persons() *table {
	pairs, sexes := parseTable(pairRows), parseTable(sexRows)
	joined := &table{columns: append([]string{"person", "mate", "persons", "mates"}, pairs.columns[4:]...)}
	joined.columns = append(joined.columns, sexes.columns...)
	for _, pair := range pairs.rows {
		male := append(slices.Clone(pair), sexes.rows[0]...)
		female := append([][]string{pair[1], pair[0], pair[3], pair[2]}, pair[4:]...)
		joined.rows = append(joined.rows, male, append(female, sexes.rows[1]...))
	}
	return joined
}

// names has a row for every given name.
func names() *table {
	sexes := parseTable(sexRows)
	column := sexes.column("name")
	all := &table{columns: append([]string{"given"}, sexes.columns...)}
	for i := range sexes.rows[0][column] {
		for _, sex := range sexes.rows {
			all.rows = append(all.rows, append([][]string{sex[column][i : i+1]}, sex...))
		}
	}
	return all
}
