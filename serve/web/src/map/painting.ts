// Which colours the points of the map have now.

import { computed } from "@preact/signals";
import { axisValues, axisWords, colorBy, field, isolated, layout, selection, valueOf, vocabulary } from "../app/state";
import { cosines } from "../compare/state";
import { left } from "../filter/state";
import { otherPreserved, preserved } from "./distortion";
import { dark } from "../theme";
import { colorPoints, type Coloring } from "./colors";

/** What the points are coloured by. Until the values are there they have one colour. */
export const coloring = computed<Coloring>(() => {
  const at = layout.value;
  const by = colorBy.value;
  if (!at) return { by: "none" };
  const clusters: Coloring = { by: "cluster", clusters: at.clusters, info: at.info.clusters ?? [] };
  switch (by.by) {
    case "none":
      return { by: "none" };
    case "cluster":
      return clusters;
    case "frequency":
      return { by: "frequency", counts: valueOf(vocabulary.value)?.counts ?? null };
    case "field": {
      const values = valueOf(field.value);
      return values ? { by: "field", name: by.field, field: values } : { by: "none" };
    }
    case "axis": {
      const values = valueOf(axisValues.value);
      const ends = axisWords.value;
      return values && ends ? { by: "axis", from: ends[0], to: ends[1], values } : { by: "none" };
    }
    case "distortion": {
      const load = preserved.value;
      const failed = load.state === "failed" ? load.error.message : "";
      return { by: "distortion", kept: valueOf(load), other: valueOf(otherPreserved.value), failed };
    }
    case "moved": {
      const values = valueOf(cosines.value);
      return values ? { by: "moved", cosines: values } : clusters;
    }
  }
});

export const painted = computed(() => {
  const all = colorPoints((layout.value?.points.length ?? 0) / 2, coloring.value, dark.value, left.value);
  if (!isolated.value) return all;
  const alone = new Set(selection.value);
  for (let i = 0; 4 * i < all.colors.length; i++) if (!alone.has(i)) all.colors[4 * i + 3] = 0;
  return all;
});
