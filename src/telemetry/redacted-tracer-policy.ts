import type { Span, SpanOptions, Tracer } from "@opentelemetry/api";
import type { Redactor } from "../redaction/redactor.ts";
import type { SignalSource } from "./providers.ts";
import { redactAttributes } from "./redacted-policy.ts";

/**
 * Wraps a source so that names and first attributes of the spans are redacted: who reads the application's own
 * providers is beyond reach.
 *
 * What is written behind the start comes of events, which are redacted before.
 */
export function toRedactedSource(source: SignalSource, redactor: Redactor): SignalSource {
  let known: { readonly of: Tracer; readonly tracer: Tracer } | undefined;
  const wrap = (of: Tracer): Tracer =>
    Object.create(of, {
      startSpan: {
        value: (name: string, options?: SpanOptions, ...rest: []): Span =>
          of.startSpan(
            redactor.text(name),
            options?.attributes
              ? { ...options, attributes: redactAttributes(options.attributes, redactor) }
              : options,
            ...rest,
          ),
      },
    }) as Tracer;
  return {
    tracer() {
      const of = source.tracer();
      if (of && known?.of !== of) known = { of, tracer: wrap(of) };
      return of && known?.tracer;
    },
    logger: () => source.logger(),
  };
}
