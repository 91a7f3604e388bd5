import { describe, expect, test } from "vitest";
import { decodeBytes, decodeUint16, dequantize, FormatError } from "../src/embedded/bytes";
import { askHere, vectorClient } from "../src/embedded/client";
import { decodeEmbedded } from "../src/embedded/format";
import { EmbeddedSource, weightedMean } from "../src/embedded/source";
import { best, ByteVectors } from "../src/embedded/vectors";
import { editDistance, parseExpression, recast, WordIndex } from "../src/embedded/words";
import { SourceError } from "../src/source";
import { base64, hostileWords, pageData, pageText } from "./embedded-data";

const always = () => undefined;

describe("bytes of a page", () => {
  test("numbers of 16 bits are little-endian", () => {
    expect([...decodeUint16(btoa("\x01\x02\xff\xff"), 2, "points")]).toEqual([0x0201, 65535]);
  });
  test.each([
    ["no text", 5],
    ["no base64", "%%%"],
    ["too short", btoa("ab")],
    ["too long", btoa("abcd")],
  ])("%s is an error that names the field", (_, value) => {
    expect(() => decodeBytes(value, 3, "maps.pca.points")).toThrow(/maps\.pca\.points/);
  });
  test("quantised coordinates span the bounds", () => {
    const points = dequantize(Uint16Array.of(0, 65535, 65535, 0), [-2, 10, 6, 30]);
    expect([...points]).toEqual([-2, 30, 6, 10]);
  });
});

describe("vectors of bytes", () => {
  const vectors = new ByteVectors(Int8Array.of(127, 0, 0, 50, 127, 127, 0, 0, -127, 0), 2);

  test("cosines do not depend on the length of rows", async () => {
    const cosines = await vectors.cosines(Float32Array.of(1, 0), always);
    expect([...cosines].map((c) => Number(c.toFixed(3)))).toEqual([1, 0, 0.707, 0, -1]);
  });
  test("terms are unit vectors, and their sum too", () => {
    const sum = vectors.sum([
      { row: 0, weight: 1 },
      { row: 1, weight: 1 },
    ]);
    expect(sum[0]).toBeCloseTo(Math.SQRT1_2);
    expect(sum[1]).toBeCloseTo(Math.SQRT1_2);
  });
  test("terms that cancel out are near nothing", () => {
    const sum = vectors.sum([
      { row: 0, weight: 1 },
      { row: 4, weight: 1 },
    ]);
    expect([...sum]).toEqual([0, 0]);
  });
  test("a row that is not there is an error", () => {
    expect(() => vectors.sum([{ row: 5, weight: 1 }])).toThrow(RangeError);
  });
  test("the best come first, ties in order of rows, without those excluded", () => {
    const scores = Float32Array.of(0.1, 0.9, 0.5, 0.9, 0.5);
    expect(best(scores, 3, new Set([1])).map((s) => s.row)).toEqual([3, 2, 4]);
    expect(best(scores, 0, new Set())).toEqual([]);
    expect(best(scores, 9, new Set()).map((s) => s.row)).toEqual([1, 3, 2, 4, 0]);
  });
  test("without a worker this thread answers the same", async () => {
    const refused = vectorClient(Int8Array.of(127, 0, 100, 10), 2, () => {
      throw new Error("workers are not allowed on file://");
    });
    const request = { kind: "nearest", terms: [{ row: 0, weight: 1 }], k: 1, exclude: [0], first: 0 } as const;
    const asked = { ...request, terms: [...request.terms], exclude: [...request.exclude] };
    expect(await refused(asked)).toEqual(await askHere(Int8Array.of(127, 0, 100, 10), 2)(asked));
  });
});

describe("words of a page", () => {
  const index = new WordIndex(["king", "queen", "well-known", "well", "known", "__proto__", "constructor", "C++", "König"]);

  test.each([
    ["king", 0],
    ["King", 0],
    ["toString", -1],
    ["__proto__", 5],
    ["constructor", 6],
    ["valueOf", -1],
  ])("%s has the place %i", (word, id) => expect(index.find(word)).toBe(id));

  test.each([
    ["tr", "I\u015eIK", 0],
    ["tr", "\u0130Y\u0130", 1],
    ["el", "\u039f\u0394\u039f\u03a3", 2],
    ["", "\u0130Y\u0130", 1],
    ["", "\u039f\u0394\u039f\u03a3", 3],
  ])("in %j, %s has the place %i", (language, word, id) => {
    const words = ["\u0131\u015f\u0131k", "iyi", "\u03bf\u03b4\u03bf\u03c2", "\u03bf\u03b4\u03bf\u03c3"];
    expect(new WordIndex(words, { lowercase_language: language }).find(word)).toBe(id);
  });

  test.each([
    ["king - queen + well", [[0, 1], [1, -1], [3, 1]]],
    ["king-queen+well", [[0, 1], [1, -1], [3, 1]]],
    ["well-known", [[2, 1]]],
    ["well-known-king", [[2, 1], [0, -1]]],
    ["-king queen", [[0, -1], [1, 1]]],
    ["C++-king", [[7, 1], [0, -1]]],
  ])("%s is an expression", (text, expected) => {
    const parsed = parseExpression(text, index);
    expect("terms" in parsed && parsed.terms.map((t) => [t.row, t.weight])).toEqual(expected);
  });
  test("the first piece that is no word is named", () => {
    expect(parseExpression("king - quern", index)).toEqual({ unknown: "quern" });
    expect(parseExpression("  ", index)).toEqual({ unknown: "" });
  });
  test("suggestions are the nearest spellings, and frequent words before rare ones", () => {
    expect(index.suggestions("kin", 3)).toEqual(["king"]);
    expect(index.suggestions("qeen", 3)).toEqual(["queen"]);
    expect(index.suggestions("x".repeat(100_000), 3)).toEqual([]);
  });
  test.each([
    ["", "", 0],
    ["kitten", "sitting", 3],
    ["abc", "abc", 0],
    ["abc", "abcdefgh", 4],
  ])("the distance of %s and %s is %i, or above the bound", (a, b, distance) => {
    expect(editDistance([...a], [...b], 3)).toBe(distance);
  });
});

