import { describe, expect, it } from "vitest";
import { spreadOf } from "../src/components/Cosines";
import { linesOf } from "../src/map/card";
import { SvgContext } from "../src/map/svg";

describe("the card of a word", () => {
  const at = { model: "m", projection: "pca" as const, info: { state: "ready" as const, clusters: [{ id: 4, label: "a, b, c", x: 0, y: 0, size: 2 }] }, points: new Float32Array(4), clusters: Uint16Array.of(4, 65535), toMap: (x: number, y: number): [number, number] => [x, y] };
  const words = { words: ["the", "of"], ids: new Map(), counts: Float64Array.of(12_345, 3), language: "" };
  const near = { model: "m", query: "the", id: 0, neighbors: [{ word: "a", id: 2, similarity: 0.5 }, { word: "an", id: 3, similarity: 0.4 }] };

  it("has what is known", () => {
    const facts: Parameters<typeof linesOf>[3] = [
      ["kind", { kind: "category", categories: ["article"], values: [0, -1] }],
      ["year", { kind: "number", values: [1990, null] }],
    ];
    expect(linesOf(at, 0, words, facts, near)).toEqual(["rank 1 · seen 12,345 times", "cluster: a, b, c", "kind: article", "year: 1990", "near: a, an"]);
    expect(linesOf(at, 1, words, facts, near)).toEqual(["rank 2 · seen 3 times"]);
    expect(linesOf(at, 1, null, [], null)).toEqual(["rank 2"]);
    // Of a neighbour of the word that is looked at it says what is near to both, the nearest to both first.
    const asked = { model: "m", query: "these", neighbors: [{ word: "the", id: 0, similarity: 0.9 }, { word: "an", id: 3, similarity: 0.8 }, { word: "a", id: 2, similarity: 0.7 }, { word: "x", id: 9, similarity: 0.6 }] };
    expect(linesOf(at, 0, words, [], near, asked).at(-1)).toBe("near to these, too: a, an");
    expect(linesOf(at, 0, words, [], near, { ...asked, neighbors: asked.neighbors.slice(1) }).at(-1)).toBe("near: a, an");
  });
});

describe("the spread of cosines", () => {
  it("has each known value in a bar", () => {
    const spread = spreadOf(Float32Array.of(-0.5, 0, 0.25, NaN, 1));
    expect(spread).toMatchObject({ least: -0.5, largest: 1 });
    expect(spread?.sizes.reduce((sum, n) => sum + n, 0)).toBe(4);
    expect(spread?.sizes[49]).toBe(1);
    expect(spreadOf(Float32Array.of(NaN))).toBeNull();
  });
});

describe("a picture as SVG", () => {
  it("has what is drawn, and no text of a word is markup", () => {
    const c = new SvgContext({ measureText: () => ({ width: 10 }) } as unknown as CanvasRenderingContext2D);
    c.beginPath();
    c.moveTo(1, 2);
    c.lineTo(3.14159, 4);
    c.strokeStyle = "#123456";
    c.setLineDash([2, 3]);
    c.stroke();
    c.globalAlpha = 0.5;
    c.fillText('<b>&"', 5, 6);
    const text = c.toString(20, 10, "white");
    const picture = new DOMParser().parseFromString(text, "image/svg+xml");
    expect(text).toContain('<path d="M1 2L3.14 4" fill="none" stroke="#123456" stroke-width="1" stroke-linejoin="round" stroke-linecap="round" stroke-dasharray="2 3"/>');
    expect(text).toContain('opacity="0.5">&lt;b&gt;&amp;&quot;</text>');
    expect(picture.querySelector("b")).toBeNull();
  });
});
