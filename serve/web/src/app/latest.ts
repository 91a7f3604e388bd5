import type { Signal } from "@preact/signals";
import { SourceError } from "../source";
import { loading, none, type Load } from "./state";

/** How long after a lost connection it is tried again, in milliseconds. */
const again = 3000;

/** Runs one request at a time: a new one takes the place of the one before, whose answer is dropped. */
export class Latest<T> {
  private control: AbortController | null = null;

  constructor(private readonly target: Signal<Load<T>>) {}

  /** Drops what is under way, and the value. */
  clear(): void {
    this.control?.abort();
    this.control = null;
    this.target.value = none;
  }

  /** Drops what is under way: something must be known before it is asked. */
  wait(): void {
    this.clear();
    this.target.value = loading;
  }

  /** Asks, and puts the answer or the error into the signal. keep leaves the old value there until then. */
  async ask(request: (signal: AbortSignal) => Promise<T>, keep = false): Promise<void> {
    this.control?.abort();
    const control = new AbortController();
    this.control = control;
    if (!keep || this.target.peek().state !== "ready") this.target.value = loading;
    try {
      const value = await request(control.signal);
      if (this.control === control) this.target.value = { state: "ready", value };
    } catch (error) {
      if (this.control !== control) return;
      this.target.value = { state: "failed", error: error instanceof Error ? error : new Error(String(error)) };
      if (error instanceof SourceError && error.code === "unreachable") {
        setTimeout(() => {
          if (this.control === control) void this.ask(request, keep);
        }, again);
      }
    }
  }
}
