/** What observes a client beside us. */
export interface Instrumentation {
  readonly name: string;
  /** What the program calls it. */
  readonly kind: "otel" | "openinference" | "traceloop" | "langfuse" | "sentry";
  readonly package: string;
  readonly packages: Readonly<Record<string, readonly [name: string, version: string]>>;
}

const toInstrumentation = (
  kind: Instrumentation["kind"],
  name: string,
  version: string,
): Instrumentation => ({ name, kind, package: name, packages: { [name]: [name, version] } });

/** Those that teams have in place for OpenAI's client. */
export const INSTRUMENTATIONS: readonly Instrumentation[] = [
  toInstrumentation("otel", "@opentelemetry/instrumentation-openai", "0.21.0"),
  toInstrumentation("openinference", "@arizeai/openinference-instrumentation-openai", "4.2.7"),
  toInstrumentation("traceloop", "@traceloop/instrumentation-openai", "0.27.0"),
  toInstrumentation("langfuse", "@langfuse/openai", "5.11.1"),
  // 11 makes no spans of OpenTelemetry.
  toInstrumentation("sentry", "@sentry/node", "10.78.0"),
];

/** What the application has of its own. The client goes by its own name, by which it is patched. */
export const SURROUNDINGS = {
  openai: ["openai", "6.49.0"],
  "@opentelemetry/instrumentation": ["@opentelemetry/instrumentation", "0.223.0"],
  "@opentelemetry/sdk-trace-node": ["@opentelemetry/sdk-trace-node", "2.12.0"],
  "@opentelemetry/sdk-logs": ["@opentelemetry/sdk-logs", "0.223.0"],
  "@langfuse/tracing": ["@langfuse/tracing", "5.11.1"],
  "@langfuse/otel": ["@langfuse/otel", "5.11.1"],
  "@sentry/opentelemetry": ["@sentry/opentelemetry", "10.78.0"],
} as const;
