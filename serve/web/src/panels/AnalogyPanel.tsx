import { useEffect, useRef, useState } from "preact/hooks";
import { clearAnalogy, drawAnalogy } from "../app/actions";
import { exampleAnalogies } from "../app/examples";
import { analogy, analogyWords, model, valueOf, vocabulary } from "../app/state";
import { Icon } from "../components/Icon";
import { Filters } from "../filter/Filters";
import { LoadView } from "../components/LoadView";
import { focusEmpty, WordInput } from "../components/WordInput";
import { WordList } from "../components/WordList";
import { percent } from "../numbers";
import { localAnalogy } from "../plane/state";

/** “a is to b as c is to ?”, drawn on the map as a parallelogram. */
export function AnalogyPanel() {
  const asked = analogyWords.value;
  const [a, setA] = useState("");
  const [b, setB] = useState("");
  const [c, setC] = useState("");
  useEffect(() => {
    setA(asked?.[0] ?? "");
    setB(asked?.[1] ?? "");
    setC(asked?.[2] ?? "");
  }, [asked]);
  const form = useRef<HTMLFormElement>(null);
  const complete = a.trim() !== "" && b.trim() !== "" && c.trim() !== "";
  // The state has a completion that was picked only after the next rendering, so it is given here.
  const draw = (words: [string, string, string]) => {
    const [first, second, third] = words.map((word) => word.trim());
    if (first && second && third) drawAnalogy(first, second, third);
    else focusEmpty(form.current);
  };
  const examples = exampleAnalogies(valueOf(vocabulary.value));

  return (
    <>
      <header class="panel-head">
        <h2>Analogy</h2>
        {asked && (
          <button type="button" class="icon-button" aria-label="Remove the analogy" onClick={clearAnalogy}>
            <Icon name="close" />
          </button>
        )}
      </header>
      <form ref={form} class="analogy-form" onSubmit={(event) => (event.preventDefault(), draw([a, b, c]))}>
        <WordInput label="a" value={a} placeholder="man" onInput={setA} onCommit={(text) => draw([text, b, c])} />
        <span class="relation">is to</span>
        <WordInput label="b" value={b} placeholder="king" onInput={setB} onCommit={(text) => draw([a, text, c])} />
        <span class="relation">as</span>
        <WordInput label="c" value={c} placeholder="woman" onInput={setC} onCommit={(text) => draw([a, b, text])} />
        <span class="relation">is to ?</span>
        <button type="submit" class="button primary" disabled={!complete}>
          Draw
        </button>
      </form>
      {!asked && examples.length > 0 && (
        <>
          <h3>Examples</h3>
          <div class="chips column">
            {examples.map((words) => (
              <button key={words.join(" ")} type="button" class="chip" onClick={() => drawAnalogy(...words)}>
                {words[0]} : {words[1]} = {words[2]} : ?
              </button>
            ))}
          </div>
        </>
      )}
      <LoadView load={analogy.value}>
        {({ answers }) => (
          <>
            <h3>Answers</h3>
            <Filters />
            <WordList words={answers.map((w) => ({ word: w.word, id: w.id, value: w.score }))} label="Answers, the best first" full={1} />
            <p class="note">The score is the cosine with b − a + c in all dimensions.</p>
            <Explained />
          </>
        )}
      </LoadView>
    </>
  );
}

/** By how much the answer misses the corner, and why the given words are no answers. */
function Explained() {
  const plane = valueOf(localAnalogy.value);
  if (!plane) return null;
  const [a, b, c, best] = plane.words.map((w) => w.word);
  const [first] = plane.barred;
  return (
    <>
      <h3>How well it fits</h3>
      <p id="analogy-miss">
        {b} − {a} + {c} misses {best} by {percent(plane.missAll)} of the arrow {a} → {b} in all {model.value?.dim} dimensions, and by {percent(plane.missDrawn)} of it in the plane
        that is drawn.
      </p>
      <h3>Given words, which are no answers</h3>
      <WordList words={plane.barred} label="Given words" full={1} />
      {first && (
        <p class="note">
          b − a + c stays near to the words that it is made of
          {first.rank === 1 ? `: ${first.word} would be the first answer. So the three given words are barred.` : ". They are barred, as usual, though here none of them would be the first answer."}
        </p>
      )}
    </>
  );
}
