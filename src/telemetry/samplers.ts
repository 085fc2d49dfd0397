import type { Attributes, Context, Link, SpanKind } from "@opentelemetry/api";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  type Sampler,
  type SamplingResult,
} from "@opentelemetry/sdk-trace-base";

/**
 * Wraps a sampler so that every span is recorded, and only the spans it samples are exported.
 *
 * A span that a sampler drops reaches no processor, so its answer would be neither checked nor delivered to the
 * platform. Recorded without being sampled, the span reaches `monitor.spanProcessor`, while a `BatchSpanProcessor`,
 * which accepts sampled spans only, exports as before; so do the called services, which get the same sampling decision.
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
   * @param root - Decides which spans are exported. If it throws, the span is not exported.
   */
  constructor(root: Sampler) {
    this.#root = root;
  }

  /** Calls the wrapped sampler, and records the spans that it would drop. */
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
      // Spans start in the application's calls, which must not fail because of a sampler.
      return { decision: SamplingDecision.RECORD };
    }
  }

  /** Describes the sampler with the one it wraps. */
  toString(): string {
    return `AlwaysRecordSampler{${this.#root.toString()}}`;
  }
}

const PARENT_BASED = "parentbased_";
const DEFAULT_SAMPLER = "parentbased_always_on";

function toRatio(text: string | undefined): number {
  const ratio = text?.trim() ? Number(text) : Number.NaN;
  return ratio >= 0 && ratio <= 1 ? ratio : 1;
}

function toRoot(name: string, argument: string | undefined): Sampler | undefined {
  if (name === "always_on") return new AlwaysOnSampler();
  if (name === "always_off") return new AlwaysOffSampler();
  return name === "traceidratio" ? new TraceIdRatioBasedSampler(toRatio(argument)) : undefined;
}

/**
 * Creates the sampler that `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` name, as OpenTelemetry's SDK does by
 * default: the SDK exposes no sampler that could be wrapped. Default: `parentbased_always_on`.
 *
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export function createEnvironmentSampler(environment: NodeJS.ProcessEnv): Sampler {
  const name = (environment["OTEL_TRACES_SAMPLER"]?.trim() || DEFAULT_SAMPLER).toLowerCase();
  const isParentBased = name.startsWith(PARENT_BASED);
  const root = toRoot(
    isParentBased ? name.slice(PARENT_BASED.length) : name,
    environment["OTEL_TRACES_SAMPLER_ARG"],
  );
  if (!root) return new ParentBasedSampler({ root: new AlwaysOnSampler() });
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}
