import { ExportResultCode } from "@opentelemetry/core";
import type { LogRecordExporter, ReadableLogRecord } from "@opentelemetry/sdk-logs";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { ContentPolicy } from "../config/config.ts";
import { createRedactor, type Redactor } from "../redaction/redactor.ts";
import { toBareRecord, toBareSpan } from "./none-policy.ts";
import { createSignalRedactor, type SignalRedactor } from "./redacted-policy.ts";

type Item = ReadableSpan | ReadableLogRecord;

const BARE: SignalRedactor = { span: toBareSpan, record: toBareRecord };

function isSpan(item: Item): item is ReadableSpan {
  return "spanContext" in item && "kind" in item;
}

/** Copies items under a policy; one that can't be read is left out: it must not leave as it is. */
function toCopies(
  items: readonly Item[],
  policy: SignalRedactor,
  fail: (error: unknown) => void,
): Item[] {
  return items.flatMap((item) => {
    try {
      return [isSpan(item) ? policy.span(item) : policy.record(item)];
    } catch (error) {
      fail(error);
      return [];
    }
  });
}

type Done = Parameters<SpanExporter["export"]>[1];

/** Does not let an export pass as done of which items were left out. */
function toAnswerFor(missing: number, done: Done): Done {
  return (result) => {
    if (result.code !== ExportResultCode.SUCCESS) return done(result);
    const error = new Error(`${missing} items were left out: they could not be copied`);
    done({ code: ExportResultCode.FAILED, error });
  };
}

/**
 * Wraps an exporter so that its destination gets spans or log records under a policy of its own, the
 * application's and other instrumentations' as well as the monitor's.
 *
 * - `none`: without content; of others, what GenAI instrumentations write content into is left out.
 * - `redacted`: with content, in which sensitive values are replaced by tokens, wherever they stand.
 * - `full`: the exporter itself.
 *
 * It works on copies: what other exporters see stays as it is. An item that can't be copied is left out, and its export
 * answers `FAILED`.
 *
 * @param redactor - Does the redacting. Default: all kinds, with tokens keyed at random for this process.
 */
export function withContentPolicy<E extends SpanExporter | LogRecordExporter>(
  exporter: E,
  policy: ContentPolicy,
  redactor?: Redactor,
): E {
  if (policy === "full") return exporter;
  const inner = exporter as SpanExporter & LogRecordExporter;
  const taken = policy === "redacted" ? (redactor ?? createRedactor()) : redactor;
  const copier = policy === "redacted" && taken ? createSignalRedactor(taken) : BARE;
  const wrapped = {
    export(items: Item[], done: Done) {
      const copies = toCopies(items, copier, (error) => taken?.fail(error));
      const missing = items.length - copies.length;
      inner.export(copies as never, missing === 0 ? done : toAnswerFor(missing, done));
    },
    forceFlush: () => inner.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => inner.shutdown(),
  };
  return wrapped as unknown as E;
}
