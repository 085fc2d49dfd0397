import { LoggerProvider, type LogRecordProcessor } from "@opentelemetry/sdk-logs";
import { BasicTracerProvider, type SpanProcessor } from "@opentelemetry/sdk-trace-base";
import { AlwaysRecordSampler, createEnvironmentSampler } from "../telemetry/samplers.ts";
import { readOtlpEnvironment, type EnvironmentEndpoint } from "./otlp-environment.ts";
import { createOtlpFanOut, type OtlpFanOut } from "./otlp-fan-out.ts";
import {
  createRecordPipeline,
  createSpanPipeline,
  type OtlpPipelineOptions,
} from "./otlp-pipeline.ts";
import type { OtlpSignal } from "./otlp-protocol.ts";
import { toResource } from "./otlp-providers.ts";

/** Providers as `OTEL_*` describes them, made when one is needed. */
export interface EnvironmentProviders {
  readonly tracerProvider: () => BasicTracerProvider;
  readonly loggerProvider: () => LoggerProvider;
  /** Where they export to. */
  readonly exports: OtlpFanOut;
}

export interface EnvironmentProvidersOptions extends Omit<
  OtlpPipelineOptions,
  "protocol" | "onDropped"
> {
  readonly environment: NodeJS.ProcessEnv;
  /** See every span and record, sampled or not. */
  readonly spanProcessor: SpanProcessor;
  readonly logRecordProcessor: LogRecordProcessor;
  /** Is told of a variable that can't be followed. */
  readonly onProblem: (problem: string) => void;
  /** Is told of spans or log records that a backend did not take. */
  readonly onDropped: (signal: OtlpSignal, count: number, reason: string) => void;
}

const STALL_MILLIS = 10_000;

/**
 * Creates providers for an application that has none: resource, sampler and exporters come from `OTEL_*`.
 *
 * What the sampler drops is recorded all the same, for the given processors; exporters don't get it.
 */
export function createEnvironmentProviders(
  options: EnvironmentProvidersOptions,
): EnvironmentProviders {
  const { environment } = options;
  const read = (signal: OtlpSignal): EnvironmentEndpoint | undefined => {
    const found = readOtlpEnvironment(environment, signal);
    if (found.kind === "problem") options.onProblem(`${signal} are not exported: ${found.problem}`);
    return found.kind === "endpoint" ? found.endpoint : undefined;
  };
  const toOutletOptions = (
    signal: OtlpSignal,
    { protocol }: EnvironmentEndpoint,
  ): OtlpPipelineOptions => ({
    ...options,
    protocol,
    onDropped: (count, reason) => options.onDropped(signal, count, reason),
  });
  const [traces, logs] = [read("traces"), read("logs")];
  const exports = createOtlpFanOut(
    [
      {
        url: (traces ?? logs)?.url ?? "",
        spans: traces && createSpanPipeline(traces, toOutletOptions("traces", traces)),
        logRecords: logs && createRecordPipeline(logs, toOutletOptions("logs", logs)),
      },
    ],
    STALL_MILLIS,
    options.clock,
  );
  const resource = toResource({});
  return {
    tracerProvider: () =>
      new BasicTracerProvider({
        resource,
        sampler: new AlwaysRecordSampler(createEnvironmentSampler(environment)),
        spanProcessors: [options.spanProcessor, ...exports.spanProcessors],
      }),
    loggerProvider: () =>
      new LoggerProvider({
        resource,
        processors: [options.logRecordProcessor, ...exports.logRecordProcessors],
      }),
    exports,
  };
}
