// Server-sent events over fetch. EventSource cannot send a bearer token.

export interface ServerEvent {
  event: string;
  data: string;
}

/** Splits the text of a stream into events, however it is cut into chunks. */
export class EventParser {
  private rest = "";
  private event = "";
  private data: string[] = [];

  push(chunk: string): ServerEvent[] {
    const events: ServerEvent[] = [];
    const lines = (this.rest + chunk).split("\n");
    this.rest = lines.pop() ?? "";
    for (const raw of lines) {
      const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
      if (line === "") {
        if (this.data.length > 0) {
          events.push({ event: this.event || "message", data: this.data.join("\n") });
        }
        this.event = "";
        this.data = [];
        continue;
      }
      const colon = line.indexOf(":");
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "event") this.event = value;
      if (name === "data") this.data.push(value);
    }
    return events;
  }
}
