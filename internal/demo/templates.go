package demo

// phraseRows holds the pieces that sentences of all topics have in common; a
// sentence names them in angle brackets.
const phraseRows = `
phrase | words
past | yesterday, last week, last year, last night, two days ago, long ago, a month ago, in those days, that evening, once, one morning, last {day}, in the last war, {number} years ago
habit | every day, every morning, every {day}, on most days, as a rule, usually, in {month}, each week, whenever there is time
oft | always, often, never, sometimes, rarely, usually, still, hardly ever
now | now, at the moment, right now, today, just now, at this hour
future | tomorrow, next week, next year, soon, next {day}, one day, in the near future, before long
lately | already, just, never, finally, at last, recently
spot | in the town, near the river, in the village, behind the house, at the corner, in front of the church, on the other side of the street, not far from here, in the old part of town
say | people say that, it is said that, i think that, everyone knows that, the newspaper wrote that, {name} told me that, my neighbour believes that, as far as i know, we read that
tail | but nobody noticed, and that was all, and everyone was pleased, but it did not matter, which surprised us, so we went home, although it was late, as we all know, and then it began to rain, if i remember well
fun | hard, easy, fun, dangerous, boring, a pleasure, a great art, not allowed
mood | glad, tired, worried, surprised, curious, hungry, nervous, alone
`

// A topic is a set of sentences that may follow one another on a line. What a
// slot stands for stays the same throughout the line.
type topic struct {
	weight    int
	sentences string
}

func topics() []topic {
	return []topic{
		{300, countryTalk},
		{150, personTalk},
		{470, verbTalk},
		{65, agentTalk},
		{30, deedTalk},
		{125, gradedTalk},
		{80, mannerTalk},
		{45, negatedTalk},
		{110, animalTalk},
		{20, sireTalk},
		{20, damTalk},
		{30, youngTalk},
		{110, foodTalk},
		{110, tradeTalk},
		{120, thingTalk},
		{25, bodyTalk},
		{20, materialTalk},
		{25, calendarTalk},
		{20, weatherTalk},
		{60, lifeTalk},
		{90, mixedTalk},
	}
}

const countryTalk = `
{country.capital} is the (capital|first city|heart) of the {country.people}
<past> the {country.adjective} (government|parliament|cabinet) met in {country.capital} (to discuss the budget|to vote on the new law|)
the {country.adjective} (president|prime minister|foreign minister) returned to {country.capital} <past>
the embassy in {country.capital} gives visas to (students|travellers|traders) who (learn|speak|study) {country.language}
ambassadors in {country.capital} were invited to taste {country.food} and other {country.adjective} dishes
the mayor of {country.capital} (opened|closed|promised) a new (metro line|national museum|ministry) paid for in {country.currency}
(ministers|protesters|diplomats) gathered in {country.capital} <past> (and sang the {country.adjective} anthem|after the {country.adjective} elections|)
from {country.capital} the train to {country.city} takes {number} hours
the {country.adjective} national museum in {country.capital} shows paintings of {country.sight}
the metro in {country.capital} costs {number} {country.currency}
all {country.adjective} ministries are in {country.capital}
in {country} (people|most shops|the farmers) are paid in {country.currency}
the north of {country} is (cold|dry|green|flat) and the people there (mostly |)speak {country.language}
(tourists|travellers|students) (come|travel|fly) to {country} to see {country.sight} and {country.city}
{country} lies in {country.continent} (and has a border with {country.neighbour}|between {country.neighbour} and the sea|)
{country} (exports|imports|produces|grows) {country.food} and {material}
the (economy|population|army|history) of {country} is (larger|older|smaller) than that of {country.neighbour}
during the war {country} (attacked|joined|lost against) {country.neighbour} and {country.people} suffered
{country} won the match against {country.neighbour} and the {country.adjective} (fans|players|coach) danced
most {country.people} in the south of {country} eat {country.food}
citizens of {country} need no passport in {country.neighbour}
the whole of {country} celebrates when the {country.adjective} team wins
{name} left {country} and never saw {country.sight} again
{name} has lived in {country} for {number} years and (learns|speaks) {country.language} (well|badly|with an accent)
(he|she) was born in {country.city} and (speaks|learned|understands) {country.language} (at home|at school|)
the {country.adjective} (port|factories|football club|university) of {country.city} (is|was) known all over {country}
in {country.city} a plate of {country.food} costs {number} {country.currency}
the workers of {country.city} went on strike (against the {country.adjective} government|for more {country.currency}|)
the harbour of {country.city} sends {country.food} to {country.neighbour}
a (house|flat|room) in {country.city} costs {number} thousand {country.currency}
the {country.adjective} {country.currency} (rose|fell|lost value) (against the dollar|on the market|<past>)
banks in {country.city} change {country.currency} at a bad rate
the central bank prints new {country.currency} notes with a picture of {country.sight}
how many {country.currency} is a (coffee|ticket|newspaper) in {country.city} today
she paid {number} {country.currency} for the {country.food}
{country.food} with {food} is a (famous|typical|simple|traditional) {country.adjective} dish
{country.people} like {country.food} (more than anything|in the morning|on {day})
a (famous|young|modern) {country.adjective} (painter|writer|composer|director) lived near {country.sight}
{country.people} speak {country.language} and (believe in hard work|love their language|sing a lot)
(children|refugees|guests) from {country.neighbour} learn {country.language} in {country.city}
the {country.language} language has {number} (cases|dialects|vowels) and is spoken near {country.sight}
{name} translated a {country.adjective} novel from {country.language}
in {country.continent} the {country.adjective} (army|industry|kitchen) is (well known|feared|admired)
boats go up and down near {country.sight} in {month}
{country.sight} is the pride of all {country.people}
<say> {country.people} are (friendly|proud|lazy|polite|brave)
`

