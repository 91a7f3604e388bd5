const V = data.model.words, d = data.model.dim, squares = data.singular.map((s) => s * s), all = squares.reduce((a, b) => a + b, 0) || 1;

put("bound", chart({ label: "Singular values of the products of more words than there are dimensions", across: "number of the singular value", upwards: "singular value, the first is 1",
	series: [{ name: "", dots: false, points: data.values.map((v, i) => [i + 1, v]) }], mark: d }));
const above = data.values.filter((v) => v > 1e-5).length;
put("boundtext", `Products of ${whole(data.products)} words with each other. ${whole(above)} singular values are above 0, and the line is at ${whole(d)} dimensions: all others are 0.`);

function show(r) {
	const share = squares.slice(0, r).reduce((a, b) => a + b, 0) / all, two = V * r + r * d;
	const measured = data.kept.reduce((a, b) => (Math.abs(b.rank - r) < Math.abs(a.rank - r) ? b : a));
	put("kept", bars("With these directions", [
		{ name: "squared lengths kept", share, value: percent(share, 1) },
		{ name: `ten nearest kept (rank ${measured.rank})`, share: measured.neighbours, value: percent(measured.neighbours, 0) },
		{ name: "numbers needed", share: two / (V * d), value: percent(two / (V * d), 0), warm: two > V * d },
	]));
	put("values", chart({ label: "Singular values of the vectors", across: "number of the singular value", upwards: "singular value", mark: r,
		series: [{ name: "", dots: false, points: data.singular.map((v, i) => [i + 1, v]) }] }));
}
const even = Math.floor((V * d) / (V + d));
put("even", `Two factors of ${whole(V)} × r and r × ${d} numbers save memory up to r = ${whole(even)}. The last directions are small, and still hold differences between neighbours.`);
put("ask", slider("Rank r", Math.max(1, Math.round(d / 2)), 1, d, 1, whole, show));
show(Math.max(1, Math.round(d / 2)));