describe("words as the training text has them", () => {
  test.each([
    ["New York", { lowercase: true, phrases: true }, "new_york"],
    ["new  york", { phrases: true, phrase_delimiter: "~" }, "new~york"],
    ["Ｃafé 12", { normalize: "nfkc", strip_accents: true, digits: "zero" }, "Cafe 00"],
    ["Ł", { strip_accents: true }, "Ł"],
    ["IŞIK", { lowercase: true, lowercase_language: "tr" }, "ışık"],
    ["tuu", { kmers: 3, kmer_canonical: true }, "AAA"],
    ["cgt", { kmers: 3, kmer_canonical: true }, "ACG"],
    ["cgu", { kmers: 3 }, "CGT"],
    ["mu", { kmers: 2, kmer_alphabet: "protein" }, "MU"],
    ["New York", {}, "New York"],
  ])("%s with %o", (word, training, want) => {
    expect(recast(word, training)).toBe(want);
  });
  test("a phrase is a term of an expression", () => {
    const index = new WordIndex(["usa", "new_york", "new"], { phrases: true });
    expect(parseExpression("new york - usa", index)).toEqual({
      terms: [
        { row: 1, weight: 1 },
        { row: 0, weight: -1 },
      ],
    });
    expect(parseExpression("new - usa york", index)).toEqual({ unknown: "york" });
  });
});

describe("the data of a page", () => {
  test("is decoded", () => {
    const page = decodeEmbedded(pageText());
    expect(page.words).toEqual(["north", "east", "northeast", "south"]);
    expect([...(page.counts ?? [])]).toEqual([40, 30, 20, 10]);
    expect([...page.rows.slice(0, 2)]).toEqual([0, 127]);
    expect(page.model.projections).toEqual(["pca"]);
    expect([...(page.maps.get("pca")?.clusters ?? [])]).toEqual([0, 1, 65535, 0]);
    expect(page.recall).toBe(0.9);
  });
  test("a field may be called like something of every object", () => {
    const text = pageText().replace('"fields":{}', '"fields":{"__proto__":{"kind":"category","categories":["<b>"],"values":[0,-1,0,-1]}}');
    const field = decodeEmbedded(text).fields.get("__proto__");
    expect(field).toEqual({ kind: "category", categories: ["<b>"], values: [0, -1, 0, -1] });
  });
  test.each<[string, (data: ReturnType<typeof pageData>) => unknown]>([
    ["version", (d) => ({ ...d, version: 2 })],
    ["words", (d) => ({ ...d, words: d.words.slice(1) })],
    ["words", (d) => ({ ...d, words: [1, 2, 3, 4] })],
    ["counts", (d) => ({ ...d, counts: [1, 2, 3, "4"] })],
    ["model.points", (d) => ({ ...d, model: { ...d.model, points: 0 } })],
    ["maps", (d) => ({ ...d, maps: {} })],
    ["maps", (d) => ({ ...d, maps: { tsne: d.maps["pca"] } })],
    ["maps.pca.points", (d) => ({ ...d, maps: { pca: { ...d.maps["pca"], points: base64([1]) } } })],
    ["maps.pca.info.bounds", (d) => ({ ...d, maps: { pca: { ...d.maps["pca"], info: { state: "ready" } } } })],
    ["vectors.rows", (d) => ({ ...d, vectors: { ...d.vectors, rows: "" } })],
    ["vectors.dim", (d) => ({ ...d, vectors: { ...d.vectors, dim: 1.5 } })],
  ])("damaged %s is named", (field, damage) => {
    expect(() => decodeEmbedded(JSON.stringify(damage(pageData())))).toThrow(FormatError);
    expect(() => decodeEmbedded(JSON.stringify(damage(pageData())))).toThrow(` ${field} `);
  });
  test.each(["", "null", "[]", "{", '"x"'])("%j is no data", (text) => {
    expect(() => decodeEmbedded(text)).toThrow(FormatError);
  });
});

