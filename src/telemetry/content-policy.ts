import type { Attributes, SpanContext, Tracer } from "@opentelemetry/api";
import { ExportResultCode, type InstrumentationScope } from "@opentelemetry/core";
import type { Resource } from "@opentelemetry/resources";
import type { LogRecordExporter, ReadableLogRecord } from "@opentelemetry/sdk-logs";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { ContentPolicy } from "../config/config.ts";
import { type Redactor, createRedactor } from "../redaction/redactor.ts";
import { overrideMembers, toBareRecord, toBareSpan } from "./none-policy.ts";
import type { SignalSource } from "./providers.ts";

/** Creates filtered copies of exported spans and log records. */
interface SignalRedactor {
  span(span: ReadableSpan): ReadableSpan;
  record(record: ReadableLogRecord): ReadableLogRecord;
}

/** Redacts attributes; returns none if not even their names can be read. */
export function redactAttributes<T extends object>(attributes: T, redactor: Redactor): T {
  const redacted: unknown = redactor.value(attributes);
  return (typeof redacted === "object" ? redacted : {}) as T;
}

/** Removes a trace state with a sensitive value: its text comes from the service that started the trace. */
function redactContext<T extends SpanContext | undefined>(context: T, redactor: Redactor): T {
  if (!context?.traceState) return context;
  const text = context.traceState.serialize();
  if (redactor.text(text) === text) return context;
  const { traceState: _traceState, ...rest } = context;
  return rest as T;
}

/** Redacts the attributes of an item that may have some. */
function redactItem<T extends { attributes?: Attributes | undefined }>(
  item: T,
  redactor: Redactor,
): T {
  const { attributes } = item;
  return { ...item, ...(attributes && { attributes: redactAttributes(attributes, redactor) }) };
}

/** Caches the copy of an object, because exporters group by identity. */
function remember<T extends object>(
  redact: (item: T) => T,
  isFinal: (item: T) => boolean,
): (item: T) => T {
  const remembered = new WeakMap<T, T>();
  return (item) => {
    const known = remembered.get(item);
    if (known) return known;
    const redacted = redact(item);
    if (isFinal(item)) remembered.set(item, redacted);
    return redacted;
  };
}

function redactResource(resource: Resource, redactor: Redactor): Resource {
  const attributes: Attributes = resource.attributes;
  const redacted = redactAttributes(attributes, redactor);
  if (redacted === attributes) return resource;
  return overrideMembers(resource, {
    attributes: redacted,
    getRawAttributes: () => Object.entries(redacted),
  });
}

/** Creates redacted copies of spans and log records, including everything that an exporter can send. */
function createSignalRedactor(redactor: Redactor): SignalRedactor {
  const toResource = remember<Resource>(
    (resource) => redactResource(resource, redactor),
    (resource) => resource.asyncAttributesPending !== true,
  );
  const toScope = remember<InstrumentationScope>(
    (scope) => redactAttributes(scope, redactor),
    () => true,
  );
  return {
    span(span) {
      const context = redactContext(span.spanContext(), redactor);
      const { status, parentSpanContext } = span;
      return overrideMembers(span, {
        spanContext: () => context,
        ...(parentSpanContext && {
          parentSpanContext: redactContext(parentSpanContext, redactor),
        }),
        name: redactor.text(span.name),
        status:
          status.message === undefined
            ? status
            : { ...status, message: redactor.text(status.message) },
        attributes: redactAttributes(span.attributes, redactor),
        events: span.events.map((event) => ({
          ...redactItem(event, redactor),
          name: redactor.text(event.name),
        })),
        links: span.links.map((link) => ({
          ...redactItem(link, redactor),
          context: redactContext(link.context, redactor),
        })),
        resource: toResource(span.resource),
        instrumentationScope: toScope(span.instrumentationScope),
      });
    },
    record(record) {
      const { body, eventName, severityText, spanContext } = record;
      return overrideMembers(record, {
        body: redactor.value(body),
        attributes: redactAttributes(record.attributes, redactor),
        resource: toResource(record.resource),
        instrumentationScope: toScope(record.instrumentationScope),
        ...(eventName !== undefined && { eventName: redactor.text(eventName) }),
        ...(severityText !== undefined && { severityText: redactor.text(severityText) }),
        ...(spanContext && { spanContext: redactContext(spanContext, redactor) }),
      });
    },
  };
}

/**
 * Wraps a source so that names and first attributes of spans are redacted: exporters of the application's own providers
 * can't be filtered.
 *
 * Attributes that are written later come from events, which are redacted before.
 */
export function toRedactedSource(source: SignalSource, redactor: Redactor): SignalSource {
  let known: { readonly of: Tracer; readonly tracer: Tracer } | undefined;
  const wrap = (of: Tracer): Tracer =>
    overrideMembers(of, {
      startSpan: (name, options, ...rest) =>
        of.startSpan(redactor.text(name), options && redactItem(options, redactor), ...rest),
    });
  return {
    tracer() {
      const of = source.tracer();
      if (of && known?.of !== of) known = { of, tracer: wrap(of) };
      return of && known?.tracer;
    },
    logger: () => source.logger(),
  };
}

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
