package demo

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
