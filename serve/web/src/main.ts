import { ServerSource } from "./server-source";
import { start } from "./start";

if (__MOCK__) {
  const { MockSource } = await import("./mock");
  start(new MockSource(Number(new URLSearchParams(location.search).get("words") ?? 5000)));
} else {
  start(new ServerSource());
}
