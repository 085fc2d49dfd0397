import { readFileSync } from "node:fs";
import type { SecureContextOptions } from "node:tls";
import { parseKeyPairsIntoRecord } from "@opentelemetry/core";
import { type LogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { BasicTracerProvider, type SpanProcessor } from "@opentelemetry/sdk-trace-base";
import { endpointSchema } from "../events/wire.ts";
import { AlwaysRecordSampler, createEnvironmentSampler } from "../telemetry/samplers.ts";
import { LONGEST_TIMER_MILLIS } from "../util/clock.ts";
import type { OtlpSignal } from "./otlp-exporter.ts";
import { createOtlpFanOut } from "./otlp-fan-out.ts";
import type { OtlpPipelineOptions } from "./otlp-pipeline.ts";
import { toResource } from "./otlp-providers.ts";
import type { OtlpEndpoint } from "./otlp-transport.ts";

/** What `OTEL_EXPORTER_OTLP_*` says of a signal. */
type EnvironmentExport =
  | { readonly kind: "none" }
  | { readonly kind: "endpoint"; readonly endpoint: OtlpEndpoint }
  | {
      readonly kind: "problem";
      /** Names the variable, never its value: it may hold a credential. */
      readonly problem: string;
    };

const DEFAULT_ENDPOINT = "http://localhost:4318";
const DEFAULT_TIMEOUT_MILLIS = 10_000;
const PREFIX = "OTEL_EXPORTER_OTLP_";

/** Finds the variable of a signal, else that of all signals; empty is not set. */
type Find = (name: string) => { readonly variable: string; readonly text: string } | undefined;

function createFinder(environment: NodeJS.ProcessEnv, signal: OtlpSignal): Find {
  return (name) => {
    for (const variable of [`${PREFIX}${signal.toUpperCase()}_${name}`, PREFIX + name]) {
      const text = environment[variable]?.trim();
      if (text) return { variable, text };
    }
    return undefined;
  };
}

/** Reads the certificates; a file that can't be read is an error. */
function readTls(find: Find): SecureContextOptions | undefined {
  const read = (name: string): Buffer | undefined => {
    const found = find(name);
    return found && readFileSync(found.text);
  };
  const [ca, cert, key] = [read("CERTIFICATE"), read("CLIENT_CERTIFICATE"), read("CLIENT_KEY")];
  if (!ca && !cert && !key) return undefined;
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

function toUrl(find: Find, signal: OtlpSignal): { variable: string; url: string } {
  const variable = `${PREFIX}${signal.toUpperCase()}_ENDPOINT`;
  const found = find("ENDPOINT") ?? { variable: `${PREFIX}ENDPOINT`, text: DEFAULT_ENDPOINT };
  const { text } = found;
  // The endpoint of one signal is used as it is.
  const url = found.variable === variable ? text : `${text.replace(/\/$/, "")}/v1/${signal}`;
  return { variable: found.variable, url };
}

/** Reads how requests are made, whatever goes where. */
function readRequestOptions(environment: NodeJS.ProcessEnv, find: Find, signal: OtlpSignal) {
  const timeout = Number(find("TIMEOUT")?.text);
  return {
    headers: {
      ...parseKeyPairsIntoRecord(environment[`${PREFIX}HEADERS`]),
      ...parseKeyPairsIntoRecord(environment[`${PREFIX}${signal.toUpperCase()}_HEADERS`]),
    },
    timeoutMillis: timeout > 0 ? Math.min(timeout, LONGEST_TIMER_MILLIS) : DEFAULT_TIMEOUT_MILLIS,
    compression: find("COMPRESSION")?.text === "gzip" ? ("gzip" as const) : ("none" as const),
    tls: readTls(find),
  };
}

function toProblem(problem: string): EnvironmentExport {
  return { kind: "problem", problem };
}

function toEndpoint(
  environment: NodeJS.ProcessEnv,
  find: Find,
  signal: OtlpSignal,
): EnvironmentExport {
  const protocol = find("PROTOCOL")?.text ?? "http/protobuf";
  if (protocol !== "http/protobuf" && protocol !== "http/json")
    return toProblem(`${find("PROTOCOL")?.variable}: expected http/protobuf or http/json`);
  const { variable, url } = toUrl(find, signal);
  const checked = endpointSchema.safeParse(url);
  if (!checked.success) return toProblem(`${variable}: ${checked.error.issues[0]?.message}`);
  return {
    kind: "endpoint",
    endpoint: { url, protocol, ...readRequestOptions(environment, find, signal) },
  };
}

/**
 * Reads where `OTEL_EXPORTER_OTLP_*` sends a signal.
 *
 * Unlike OpenTelemetry's SDK it exports only where that is asked for: by an endpoint, or by `otlp` in
 * `OTEL_TRACES_EXPORTER` or `OTEL_LOGS_EXPORTER`.
 *
 * @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */
export function readOtlpEnvironment(
  environment: NodeJS.ProcessEnv,
  signal: OtlpSignal,
): EnvironmentExport {
  const find = createFinder(environment, signal);
  const exporter = environment[`OTEL_${signal.toUpperCase()}_EXPORTER`]?.trim();
  const wanted = exporter ? exporter.split(",").map((name) => name.trim()) : undefined;
  if (wanted ? !wanted.includes("otlp") : !find("ENDPOINT")) return { kind: "none" };
  try {
    return toEndpoint(environment, find, signal);
  } catch {
    return toProblem(`${PREFIX}CERTIFICATE: expected files that can be read`);
  }
}

interface EnvironmentProvidersOptions extends OtlpPipelineOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** See every span and record, sampled or not. */
  readonly spanProcessor: SpanProcessor;
  readonly logRecordProcessor: LogRecordProcessor;
  /** Is called with a variable that can't be followed. */
  readonly onProblem: (problem: string) => void;
}

const STALL_MILLIS = 10_000;

/**
 * Creates providers for an application that has none, each when it is needed: resource, sampler and exporters come from
 * `OTEL_*`.
 *
 * What the sampler drops is recorded all the same, for the given processors; exporters don't get it.
 */
export function createEnvironmentProviders(options: EnvironmentProvidersOptions) {
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
    /** Where they export to. */
    exports,
  };
}
