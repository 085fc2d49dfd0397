import type { Agent } from "node:http";
import type { TracerProvider } from "@opentelemetry/api";
import type { LoggerProvider } from "@opentelemetry/api-logs";
import * as z from "zod";
import { environmentSchema, identifierSchema } from "../events/base-event.ts";
import { lazyEnum, lazyObject, lazySchema } from "../events/lazy-schema.ts";
import {
  encryptionOptionsSchema,
  sharedSecretSchema,
  signingOptionsSchema,
} from "../events/protection.ts";
import { loggerSchema } from "../events/utility.ts";
import { endpointSchema } from "../events/wire.ts";
import { LOG_LEVELS } from "../util/logger.ts";
import { isObject } from "../util/values.ts";
import { bounded } from "./bounded.ts";
import { judgeOptionsSchema } from "./judge-options.ts";
import { priceTableSchema } from "./price-table.ts";
import { REDACT_EXPECTATION, redactOptionsSchema } from "./redact-options.ts";

/** Address on which `npx agent-monitor dev` listens. */
export const DEFAULT_ENDPOINT = "http://127.0.0.1:4319";

/** Hooks that `instrumentations` turns on; they serve the whole process. */
export const INSTRUMENTATIONS = ["fetch", "ai-sdk", "langchain"] as const;

/** Failures that events survive, the least first. */
const DURABILITIES = ["memory", "process", "power"] as const;

const MEBIBYTE = 1024 * 1024;

const headerValueSchema = lazySchema(() =>
  z.string().regex(/^[\u0021-\u007e]+$/, {
    error:
      "expected visible ASCII characters, without spaces and line breaks: it is sent as a header",
  }),
);

function objectWith<T extends object>(...methods: string[]): z.ZodCustom<T, T> {
  return z.custom<T>(
    (value) =>
      isObject(value) &&
      methods.every((method) => typeof (value as Record<string, unknown>)[method] === "function"),
    { error: `expected an object with ${methods.map((method) => `${method}()`).join(" and ")}` },
  );
}

export const contentPolicySchema = lazyEnum("none", "redacted", "full");
/** How much content (messages, tool arguments and results, error texts) a telemetry destination gets. */
export type ContentPolicy = z.infer<typeof contentPolicySchema>;

export const otlpDestinationSchema = lazyObject(() => ({
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
  protocol: z
    .enum(["http/json", "http/protobuf"])
    .optional()
    .describe("Encoding, as `OTEL_EXPORTER_OTLP_PROTOCOL` names it. Default: `http/json`."),
}));
/** An OTLP/HTTP backend that gets the monitor's spans and log records. */
export type OtlpDestination = z.infer<typeof otlpDestinationSchema>;

// In parts, since one function of this length could not be read.
const toSpoolFields = () => ({
  spoolDirectory: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Directory that keeps events until they are delivered. Default: none, events are kept in memory.",
    ),
  durability: z
    .enum(DURABILITIES)
    .optional()
    .describe(
      "What events outlive: `memory` nothing, `process` the end of the process, `power` a power cut as well. Default: `process` with a `spoolDirectory`, else `memory`.",
    ),
  maxSpoolBytes: bounded(z.int(), { min: 64 * 1024, default: 1024 * MEBIBYTE }).describe(
    "Bytes of all writers in the directory; the newest event beyond it is refused and counted.",
  ),
  maxSpoolAge: bounded(z.number(), { min: 60_000, default: 7 * 24 * 3_600_000 }).describe(
    "Time in ms after which an undelivered event on disk is given up and counted; in memory none is for its age.",
  ),
  spoolKey: sharedSecretSchema()
    .optional()
    .describe(
      "Encrypts what is on disk with AES-256-GCM: Base64 of at least 32 bytes, else text of that length.",
    ),
});

const toSpecificationFields = () => ({
  apiKey: headerValueSchema.describe(
    "Credential for the platform, in visible ASCII without spaces, since it is sent as a bearer token. Load it from the environment or a secret store.",
  ),
  organizationId: identifierSchema.describe(
    "Organization identifier on the platform: 1 to 256 characters of any script, without control characters.",
  ),
  endpoint: endpointSchema
    .default(DEFAULT_ENDPOINT)
    .describe("Base URL of the platform: https, or http to a loopback address."),
  environment: environmentSchema.default("production").describe("Deployment, used to filter data."),
  batchSize: bounded(z.int(), { min: 1, max: 1000, default: 100 }).describe(
    "Events buffered before a batch is sent.",
  ),
  flushInterval: bounded(z.number(), { min: 100, max: 2 ** 31 - 1, default: 5000 }).describe(
    "Longest wait in ms before a partial batch is sent.",
  ),
  enableComplianceChecks: z
    .boolean()
    .default(true)
    .describe("Enables the local compliance engine."),
  rulePacks: z
    .array(z.string().min(1).max(4096))
    .max(20)
    .optional()
    .describe(
      "Files of the bank's own rules and of changes to the built-in ones, [packs](rule-authors.md#a-pack-of-your-own), read once, at construction. In the variable: paths with commas between them, or JSON.",
    ),
  enableLogging: z
    .boolean()
    .default(true)
    .describe("Writes the SDK's own log lines to the console, or to `logger`."),
  logLevel: z
    .enum(LOG_LEVELS)
    .default("info")
    .describe(
      "Least level that is written, to the console or to a `logger` that has no `level` of its own.",
    ),
  retryAttempts: bounded(z.int(), { min: 0, max: 10, default: 3 }).describe(
    "Retries of a failed send. After the last one the state is `open`: events are kept, and the platform is probed, at most a minute apart.",
  ),
  retryDelay: bounded(z.number(), { min: 0, max: 60_000, default: 1000 }).describe(
    "Base delay in ms between retries; it doubles with each, up to a minute.",
  ),
});

