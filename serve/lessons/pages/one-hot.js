const vectors = unpacked(data.rows), words = data.rows.words;
let first = words.includes("king") ? "king" : words[0], second = words.includes("paris") ? "paris" : words[1];

function compare() {
	const [i, j] = [words.indexOf(first), words.indexOf(second)];
	const oneHot = (k) => {
		// 60 cells stand for the whole vocabulary: the cell of the word is lit.
		const cells = Array(60).fill(0);
		cells[Math.min(59, Math.floor((data.ids[k] / data.model.words) * 60))] = 1;
		return cells;
	};
	const one = [i, j].map((k) => [el("p", { class: "note" }, `${words[k]}, one-hot: a 1 at place ${whole(data.ids[k] + 1)}, and ${whole(data.model.words - 1)} zeros`),
		strip(oneHot(k), `One-hot vector of ${words[k]}: one cell of many is lit`)]);
	const dense = [i, j].map((k) => [el("p", { class: "note" }, `${words[k]}, dense: ${data.model.dim} numbers, the first are ${[...vectors[k]].slice(0, 3).map((x) => fixed(x)).join(", ")}`),
		strip([...vectors[k]], `Dense vector of ${words[k]}: ${data.model.dim} cells`)]);
	put("pair", one, dense, bars("Cosines", [
		{ name: "cosine, one-hot", share: i === j ? 1 : 0, value: i === j ? "1" : "0" },
		{ name: "cosine, dense", share: cosine(vectors[i], vectors[j]), value: fixed(cosine(vectors[i], vectors[j]), 3), warm: cosine(vectors[i], vectors[j]) < 0 },
	]));
}
put("ask", select("A word", words, (w) => { first = w; compare(); }, first), select("Another word", words, (w) => { second = w; compare(); }, second));
compare();

let vocabulary = data.model.words, dim = data.model.dim;
function memory() {
	const one = vocabulary * vocabulary * data.bytes, dense = vocabulary * dim * data.bytes;
	put("memory", bars("Memory", [
		{ name: "one-hot, written out", share: 1, value: bytes(one), warm: true },
		{ name: "dense", share: dense / one, value: bytes(dense) },
	]), el("p", { "aria-live": "polite" }, dense < one ? `Dense vectors need one part in ${whole(one / dense)}.` : "With as many dimensions as words, nothing is saved."));
}
put("sizes",
	slider("Words", Math.log10(vocabulary), 2, 6.5, 0.01, (x) => whole(10 ** x), (x) => { vocabulary = Math.round(10 ** x); memory(); }),
	slider("Dimensions", dim, 1, 1000, 1, whole, (x) => { dim = x; memory(); }));
memory();
