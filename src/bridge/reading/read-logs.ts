import { toMillis, toServiceName, type BridgeRecord } from "../bridge-span.ts";
import type { ChatMessage } from "./chat-message.ts";
import { fill } from "../dialects/index.ts";
import { otelGenAi, readGenAiIdentity } from "../dialects/otel-gen-ai.ts";
import { isInTrace, signRecord } from "./place-record.ts";
import { readEvaluations } from "./read-evaluations.ts";
import { readFailure } from "./read-failure.ts";
import { readSettings } from "./read-settings.ts";
import { readSides } from "./record-exchanges.ts";
import { toEventName } from "./record-name.ts";
import type { Failure, SpanRecord, ExchangeIdentity } from "../span-record.ts";
import {
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  EVENT_GEN_AI_CHOICE,
  EVENT_GEN_AI_CLIENT_INFERENCE_OPERATION_DETAILS,
} from "../../semconv.ts";

/** Messages that one span's log records may bring. */
const MAX_MESSAGES = 2000;

/** What the log records of one call say. */
export interface LoggedMessages {
  readonly input: ChatMessage[];
  readonly output: ChatMessage[];
  isPartial: boolean;
  identity: ExchangeIdentity;
  failure: Failure | undefined;
}

export const NOTHING_LOGGED: Readonly<LoggedMessages> = {
  input: [],
  output: [],
  isPartial: false,
  identity: {},
  failure: undefined,
};

/** Puts the messages together that a span's log records carry. */
export function readLogs(records: readonly BridgeRecord[]): LoggedMessages {
  const logged: LoggedMessages = {
    input: [],
    output: [],
    isPartial: false,
    identity: {},
    failure: undefined,
  };
  for (const record of records) {
    logged.identity = fill(logged.identity, readGenAiIdentity(record.attributes));
    if (toEventName(record).endsWith("exception")) {
      logged.failure ??= readFailure({
        name: "",
        attributes: {},
        events: [{ ...record, name: "exception" }],
      });
      continue;
    }
    // How a call failed may stand beside its details.
    logged.failure ??= readFailure({ name: "", attributes: record.attributes });
    for (const { messages, isOutput, isPartial } of readSides(record)) {
      logged.isPartial ||= isPartial;
      const side = isOutput ? logged.output : logged.input;
      if (side.length < MAX_MESSAGES) side.push(...messages);
    }
  }
  return logged;
}

/** Reads who wrote a record, and what it is known by. */
function readProducer(
  record: BridgeRecord | undefined,
): Pick<SpanRecord, "scope" | "serviceName" | "ownId"> {
  if (!record) return { scope: "", serviceName: undefined };
  return {
    scope: record.instrumentationScope?.name ?? "",
    serviceName: toServiceName(record),
    ownId: signRecord(record),
  };
}

/** What the record of a call without a span is made of. */
export interface LoggedSource {
  readonly logs: readonly BridgeRecord[];
  /** Counts what came. */
  readonly order: number;
  /** Milliseconds since the Unix epoch, for a record that has no time. */
  readonly now: number;
}

/** Makes the record of a model call of which only log records are known. */
export function readLoggedRecord(
  traceId: string,
  spanId: string,
  { logs, order, now }: LoggedSource,
): SpanRecord {
  const { input, output, isPartial, identity, failure } = readLogs(logs);
  const times = logs.map(({ hrTime }) => toMillis(hrTime) ?? now);
  const start = Math.min(...times);
  return {
    role: "call",
    name: "",
    ...readProducer(logs[0]),
    spanId,
    traceId,
    parentSpanId: undefined,
    start,
    end: Math.max(...times),
    order,
    identity,
    started: undefined,
    input,
    output,
    isInputPartial: isPartial,
    isOutputPartial: isPartial,
    usage: otelGenAi.toUsage?.({ name: "", attributes: logs.at(-1)?.attributes ?? {} }),
    settings: readSettings({ name: "", attributes: logs[0]?.attributes ?? {} }, {}),
    tool: undefined,
    failure,
    evaluations: readEvaluations(logs),
    // A question alone: whatever it came to, its span was lost.
    isAbandoned: output.length === 0 && failure === undefined && !logs.some(isOutput),
    isUntraced: !logs.some(isInTrace),
  };
}

/** Written when a call is over. */
const OUTPUT_EVENTS: ReadonlySet<string> = new Set([
  EVENT_GEN_AI_CHOICE,
  EVENT_GEN_AI_CLIENT_INFERENCE_OPERATION_DETAILS,
]);

const isOutput = (record: BridgeRecord): boolean =>
  OUTPUT_EVENTS.has(toEventName(record)) ||
  record.attributes[ATTR_GEN_AI_OUTPUT_MESSAGES] !== undefined ||
  record.attributes[ATTR_GEN_AI_USAGE_OUTPUT_TOKENS] !== undefined;
