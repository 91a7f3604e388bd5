// What all lessons use. A lesson's own script follows in the same module.
const query = new URLSearchParams(location.search);
const served = location.protocol.startsWith("http");

/** The data of the page; or those of the model that the address names, which the server computes. */
async function load() {
	const builtIn = JSON.parse(document.getElementById("data").textContent);
	const model = query.get("model"), name = location.pathname.split("/").pop().replace(/\.html$/, "");
	if (!served || !model || builtIn === null || builtIn.model === undefined) return builtIn;
	try {
		const token = sessionStorage.getItem("w2v-token");
		const answer = await fetch(`${name}/data?model=${encodeURIComponent(model)}`, { headers: token ? { Authorization: `Bearer ${token}` } : {} });
		if (answer.ok) return await answer.json();
		throw new Error((await answer.json()).error?.message ?? answer.statusText);
	} catch (error) {
		document.querySelector("h1").after(el("p", { class: "failed", role: "alert" }, `The words of ${model} cannot be had (${error.message}). These are those of the demo.`));
		return builtIn;
	}
}

function append(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes)) {
		if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
		else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
	}
	node.append(...children.flat(Infinity).filter((c) => c !== undefined && c !== null));
	return node;
}
const el = (tag, attributes = {}, ...children) => append(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) => append(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
/** Puts nodes into the element of an id, in place of what it has. */
const put = (id, ...nodes) => document.getElementById(id).replaceChildren(...nodes.flat(Infinity));

const whole = (n) => Math.round(n).toLocaleString("en");
const fixed = (x, digits = 2) => x.toFixed(digits).replace("-", "−");
const percent = (x, digits = 0) => `${fixed(100 * x, digits)} %`;
function bytes(n) {
	const units = ["bytes", "KB", "MB", "GB", "TB"];
	let unit = 0;
	for (; n >= 1000 && unit < units.length - 1; unit++) n /= 1000;
	return `${n < 10 && unit > 0 ? fixed(n, 1) : whole(n)} ${units[unit]}`;
}

/** Texts in elements with data-of="path" are filled from the data, data-as says how. */
function fill(data, formats = {}) {
	const all = { whole, fixed, percent, bytes, ...formats };
	for (const node of document.querySelectorAll("[data-of]")) {
		const value = node.dataset.of.split(".").reduce((v, key) => v?.[key], data);
		if (value !== undefined) node.textContent = node.dataset.as ? all[node.dataset.as](value) : String(value);
	}
}

/** A slider with its value beside its name; show says how the value is written. */
function slider(label, value, min, max, step, show, change) {
	const shown = el("b", {}, show(value));
	const input = el("input", { type: "range", min, max, step, value, "aria-label": label, "aria-valuetext": show(value), oninput: () => {
		const now = Number(input.value);
		shown.textContent = show(now);
		input.setAttribute("aria-valuetext", show(now));
		change(now);
	} });
	return el("label", { class: "field wide" }, el("span", {}, `${label} `, shown), input);
}
function select(label, options, change, value = options[0]) {
	const input = el("select", { onchange: () => change(input.value) }, options.map((o) => el("option", { selected: o === value }, o)));
	return el("label", { class: "field" }, label, input);
}
function typed(label, value, change, words = []) {
	const list = words.length > 0 ? el("datalist", { id: `list-${label.replace(/\W/g, "-")}` }, words.map((w) => el("option", { value: w }))) : undefined;
	const input = el("input", { type: "text", value, maxlength: 40, list: list?.id, autocapitalize: "none", autocomplete: "off", spellcheck: "false", oninput: () => change(input.value.trim()) });
	return el("label", { class: "field" }, label, input, list);
}
/** Buttons of which one is chosen. */
function choices(label, names, change, first = 0) {
	const all = names.map((name, i) => el("button", { type: "button", "aria-pressed": String(i === first), onclick: () => {
		all.forEach((b, k) => b.setAttribute("aria-pressed", String(k === i)));
		change(i);
	} }, name));
	return el("div", { class: "choices", role: "group", "aria-label": label }, all);
}
/** Rows with a name, a bar of a share 0…1, and a value. */
function bars(label, rows) {
	return el("ul", { class: "bars", "aria-label": label }, rows.map(({ name, share, value, warm }) => {
		const bar = el("i");
		bar.style.width = percent(Math.min(1, Math.max(0, share)), 1).replace(" ", "");
		return el("li", { class: warm ? "warm" : undefined }, el("span", { class: "name" }, name), el("span", { class: "bar", "aria-hidden": "true" }, bar), el("span", { class: "value" }, value));
	}));
}
function table(caption, head, rows, numbers = true) {
	const cell = (tag, text, i, more = {}) => el(tag, { class: i > 0 && numbers ? "number" : undefined, ...more }, text);
	return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, el("table", {}, el("caption", {}, caption),
		el("thead", {}, el("tr", {}, head.map((text, i) => cell("th", text, i, { scope: "col" })))),
		el("tbody", {}, rows.map((row) => el("tr", { class: row.chosen ? "chosen" : undefined }, (row.cells ?? row).map((text, i) => i === 0 ? cell("th", text, i, { scope: "row" }) : cell("td", text, i)))))));
}
/** Cells of a vector, of which opacity is the size and colour the sign. */
function strip(values, label) {
	const largest = Math.max(...values.map(Math.abs), 1e-9);
	return el("div", { class: "strip", role: "img", "aria-label": label }, values.map((x) => {
		const cell = el("i", { class: x >= 0 ? "up" : "down" });
		cell.style.opacity = String(Math.abs(x) / largest);
		return cell;
	}));
}
/** How wide drawings are, so that their texts are as large as those around them. */
const room = () => Math.max(280, Math.min(640, (document.querySelector(".card")?.clientWidth ?? 640) - 36));
/** Lines over a logarithmic or linear x: series are {name, points: [[x, y]], warm}. */
function chart({ label, across, upwards, series, log = false, high, mark }) {
	const W = room(), H = 300, left = 50, right = 16, top = 30, bottom = 46;
	const xs = series.flatMap((s) => s.points.map((p) => p[0])), ys = series.flatMap((s) => s.points.map((p) => p[1]));
	const at = log ? Math.log : (x) => x, [x0, x1] = [at(Math.min(...xs)), at(Math.max(...xs))], y0 = Math.min(0, ...ys), y1 = high ?? Math.max(...ys, 1e-9);
	const X = (x) => left + ((at(x) - x0) / (x1 - x0 || 1)) * (W - left - right), Y = (y) => H - bottom - ((y - y0) / (y1 - y0)) * (H - top - bottom);
	const ticks = [0, 1, 2, 3, 4].map((i) => y0 + (i * (y1 - y0)) / 4);
	const marks = log ? [...new Set(xs)].filter((x, i, all) => i % Math.ceil(all.length / Math.floor(W / 90)) === 0) : [0, 1, 2, 3, 4].map((i) => x0 + (i * (x1 - x0)) / 4);
	return svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": label },
		ticks.map((y) => [svg("line", { class: "grid", x1: left, x2: W - right, y1: Y(y), y2: Y(y) }), svg("text", { class: "quiet", x: left - 8, y: Y(y) + 4, "text-anchor": "end" }, fixed(y, y1 > 20 ? 0 : y1 > 2 ? 1 : 2))]),
		marks.map((x) => svg("text", { class: "quiet", x: X(x), y: H - bottom + 18, "text-anchor": X(x) > W - 2 * right ? "end" : "middle" }, whole(x))),
		svg("text", { class: "quiet", x: W - right, y: H - 8, "text-anchor": "end" }, `${across} →`), svg("text", { class: "quiet", x: 4, y: 13 }, `↑ ${upwards}`),
		mark === undefined ? [] : svg("line", { class: "axis", x1: X(mark), x2: X(mark), y1: top, y2: H - bottom }),
		series.map((s) => [svg("path", { class: `line${s.warm ? " warm" : ""}`, d: s.points.map(([x, y], i) => `${i ? "L" : "M"}${X(x).toFixed(1)} ${Y(y).toFixed(1)}`).join("") }),
			s.dots === false ? [] : s.points.map(([x, y]) => svg("circle", { class: `dot${s.warm ? " warm" : ""}`, cx: X(x), cy: Y(y), r: 4 }, svg("title", {}, `${s.name}: ${whole(x)}, ${fixed(y, 3)}`))),
			s.points.length ? svg("text", { class: "halo", x: Math.min(X(s.points.at(-1)[0]), W - right), y: Y(s.points.at(-1)[1]) - 10, "text-anchor": X(s.points.at(-1)[0]) < W / 2 ? "start" : "end" }, s.name) : []]));
}