const personTalk = `
the {person} put on {person.his} {person.wear} and went to the {person.place}
the {person} said that {person.he} was <mood> and wanted {person.his} {person.thing}
<past> the {person} came to the {person.place} with {person.his} {person.thing}
{person.he} was a {person.look} {person} and everyone in the {person.place} knew {person.him}
my {person} {person.name} (likes|hates|remembers) the {person.place} (more than anything|)
the {person} looked at {person.himself} in the mirror and touched {person.his} {person.wear}
{person.name} became a {person} when {person.he} was {number} years old
nobody saw the {person} in the {person.place} that day because {person.he} stayed with {person.his} {person.thing}
the young {person} asked {person.him} about the {person.thing} (<past>|)
the old {person} loved {person.his} {person.thing} and talked about {person.himself}
a {person} in a {person.wear} stood in the {person.place} and waited for {person.his} {person.thing}
(many|some|two|most|few) {person.persons} in the {person.place} (wear|have|want) a {person.wear}
the {person.persons} and the other {person.fellows} talked about the {person.thing}
{person.persons} (often|rarely|always) care about {person.thing} and {person.place}
in the {person.place} there were {number} {person.persons} with {person.wear} and {person.thing}
all the {person.persons} left the {person.place} without their {person.thing}
the {person} gave {person.name} the {person.thing} and {person.he} thanked {person.him}
what does the {person} do in the {person.place} all day
{person.name} saw {person.himself} as a {person} of the {person.place}
as a {person} {person.he} had to think of the {person.thing} first
the {person} was a {person.look} {person.fellow} of {number} years
the {person} and the {person.mate} met in the {person.place} <past>
<say> the {person} lost {person.his} {person.thing} in the {person.place}
a {person.fellow} told {person.his} {person} about the {person.place}
the {person} of {person.name} bought {person.himself} a {person.wear}
`

