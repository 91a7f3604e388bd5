import { render } from "preact";
import { followAddress } from "./app/address";
import { showView } from "./app/actions";
import { startLoading } from "./app/load";
import { App } from "./components/App";
import { SourceContext } from "./components/context";
import { ServerSource } from "./server-source";
import type { Source } from "./source";
import { followTheme } from "./theme";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/controls.css";
import "./styles/panels.css";
import "./styles/map.css";

async function chooseSource(): Promise<Source> {
  if (__MOCK__) {
    const { MockSource } = await import("./mock");
    return new MockSource(Number(new URLSearchParams(location.search).get("words") ?? 5000));
  }
  return new ServerSource();
}

async function start(): Promise<void> {
  const root = document.getElementById("app");
  if (!root) throw new Error("the page has no #app");
  const source = await chooseSource();
  followTheme();
  followAddress(showView);
  startLoading(source);
  render(
    <SourceContext.Provider value={source}>
      <App />
    </SourceContext.Provider>,
    root,
  );
}

void start();
