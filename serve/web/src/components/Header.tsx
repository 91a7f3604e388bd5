import { useEffect, useRef } from "preact/hooks";
import { chooseColor, chooseModel, chooseProjection, lookAt } from "../app/actions";
import { axisWords, colorBy, model, modelName, models, projection, query, valueOf } from "../app/state";
import { other } from "../compare/state";
import { themeChoice, type ThemeChoice } from "../theme";
import { Icon, type IconName } from "./Icon";
import { WordInput } from "./WordInput";

const projectionTitles = { pca: "PCA", umap: "UMAP" } as const;

export function Header() {
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
      if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      search.current?.focus();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);

  return (
    <header class="header">
      <h1 class="brand">
        w2v<span class="visually-hidden"> explorer</span>
      </h1>
      <ModelPicker />
      <div class="search" role="search">
        <Icon name="search" />
        <WordInput label="Search words" hideLabel value={query.value?.text ?? ""} placeholder="Word, or king - man + woman" inputRef={search} onCommit={lookAt} />
        <kbd aria-hidden="true">/</kbd>
      </div>
      <Projections />
      <ColorPicker />
      <ThemeSwitch />
    </header>
  );
}

function ModelPicker() {
  const all = valueOf(models.value) ?? [];
  return (
    <label class="field model-picker">
      <span class="label">Model</span>
      <select value={modelName.value} onChange={(event) => chooseModel(event.currentTarget.value)}>
        {all.map((m) => (
          <option key={m.name} value={m.name}>
            {m.name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Projections() {
  const names = model.value?.projections ?? ["pca"];
  return (
    <fieldset class="segmented">
      <legend class="visually-hidden">Projection</legend>
      {names.map((name) => (
        <label key={name}>
          <input type="radio" name="projection" checked={projection.value === name} onChange={() => chooseProjection(name)} />
          <span>{projectionTitles[name]}</span>
        </label>
      ))}
    </fieldset>
  );
}

function ColorPicker() {
  const color = colorBy.value;
  const value = color.by === "field" ? `field:${color.field}` : color.by;
  const choose = (chosen: string) => {
    if (chosen.startsWith("field:")) chooseColor({ by: "field", field: chosen.slice("field:".length) });
    else if (chosen === "cluster" || chosen === "frequency" || chosen === "axis" || chosen === "moved" || chosen === "distortion" || chosen === "none") chooseColor({ by: chosen });
  };
  const fields = model.value?.fields ?? [];
  return (
    <label class="field">
      <span class="label">Colour</span>
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="cluster">Clusters</option>
        <option value="frequency">Frequency</option>
        <option value="distortion">Distortion</option>
        {axisWords.value && <option value="axis">{`Axis ${axisWords.value.join(" → ")}`}</option>}
        {(other.value || color.by === "moved") && <option value="moved">{`How far to ${other.value?.name ?? "another model"}`}</option>}
        {fields.map((f) => (
          <option key={f.name} value={`field:${f.name}`}>
            {f.name}
          </option>
        ))}
        <option value="none">One colour</option>
      </select>
    </label>
  );
}

const themes: { choice: ThemeChoice; title: string; icon: IconName }[] = [
  { choice: "system", title: "Theme of the system", icon: "auto" },
  { choice: "light", title: "Light theme", icon: "sun" },
  { choice: "dark", title: "Dark theme", icon: "moon" },
];

function ThemeSwitch() {
  const at = themes.findIndex((t) => t.choice === themeChoice.value);
  const now = themes[at] ?? themes[0];
  const next = themes[(at + 1) % themes.length];
  if (!now || !next) return null;
  return (
    <button type="button" class="icon-button" title={now.title} aria-label={`${now.title}. Switch to: ${next.title}`} onClick={() => (themeChoice.value = next.choice)}>
      <Icon name={now.icon} />
    </button>
  );
}
