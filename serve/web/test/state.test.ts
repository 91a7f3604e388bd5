import { batch } from "@preact/signals";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { chooseProjection, clearAxis, clearSelection, combine, deleteSelection, drawAnalogy, drawAxis, isolate, lookAt, nameSelection, projectAgain, select, selectCluster, showSelection } from "../src/app/actions";
import { startLoading } from "../src/app/load";
import * as state from "../src/app/state";
import { followTelling } from "../src/app/telling";
import { emphasisOf } from "../src/map/emphasis";
import { painted } from "../src/map/painting";
import { MockSource } from "../src/mock";
import { localShown } from "../src/plane/state";
import { distinguishing, listed, marks, startSelections } from "../src/selections/state";

const words = () => state.valueOf(state.vocabulary.value)?.words ?? [];
const emphasis = () => emphasisOf(state.layout.value, words(), -1);

// One page, from its start on: each test goes on where the one before has ended.
describe("a page", () => {
  beforeAll(() => {
    const source = new MockSource(400, 300);
    startLoading(source);
    startSelections(source);
    followTelling();
  });

  it("says that UMAP is computed, shows no other map meanwhile, and then UMAP", async () => {
    await vi.waitFor(() => expect(state.valueOf(state.mapInfo.value)?.state).toBe("running"));
    expect(state.layout.value).toBeNull();
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

  it("selects the words of a cluster, and says what they have in common", async () => {
    selectCluster(0);
    expect(state.selection.value.slice(0, 3)).toEqual([0, 1, 2]);
    expect(state.panel.value).toBe("selection");
    await vi.waitFor(() => expect(listed.value[0]?.cosine).not.toBeNull());
    const cosines = listed.value.map((w) => w.cosine ?? 0);
    expect(cosines).toEqual([...cosines].sort((a, b) => b - a));
    expect(distinguishing.value[0]).toMatchObject({ name: "cluster", inside: 1, outside: 0 });
  });

  it("keeps selections with names beside each other, and makes others of them", () => {
    const size = state.selection.value.length;
    nameSelection("first");
    select([0, 1, 399], "mine");
    expect(state.selections.value.map((s) => [s.name, s.ids.length])).toEqual([["first", size], ["", 3]]);
    expect(marks(false).ids).toEqual([...(state.selections.value[0]?.ids ?? []), 0, 1, 399]);
    expect(marks(false).colors.slice(-1)).toEqual([null]);
    combine("without", 0);
    expect(state.selection.value).toEqual([399]);
    expect(state.selected.value?.about).toBe("mine without first");
    isolate(true);
    expect(painted.value.colors[4 * 399 + 3]).toBe(255);
    expect(painted.value.colors[3]).toBe(0);
    expect(marks(false).ids).toEqual([399]);
    clearSelection();
    expect(state.selections.value.map((s) => s.name)).toEqual(["first"]);
    expect([state.chosen.value, state.isolated.value, marks(false).ids.length]).toEqual([-1, false, 0]);
  });

  it("projects the words of a selection again, and goes back", async () => {
    showSelection(0);
    projectAgain("pca");
    await vi.waitFor(() => expect(localShown.value?.kind).toBe("selection"));
    expect(localShown.value?.layout.points.length).toBe(2 * state.selection.value.length);
    projectAgain("");
    expect(localShown.value).toBeNull();
    deleteSelection(0);
    expect(state.selections.value).toEqual([]);
  });

  it("keeps the clusters that an address asks for of another model, until its map is there", () => {
    batch(() => {
      state.modelName.value = "mock 2";
      state.clustersChosen.value = [45];
    });
    expect(state.clustersChosen.value).toEqual([45]);
  });
});
