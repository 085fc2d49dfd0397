import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import { toErrorName } from "../util/logger.ts";
import type { OtlpDelivery } from "./otlp-outbox.ts";
import type { OtlpCodec, OtlpItem } from "./otlp-protocol.ts";
import type { OtlpTransport } from "./otlp-transport.ts";

/** What batch processors and content policies expect of an exporter. */
export interface OtlpExporter<Item> {
  export(items: Item[], done: (result: ExportResult) => void): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

const done = (): Promise<void> => Promise.resolve();

function canEncode<Item extends OtlpItem>(codec: OtlpCodec<Item>, item: Item): boolean {
  try {
    return codec.encode([item]) !== undefined;
  } catch {
    return false;
  }
}

/** Encodes a batch; one item that can't be written, a cycle for instance, must not take the others with it. */
function encodeBatch<Item extends OtlpItem>(
  codec: OtlpCodec<Item>,
  items: Item[],
): { body: Uint8Array | undefined; count: number } {
  try {
    return { body: codec.encode(items), count: items.length };
  } catch {
    const readable = items.filter((item) => canEncode(codec, item));
    const body = readable.length > 0 ? codec.encode(readable) : undefined;
    return { body, count: readable.length };
  }
}

/**
 * Creates what encodes and sends one batch at a time, as an exporter so that a content policy can stand before it.
 *
 * What came of it is in the result: an `OtlpDelivery`.
 */
export function createOtlpSender<Item extends OtlpItem>(
  loadCodec: () => Promise<OtlpCodec<Item>>,
  transport: OtlpTransport,
): OtlpExporter<Item> {
  let codec: OtlpCodec<Item> | undefined;
  const deliver = async (items: Item[]): Promise<OtlpDelivery> => {
    if (items.length === 0) return { sent: 0 };
    const { signal } = transport;
    try {
      codec ??= await loadCodec();
      const { body, count } = encodeBatch(codec, items);
      if (!body) return { sent: 0 };
      const outcome = await transport.send(body, signal);
      if (outcome.kind === "refused") return { sent: 0, reason: outcome.reason };
      const rejected = Math.min(count, codec.countRejected(outcome.answer));
      return { sent: count - rejected, reason: rejected > 0 ? "rejected" : undefined };
    } catch (error) {
      return { sent: 0, reason: toErrorName(error) };
    }
  };
  return {
    export: (items, finish) =>
      void deliver(items).then((delivery) =>
        finish({ code: ExportResultCode.SUCCESS, ...delivery }),
      ),
    forceFlush: done,
    shutdown: done,
  };
}
