import { useComputed } from "@preact/signals";
import { useState } from "preact/hooks";
import { clearFilter, filterBy } from "../app/actions";
import { clustersChosen, conditions, firstWords, frequent, layout, model, modelName, valueOf, vocabulary } from "../app/state";
import { Bars } from "../components/Bars";
import { useSource } from "../components/context";
import { Icon } from "../components/Icon";
import { count } from "../numbers";
import type { Field, FieldInfo } from "../source";
import { categoriesOf, parseCondition } from "./conditions";
import { fewest, scaleOf } from "./histogram";
import { left } from "./state";

const steps = 200;
const bars = 40;

/** Which words may answer: those that were seen often enough, are in some clusters, and whose fields have some values. */
export function Filters() {
  const words = valueOf(vocabulary.value);
  const remaining = useComputed(() => left.value?.reduce((sum, one) => sum + one, 0) ?? 0);
  const narrowed = clustersChosen.value.length + conditions.value.length;
  if (!words || words.words.length <= fewest) return null;
  return (
    <div class="filters">
      <Frequency />
      {(layout.value?.info.clusters?.length ?? 0) + (model.value?.fields.length ?? 0) > 0 && (
        <details class="disclosure" open={narrowed > 0 || undefined}>
          <summary>{narrowed === 0 ? "Among words of a cluster or a field" : `Among ${count(remaining.value)} words of the map`}</summary>
          <Clusters />
          {model.value?.fields.map((f) => (
            <FieldFilter key={`${modelName.value} ${f.name}`} field={f} />
          ))}
          {narrowed > 0 && (
            <button type="button" class="button" onClick={clearFilter}>
              Among all of them
            </button>
          )}
        </details>
      )}
    </div>
  );
}

function Frequency() {
  const words = valueOf(vocabulary.value);
  const scale = useComputed(() => {
    const now = valueOf(vocabulary.value);
    return now ? scaleOf(now.words.length, now.counts, bars) : null;
  });
  if (!words || !scale.value) return null;
  const all = words.words.length;
  const first = firstWords.value === 0 ? all : Math.min(all, firstWords.value);
  const seen = words.counts?.[first - 1];
  const place = scale.value.place(first);
  const choose = (step: number) => (frequent.value = step >= steps ? 0 : (scale.value?.words(step / steps) ?? 0));
  return (
    <div class="frequency">
      {scale.value.bars && <Bars sizes={scale.value.bars} within={(bar) => bar / bars < place + 1e-9} />}
      <label class="field">
        <span class="label">
          {first === all ? "Among all words" : `Among words seen ${seen === undefined ? "most" : `${count(seen)} times or more`}: ${count(first)} of ${count(all)}`}
        </span>
        <input type="range" min={0} max={steps} value={first === all ? steps : Math.round(steps * place)} onChange={(event) => choose(Number(event.currentTarget.value))} />
      </label>
      {frequent.value === null && first < all && <p class="note">Rare words have vectors of little meaning. They do not answer, unless the slider is moved to the right.</p>}
    </div>
  );
}

/** Chooses clusters, one after the other. */
function Clusters() {
  const clusters = layout.value?.info.clusters ?? [];
  if (clusters.length === 0) return null;
  const chosen = clustersChosen.value;
  return (
    <>
      <label class="field">
        <span class="label">Cluster</span>
        <select value="" onChange={(event) => filterBy({ clusters: [...chosen, Number(event.currentTarget.value)] })}>
          <option value="">{chosen.length === 0 ? "Any" : "Add another one…"}</option>
          {clusters
            .filter((c) => !chosen.includes(c.id))
            .map((c) => (
              <option key={c.id} value={c.id}>
                {c.label} ({count(c.size)})
              </option>
            ))}
        </select>
      </label>
      {chosen.length > 0 && (
        <div class="chips">
          {chosen.map((id) => (
            <button key={id} type="button" class="chip" onClick={() => filterBy({ clusters: chosen.filter((other) => other !== id) })}>
              {clusters.find((c) => c.id === id)?.label ?? `cluster ${id}`} <Icon name="close" />
              <span class="visually-hidden">: remove</span>
            </button>
          ))}
        </div>
      )}
    </>
  );
}

/** The conditions on a field, and others. */
function replaced(field: string, by: string[]): string[] {
  return [...conditions.peek().filter((text) => parseCondition(text)?.field !== field), ...by];
}

function FieldFilter({ field }: { field: FieldInfo }) {
  const mine = conditions.value.flatMap((text) => parseCondition(text) ?? []).filter((c) => c.field === field.name);
  if (field.kind === "number") {
    const bound = (sign: string) => mine.find((c) => c.sign === sign)?.value ?? "";
    const choose = (least: string, most: string) =>
      filterBy({ conditions: replaced(field.name, [least !== "" ? `${field.name}>=${least}` : "", most !== "" ? `${field.name}<=${most}` : ""].filter(Boolean)) });
    return (
      <fieldset class="field range">
        <legend class="label">{field.name}</legend>
        <input type="number" step="any" aria-label={`${field.name}: at least`} placeholder="from" value={bound(">=")} onChange={(event) => choose(event.currentTarget.value, bound("<="))} />
        <input type="number" step="any" aria-label={`${field.name}: at most`} placeholder="to" value={bound("<=")} onChange={(event) => choose(bound(">="), event.currentTarget.value)} />
      </fieldset>
    );
  }
  return <CategoryFilter field={field} chosen={mine.find((c) => c.sign === "=")?.value ?? ""} />;
}

/** The categories are loaded when they are asked for. */
function CategoryFilter({ field, chosen }: { field: FieldInfo; chosen: string }) {
  const source = useSource();
  const [values, setValues] = useState<Field | null>(null);
  const [said, setSaid] = useState("");
  const load = () => {
    if (values) return;
    source.field(modelName.peek(), field.name).then(setValues, (error: unknown) => setSaid(error instanceof Error ? error.message : String(error)));
  };
  const categories = values?.kind === "category" ? categoriesOf(values) : chosen ? [chosen] : [];
  return (
    <label class="field">
      <span class="label">{field.name}</span>
      <select value={chosen} onFocus={load} onPointerDown={load} onChange={(event) => filterBy({ conditions: replaced(field.name, event.currentTarget.value ? [`${field.name}=${event.currentTarget.value}`] : []) })}>
        <option value="">Any</option>
        {categories.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      {said && <span class="note">{said}</span>}
    </label>
  );
}