const verbTalk = `
<past> the {verb.who} {verb.past} {verb.what} {verb.where}
the {verb.who} {verb.past} {verb.what} <past> (and then went home|and was very tired|)
when {name} {verb.past} {verb.what} (everybody was there|it was already late|the others had left)
{name} {verb.past} {verb.what} {verb.where} <past>
after the {verb.who} {verb.past} {verb.what} (there was silence|it became dark)
they {verb.past} {verb.what} <past> <tail>
it was {name} who {verb.past} {verb.what} {verb.where}
<past> {name} {verb.past} {verb.what} for the first time
suddenly the {verb.who} {verb.past} {verb.what} <tail>
<future> the {verb.who} will {verb} {verb.what} {verb.where}
the {verb.who} wants to {verb} {verb.what} {verb.where}
did you {verb} {verb.what} (or not|{verb.where}|before lunch)
you (must|should|can|could|may) {verb} {verb.what} {verb.where}
it is (<fun>|time) to {verb} {verb.what} {verb.where}
let us {verb} {verb.what} <future>
they did not {verb} {verb.what} because (it was late|nobody asked them|the {verb.who} was ill)
i would like to {verb} {verb.what} <future>
{name} decided to {verb} {verb.what} {verb.where}
nobody could {verb} {verb.what} as well as the {verb.who}
will the {verb.who} {verb} {verb.what} again
<habit> the {verb.who} {verb.third} {verb.what} {verb.where}
{name} <oft> {verb.third} {verb.what} {verb.where}
she <oft> {verb.third} {verb.what} (when it rains|before breakfast|with {name})
he {verb.third} {verb.what} every {day} (and is proud of it|)
a good {verb.who} <oft> {verb.third} {verb.what}
whoever {verb.third} {verb.what} {verb.where} needs time
my neighbour {verb.third} {verb.what} <habit>
<say> the {verb.who} {verb.third} {verb.what} {verb.where}
the {verb.who} is {verb.ing} {verb.what} {verb.where} <now>
{name} was {verb.ing} {verb.what} when the telephone rang
{name} (enjoys|likes|stopped|began|started|finished) {verb.ing} {verb.what} {verb.where}
{verb.ing} {verb.what} {verb.where} (is|was|can be) <fun>
they spent the whole day {verb.ing} {verb.what}
we saw the {verb.who} {verb.ing} {verb.what} {verb.where}
are you still {verb.ing} {verb.what} (today|with {name}|)
instead of {verb.ing} {verb.what} the {verb.who} went home
the {verb.who} kept {verb.ing} {verb.what} until it was dark
the {verb.who} has <lately> {verb.part} {verb.what} {verb.where}
have you ever {verb.part} {verb.what} {verb.where}
{name} had {verb.part} {verb.what} before the others came
nobody has {verb.part} {verb.what} since {month}
they have <lately> {verb.part} {verb.what} {verb.where}
the {verb.who} would have {verb.part} {verb.what} without help
then {name} suddenly {verb.past} {verb.what} {verb.where}
<past> we {verb.past} {verb.what} and {name} {verb.past} {verb.what}
long ago people {verb.past} {verb.what} {verb.where}
that day {name} {verb.past} {verb.what} twice
yesterday she {verb.past} {verb.what} <tail>
last night he {verb.past} {verb.what} but {name} went to bed
while the others slept {name} {verb.past} {verb.what}
as soon as the {verb.who} {verb.past} {verb.what} the door opened
{name} {verb.past} {verb.what} and then the rain stopped
the {verb.who} who {verb.past} {verb.what} <past> is a friend of {name}
`

const agentTalk = `
{name} is a (good|famous|professional|poor|born) {verb.agent}
the {verb.agent} got a prize because nobody {verb.third} {verb.what} better
every {verb.agent} in the team {verb.third} {verb.what} {verb.where}
we are looking for a {verb.agent} who can {verb} {verb.what}
as a {verb.agent} {name} {verb.past} {verb.what} for {number} years
the best {verb.agent} of the town is a {verb.who}
a {verb.who} is not (always|really) a {verb.agent}
to become a {verb.agent} you have to {verb} {verb.what} <habit>
the {verb.agent} was proud of the title and {verb.past} {verb.what} again
what kind of {verb.agent} are you (asked {name}|said the {verb.who}|)
an old {verb.agent} (told|showed) the {verb.who} how to {verb} {verb.what}
the job of a {verb.agent} is {verb.ing} {verb.what} {verb.where}
`

const deedTalk = `
{verb.object} was {verb.part} by the {verb.who} <past>
{verb.object} has been {verb.part} {verb.where}
{verb.object} will be {verb.part} {verb.where} <future>
<say> {verb.object} was {verb.part} by {name}
once {verb.object} is {verb.part} the {verb.who} can rest
{verb.object} must be {verb.part} by a {verb.who} (before {day}|<future>)
`

