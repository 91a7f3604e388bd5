import { describe, expect, it } from "vitest";
import { defaultView, viewFromHash, viewToHash, type View } from "../src/app/view";

describe("the address", () => {
  const full: View = {
    model: "wiki & news",
    projection: "pca",
    query: { text: "king - man + woman", expression: true },
    camera: { x: 1.25, y: -3.5, zoom: 2 },
    color: { by: "field", field: "part of speech" },
    analogy: ["man", "king", "woman"],
    axis: ["bad", "good"],
    selections: [
      { name: "capitals ~ & more", ids: [40, 7, 199_999] },
      { name: "", ids: [1, 2, 3, 5, 800, 801, 199_999] },
    ],
    chosen: 0,
    isolated: true,
    again: "umap",
    frequent: 10_000,
    clusters: [3, 17],
    where: ["part of speech=noun", "length>=4"],
    wholeMap: true,
    panel: "analogy",
    other: "wiki2",
  };

  it("gives a view back as it was", () => {
    expect(viewFromHash(`#${viewToHash(full)}`)).toEqual(full);
    expect(viewFromHash(viewToHash({ ...defaultView, query: { text: "a+b=c&d#é", expression: false } })).query).toEqual({ text: "a+b=c&d#é", expression: false });
  });

  it("holds selections as far as there is room for them, and looks at none that it has not", () => {
    // A third of 200,000 words, and a few.
    const large = Array.from({ length: 66_000 }, (_, i) => 3 * i);
    const some = Array.from({ length: 10_000 }, (_, i) => 20 * i + (i % 7));
    const view: View = { ...defaultView, selections: [{ name: "large", ids: large }, { name: "some", ids: some }], chosen: 1 };
    const hash = viewToHash(view);
    expect(hash.length).toBeLessThan(16_100);
    expect(viewFromHash(hash)).toMatchObject({ selections: [{ name: "some", ids: some }], chosen: 0 });
    expect(viewFromHash(viewToHash({ ...view, chosen: 0, isolated: true }))).toMatchObject({ chosen: -1, isolated: false });
    const first = Array.from({ length: 8000 }, (_, i) => i);
    for (const ids of [[...first.slice(0, 5000).map((i) => 4 * i), 199_000], [...first.slice(0, 5000), 199_999], [...first, 990_000]]) {
      expect(viewFromHash(viewToHash({ ...defaultView, selections: [{ name: "skewed", ids }], chosen: 0 })).selections).toEqual([{ name: "skewed", ids }]);
    }
    // A wrong one has no neighbour in its place.
    expect(viewFromHash("select=a&select=~!&select=b&chosen=1&only=selection")).toMatchObject({ selections: [{ ids: [10] }, { ids: [11] }], chosen: -1, isolated: false });
    expect(viewFromHash("select=a&select=~!&select=b&chosen=2").chosen).toBe(1);
    // As addresses were before selections had names.
    expect(viewFromHash("#select=a.7.z").selections).toEqual([{ name: "", ids: [10, 7, 35] }]);
    for (const wrong of ["select=~!Azz.AA", "select=~1.1", "select=~!", "select=~!A5.____", "select=x~..%", "select=", "again=pca&only=selection&chosen=3"]) {
      expect(viewFromHash(`#${wrong}`)).toEqual(defaultView);
    }
  });

  it("says which entries are wrong", () => {
    const wrong = (hash: string) => {
      const all: string[] = [];
      viewFromHash(hash, all);
      return all;
    };
    expect(wrong(viewToHash(full))).toEqual([]);
    expect(wrong(viewToHash({ ...defaultView, camera: { x: 0, y: 0, zoom: 1 }, selections: [{ name: "a", ids: [1] }], chosen: -1 }))).toEqual([]);
    for (const text of ["map=tsne", "color=rainbow", "at=1,2", "at=0,0,99", "analogy=a", "axis=x", "first=-5", "clusters=x", "where=?", "select=~!", "chosen=3", "only=selection", "again=tsne", "on=moon", "toString=1"]) {
      expect(wrong(`word=king&${text}`)).toEqual([text]);
    }
  });

  it.each([
    ["", defaultView],
    ["#", defaultView],
    ["#map=tsne&color=rainbow&at=1,2&analogy=a&analogy=b&axis=x", defaultView],
    ["#at=a,b,c", defaultView],
    ["#at=0,0,99", { ...defaultView, camera: { x: 0, y: 0, zoom: 14 } }],
  ])("takes the default for what %j does not say", (hash, view) => {
    expect(viewFromHash(hash)).toEqual(view);
  });
});
