import { describe, expect, it } from "vitest";
import { apply, applyToAll, clustersOnSecond, identity, ontoFirst } from "../src/compare/onto";

describe("a second map", () => {
  const first = Float32Array.of(0, 0, 10, 0, 10, 20, -5, 7);
  const all = Int32Array.of(0, 1, 2, 3);

  it.each([
    ["turned", (x: number, y: number) => [-y, x]],
    ["mirrored and turned", (x: number, y: number) => [y, x]],
    ["smaller and elsewhere", (x: number, y: number) => [x / 2 + 30, y / 2 - 20]],
    ["mirrored", (x: number, y: number) => [-x + 3, y]],
  ])("that is %s is brought onto the first", (_, moved) => {
    const second = first.slice();
    for (let i = 0; i < second.length; i += 2) second.set(moved(first[i] ?? 0, first[i + 1] ?? 0), i);
    const back = applyToAll(ontoFirst(first, second, all), second);
    back.forEach((x, i) => expect(x).toBeCloseTo(first[i] ?? 0, 3));
  });

  it("takes words of the second alone along, and stays where it is if there are few others", () => {
    const second = Float32Array.of(0, 5, 1, 0, 11, 0, 11, 20, -4, 7);
    const by = ontoFirst(first, second, Int32Array.of(-1, 0, 1, 2, 3));
    expect(apply(by, 0, 5)[0]).toBeCloseTo(-1, 4);
    expect(ontoFirst(first, second, Int32Array.of(-1, 0, 1, -1, -1))).toEqual(identity);
  });

  it("has the clusters of the first where their words are", () => {
    const layout = { model: "a", projection: "umap", info: { state: "ready", clusters: [{ id: 4, label: "c", x: 0, y: 0, size: 3, tone: 7 }, { id: 5, label: "none", x: 0, y: 0, size: 1 }] }, points: first, clusters: Uint16Array.of(4, 4, 4, 65535), toMap: (x: number, y: number): [number, number] => [x, y] } as const;
    expect(clustersOnSecond({ ...layout, info: { ...layout.info, clusters: [...layout.info.clusters] } }, Float32Array.of(9, 9, 1, 2, 3, 4, 5, 6), Int32Array.of(3, 0, 1, 2))).toEqual([{ id: 4, label: "c", x: 3, y: 4, size: 3, tone: 7 }]);
  });
});
