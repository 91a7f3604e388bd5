import { useEffect, useRef, useState } from "preact/hooks";
import { chooseColor, clearAxis, drawAxis } from "../app/actions";
import { exampleAxes } from "../app/examples";
import { axis, axisWords, colorBy, valueOf, vocabulary } from "../app/state";
import { Icon } from "../components/Icon";
import { Filters } from "../filter/Filters";
import { LoadView } from "../components/LoadView";
import { focusEmpty, WordInput } from "../components/WordInput";
import { WordList } from "../components/WordList";

/** A direction between two words, and the words that lie furthest toward each end. */
export function AxisPanel() {
  const asked = axisWords.value;
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  useEffect(() => {
    setFrom(asked?.[0] ?? "");
    setTo(asked?.[1] ?? "");
  }, [asked]);
  const form = useRef<HTMLFormElement>(null);
  const complete = from.trim() !== "" && to.trim() !== "";
  // The state has a completion that was picked only after the next rendering, so it is given here.
  const draw = (low: string, high: string) => {
    if (low.trim() && high.trim()) drawAxis(low.trim(), high.trim());
    else focusEmpty(form.current);
  };
  const examples = exampleAxes(valueOf(vocabulary.value));

  return (
    <>
      <header class="panel-head">
        <h2>Semantic axis</h2>
        {asked && (
          <button type="button" class="icon-button" aria-label="Remove the axis" onClick={clearAxis}>
            <Icon name="close" />
          </button>
        )}
      </header>
      <form ref={form} class="axis-form" onSubmit={(event) => (event.preventDefault(), draw(from, to))}>
        <WordInput label="From" value={from} placeholder="bad" onInput={setFrom} onCommit={(text) => draw(text, to)} />
        <button type="button" class="icon-button" aria-label="Swap the ends" disabled={!complete} onClick={() => drawAxis(to.trim(), from.trim())}>
          <Icon name="swap" />
        </button>
        <WordInput label="To" value={to} placeholder="good" onInput={setTo} onCommit={(text) => draw(from, text)} />
        <button type="submit" class="button primary" disabled={!complete}>
          Show
        </button>
      </form>
      {!asked && examples.length > 0 && (
        <>
          <h3>Examples</h3>
          <div class="chips">
            {examples.map(([low, high]) => (
              <button key={low} type="button" class="chip" onClick={() => drawAxis(low, high)}>
                {low} → {high}
              </button>
            ))}
          </div>
        </>
      )}
      <LoadView load={axis.value}>
        {(value) => (
          <>
            {colorBy.value.by !== "axis" && (
              <button type="button" class="button" onClick={() => chooseColor({ by: "axis" })}>
                Colour the map by this axis
              </button>
            )}
            <Filters />
            <h3>Toward {value.to}</h3>
            <WordList words={value.toward} label={`Words toward ${value.to}`} />
            <h3>Toward {value.from}</h3>
            <WordList words={value.away} label={`Words toward ${value.from}`} />
          </>
        )}
      </LoadView>
    </>
  );
}
