const words = data.rows.words, vectors = unpacked(data.rows).map((v) => { const n = norm(v) || 1; return v.map((x) => x / n); });
const vectorOf = (word) => vectors[words.indexOf(word)];
const plus = (...terms) => terms[0][1].map((_, k) => terms.reduce((s, [w, v]) => s + w * v[k], 0));
const begin = Math.max(0, data.questions.findIndex((q) => q.words.includes("king")));
let asked = [...(data.questions[begin]?.words ?? words.slice(0, 3))];

function show() {
	const unknown = asked.filter((w) => !words.includes(w));
	if (unknown.length > 0) {
		put("plane");
		put("answers");
		return put("caption", `The page has no vector of ${unknown.map((w) => w || "an empty field").join(", ")}. It has ${whole(words.length)} words.`);
	}
	const [a, b, c] = asked.map(vectorOf), corner = plus([-1, a], [1, b], [1, c]);
	const best = nearest(words, vectors, corner, 6, asked), answer = vectorOf(best[0].word), side = plus([1, b], [-1, a]);
	const miss = norm(plus([1, answer], [-1, corner])) / (norm(side) || 1);
	// The plane of the parallelogram: from a to b, and from a to c without that part. Answers are projected on it.
	const e1 = plus([1 / (norm(side) || 1), side]), ac = plus([1, c], [-1, a]), rest = plus([1, ac], [-dot(ac, e1), e1]), e2 = plus([1 / (norm(rest) || 1), rest]);
	const at = (v) => { const d = plus([1, v], [-1, a]); return [dot(d, e1), dot(d, e2)]; };
	const points = [a, b, c, corner, answer].map(at), W = room(), H = 340, pad = 60;
	const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]), low = [Math.min(...xs), Math.min(...ys)];
	const scale = Math.min((W - 2 * pad - 20) / (Math.max(...xs) - low[0] || 1), (H - 2 * pad) / (Math.max(...ys) - low[1] || 1));
	const X = (p) => pad + 10 + (p[0] - low[0]) * scale, Y = (p) => H - pad - (p[1] - low[1]) * scale;
	const line = (p, q, name) => svg("line", { class: name, x1: X(p), y1: Y(p), x2: X(q), y2: Y(q) });
	const label = (p, text, dy = -12) => svg("text", { class: "halo", x: X(p), y: Y(p) + dy, "text-anchor": "middle" }, text);
	const named = [asked[0], asked[1], asked[2], "corner", best[0].word];
	put("plane", svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": `${asked.join(", ")}, the corner of their parallelogram, and the answer ${best[0].word}, in a plane` },
		line(points[0], points[1], "arrow"), line(points[2], points[3], "arrow"), line(points[0], points[2], "grid"), line(points[1], points[3], "grid"), line(points[3], points[4], "arrow warm"),
		points.map((p, i) => [i === 3 ? svg("path", { class: "ghost", d: `M${X(p)} ${Y(p) - 8}l8 8l-8 8l-8-8Z` }) : svg("circle", { class: `dot${i === 4 ? " warm" : ""}`, cx: X(p), cy: Y(p), r: 5 }), label(p, named[i], i === 4 || i === 0 ? 22 : -12)])));
	put("caption", `${asked[0]} is to ${asked[1]} as ${asked[2]} is to ${best[0].word}. The answer is ${percent(miss)} of the arrow's length away from the corner, most of it outside of this plane.`);
	const given = asked.map((word) => ({ word, cosine: cosine(vectorOf(word), corner), barred: true }));
	const all = [...best, ...given].sort((x, y) => y.cosine - x.cosine);
	put("answers", bars("Cosines with the corner", all.map((n) => ({ name: n.barred ? `${n.word} (given, barred)` : n.word, share: n.cosine, value: fixed(n.cosine, 3), warm: n.barred }))));
}
function fields() {
	put("ask", ["A", "is to B", "as C"].map((label, i) => typed(label, asked[i], (word) => { asked[i] = word; show(); }, words)));
}
if (data.questions.length > 0) put("presets", choices("Questions", data.questions.map((q) => q.words.join(" : ")), (i) => { asked = [...data.questions[i].words]; fields(); show(); }, begin));
put("scores", data.score === null ? el("p", {}, "The model has too few words of the built-in questions.") : bars("Right answers", [
	{ name: data.model.name, share: data.score, value: percent(data.score, 1) }, { name: "random vectors", share: data.chance, value: percent(data.chance, 1), warm: true }]),
	el("p", { class: "note" }, `Of ${whole(data.asked)} built-in questions. Random vectors have the same words and as many dimensions, and learned nothing.`));
fields();
show();
