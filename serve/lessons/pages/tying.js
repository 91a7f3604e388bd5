let now = { ...data.gpt2 };

/** Parameters of a decoder with biases, layer norms, learned positions and a hidden layer of four times the width. */
export function parameters({ vocabulary, width: d, layers, context }, tied) {
	const table = vocabulary * d, block = 4 * d * d + 4 * d + 2 * 4 * d * d + 5 * d + 4 * d;
	return { table, positions: context * d, blocks: layers * block + 2 * d, all: table * (tied ? 1 : 2) + context * d + layers * block + 2 * d };
}
function show() {
	const one = parameters(now, true), two = parameters(now, false), row = (name, n, warm) => ({ name, share: n / two.all, value: whole(n), warm });
	put("counts", bars("Parameters", [row("the table", one.table), row("a second table", one.table, true), row("positions", one.positions), row("layers", one.blocks), row("all, tied", one.all), row("all, with two tables", two.all, true)]),
		el("p", {}, `Tying saves ${percent(1 - one.all / two.all)}: ${bytes(one.table * data.bytes)} of ${bytes(two.all * data.bytes)} at ${data.bytes} bytes a number.`));
}
function fields() {
	put("ask",
		slider("Tokens", Math.log10(now.vocabulary), 3, 5.5, 0.001, (x) => whole(10 ** x), (x) => { now.vocabulary = Math.round(10 ** x); show(); }),
		slider("Width", now.width, 32, 2048, 32, whole, (x) => { now.width = x; show(); }),
		slider("Layers", now.layers, 1, 48, 1, whole, (x) => { now.layers = x; show(); }));
}
put("presets", choices("Sizes", ["GPT-2, the smallest", `the words of ${data.model.name}`], (i) => {
	now = i === 0 ? { ...data.gpt2 } : { ...data.gpt2, vocabulary: data.model.words, width: data.model.dim };
	fields();
	show();
}));
put("how", `The smallest GPT-2 has ${data.gpt2.layers} layers and ${whole(data.gpt2.context)} positions: ${whole(data.tied)} parameters. With two tables it would have ${whole(data.two)}.`);
fields();
show();
