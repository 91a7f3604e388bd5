import { ByteVectors, type VectorReply, type VectorRequest } from "./vectors";

/** What answers requests about vectors: a worker, or this thread. */
export type VectorClient = (request: VectorRequest) => Promise<VectorReply>;

/** What the worker is sent. */
export type ToWorker =
  { type: "load"; rows: Int8Array<ArrayBuffer>; dim: number } | { type: "ask"; id: number; request: VectorRequest };

/** What the worker sends. */
export type FromWorker =
  | { type: "started" }
  | { type: "answer"; id: number; reply: VectorReply }
  | { type: "failed"; id: number; message: string };

// A browser that refuses workers on file:// may do so without an error.
const patience = 3000;

/** Answers in a worker if one can be started, and else in short slices on this thread. */
export function vectorClient(rows: Int8Array<ArrayBuffer>, dim: number, start: () => Worker): VectorClient {
  const client = startWorker(start).then(
    (worker) => askWorker(worker, rows, dim),
    () => askHere(rows, dim),
  );
  return async (request) => (await client)(request);
}

function startWorker(start: () => Worker): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const worker = start();
    const refuse = (): void => {
      clearTimeout(timer);
      worker.terminate();
      reject(new Error("no worker could be started"));
    };
    const timer = setTimeout(refuse, patience);
    worker.onerror = refuse;
    worker.onmessage = () => {
      clearTimeout(timer);
      resolve(worker);
    };
  });
}

function askWorker(worker: Worker, rows: Int8Array<ArrayBuffer>, dim: number): VectorClient {
  const waiting = new Map<number, { resolve: (reply: VectorReply) => void; reject: (reason: Error) => void }>();
  const send = (message: ToWorker, transfer: Transferable[] = []): void => worker.postMessage(message, transfer);
  worker.onmessage = (event: MessageEvent<FromWorker>) => {
    const message = event.data;
    if (message.type === "started") return;
    const caller = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === "answer") caller?.resolve(message.reply);
    else caller?.reject(new Error(message.message));
  };
  worker.onerror = (event) => {
    for (const caller of waiting.values()) caller.reject(new Error(event.message));
    waiting.clear();
  };
  send({ type: "load", rows, dim }, [rows.buffer]);
  let last = 0;
  return (request) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      send({ type: "ask", id, request });
    });
}

/** Answers on this thread, and lets the page react at least every eight milliseconds. */
export function askHere(rows: Int8Array, dim: number): VectorClient {
  const vectors = new ByteVectors(rows, dim);
  return (request) => {
    let since = performance.now();
    return vectors.answer(request, () => {
      if (performance.now() - since < 8) return undefined;
      return new Promise((resolve) => {
        setTimeout(() => {
          since = performance.now();
          resolve();
        }, 0);
      });
    });
  };
}
