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
    selection: [40, 7, 199_999],
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
