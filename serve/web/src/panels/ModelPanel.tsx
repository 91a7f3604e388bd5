import { Fragment } from "preact";
import { model } from "../app/state";
import { useSource } from "../components/context";
import { Share } from "../components/Share";
import { factsOf } from "../model/facts";

/** What the model is: its format, its size, how it was trained. */
export function ModelPanel() {
  const source = useSource();
  const now = model.value;
  if (!now) return <p class="note loading">Loading…</p>;
  return (
    <>
      <h2>{now.name}</h2>
      {factsOf(now, source.about ?? []).map(({ title, facts }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl class="facts">
            {facts.map(([name, value], i) => (
              <Fragment key={i}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
      <Share />
    </>
  );
}
