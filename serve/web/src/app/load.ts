// Asks the source for what the state needs, whenever that changes.

import { computed, effect } from "@preact/signals";
import type { Source } from "../source";
import { deleteSelection } from "./actions";
import { followWithStandIn } from "./follow-layout";
import { Latest } from "./latest";
import {
  among,
  analogy,
  analogyWords,
  axis,
  axisValues,
  axisWords,
  clustersChosen,
  colorBy,
  field,
  amongKnown,
  layout,
  mapInfo,
  model,
  modelName,
  models,
  named,
  neighborCount,
  neighbors,
  note,
  otherModel,
  place,
  projection,
  query,
  selections,
  valueOf,
  vocabulary,
  vocabularyOf,
} from "./state";

/** How many words are listed at each end of an axis, and how many answers an analogy has. */
const axisWordsShown = 25;
const answersShown = 10;

export function startLoading(source: Source): void {
  const askModels = new Latest(models);
  void askModels.ask((signal) => source.models(signal));

  // The first model, if the address names none or one that is not there.
  effect(() => {
    const all = valueOf(models.value);
    const first = all?.[0];
    if (!all || !first) return;
    const here = (name: string) => name === "" || all.some((m) => m.name === name);
    const absent = [modelName.value, otherModel.value].filter((name) => !here(name));
    if (absent.length > 0) note(`The address asks for the model ${absent.map(named).join(" and ")}, which is not here.`);
    if (!here(otherModel.value)) otherModel.value = "";
    if (modelName.value === "" || !here(modelName.value)) modelName.value = first.name;
  });

  const askVocabulary = new Latest(vocabulary);
  effect(() => {
    const now = model.value;
    if (!now) return askVocabulary.clear();
    void askVocabulary.ask(async (signal) => {
      const [words, counts] = await Promise.all([source.words(now.name, signal), now.counts ? source.counts(now.name, signal) : null]);
      return vocabularyOf(now, words, counts);
    });
  });

  // Words and clusters that an address asks for and that are not on the map.
  effect(() => {
    const n = model.value?.points ?? 0;
    const absent = selections.value.reduce((sum, { ids }) => sum + ids.filter((id) => id >= n).length, 0);
    if (n === 0 || absent === 0) return;
    note(`The address selects ${absent === 1 ? "a word" : `${absent} words`} that the map does not have.`);
    selections.value = selections.value.map((s) => ({ ...s, ids: s.ids.filter((id) => id < n) }));
    for (let place = selections.value.length - 1; place >= 0; place--) if (selections.value[place]?.ids.length === 0) deleteSelection(place);
  });
  effect(() => {
    if (layout.value?.model !== modelName.value) return; // the map before
    const known = layout.value.info.clusters ?? [];
    const absent = clustersChosen.value.filter((id) => !known.some((c) => c.id === id));
    if (known.length === 0 || absent.length === 0) return;
    note(`The address asks for the cluster ${absent.join(" and ")}, which the map does not have.`);
    clustersChosen.value = clustersChosen.value.filter((id) => !absent.includes(id));
  });

  followMap(source);

  const askNeighbors = new Latest(neighbors);
  effect(() => {
    const now = model.value;
    const asked = query.value;
    const k = neighborCount.value;
    if (!now || !asked) return askNeighbors.clear();
    if (!amongKnown.value) return askNeighbors.wait();
    const may = among.value;
    void askNeighbors.ask((signal) => source.neighbors(now.name, asked, k, may, signal));
  });

  // Places and analogies are in coordinates of the projection that is shown. Before there is one the
  // answers have no coordinates, and they are asked for again when there is.
  const shown = computed(() => {
    const at = layout.value;
    return { model: modelName.value, projection: at && at.model === modelName.value ? at.projection : projection.value };
  });

  const askPlace = new Latest(place);
  let placed = "";
  effect(() => {
    const { model: name, projection: at } = shown.value;
    const asked = query.value;
    // A word without neighbours has no place.
    const known = neighbors.value.state;
    if (!model.value || !asked || known === "failed" || known === "none") return askPlace.clear();
    if (known === "loading") return;
    const question = JSON.stringify([name, asked]);
    void askPlace.ask(async (signal) => ({ ...(await source.place(name, at, asked, signal)), projection: at }), question === placed);
    placed = question;
  });

  const askAnalogy = new Latest(analogy);
  let drawn = "";
  effect(() => {
    const { model: name, projection: at } = shown.value;
    const asked = analogyWords.value;
    if (!model.value || !asked) return askAnalogy.clear();
    if (!amongKnown.value) return askAnalogy.wait();
    const may = among.value;
    const question = JSON.stringify([name, asked, may]);
    void askAnalogy.ask(async (signal) => ({ ...(await source.analogy(name, at, ...asked, answersShown, may, signal)), projection: at }), question === drawn);
    drawn = question;
  });

  const askAxis = new Latest(axis);
  const askAxisValues = new Latest(axisValues);
  effect(() => {
    const now = model.value;
    const asked = axisWords.value;
    if (!now || !asked) return askAxis.clear();
    if (!amongKnown.value) return askAxis.wait();
    const may = among.value;
    void askAxis.ask((signal) => source.axis(now.name, ...asked, axisWordsShown, may, signal));
  });
  effect(() => {
    const now = model.value;
    const asked = axisWords.value;
    if (!now || !asked) return askAxisValues.clear();
    void askAxisValues.ask((signal) => source.axisValues(now.name, ...asked, signal));
  });

  const askField = new Latest(field);
  effect(() => {
    const now = model.value;
    const by = colorBy.value;
    if (!now || by.by !== "field") return askField.clear();
    if (!now.fields.some((f) => f.name === by.field)) {
      note(`The address asks for the field ${named(by.field)}, which ${now.name} does not have.`);
      colorBy.value = { by: "cluster" };
      return;
    }
    void askField.ask((signal) => source.field(now.name, by.field, signal));
  });
}

/** Loads the projection that is chosen. The layout before stays on the screen until it is there, unless it
 * is of another model. */
function followMap(source: Source): void {
  let end = () => {};
  effect(() => {
    const now = model.value;
    const name = projection.value;
    end();
    if (!now) return;
    if (layout.peek()?.model !== now.name) layout.value = null;
    end = followWithStandIn(source, now, name, () => layout.peek() === null, {
      info: (info) => (mapInfo.value = info),
      layout: (made) => (layout.value = made),
    });
  });

  // A page that was exported may have one projection only.
  effect(() => {
    const names = model.value?.projections;
    const first = names?.[0];
    if (first && !names.includes(projection.value)) projection.value = first;
  });
}