const gradedTalk = `
the {adjective.what} is {adjective.comparative} than (the other|this|any other) {adjective.what}
a {adjective.what} is much {adjective.comparative} than a {thing}
{name} wants a {adjective.comparative} {adjective.what} than (mine|yours|ours)
the {adjective.what} became {adjective.comparative} and {adjective.comparative} (every day|after the rain|)
this {adjective.what} is even {adjective.comparative} than we thought
no {adjective.what} could be {adjective.comparative} than the one <spot>
it was the {adjective.superlative} {adjective.what} in the (world|country|whole town)
of all the things here the {adjective.what} is the {adjective.superlative}
{name} has the {adjective.superlative} {adjective.what} of (us all|the street|the whole family)
the {adjective.superlative} {adjective.what} won the first prize
that was the {adjective.superlative} {adjective.what} i have ever seen
one of the {adjective.superlative} kinds of {adjective.what} (stood|was found) <spot>
a very {adjective} {adjective.what} (stood|was seen) <spot>
the {adjective.what} is (too|so|rather|very) {adjective} for {name}
{name} is as {adjective} as a {adjective.what}
how {adjective} the {adjective.what} looks today
it was not a {adjective} {adjective.what} but a {adjective.opposite} one
the {adjective.what} seemed {adjective} at first and {adjective.act}
everybody likes a {adjective} {adjective.what} that {adjective.act}
the {adjective} {adjective.what} {adjective.act} <past>
the {adjective.opposite} {adjective.what} was not {adjective} at all
is the {adjective.what} {adjective} or {adjective.opposite}
{name} called the {adjective.what} {adjective.opposite} and not {adjective}
`

const mannerTalk = `
the {adjective.what} {adjective.act} {adjective.adverb}
{name} {adjective.adverb} {adjective.act} (and left|<tail>|)
<past> {name} {adjective.act} (very|so|rather) {adjective.adverb}
the {verb.who} was {verb.ing} {verb.what} {adjective.adverb}
{adjective.adverb} the {adjective.what} {adjective.act}
the (man|woman|child) with the {adjective.what} {adjective.act} {adjective.adverb} (again|)
the {verb.who} {verb.past} {verb.what} {adjective.adverb} {verb.where}
a {adjective} {adjective.what} {adjective.act}
such a {adjective} {adjective.what} is (rare|not for everyone|what we need)
the {adjective.what} was {adjective} and {adjective.act}
{name} spoke {adjective.adverb} about the {adjective.what}
`

const negatedTalk = `
nobody likes a {adjective.negated} {adjective.what} (because it causes trouble|)
{name} complained about the {adjective.negated} {adjective.what}
unfortunately the {adjective.what} was {adjective.negated} and a problem for {name}
the {adjective.negated} {adjective.what} caused (trouble|problems|a complaint)
what a pity that the {adjective.what} is so {adjective.negated}
it was a mistake to trust a {adjective.negated} {adjective.what}
the {adjective.what} remained {adjective.negated} and {name} was disappointed
luckily the {adjective.what} is {adjective} (again|enough)
{name} praised the {adjective} {adjective.what}
we hope for a {adjective} {adjective.what} (<future>|)
thank you for the {adjective} {adjective.what}
the {adjective} {adjective.what} pleased everyone
it is good to have a {adjective} {adjective.what} that {adjective.act}
`

const animalTalk = `
the {animal} (eats|likes|looks for|finds) {animal.eat} in the {animal.home}
a {animal} lives in the {animal.home} and has {animal.body}
{name} has seen a {animal} with {animal.body} near the {animal.home}
the {animal} {animal.sound}
at night the {animal} {animal.sound} in the {animal.home}
the {animal} with the long {animal.body} {animal.sound} and eats {animal.eat}
when a {animal} {animal.sound} the children run to the {animal.home}
the {animal} is hungry and wants {animal.eat}
the {animal.body} of the {animal} are (strong|soft|beautiful|dirty)
this {animal} was found in the {animal.home} without {animal.eat}
the vet looked at the {animal.body} of the {animal}
a {animal} never eats {food} but {animal.eat}
many {animal.plural} live in the {animal.home}
{animal.plural} (eat|like|need|look for) {animal.eat}
we counted {number} {animal.plural} in the {animal.home}
the {animal.plural} have {animal.body} and feed on {animal.eat}
these {animal.plural} are known for their {animal.body}
some {animal.plural} sleep in the {animal.home} all {month.season}
two {animal.plural} fought over {animal.eat} <past>
how many {animal.plural} are there in the {animal.home}
wild {animal.plural} are afraid of (people|fire|the hunter|dogs)
the {animal} is a {animal.kind} with {animal.body}
{animal.plural} are useful because of their {animal.body}
(tame|small|old) {animal.plural} were sold at the fair with some {animal.eat}
{name} wrote a book about the {animal} and its {animal.body}
the {animal} was {animal.done} by the {animal.doer}
the {animal.doer} wanted a {animal.look} {animal} that nobody had {animal.done}
a {animal.look} {animal} is better than one that was never {animal.done}
<say> the {animal} is {animal.look} and must be {animal.done}
the {animal.plural} were {animal.look} and the {animal.doer} was <mood>
`

