import type { Source, Stream } from "../source";
import { RunLog } from "./log";

/** How often a view of logs that grow is drawn anew, in milliseconds. */
const redraw = 300;

/** A log that is being read. */
export interface Followed {
  name: string;
  log: RunLog;
  /** Why it cannot be read any further. */
  error: string | null;
}

/** Reads the logs of some runs, and calls changed, not too often, when there is something new. The
 * returned function ends it. */
export function followRuns(source: Pick<Source, "run">, names: string[], changed: (runs: Followed[]) => void): () => void {
  const runs = names.map((name): Followed => ({ name, log: new RunLog(), error: null }));
  let timer: ReturnType<typeof setTimeout> | null = null;
  const later = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      changed([...runs]);
    }, redraw);
  };
  const streams: Stream[] = runs.map((run) =>
    source.run(run.name, {
      record: (record) => {
        run.log.add(record);
        later();
      },
      restarted: () => {
        run.log = new RunLog();
        later();
      },
      end: (error) => {
        run.error = error?.message ?? null;
        later();
      },
    }),
  );
  changed([...runs]);
  return () => {
    if (timer !== null) clearTimeout(timer);
    for (const stream of streams) stream.close();
  };
}
