import type { Agent } from "node:http";
import type { TracerProvider } from "@opentelemetry/api";
import type { LoggerProvider } from "@opentelemetry/api-logs";
import * as z from "zod";
import { environmentSchema, identifierSchema } from "./events/base-event.ts";
import { lazySchema } from "./events/lazy-schema.ts";
import { loggerSchema } from "./events/utility.ts";
import { toValidationDetails, ValidationError } from "./events/validation-error.ts";
import { LOG_LEVELS } from "./util/logger.ts";

/** Where `npx agent-monitor dev` listens. */
export const DEFAULT_ENDPOINT = "http://127.0.0.1:4319";

const ENVIRONMENT_PREFIX = "AGENT_MONITOR_";
const MEBIBYTE = 1024 * 1024;

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function toEndpointProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return "expected an absolute URL";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "")
    return "expected a URL without user name and password";
  // An empty query is none to `URL`, but a path appended to it would be part of it.
  if (/[?#]/.test(text)) return "expected a URL without query and fragment";
  if (url.protocol === "https:") return undefined;
  if (url.protocol === "http:" && LOOPBACK_HOST.test(url.hostname)) return undefined;
  return "expected https, or http to a loopback address: credentials never travel in the clear";
}

// A URL with a password must not stand in an error message, so only the reason is told.
const endpointSchema = lazySchema(() => z
  .string()
  .trim()
  .superRefine((text, context) => {
    const problem = toEndpointProblem(text);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  }));

const headerValueSchema = lazySchema(() => z
  .string()
  .regex(/^[\u0021-\u007e]+$/, {
    error: "expected visible ASCII characters: it is sent as a header",
  }));

function objectWith<T extends object>(...methods: string[]): z.ZodCustom<T, T> {
  return z.custom<T>(
    (value) =>
      typeof value === "object" &&
      value !== null &&
      methods.every((method) => typeof (value as Record<string, unknown>)[method] === "function"),
    { error: `expected an object with ${methods.map((method) => `${method}()`).join(" and ")}` },
  );
}

export const contentPolicySchema = lazySchema(() => z.enum(["none", "full"]));
/** How much content (messages, tool arguments and results, error texts) a telemetry destination gets. */
export type ContentPolicy = z.infer<typeof contentPolicySchema>;

export const otlpDestinationSchema = lazySchema(() => z.object({
  url: endpointSchema.describe(
    "Base URL of the backend; `/v1/traces` and `/v1/logs` are appended.",
  ),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe("Headers of this destination alone."),
  signals: z
    .array(z.enum(["traces", "logs"]))
    .min(1)
    .optional()
    .describe("Default: both."),
  content: contentPolicySchema.optional().describe("Default: the monitor's `content`."),
}));
/** An OTLP/HTTP backend that gets the monitor's spans and log records. */
export type OtlpDestination = z.infer<typeof otlpDestinationSchema>;

/** Every configuration field: bounds, default and meaning. */
export const agentMonitoringConfigSchema = lazySchema(() =>
  z.object({
    apiKey: headerValueSchema.describe(
      "Credential for the platform. Load it from the environment or a secret store.",
    ),
    organizationId: headerValueSchema
      .pipe(identifierSchema)
      .describe("Organization identifier on the platform."),
    endpoint: endpointSchema
      .default(DEFAULT_ENDPOINT)
      .describe("Base URL of the platform: https, or http to a loopback address."),
    environment: environmentSchema
      .default("production")
      .describe("Deployment, used to filter data."),
    batchSize: z
      .int()
      .min(1)
      .max(1000)
      .default(100)
      .describe("Events buffered before a batch is sent."),
    flushInterval: z
      .number()
      .min(100)
      .max(2 ** 31 - 1)
      .default(5000)
      .describe("Longest wait in ms before a partial batch is sent."),
    enableComplianceChecks: z
      .boolean()
      .default(true)
      .describe("Enables the local compliance engine."),
    enableLogging: z
      .boolean()
      .default(true)
      .describe("Writes the SDK's own log lines to the console."),
    logLevel: z
      .enum(LOG_LEVELS)
      .default("info")
      .describe("Least level that is written to the console."),
    retryAttempts: z.int().min(0).max(10).default(3).describe("Retries of a failed send."),
    retryDelay: z
      .number()
      .min(0)
      .max(60_000)
      .default(1000)
      .describe("Base delay in ms between retries; it doubles with each."),
    logger: loggerSchema
      .optional()
      .describe("Receives the SDK's log lines instead of the console."),
    tracerProvider: objectWith<TracerProvider>("getTracer")
      .optional()
      .describe("Gets the spans. Default: the global provider, looked up at use."),
    loggerProvider: objectWith<LoggerProvider>("getLogger")
      .optional()
      .describe("Gets the log records. Default: the global provider, looked up at use."),
    otlp: z
      .array(otlpDestinationSchema)
      .min(1)
      .optional()
      .describe("OTLP backends that get spans and log records through providers of their own."),
    content: contentPolicySchema
      .optional()
      .describe(
        "Content on spans and log records: `none` or `full`. Default: `full` if `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` is `true`, else `none`. The platform always gets the whole event.",
      ),
    maxQueueSize: z
      .int()
      .min(1)
      .max(10_000_000)
      .default(20_000)
      .describe(
        "Events held while they wait for delivery; the newest beyond it is refused and counted.",
      ),
    maxQueueBytes: z
      .int()
      .min(1024)
      .default(64 * MEBIBYTE)
      .describe("Bytes of events held while they wait for delivery."),
    maxBatchBytes: z
      .int()
      .min(1024)
      .default(MEBIBYTE)
      .describe("Bytes of a batch before compression."),
    eventSizeLimit: z
      .int()
      .min(4096)
      .max(16 * MEBIBYTE)
      .default(256 * 1024)
      .describe("Bytes of one event; a larger one is truncated and marked."),
    compression: z
      .enum(["gzip", "none"])
      .default("gzip")
      .describe("Compression of batches above 1 KiB."),
    requestTimeout: z
      .number()
      .min(1)
      .max(600_000)
      .default(10_000)
      .describe("Deadline in ms of one send, from connecting to the last byte of the answer."),
    shutdownTimeout: z
      .number()
      .min(0)
      .max(600_000)
      .default(5000)
      .describe(
        "Deadline in ms of `shutdown()` and of the flush at the natural end of the process.",
      ),
    agent: objectWith<Agent>("addRequest", "destroy")
      .optional()
      .describe("`http.Agent` or `https.Agent` for a proxy or mutual TLS."),
    conversationIdleTimeout: z
      .number()
      .min(1000)
      .max(2 ** 31 - 1)
      .default(30 * 60_000)
      .describe("Time in ms after which an idle conversation's spans are ended."),
  }),
);

/** Configuration as the caller gives it. */
export type AgentMonitoringConfig = z.input<typeof agentMonitoringConfigSchema>;
/** Alias of `AgentMonitoringConfig`. */
export type AgentMonitorConfig = AgentMonitoringConfig;
/** Configuration with every default filled in. */
export type ResolvedConfig = z.output<typeof agentMonitoringConfigSchema>;

/** Fields that can't be written as text, so that no environment variable sets them. */
const OBJECT_FIELDS = new Set<string>(["logger", "tracerProvider", "loggerProvider", "agent"]);

/** Names the environment variable of a field: `batchSize` is `AGENT_MONITOR_BATCH_SIZE`. */
export function toEnvironmentVariable(field: string): string | undefined {
  if (OBJECT_FIELDS.has(field)) return undefined;
  return ENVIRONMENT_PREFIX + field.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function parseText(schema: z.ZodType, text: string): unknown {
  const inner =
    schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (inner instanceof z.ZodNumber)
    return text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
  if (inner instanceof z.ZodBoolean) {
    if (/^(true|1)$/i.test(text)) return true;
    if (/^(false|0)$/i.test(text)) return false;
    return text;
  }
  if (inner instanceof z.ZodArray) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}

function fromEnvironment(given: object, environment: NodeJS.ProcessEnv): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...given };
  for (const [field, schema] of Object.entries(agentMonitoringConfigSchema.shape)) {
    const variable = toEnvironmentVariable(field);
    const text = variable === undefined ? undefined : environment[variable];
    if (merged[field] === undefined && text !== undefined && text !== "") {
      merged[field] = parseText(schema, text);
    }
  }
  return merged;
}

