const vectors = unpacked(data.rows), words = data.rows.words, columns = Array.from({ length: data.shown }, (_, k) => k);

function show(chosen) {
	put("table", table("Rows of the table, and the one-hot vector that chooses one", ["word", "one-hot", ...columns.map((k) => `column ${k + 1}`)],
		words.map((word, i) => ({ chosen: i === chosen, cells: [word, i === chosen ? "1" : "0", ...columns.map((k) => fixed(vectors[i][k]))] }))));
	// The sum over all rows, calculated as a multiplication would.
	const sum = columns.map((k) => words.reduce((s, _, i) => s + (i === chosen ? 1 : 0) * vectors[i][k], 0));
	const multiplied = data.model.words * data.model.dim;
	put("product", el("p", {}, `One-hot × table = ${sum.map((x) => fixed(x)).join(", ")}${data.model.dim > data.shown ? ", …" : ""}: the row of ${words[chosen]}.`),
		bars("What each way takes", [
			{ name: "multiplying", share: 1, value: `${whole(multiplied)} products`, warm: true },
			{ name: "reading the row", share: data.model.dim / multiplied, value: `${whole(data.model.dim)} numbers` },
		]));
}
put("words", choices("A word", words, show));
show(0);
