import type { FromWorker, ToWorker } from "./client";
import { ByteVectors } from "./vectors";

const send = (message: FromWorker, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });

let vectors: ByteVectors | undefined;

async function receive(message: ToWorker): Promise<void> {
  if (message.type === "load") {
    vectors = new ByteVectors(message.rows, message.dim);
    return;
  }
  try {
    if (!vectors) throw new Error("the vectors have not been loaded");
    const reply = await vectors.answer(message.request, () => undefined);
    send({ type: "answer", id: message.id, reply }, reply.kind === "values" ? [reply.values.buffer] : []);
  } catch (error) {
    send({ type: "failed", id: message.id, message: error instanceof Error ? error.message : String(error) });
  }
}

self.onmessage = (event: MessageEvent<ToWorker>) => void receive(event.data);
send({ type: "started" });