/** Fields whose value may hold a credential: an error says what was wrong, never what came. */
const SECRET_FIELDS = new Set<PropertyKey>([
  "apiKey",
  "organizationId",
  "endpoint",
  "otlp",
  "agent",
]);

function valueAt(root: Record<string, unknown>, path: readonly PropertyKey[]): unknown {
  const [field] = path;
  if (field === undefined || SECRET_FIELDS.has(field)) return undefined;
  const value = path.reduce<unknown>(
    (parent, key) =>
      parent === null || parent === undefined
        ? undefined
        : (parent as Record<PropertyKey, unknown>)[key],
    root,
  );
  return typeof value === "object" || typeof value === "function" ? undefined : value;
}

/** Configuration and what its reader wants to tell about it. */
export interface ParsedConfig {
  readonly config: ResolvedConfig;
  /** Fields that are not known, most likely misspelt. */
  readonly unknownFields: readonly string[];
  /** Whether the endpoint is the default because nobody gave one. */
  readonly isEndpointDefault: boolean;
}

/**
 * Reads the configuration: explicit fields first, then `AGENT_MONITOR_*` variables, then defaults.
 *
 * @throws ValidationError with every problem at once; it never shows a credential.
 */
export function parseConfig(
  given: unknown,
  environment: NodeJS.ProcessEnv = process.env,
): ParsedConfig {
  if (given !== undefined && (typeof given !== "object" || given === null)) {
    const detail = {
      field: "config",
      message: `expected an object (got ${typeof given})`,
      code: "invalid_type",
    };
    throw new ValidationError("config", [detail]);
  }
  const input = given ?? {};
  const merged = fromEnvironment(input, environment);
  const parsed = agentMonitoringConfigSchema.safeParse(merged);
  if (!parsed.success) {
    const details = toValidationDetails(parsed.error.issues, (path) => valueAt(merged, path));
    for (const detail of details) {
      const isMissing =
        Object.hasOwn(agentMonitoringConfigSchema.shape, detail.field) &&
        merged[detail.field] === undefined;
      const variable = toEnvironmentVariable(detail.field);
      if (isMissing && variable !== undefined) detail.message = `is required (or set ${variable})`;
    }
    throw new ValidationError("config", details);
  }
  return {
    config: parsed.data,
    unknownFields: Object.keys(input).filter(
      (field) => !Object.hasOwn(agentMonitoringConfigSchema.shape, field),
    ),
    isEndpointDefault: merged["endpoint"] === undefined,
  };
}
