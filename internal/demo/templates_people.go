package demo

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
