const THE = 0, pairs = [[1, 2], [2, 1]];
let rate = data.rate, negatives = data.negatives, steps = 0, now = data.frames[0], before = null;
const sigmoid = (x) => 1 / (1 + Math.exp(-x));
const copy = (frame) => ({ input: frame.input.map((v) => [...v]), output: frame.output.map((v) => [...v]) });

/** What one step makes of vectors. All errors are those of the vectors before the step. */
export function step(from, rate, negatives) {
	const to = copy(from);
	for (const [word, context] of pairs)
		for (const [row, error] of [[context, 1 - sigmoid(dot(from.input[word], from.output[context]))], [THE, -negatives * sigmoid(dot(from.input[word], from.output[THE]))]])
			for (const k of [0, 1]) {
				to.input[word][k] += rate * error * from.output[row][k];
				to.output[row][k] += rate * error * from.input[word][k];
			}
	return to;
}

/** The largest difference to the vectors that the trainer made, over all its steps. */
export function difference() {
	let frame = data.frames[0], largest = 0;
	for (const want of data.frames.slice(1)) {
		frame = step(frame, data.rate, data.negatives);
		for (const kind of ["input", "output"]) frame[kind].forEach((v, i) => v.forEach((x, k) => (largest = Math.max(largest, Math.abs(x - want[kind][i][k])))));
	}
	return largest;
}

function show() {
	const W = room(), H = Math.min(420, W * 0.8), scale = Math.min(130, W / 3.2), X = (v) => W / 2 + v[0] * scale, Y = (v) => H / 2 - v[1] * scale;
	const arrow = (v, name, warm) => {
		const length = norm(v) || 1, tip = [X(v), Y(v)], [dx, dy] = [(v[0] / length) * 9, (-v[1] / length) * 9];
		return [svg("line", { class: `arrow${warm ? " warm" : ""}`, x1: W / 2, y1: H / 2, x2: tip[0], y2: tip[1] }),
			svg("path", { class: `dot${warm ? " warm" : ""}`, d: `M${tip[0]} ${tip[1]}L${tip[0] - dx - dy / 2} ${tip[1] - dy + dx / 2}L${tip[0] - dx + dy / 2} ${tip[1] - dy - dx / 2}Z` }),
			svg("text", { class: "halo", x: tip[0] + (v[0] < 0 ? -8 : 8), y: tip[1] + (v[1] < 0 ? 16 : -6), "text-anchor": v[0] < 0 ? "end" : "start" }, name)];
	};
	const ghost = (v) => svg("circle", { class: "ghost", cx: X(v), cy: Y(v), r: 5 });
	put("plane", svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": "The vectors of the words king and queen, and the context vectors of king, queen and the, in a plane" },
		svg("line", { class: "grid", x1: 0, x2: W, y1: H / 2, y2: H / 2 }), svg("line", { class: "grid", x1: W / 2, x2: W / 2, y1: 0, y2: H }),
		before ? [1, 2].flatMap((i) => [ghost(before.input[i]), ghost(before.output[i])]).concat(ghost(before.output[THE])) : [],
		data.words.map((word, i) => [i === THE ? [] : arrow(now.input[i], word, false), arrow(now.output[i], `${word} as a context`, true)])));
	put("where", `After ${steps} ${steps === 1 ? "step" : "steps"}. Solid: vectors of words. Dashed: context vectors.${before ? " Circles: where they were before." : ""}`);
	const rows = pairs.flatMap(([word, context]) => [[context, 1, "should be high"], [THE, 0, "should be low"]].map(([row, target, text]) => {
		const score = sigmoid(dot(now.input[word], now.output[row]));
		return [`${data.words[word]}, ${data.words[row]}`, text, fixed(score, 3), fixed(target - score, 3)];
	}));
	put("errors", table("Scores now, and the errors of the next step", ["pair", "the score", "σ(u·v)", "error"], rows));
}
function move(n) {
	before = copy(now);
	for (let i = 0; i < n; i++, steps++) now = step(now, rate, negatives);
	show();
}
put("fields", slider("Learning rate", rate, 0.01, 1, 0.01, fixed, (x) => (rate = x)), slider("Negatives", negatives, 0, 10, 1, whole, (x) => (negatives = x)));
document.getElementById("one").onclick = () => move(1);
document.getElementById("ten").onclick = () => move(10);
document.getElementById("again").onclick = () => { now = data.frames[0]; before = null; steps = 0; show(); };
put("same", `The trainer of w2v took ${data.frames.length - 1} such steps from the same beginning, with the rate ${data.rate}. What this page calculates differs from its vectors by at most ${difference().toExponential(0).replace("-", "−")}.`);
show();
