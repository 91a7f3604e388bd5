import { useEffect, useState } from "preact/hooks";
import { named, note, panel } from "../app/state";
import { panels } from "../panels/registry";
import { useSource } from "./context";
import { Icon } from "./Icon";

/** The tabs and the panel that is chosen. On a phone it is a sheet at the bottom, of three heights. */
export function Sidebar() {
  const source = useSource();
  const [height, setHeight] = useState<"low" | "half" | "full">("half");
  const shown = panels.filter((p) => p.available?.(source) ?? true);
  const current = shown.find((p) => p.id === panel.value) ?? shown[0];
  useEffect(() => {
    if (!current || current.id === panel.value) return;
    note(`The address asks for the panel ${named(panel.value)}, which is not here.`);
    panel.value = current.id;
  }, [current?.id, panel.value]);
  // On a phone not all tabs fit beside each other.
  useEffect(() => document.getElementById(`tab-${current?.id}`)?.scrollIntoView({ block: "nearest", inline: "center" }), [current?.id]);
  if (!current) return null;
  const Component = current.component;

  const choose = (id: string) => {
    panel.value = id;
    if (height === "low") setHeight("half");
  };
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = shown[(shown.indexOf(current) + step + shown.length) % shown.length];
    if (!next) return;
    choose(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  const taller = height === "low" ? "half" : "full";
  const lower = height === "full" ? "half" : "low";

  return (
    <aside class={`sidebar ${height}`} aria-label="Panels">
      <div class="grip">
        <button type="button" class="icon-button" aria-label="Make the sheet lower" disabled={height === "low"} onClick={() => setHeight(lower)}>
          <Icon name="down" />
        </button>
        <button type="button" class="icon-button" aria-label="Make the sheet taller" disabled={height === "full"} onClick={() => setHeight(taller)}>
          <Icon name="up" />
        </button>
      </div>
      <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={keys}>
        {shown.map((p) => (
          <button
            key={p.id}
            id={`tab-${p.id}`}
            type="button"
            role="tab"
            class="tab"
            aria-selected={p === current}
            aria-controls="panel"
            tabIndex={p === current ? 0 : -1}
            onClick={() => choose(p.id)}
          >
            <Icon name={p.icon} />
            <span>{p.title}</span>
          </button>
        ))}
      </div>
      <section id="panel" class="panel" role="tabpanel" tabIndex={0} aria-labelledby={`tab-${current.id}`}>
        <Component />
      </section>
    </aside>
  );
}