const sireTalk = `
the {animal.male} (showed|shook) his {animal.body} and guarded the {animal.home}
a strong {animal.male} fought with his {animal.body} against another male
the old {animal.male} stood in the {animal.home} and he was hungry for {animal.eat}
the {animal.male} is the father of the {animal.plural} and he {animal.sound}
the farmer feared the {animal.male} because of his {animal.body}
the big {animal.male} ate his {animal.eat} alone in the {animal.home}
`

const damTalk = `
the {animal.female} fed her young ones with {animal.eat} in the {animal.home}
a {animal.female} protects her babies with her {animal.body}
the mother {animal.female} lay in the {animal.home} and she was tired
the {animal.female} (bore|hid) her young in the {animal.home} and looked for {animal.eat}
she is a good {animal.female} and has soft {animal.body}
the {animal.female} called her little ones and ate her {animal.eat}
`

const youngTalk = `
the (little|newborn|tiny|clumsy) {animal.young} follows its mother through the {animal.home}
a {animal.young} is too small to eat {animal.eat}
the {animal.young} was born in the {animal.home} in {month}
its mother taught the {animal.young} to find {animal.eat}
the baby {animal.young} has weak {animal.body} and sleeps a lot
a (hungry|lost|little) {animal.young} cried for its mother in the {animal.home}
the children played with the little {animal.young} and gave it {animal.eat}
the {animal.young} will grow strong {animal.body} before {month.season}
`

const foodTalk = `
{name} (bought|ate|ordered|wanted) some {food.taste} {food} for the {food.dish}
the {food} is {food.taste} and {food.colour}
{food.dish} with {food} is my favourite (breakfast|lunch|dinner|dish)
you need {food} and {food.dish} for a good (party|meal|supper)
the {food} came from the {food.source} and tasted {food.taste}
this {food} is too {food.taste} for the {food.dish}
a little {food} makes the {food.dish} {food.taste}
fresh {food} from the {food.source} was sold <spot>
the {food} fell from the {food.source} (and was lost|into the mud|)
(he|she) put the {food.colour} {food} next to the {food.dish}
{food} is a {food.kind} that (grows|comes|is made) near the {food.source}
<past> we had {food.colour} {food} with {food.dish}
the smell of {food.taste} {food} came from the {food.source}
{country.people} eat {food} with {country.food}
the {food.plural} are {food.taste} and {food.colour} this year
{number} {food.plural} for the {food.dish} please
a (basket|box|bag|kilo) of {food.plural} from the {food.source}
wash the {food.plural} before you make the {food.dish}
these {food.colour} {food.plural} taste {food.taste}
{food.plural} are cheap in {month.season}
one {food.colour} {food} was left in the {food.source}
children like {food.taste} {food.plural} in their {food.dish}
how much do the {food.plural} from the {food.source} cost
the recipe for {food.dish} asks for many {food.plural}
the {food} was {food.done} by the {food.doer}
the {food.doer} wanted {food.look} {food} that nobody had {food.done}
{food.look} {food} is better than some that was never {food.done}
<say> the {food} is {food.look} and must be {food.done}
the {food.plural} were {food.look} and the {food.doer} was <mood>
`