const toJudgeFields = () => ({
  judge: judgeOptionsSchema
    .optional()
    .describe(
      "The bank's own model reads what the rules leave open, behind the answers: `{ model, gate?, sampleRate?, ... }`, [the judge](judge.md). Default: none.",
    ),
});

const toTelemetryFields = () => ({
  logger: loggerSchema
    .optional()
    .describe(
      "Receives the SDK's log lines instead of the console. One with a `level` (pino, winston, bunyan) gets all of them and decides itself.",
    ),
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
      "Content on spans and log records: `none`, `redacted` (sensitive values replaced by tokens) or `full`. Default: `full` if `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` is `true`, else `none`. It does not change what the platform gets.",
    ),
  redact: z
    .union([z.boolean(), redactOptionsSchema], { error: REDACT_EXPECTATION })
    .optional()
    .describe(
      "Replaces card, social security, account and phone numbers, IBANs, secrets and e-mail addresses by tokens before an event is stored or sent to the platform: `true` or `{ kinds?, key?, custom? }`. Default: off.",
    ),
  conversationIdleTimeout: bounded(z.number(), {
    min: 1000,
    max: 2 ** 31 - 1,
    default: 30 * 60_000,
  }).describe("Time in ms after which an idle conversation's spans are ended."),
});

const toDeliveryFields = () => ({
  maxQueueSize: bounded(z.int(), { min: 1, max: 10_000_000, default: 20_000 }).describe(
    "Events held while they wait for delivery; the newest beyond it is refused and counted.",
  ),
  maxQueueBytes: bounded(z.int(), { min: 1024, default: 64 * MEBIBYTE }).describe(
    "Bytes of events held while they wait for delivery.",
  ),
  maxBatchBytes: bounded(z.int(), { min: 1024, default: MEBIBYTE }).describe(
    "Bytes of a batch before compression.",
  ),
  eventSizeLimit: bounded(z.int(), { min: 4096, max: 16 * MEBIBYTE, default: 256 * 1024 }).describe(
    "Bytes of one event; a larger one is truncated and marked.",
  ),
  compression: z
    .enum(["gzip", "none"])
    .default("gzip")
    .describe("Compression of batches above 1 KiB; encrypted ones are always compressed."),
  encryption: encryptionOptionsSchema
    .optional()
    .describe(
      "Encrypts batches for the holder of a key, as JWE: `{ enabled, algorithm?, keyId?, key }`.",
    ),
  signing: signingOptionsSchema
    .optional()
    .describe("Signs every request with HMAC-SHA256 (RFC 9421): `{ keyId, key }`."),
  chainKey: signingOptionsSchema
    .optional()
    .describe(
      "Keys the chain of batches with HMAC-SHA256, so that only who has the key can recompute it: `{ keyId, key }`.",
    ),
  requestTimeout: bounded(z.number(), { min: 1, max: 600_000, default: 10_000 }).describe(
    "Deadline in ms of one send, from connecting to the last byte of the answer.",
  ),
  shutdownTimeout: bounded(z.number(), { min: 0, max: 600_000, default: 10_000 }).describe(
    "Deadline in ms of `shutdown()` and of the flush at the natural end of the process.",
  ),
  agent: objectWith<Agent>("addRequest", "destroy")
    .optional()
    .describe("`http.Agent` or `https.Agent` for a proxy or mutual TLS."),
});

const toInstrumentationFields = () => ({
  instrumentations: z
    .array(z.enum(INSTRUMENTATIONS))
    .optional()
    .describe(
      "Turned on at the start: `fetch` (model calls through the global `fetch`), `ai-sdk` (AI SDK 7), `langchain`. Default: none; with `agent-monitor/register` all.",
    ),
  priceTable: priceTableSchema
    .optional()
    .describe(
      "Rates by provider and model, `{ openai: { 'gpt-5': { input, output, cacheRead?, cacheWrite? } } }`, in USD per million tokens: fills `cost` where the caller gives none.",
    ),
});

/** Every configuration field: bounds, default and meaning. */
export const agentMonitoringConfigSchema = lazySchema(() => {
  const fields = z.object({
    ...toSpecificationFields(),
    ...toJudgeFields(),
    ...toTelemetryFields(),
    ...toInstrumentationFields(),
    ...toDeliveryFields(),
    ...toSpoolFields(),
  });
  return fields.superRefine(({ durability, spoolDirectory }, context) => {
    if (durability === undefined || durability === "memory" || spoolDirectory !== undefined) return;
    const message = `is required for durability ${durability}`;
    context.addIssue({ code: "custom", path: ["spoolDirectory"], message });
  });
});

/** Configuration as the caller passes it. */
export type AgentMonitoringConfig = z.input<typeof agentMonitoringConfigSchema>;
/** Alias of `AgentMonitoringConfig`. */
export type AgentMonitorConfig = AgentMonitoringConfig;
/** Configuration with every default filled in. */
export type ResolvedConfig = z.output<typeof agentMonitoringConfigSchema>;
