let word = data.tried[0].word, limit = data.merges.length;

/** The tokens of a word after each merge, the letters first. */
export function cut(word, limit) {
	const rank = new Map(data.merges.slice(0, limit).map((pair, i) => [pair.join(" "), i]));
	let tokens = [...word];
	const steps = [{ tokens }];
	for (;;) {
		const ranks = tokens.slice(1).map((t, i) => rank.get(`${tokens[i]} ${t}`) ?? Infinity), best = Math.min(...ranks);
		if (!(best < Infinity)) return steps;
		const [a, b] = data.merges[best], merged = [];
		for (let i = 0; i < tokens.length; i++) {
			if (tokens[i] === a && tokens[i + 1] === b) {
				merged.push(a + b);
				i++;
			} else merged.push(tokens[i]);
		}
		tokens = merged;
		steps.push({ tokens, made: a + b, rank: best + 1 });
	}
}
function show() {
	const unknown = [...word].filter((letter) => !data.letters.includes(letter));
	if (word === "" || unknown.length > 0) {
		put("steps");
		return put("count", word === "" ? "Type a word." : `The text never had ${unknown.join(" ")}, so it is an unknown token.`);
	}
	const steps = cut(word, limit), last = steps.at(-1).tokens;
	put("count", `${word} is ${last.length} ${last.length === 1 ? "token" : "tokens"}: ${last.join(" · ")}`);
	put("steps", steps.map((s) => [el("p", { class: "note" }, s.made ? `merge ${whole(s.rank)}: ${s.made}` : "letters"),
		el("ul", { class: "pieces", "aria-label": s.made ? `After the merge of ${s.made}` : "Letters" }, s.tokens.map((t) => el("li", { class: t === s.made ? "new" : undefined }, t)))]));
}
const ask = () => put("ask", typed("A word", word, (w) => { word = w; show(); }));
put("tries", choices("Words", data.tried.map((t) => t.word), (i) => { word = data.tried[i].word; ask(); show(); }));
put("limit", slider("Merges that are made", limit, 0, data.merges.length, 1, whole, (n) => { limit = n; show(); }));
put("merges", whole(data.merges.length));
put("first", data.merges.slice(0, 30).map((pair) => el("li", {}, pair.join(" + "))));
ask();
show();
