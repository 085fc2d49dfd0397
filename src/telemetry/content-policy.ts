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

/** Copies items under a policy; an item that can't be read is dropped, because it must not be exported unfiltered. */
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

/** Reports an export as failed if items were dropped. */
function toAnswerFor(missing: number, done: Done): Done {
  return (result) => {
    if (result.code !== ExportResultCode.SUCCESS) return done(result);
    const error = new Error(`${missing} items were left out: they could not be copied`);
    done({ code: ExportResultCode.FAILED, error });
  };
}

/**
 * Wraps an exporter so that its destination gets spans and log records under a policy of its own: those of the
 * application and of other instrumentations as well as the monitor's.
 *
 * - `none`: without content; of foreign items, the content attributes of GenAI instrumentations are left out.
 * - `redacted`: with content, in which sensitive values are replaced by tokens everywhere.
 * - `full`: the exporter itself.
 *
 * Works on copies: other exporters get the original items. An item that can't be copied is dropped, and its export
 * returns `FAILED`.
 *
 * @param redactor - Redactor of the policy `redacted`. Default: all kinds, with tokens by a random key of this process.
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
