import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Source } from "../source";

export const SourceContext = createContext<Source | null>(null);

/** The source that the page was started with. */
export function useSource(): Source {
  const source = useContext(SourceContext);
  if (!source) throw new Error("there is no source");
  return source;
}
