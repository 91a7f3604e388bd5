function show(set) {
	const line = (name, points, warm) => ({ name, warm, points: points.filter((p) => typeof p.scores[set] === "number").map((p) => [p.dim, p.scores[set]]) });
	const trained = line("trained", data.points), chance = line("random vectors", data.random ?? [], true);
	put("chart", chart({ label: `Score of ${data.sets[set]} by the number of dimensions`, across: "dimensions", upwards: `score of ${data.sets[set]}`, log: true, series: [trained, chance].filter((s) => s.points.length > 0) }));
	const best = trained.points.reduce((a, b) => (b[1] > a[1] ? b : a)), enough = trained.points.find((p) => p[1] >= 0.95 * best[1]) ?? best;
	put("caption", `The best score is ${fixed(best[1], 3)}, with ${best[0]} dimensions. ${enough[0] < best[0] ? `${enough[0]} dimensions have ${percent(enough[1] / best[1])} of it.` : "Fewer have less than 95 % of it."}`);
	put("table", table("All points", ["dimensions", "score", "parameters", "seconds"], data.points.map((p) => [whole(p.dim), typeof p.scores[set] === "number" ? fixed(p.scores[set], 3) : "–", whole(p.parameters), fixed(p.seconds, 1)])));
}
if (data.sets.length > 1) put("sets", choices("Sets", data.sets, show));
put("whose", data.own ? "These are the results of your own sweep." : `Trained on the built-in text, the mean of ${data.points[0].seeds} seeds. For a sweep of your own: w2v lessons -o lessons --sweep results.jsonl.`);
show(0);
