package demo

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