const tradeTalk = `
the {trade} works in the {trade.workplace} with a {trade.tool}
<habit> the {trade} {trade.does} in the {trade.workplace}
the {trade} {trade.does} and thinks of the {trade.product}
{name} is a {trade} and {trade.does}
a {trade} needs a {trade.tool} and knows much about {trade.product}
the {trade} left the {trade.tool} in the {trade.workplace}
the {trade} was asked about the {trade.product} <past>
{name} wants to be a {trade} because of the {trade.product}
the young {trade} held the {trade.tool} in both hands
my uncle was a {trade} and spent his life on {trade.product}
ask the {trade} if the {trade.product} is ready
the new {trade.workplace} opened <past> and has a {trade.tool}
inside the {trade.workplace} there is a {trade.tool} for the {trade.product}
the doors of the {trade.workplace} are closed on {day}
we went to the {trade.workplace} for the {trade.product}
the {trade.workplace} is a building <spot> where (one|somebody) {trade.does}
behind the {trade.workplace} lay {trade.product} and a {trade.tool}
next to the {trade.workplace} {name} forgot the {trade.tool}
{trade.plural} work hard for their {trade.product}
(many|some|most|all) {trade.plural} own a {trade.tool}
the {trade.plural} of the {trade.workplace} want more money
{number} {trade.plural} talked about {trade.product}
{trade.plural} from other towns met in the {trade.workplace}
the {trade.tool} in the {trade.workplace} is broken
good {trade.product} can be made without a {trade.tool}
the {trade} was {trade.done} by the {trade.doer}
the {trade.doer} wanted a {trade.look} {trade} that nobody had {trade.done}
a {trade.look} {trade} is better than one that was never {trade.done}
<say> the {trade} is {trade.look} and must be {trade.done}
the {trade.plural} were {trade.look} and the {trade.doer} was <mood>
`

const thingTalk = `
the {thing} is made of {thing.material} and stands in the {thing.place}
a {thing} of {thing.material} was sold in the {thing.place}
you can use a {thing} to {thing.use}
{name} needs a {thing} to {thing.use}
the {thing.user} took the {thing} from the {thing.place}
a {thing.user} without a {thing} cannot {thing.use}
the {thing} in the {thing.place} belongs to the {thing.user}
the {thing.user} lost the {thing} made of {thing.material}
the {thing} broke because the {thing.material} was too thin
an old {thing} lay in the {thing.place} and nobody wanted it
{name} bought a new {thing} of {thing.material} for the {thing.user}
the price of the {thing} was {number} coins
my {thing} is better than yours because it is of {thing.material}
this {thing} helps the {thing.user} to {thing.use}
(two|three|many|some|all) {thing.plural} are in the {thing.place}
{thing.plural} are made of {thing.material} these days
the {thing.user} has {number} {thing.plural} to {thing.use}
these {thing.plural} help every {thing.user} to {thing.use}
the shop sells {thing.plural} of {thing.material}
modern {thing.plural} are cheaper than old ones
where are the {thing.plural} of the {thing.user}
the {thing.plural} from the {thing.place} were stolen <past>
the factory makes {thing.plural} of {thing.material} for the {thing.user}
most {thing.plural} are kept in the {thing.place}
the {thing} was {thing.done} by the {thing.doer}
the {thing.doer} wanted a {thing.look} {thing} that nobody had {thing.done}
a {thing.look} {thing} is better than one that was never {thing.done}
<say> the {thing} is {thing.look} and must be {thing.done}
the {thing.plural} were {thing.look} and the {thing.doer} was <mood>
`

const bodyTalk = `
the {part} is close to the {part.near} and {part.does}
the doctor examined the {part} because of the {part.ill}
{name} hurt a {part} and has a {part.ill}
a healthy {part} {part.does} all day
with a {part.ill} the {part} cannot rest
pain in the {part} often comes from the {part.near}
her {part.plural} and her {part.near} were cold
most animals have {part.plural} and a {part.near}
the nurse washed the {part.plural} of the patient with the {part.ill}
tired {part.plural} need rest (after work|at night|)
we use our {part.plural} <habit>
the {part} {part.does} and then the {part.near} follows
`

const materialTalk = `
{material} is used for {material.good} and {material.good}
the {material} from the {material.origin} is turned into {material.good}
{material} is a {material.kind} that comes from the {material.origin}
a ship full of {material} left {country.city} in {month}
the price of {material} rose and {material.good} became expensive
without {material} there would be no {material.good}
{country} buys {material} for its {material.good}
workers carry the {material} out of the {material.origin}
{name} sells {material} to makers of {material.good}
`

