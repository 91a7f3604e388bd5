function lengths(d) {
	const position = Math.sqrt(d / 2), rows = [["token at the start", 1], ["token × √d", Math.sqrt(d)], ["position", position]], most = Math.sqrt(d);
	put("lengths", bars("Lengths", rows.map(([name, n], i) => ({ name, share: n / most, value: fixed(n), warm: i === 2 }))),
		// Independent directions are nearly at right angles in many dimensions.
		el("p", {}, `The share of the token in the squared length of the sum is ${percent(1 / (1 + d / 2), 1)} without the factor, and ${percent(d / (d + d / 2), 1)} with it.`));
}
put("ask", slider("Dimensions d", data.width, 4, 2048, 4, whole, lengths));
lengths(data.width);

const root = Math.sqrt(data.model.dim);
const ways = [["as they are", (n) => n], ["times √d", (n) => n * root], ["unit length", () => 1], ["unit length, times √d", () => root]];
function show(way) {
	const norms = data.norms.map(ways[way][1]), high = Math.max(...norms) * 1.05, bins = Array(24).fill(0);
	for (const n of norms) bins[Math.min(23, Math.floor((n / high) * 24))]++;
	const W = room(), H = 200, most = Math.max(...bins), width = (W - 40) / 24;
	put("histogram", svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": `Lengths of ${norms.length} vectors, ${ways[way][0]}` },
		bins.map((n, i) => svg("rect", { class: "dot", x: 20 + i * width, y: H - 30 - (n / most) * (H - 50), width: width - 2, height: (n / most) * (H - 50) })),
		svg("line", { class: "axis", x1: 20, x2: W - 20, y1: H - 30, y2: H - 30 }),
		[0, 0.25, 0.5, 0.75, 1].map((s) => svg("text", { class: "quiet", x: 20 + s * (W - 40), y: H - 10, "text-anchor": s === 0 ? "start" : s === 1 ? "end" : "middle" }, fixed(s * high)))));
	put("caption", `${whole(norms.length)} words, ${ways[way][0]}: mean length ${fixed(norms.reduce((a, b) => a + b, 0) / norms.length)}. √d is ${fixed(root)}.`);
	put("words", table("Some words", ["word", "length before", "length after"], data.words.slice(0, 6).map((w, i) => [w, fixed(data.norms[i]), fixed(norms[i])])));
}
put("which", choices("Scaling", ways.map((w) => w[0]), show));
show(0);
