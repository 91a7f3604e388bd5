const rowsOf = unpacked(data.rows), words = data.words.words, vectors = unpacked(data.words);

function vectorOf(word) {
	const all = ngrams(word, data.minn, data.maxn), v = new Float32Array(data.rows.dim);
	for (const n of all) rowsOf[bucket(n, rowsOf.length)].forEach((x, k) => (v[k] += x / all.length));
	return { all, v };
}
function show(word) {
	const { all, v } = vectorOf(word);
	if (all.length === 0 || norm(v) === 0) {
		["pieces", "near", "without"].forEach((id) => put(id));
		return put("known", word ? "No piece of this word was trained." : "Type a word.");
	}
	const here = words.includes(word), near = nearest(words, vectors, v, 6, [word]);
	put("known", here ? `${word} is a word of the text, and has a row of its own as well. Here it is made of its pieces alone.` : `${word} is made of ${all.length} pieces.`);
	put("pieces", all.map((n) => el("li", { title: `row ${bucket(n, rowsOf.length)}` }, n)));
	put("near", bars("Nearest words", near.map((n) => ({ name: n.word, share: n.cosine, value: fixed(n.cosine, 3) }))));
	const target = vectors[words.indexOf(near[0].word)];
	const left = all.map((n, i) => {
		const rest = Float32Array.from(v, (x, k) => x * all.length - rowsOf[bucket(n, rowsOf.length)][k]);
		return { name: n, cosine: all.length > 1 ? cosine(rest, target) : 0 };
	}).sort((a, b) => a.cosine - b.cosine).slice(0, 6);
	put("without", bars(`Cosine with ${near[0].word}`, [{ name: "all pieces", share: near[0].cosine, value: fixed(near[0].cosine, 3) }, ...left.map((n) => ({ name: `without ${n.name}`, share: n.cosine, value: fixed(n.cosine, 3), warm: true }))]));
}
const ask = (word) => put("ask", typed("A word", word, show));
put("tries", choices("Words that the text does not have", data.tried.map((t) => t.word), (i) => { ask(data.tried[i].word); show(data.tried[i].word); }));
ask(data.tried[0].word);
show(data.tried[0].word);