describe("a source inside of a page", () => {
  const all = { first: 0, where: [], clusters: [] };
  const source = (data = pageData()) => {
    const page = decodeEmbedded(JSON.stringify(data));
    return new EmbeddedSource(page, askHere(page.rows, page.dim));
  };

  test("finds neighbours", async () => {
    const found = await source().neighbors("compass", { text: "North", expression: false }, 2, all);
    expect(found.found_as).toBe("north");
    expect(found.neighbors.map((n) => [n.word, Number(n.similarity.toFixed(2)), n.count])).toEqual([
      ["northeast", 0.71, 20],
      ["east", 0, 30],
    ]);
  });
  test("finds neighbours among the first words alone", async () => {
    const found = await source().neighbors("compass", { text: "North", expression: false }, 2, { ...all, first: 2 });
    expect(found.neighbors.map((n) => n.word)).toEqual(["east"]);
    const axis = await source().axis("compass", "south", "north", 1, { ...all, first: 2 });
    expect(axis.toward.map((w) => w.word)).toEqual(["east"]);
  });
  test("adds words", async () => {
    const data = pageData();
    data.model.fields = [{ name: "size", kind: "number" }];
    data.fields = { size: { kind: "number", values: [1, 2, null, 4] } };
    const near = async (may: { where?: string[]; clusters?: number[] }) => (await source(data).neighbors("compass", { text: "east", expression: false }, 3, { ...all, ...may })).neighbors.map((n) => n.word);
    expect(await near({ clusters: [0] })).toEqual(["north", "south"]);
    expect(await near({ where: ["size>=2"] })).toEqual(["south"]);
    expect(await near({ where: ["size<=2"], clusters: [0] })).toEqual(["north"]);
    await expect(near({ where: ["colour=red"] })).rejects.toThrow("no field");
  });

  test("finds the nearest of an expression", async () => {
    const found = await source().neighbors("compass", { text: "north + east", expression: true }, 1, all);
    expect(found.terms).toEqual(["north", "east"]);
    expect(found.neighbors[0]).toMatchObject({ word: "northeast", id: 2 });
  });
  test("places a word at its point, and an expression among its neighbours", async () => {
    const word = await source().place("compass", "pca", { text: "south", expression: false });
    expect([word.id, word.x, word.y]).toEqual([3, 0, -1]);
    const sum = await source().place("compass", "pca", { text: "north + east", expression: true });
    expect(sum.id).toBe(-1);
    expect(sum.neighbors.length).toBe(2);
    expect(sum.x).toBeGreaterThan(0);
  });
  test("draws analogies as parallelograms", async () => {
    const found = await source().analogy("compass", "pca", "south", "north", "east", 3, all);
    expect(found.target?.x).toBeCloseTo(1);
    expect(found.target?.y).toBeCloseTo(2, 3);
    expect(found.terms.map((t) => t.word)).toEqual(["south", "north", "east"]);
    expect(found.answers.map((a) => a.word)).toEqual(["northeast"]);
  });
  test("orders words along an axis", async () => {
    const axis = await source().axis("compass", "south", "north", 1, all);
    expect(axis.toward.map((w) => w.word)).toEqual(["northeast"]);
    expect(axis.away.map((w) => w.word)).toEqual(["east"]);
  });
  test("says what words have in common, and projects them again", async () => {
    const facts = await source().selected("compass", [0, 2], 0);
    expect(facts.similarity).toBeCloseTo(Math.SQRT1_2, 2);
    expect(facts.cosines.map((x) => Number(x.toFixed(2)))).toEqual([0.92, 0.92]);
    expect(facts.toward[0]?.word).toBe("north");
    const { points, explained } = await source().project("compass", "pca", [0, 1, 2]);
    expect(points.length).toBe(6);
    expect((explained?.[0] ?? 0) + (explained?.[1] ?? 0)).toBeCloseTo(1, 3);
  });
  test("an unknown word comes with suggestions", async () => {
    const error = await source()
      .neighbors("compass", { text: "norht", expression: false }, 3, all)
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(SourceError);
    expect(error).toMatchObject({ code: "unknown_word", suggestions: ["north"] });
  });
  test("words from hostile models are words", async () => {
    const hostile = source({ ...pageData(), words: hostileWords });
    for (const word of hostileWords) {
      const place = await hostile.place("compass", "pca", { text: word, expression: false });
      expect(place.found_as).toBe(word);
    }
  });
  test("a request that was aborted fails", async () => {
    const control = new AbortController();
    const asked = source().neighbors("compass", { text: "north", expression: false }, 2, all, control.signal);
    control.abort();
    await expect(asked).rejects.toThrow();
  });
  test("has no runs, evaluations or second model", async () => {
    expect(source().can).toEqual({ compare: false, evaluations: false, runs: false, again: ["pca"] });
    await expect(source().runs()).rejects.toThrow(SourceError);
  });
  test("a mean without weights is the origin", () => expect(weightedMean([])).toEqual({ x: 0, y: 0 }));
});
