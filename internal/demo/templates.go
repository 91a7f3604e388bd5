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
