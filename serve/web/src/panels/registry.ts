// The panels, in the order of their tabs. A panel is a component without properties, which reads the
// state; the one whose id is in the signal `panel` is shown.

import type { ComponentType } from "preact";
import type { IconName } from "../components/Icon";
import type { Source } from "../source";
import { AnalogyPanel } from "./AnalogyPanel";
import { AxisPanel } from "./AxisPanel";
import { ComparePanel } from "./ComparePanel";
import { ModelPanel } from "./ModelPanel";
import { RunsPanel } from "./RunsPanel";
import { ScoresPanel } from "./ScoresPanel";
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
  { id: "compare", title: "Compare", icon: "compare", component: ComparePanel, available: (source) => source.can.compare },
  { id: "scores", title: "Scores", icon: "scores", component: ScoresPanel, wide: true, available: (source) => source.can.evaluations },
  { id: "runs", title: "Training", icon: "runs", component: RunsPanel, wide: true, available: (source) => source.can.runs },
  { id: "info", title: "Model", icon: "info", component: ModelPanel },
];
