import type { ComponentChildren } from "preact";
import { lookAt } from "../app/actions";
import type { Load } from "../app/state";
import { SourceError } from "../source";

/** Shows a value when it is there, and until then that it is being loaded, or why it failed. */
export function LoadView<T>({ load, children }: { load: Load<T>; children: (value: T) => ComponentChildren }) {
  switch (load.state) {
    case "none":
      return null;
    case "loading":
      return (
        <p class="note loading" role="status">
          Loading…
        </p>
      );
    case "failed":
      return <Failure error={load.error} />;
    case "ready":
      return <>{children(load.value)}</>;
  }
}

function Failure({ error }: { error: Error }) {
  const suggestions = error instanceof SourceError ? error.suggestions : [];
  return (
    <div class="failed" role="alert">
      <p>{error.message}</p>
      {suggestions.length > 0 && (
        <p class="chips">
          <span>Did you mean:</span>
          {suggestions.map((word) => (
            <button key={word} type="button" class="chip" onClick={() => lookAt(word)}>
              {word}
            </button>
          ))}
        </p>
      )}
    </div>
  );
}