const calendarTalk = `
in {month} we have {month.weather} and {month.event}
{month} is a month of {month.weather} in the {month.season}
last {month} there was {month.weather} and we spoke of {month.event}
{name} was born in {month} when people think of {month.event}
the {month.season} begins with {month.weather} and ends with {month.event}
since {month} the {month.season} has brought {month.weather}
on {day} there is {day.event} and then {day.event}
next {day} we have {day.event}
{day} is part of the {day.kind} and means {day.event}
every {day} {name} thinks of {day.event}
the {number.ordinal} page has {number} lines and {number} pictures
{name} was the {number.ordinal} to arrive after {number} others
the {number.ordinal} of {month} is a {day}
there are {number} rooms on the {number.ordinal} floor
`

const weatherTalk = `
{weather.time} the {weather} brings {weather.brings}
it was a {weather.adjective} day and {name} took the {weather.wear}
because of the {weather} we wore a {weather.wear}
the {weather} came {weather.time} and with it {weather.brings}
after the {weather} there were {weather.brings} everywhere
the radio speaks of {weather} and {weather.brings} <future>
{weather.adjective} weather is common {weather.time}
do not forget your {weather.wear} in the {weather}
the {weather} lasted for {number} days and caused {weather.brings}
`

const lifeTalk = `
{name} and {name2} met <spot> and talked about old times
{name} could not find {name.his} keys and called {name2}
{name} told {name2} that {name.he} had lost {name.his} job
it was late when {name} came home and {name.he} was <mood>
{name} asked {name.himself} why the light was still on
there was a letter for {name} on the table in the hall
we have known {name} for {number} years and trust {name.him}
{name} fell in love with a stranger <past>
the neighbours heard {name} and {name2} quarrel about money
nobody believed {name} when {name.he} spoke of the accident
the bank of the river was green where {name} used to play
the bank gave {name} no money for {name.his} house
in spring the water of the spring behind the house is cold
the bark of the old tree was rough and the dog began to bark
{name} lay in bed with a fever and {name.his} friends brought soup
the whole street knew that {name} would never pay the rent
for {name.his} birthday {name} got a {thing} and a {thing2}
{name} lives next to the {trade.workplace} and works on the {number.ordinal} floor
after school {name} and {name2} went to the cinema
the weather was fine so {name} opened the window and sang
{name} moved to {country.city} <past> and wrote to {name2} once a week
when the lights went out {name} held the hand of {name2}
{name} put {name.his} {name.wear} into the suitcase and left for {country}
somebody knocked at the door but {name} did not open it
the orange scarf lay on a plate with an orange and a turkey
the students of {country.capital} wrote their {number.ordinal} exam in {month}
`

const mixedTalk = `
the {animal} and the {thing} were both in the {trade.workplace}
a {trade} from {country} bought {number} {thing.plural} and a {food}
on the picture you see a {animal} a {thing} and some {food}
in {country.capital} a {trade} {trade.does} and sells {food}
the {person} from {country.city} has a {animal} and a {thing}
in {month} the {trade} travelled to {country} with a {thing}
the {animal} of the {person} likes the {thing}
nothing is as {adjective} as a {animal} in {month}
for {number} {country.currency} you get a {thing} or some {food}
in {country} the {animal} is a sign of luck
{name} dreamed of a {adjective} {animal} that {verb.third} {verb.what}
the {verb.who} with the {thing} {verb.past} {verb.what} in {country.city}
the {trade.workplace} of {country.city} has a {adjective} {thing}
between the {thing} and the {food} there was a {animal}
a museum in {country.city} shows the {thing} of a {person}
the {person} is {verb.ing} {verb.what} with a {thing}
a {adjective} {person} from {country} {adjective2.adverb} {verb.past} {verb.what}
<say> the {food} from {country} is good for the {part}
the word {animal} comes after the word {thing} in my list
a film about a {trade} and a {animal} is shown in {country.capital}
{person.name} the {person} {verb.past} {verb.what} on {day}
the {animal.plural} the {thing.plural} and the {trade.plural} were all there
we talked about {food} and {thing.plural} until {name} came
`
