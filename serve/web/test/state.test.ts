import { beforeAll, describe, expect, it, vi } from "vitest";
import { chooseProjection, clearAxis, drawAnalogy, drawAxis, lookAt, selectCluster } from "../src/app/actions";
import { startLoading } from "../src/app/load";
import * as state from "../src/app/state";
import { followTelling } from "../src/app/telling";
import { emphasisOf } from "../src/map/emphasis";
import { MockSource } from "../src/mock";

const words = () => state.valueOf(state.vocabulary.value)?.words ?? [];
const emphasis = () => emphasisOf(state.layout.value, words(), -1);

// One page, from its start on: each test goes on where the one before has ended.
describe("a page", () => {
  beforeAll(() => {
    startLoading(new MockSource(400, 300));
    followTelling();
  });

  it("shows PCA while UMAP is computed, and then UMAP", async () => {
    await vi.waitFor(() => expect(state.layout.value?.projection).toBe("pca"));
    expect(state.valueOf(state.mapInfo.value)?.state).toBe("running");
    await vi.waitFor(() => expect(state.layout.value?.projection).toBe("umap"), 3000);
    expect(state.modelName.value).toBe("mock");
  });

  it("looks at a word: its neighbours, its place, and what is said of it", async () => {
    lookAt("king");
    await vi.waitFor(() => expect(emphasis().focus?.neighbors.length).toBe(12));
    expect(emphasis().focus).toMatchObject({ word: "king", composed: false });
    expect(state.announcement.value).toMatch(/^king: nearest are /);
    expect(document.title).toBe("king · mock · w2v explorer");
  });

  it("places a word that is not in the vocabulary", async () => {
    lookAt("kingish");
    await vi.waitFor(() => expect(emphasis().focus?.word).toBe("kingish"));
    expect(emphasis().focus?.composed).toBe(true);
  });

  it("says why a word is not found", async () => {
    lookAt("nosuchword");
    await vi.waitFor(() => expect(state.neighbors.value.state).toBe("failed"));
    expect(emphasis().focus).toBeNull();
    expect(state.announcement.value).toContain("nosuchword");
  });

  it("draws an analogy as a parallelogram, in each projection", async () => {
    lookAt("king");
    drawAnalogy("man", "king", "woman");
    for (const projection of ["umap", "pca"] as const) {
      chooseProjection(projection);
      await vi.waitFor(() => expect(state.layout.value?.projection).toBe(projection));
      await vi.waitFor(() => expect(emphasis().analogy).not.toBeNull());
      const { analogy, focus } = emphasis();
      expect(focus).toBeNull();
      if (!analogy) return;
      expect(analogy.target.x).toBeCloseTo(analogy.b.x - analogy.a.x + analogy.c.x, 3);
      expect(analogy.target.y).toBeCloseTo(analogy.b.y - analogy.a.y + analogy.c.y, 3);
    }
  });

  it("colours by an axis, and by clusters again when it is removed", async () => {
    drawAxis("man", "woman");
    await vi.waitFor(() => expect(state.axisValues.value.state).toBe("ready"));
    expect(state.colorBy.value).toEqual({ by: "axis" });
    expect(emphasis().axis).toMatchObject({ from: { word: "man" }, to: { word: "woman" } });
    clearAxis();
    expect(state.colorBy.value).toEqual({ by: "cluster" });
  });

  it("selects the words of a cluster, the most frequent first", () => {
    selectCluster(0);
    expect(state.selection.value.slice(0, 3)).toEqual([0, 1, 2]);
    expect(state.panel.value).toBe("selection");
  });
});
