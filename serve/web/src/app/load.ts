// Asks the source for what the state needs, whenever that changes.

import { effect } from "@preact/signals";
import type { Source } from "../source";
import { followLayout } from "./follow-layout";
import { Latest } from "./latest";
import {
  analogy,
  analogyWords,
  axis,
  axisValues,
  axisWords,
  colorBy,
  field,
  layout,
  mapInfo,
  model,
  modelName,
  models,
  neighborCount,
  neighbors,
  place,
  projection,
  query,
  valueOf,
  vocabulary,
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
    if (first && !all.some((m) => m.name === modelName.value)) modelName.value = first.name;
  });

  const askVocabulary = new Latest(vocabulary);
  effect(() => {
    const now = model.value;
    if (!now) return askVocabulary.clear();
    void askVocabulary.ask(async (signal) => {
      const [words, counts] = await Promise.all([source.words(now.name, signal), now.counts ? source.counts(now.name, signal) : null]);
      return { words, counts, ids: new Map(words.map((word, id) => [word, id])) };
    });
  });

  followMap(source);

  const askNeighbors = new Latest(neighbors);
  effect(() => {
    const now = model.value;
    const asked = query.value;
    const k = neighborCount.value;
    if (!now || !asked) return askNeighbors.clear();
    void askNeighbors.ask((signal) => source.neighbors(now.name, asked, k, signal));
  });

  // Places, analogies and axes are in coordinates of a projection, which must be there.
  const askPlace = new Latest(place);
  effect(() => {
    const at = layout.value;
    const asked = query.value;
    if (!at || at.model !== modelName.value || !asked) return askPlace.clear();
    void askPlace.ask((signal) => source.place(at.model, at.projection, asked, signal));
  });

  const askAnalogy = new Latest(analogy);
  effect(() => {
    const at = layout.value;
    const asked = analogyWords.value;
    if (!at || at.model !== modelName.value || !asked) return askAnalogy.clear();
    void askAnalogy.ask((signal) => source.analogy(at.model, at.projection, ...asked, answersShown, signal));
  });

  const askAxis = new Latest(axis);
  const askAxisValues = new Latest(axisValues);
  effect(() => {
    const now = model.value;
    const asked = axisWords.value;
    if (!now || !asked) {
      askAxis.clear();
      return askAxisValues.clear();
    }
    void askAxis.ask((signal) => source.axis(now.name, ...asked, axisWordsShown, signal));
    void askAxisValues.ask((signal) => source.axisValues(now.name, ...asked, signal));
  });

  const askField = new Latest(field);
  effect(() => {
    const now = model.value;
    const by = colorBy.value;
    if (!now || by.by !== "field") return askField.clear();
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
    end = followLayout(source, now, name, {
      info: (info) => (mapInfo.value = info),
      layout: (made) => (layout.value = made),
    });
  });
}
