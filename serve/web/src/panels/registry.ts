// The panels, in the order of their tabs. A panel is a component without properties, which reads the
// state; the one whose id is in the signal `panel` is shown.

import type { ComponentType } from "preact";
import type { IconName } from "../components/Icon";
import type { Source } from "../source";
import { AnalogyPanel } from "./AnalogyPanel";
import { AxisPanel } from "./AxisPanel";
import { SelectionPanel } from "./SelectionPanel";
import { WordPanel } from "./WordPanel";

export interface Panel {
  id: string;
  title: string;
  icon: IconName;
  component: ComponentType;
  /** Whether the panel takes the place of the map, too. */
  wide?: boolean;
  /** Whether a source has what the panel shows; all have it if this is absent. */
  available?: (source: Source) => boolean;
}

export const panels: Panel[] = [
  { id: "word", title: "Word", icon: "word", component: WordPanel },
  { id: "analogy", title: "Analogy", icon: "analogy", component: AnalogyPanel },
  { id: "axis", title: "Axis", icon: "axis", component: AxisPanel },
  { id: "selection", title: "Selection", icon: "selection", component: SelectionPanel },
];
