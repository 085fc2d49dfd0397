import { LoggerProvider, type LogRecordProcessor } from "@opentelemetry/sdk-logs";
import { BasicTracerProvider, type SpanProcessor } from "@opentelemetry/sdk-trace-base";
import { AlwaysRecordSampler, createEnvironmentSampler } from "../telemetry/samplers.ts";
import { readOtlpEnvironment } from "./otlp-environment.ts";
import type { OtlpSignal } from "./otlp-exporter.ts";
import { createOtlpFanOut, type OtlpFanOut } from "./otlp-fan-out.ts";
import type { OtlpPipelineOptions } from "./otlp-pipeline.ts";
import { toResource } from "./otlp-providers.ts";
import type { OtlpEndpoint } from "./otlp-transport.ts";

/** Providers as `OTEL_*` describes them, made when one is needed. */
export interface EnvironmentProviders {
  readonly tracerProvider: () => BasicTracerProvider;
  readonly loggerProvider: () => LoggerProvider;
  /** Where they export to. */
  readonly exports: OtlpFanOut;
}

export interface EnvironmentProvidersOptions extends OtlpPipelineOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** See every span and record, sampled or not. */
  readonly spanProcessor: SpanProcessor;
  readonly logRecordProcessor: LogRecordProcessor;
  /** Is told of a variable that can't be followed. */
  readonly onProblem: (problem: string) => void;
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
  const read = (signal: OtlpSignal): OtlpEndpoint | undefined => {
    const found = readOtlpEnvironment(environment, signal);
    if (found.kind === "problem") options.onProblem(`${signal} are not exported: ${found.problem}`);
    return found.kind === "endpoint" ? found.endpoint : undefined;
  };
  const [traces, logs] = [read("traces"), read("logs")];
  const target = { ...options, url: (traces ?? logs)?.url ?? "", traces, logs };
  const exports = createOtlpFanOut([target], STALL_MILLIS, options.clock);
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
