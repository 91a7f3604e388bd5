import { render } from "preact";
import { followAddress } from "./app/address";
import { showView } from "./app/actions";
import { startLoading } from "./app/load";
import { followTelling } from "./app/telling";
import { startComparing } from "./compare/state";
import { App } from "./components/App";
import { SourceContext } from "./components/context";
import { startFiltering } from "./filter/state";
import { startCards } from "./map/card";
import { startLens } from "./map/distortion";
import { startPlanes } from "./plane/state";
import { startSelections } from "./selections/state";
import type { Source } from "./source";
import { followTheme } from "./theme";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/controls.css";
import "./styles/panels.css";
import "./styles/map.css";
import "./styles/reports.css";

/** Fills the page, with the data of a source. */
export function start(source: Source): void {
  const root = document.getElementById("app");
  if (!root) throw new Error("the page has no #app");
  followTheme();
  followAddress(showView);
  startLoading(source);
  followTelling();
  startComparing(source);
  startFiltering(source);
  startCards(source);
  startLens(source);
  startPlanes(source);
  startSelections(source);
  render(
    <SourceContext.Provider value={source}>
      <App />
    </SourceContext.Provider>,
    root,
  );
}
