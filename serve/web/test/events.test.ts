import { expect, it } from "vitest";
import { EventParser } from "../src/events";

it("reads events, however the stream is cut", () => {
  const stream = ': comment\n\nevent: progress\ndata: {"progress":\ndata: 0.5}\n\ndata:x\r\n\r\nevent: empty\n\n';
  for (let size = 1; size <= stream.length; size++) {
    const parser = new EventParser();
    const events = [];
    for (let at = 0; at < stream.length; at += size) events.push(...parser.push(stream.slice(at, at + size)));
    expect(events).toEqual([
      { event: "progress", data: '{"progress":\n0.5}' },
      { event: "message", data: "x" },
    ]);
  }
});
