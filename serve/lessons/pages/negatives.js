let negatives = 5, exponent = 0.7, threshold = 3e-4;
const share = (count) => count / data.total;
const kept = (count) => Math.min(1, Math.sqrt(threshold / share(count)) + threshold / share(count));

function show() {
	const cost = (n) => ({ share: n / data.model.words, value: `${whole(n)} products` });
	put("cost", bars("Scalar products of a pair", [{ name: "softmax", ...cost(data.model.words), warm: true }, { name: "negative sampling", ...cost(negatives + 1) }]));
	// Words beyond those of the page count as having the mean of their counts.
	const mean = data.others > 0 ? data.rest / data.others : 1;
	const sum = (f) => data.counts.reduce((s, c) => s + f(c), 0) + (data.others > 0 ? data.others * f(mean) : 0);
	const power = sum((c) => c ** exponent), tokens = sum((c) => c * kept(c));
	put("left", el("p", {}, `Of ${whole(data.total)} occurrences, ${whole(tokens)} are kept: ${percent(tokens / data.total)}. The ${whole(Math.min(10, data.counts.length))} most frequent words are ${percent(data.counts.slice(0, 10).reduce((s, c) => s + share(c), 0))} of the text, and ${percent(data.counts.slice(0, 10).reduce((s, c) => s + c * kept(c), 0) / tokens)} of what is kept.`));
	put("words", table("Words by rank", ["word", "rank", "count", "kept", "of what is kept", "as a negative"], data.shown.map((i) => {
		const c = data.counts[i];
		return [data.words[i], whole(i + 1), whole(c), percent(kept(c)), percent((c * kept(c)) / tokens, 2), percent(c ** exponent / power, 2)];
	})));
}
put("how", slider("Negatives", negatives, 1, 20, 1, whole, (x) => { negatives = x; show(); }), slider("Power of counts", exponent, 0, 1, 0.05, fixed, (x) => { exponent = x; show(); }));
put("drop", slider("Threshold t", Math.log10(threshold), -6, -1, 0.1, (x) => (10 ** x).toExponential(1).replace("-", "−"), (x) => { threshold = 10 ** x; show(); }));
put("rest", data.others > 0 ? `The page has the counts of the ${whole(data.counts.length)} most frequent words. The ${whole(data.others)} others are taken together.` : "");
show();