/** Vectors of a page: an array of Float32Array. */
function unpacked(rows) {
	const raw = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer, all = new Int16Array(raw(rows.bits));
	return Array.from(new Float32Array(raw(rows.scales)), (scale, i) => Float32Array.from(all.subarray(i * rows.dim, (i + 1) * rows.dim), (x) => x * scale));
}
const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
const norm = (v) => Math.sqrt(dot(v, v));
const cosine = (a, b) => dot(a, b) / (norm(a) * norm(b) || 1);
const nearest = (words, vectors, v, k, skip = []) => words.map((word, i) => ({ word, cosine: skip.includes(word) ? -2 : cosine(v, vectors[i]) })).sort((a, b) => b.cosine - a.cosine).slice(0, k);

/** N-grams of a word between < and >, as fastText has them, and their buckets (FNV-1a, whose bytes are signed). */
function ngrams(word, minn, maxn) {
	const letters = [..."<" + word + ">"], all = [];
	for (let i = 0; i < letters.length; i++)
		for (let n = minn; n <= maxn && i + n <= letters.length; n++) if (n > 1 || (i > 0 && i + 1 < letters.length)) all.push(letters.slice(i, i + n).join(""));
	return all;
}
const encoder = new TextEncoder();
function bucket(ngram, buckets) {
	let h = 2166136261;
	for (const byte of encoder.encode(ngram)) h = Math.imul(h ^ ((byte << 24) >> 24), 16777619);
	return (h >>> 0) % buckets;
}

// Links keep the model, and lead to the explorer where there is one.
if (served) {
	const model = query.get("model");
	document.getElementById("explorer").hidden = !model;
	if (model) document.getElementById("explorer").href = `../#model=${encodeURIComponent(model)}`;
	for (const a of model ? document.querySelectorAll('a[href$=".html"]') : []) a.href += `?model=${encodeURIComponent(model)}`;
}
const data = await load();
if (data !== null) fill(data);
