import type { Attributes, Context, Link, SpanKind } from "@opentelemetry/api";
import { SamplingDecision, type Sampler, type SamplingResult } from "@opentelemetry/sdk-trace-base";

/**
 * Wraps a sampler so that every span is recorded, and only the ones it samples are exported.
 *
 * A span that a sampler drops reaches no processor, so its answer would be neither checked nor delivered to the
 * platform. Recorded without being sampled, it reaches `monitor.spanProcessor`, while a `BatchSpanProcessor`, which
 * takes sampled spans alone, exports as before; so do the services called from there, which see the same decision.
 *
 * @example
 * ```ts
 * new NodeSDK({ sampler: new AlwaysRecordSampler(new TraceIdRatioBasedSampler(0.01)), spanProcessors });
 * ```
 */
export class AlwaysRecordSampler implements Sampler {
  readonly #root: Sampler;

  /**
   * Creates the sampler.
   *
   * @param root - Decides which spans are exported. Where it throws, none is.
   */
  constructor(root: Sampler) {
    this.#root = root;
  }

  /** Asks the wrapped sampler, and records what it would drop. */
  shouldSample(
    context: Context,
    traceId: string,
    spanName: string,
    spanKind: SpanKind,
    attributes: Attributes,
    links: Link[],
  ): SamplingResult {
    try {
      const result = this.#root.shouldSample(
        context,
        traceId,
        spanName,
        spanKind,
        attributes,
        links,
      );
      return result.decision === SamplingDecision.NOT_RECORD
        ? { ...result, decision: SamplingDecision.RECORD }
        : result;
    } catch {
      // A span starts in the application's calls, which must not fail because of a sampler.
      return { decision: SamplingDecision.RECORD };
    }
  }

  /** Describes the sampler with the one it wraps. */
  toString(): string {
    return `AlwaysRecordSampler{${this.#root.toString()}}`;
  }
}
