const all = [...new Set(data.words.flatMap((w) => ngrams(w, data.minn, data.maxn)))], hashes = all.map((n) => bucket(n, 2 ** 32));
let buckets = 16384, word = data.words.includes("king") ? "king" : data.words[0];

/** How many buckets are used, and how many n-grams have one of their own. */
export function count(buckets) {
	const inBucket = new Map();
	for (const h of hashes) inBucket.set(h % buckets, (inBucket.get(h % buckets) ?? 0) + 1);
	return { used: inBucket.size, alone: [...inBucket.values()].filter((n) => n === 1).length };
}
const expected = (buckets) => Math.exp((all.length - 1) * Math.log1p(-1 / buckets));
const sizes = Array.from({ length: 13 }, (_, i) => 2 ** (10 + i)), counted = sizes.map((b) => [b, count(b).alone / all.length]);

function show() {
	const { used, alone } = count(buckets);
	put("shares", bars("Of the n-grams", [
		{ name: "have their own row", share: alone / all.length, value: percent(alone / all.length, 1) },
		{ name: "share a row", share: 1 - alone / all.length, value: percent(1 - alone / all.length, 1), warm: true },
		{ name: "rows in use", share: used / buckets, value: percent(used / buckets, 1) },
	]), el("p", {}, `${whole(buckets)} rows of ${data.model.dim} numbers are ${bytes(buckets * data.model.dim * data.bytes)}.`));
	put("chart", chart({ label: "Share of n-grams with a row of their own, by the number of buckets", across: "buckets", upwards: "share alone", log: true, high: 1, mark: buckets,
		series: [{ name: "", dots: false, warm: true, points: sizes.map((b) => [b, expected(b)]) }, { name: "", points: counted }] }));
	pieces();
}
function pieces() {
	const at = new Map();
	hashes.forEach((h, i) => at.set(h % buckets, [...(at.get(h % buckets) ?? []), all[i]]));
	const own = ngrams(word, data.minn, data.maxn), others = (n) => (at.get(bucket(n, 2 ** 32) % buckets) ?? []).filter((m) => m !== n);
	put("pieces", own.map((n) => el("li", { class: others(n).length > 0 ? "shared" : undefined }, n)));
	const shared = own.filter((n) => others(n).length > 0);
	put("with", shared.length === 0 ? "None of its pieces shares a row." : `${shared.length} of ${own.length} pieces share their row, which has a coloured ground: ${shared.slice(0, 4).map((n) => `${n} with ${others(n).slice(0, 3).join(" ")}`).join("; ")}${shared.length > 4 ? "; …" : ""}.`);
}
put("howmany", whole(data.words.length));
put("ask", slider("Buckets", Math.log2(buckets), 10, 22, 0.25, (x) => whole(2 ** x), (x) => { buckets = Math.round(2 ** x); show(); }));
put("word", typed("A word", word, (w) => { word = w; pieces(); }));
show();
