import {
  type BridgeRecord,
  type BridgeSpan,
  parentIdOf,
  toMillis,
  toServiceName,
} from "../bridge-span.ts";
import type { ChatMessage } from "./chat-message.ts";
import { fill, findDialects, readIdentity, readSpanSides } from "../dialects/index.ts";
import { otelGenAi } from "../dialects/otel-gen-ai.ts";
import { readEvaluations, type Evaluation } from "./read-evaluations.ts";
import { readFailure } from "./read-failure.ts";
import { NOTHING_LOGGED, readLogs } from "./read-logs.ts";
import { readGenAiTool } from "./read-tool.ts";
import { readSettings, readTimeToFirstChunk } from "./read-settings.ts";
import { scanResponse, type ResponseFacts } from "./scan-response.ts";
import type {
  CallSettings,
  CallUsage,
  Dialect,
  ExchangeIdentity,
  Failure,
  SpanLike,
  SpanRecord,
  SpanRole,
  SpanTraits,
  StartIdentity,
  ToolRun,
} from "../span-record.ts";
import { ATTR_HTTP_RESPONSE_STATUS_CODE, EVENT_GEN_AI_EVALUATION_RESULT } from "../../semconv.ts";

type Spoken = readonly { readonly dialect: Dialect; readonly role: SpanRole }[];

function readToolRun(span: SpanLike, spoken: Spoken): ToolRun {
  let tool: Partial<ToolRun> = {};
  for (const { dialect, role } of spoken) {
    if (role !== "tool") continue;
    tool = { ...(dialect.toTool?.(span) ?? readGenAiTool(span.attributes)), ...tool };
  }
  const { id, name = span.name.replace(/^execute_tool /, ""), parameters, result } = tool;
  const { areParametersPartial, isResultPartial } = tool;
  return { id, name, parameters, areParametersPartial, result, isResultPartial };
}

function readUsage(span: SpanLike, spoken: Spoken): CallUsage | undefined {
  for (const { dialect } of spoken) {
    const usage = dialect.toUsage ? dialect.toUsage(span) : otelGenAi.toUsage?.(span);
    if (usage) return usage;
  }
  return undefined;
}

/** A span that says nothing but how the provider answered has failed as well. */
function readStatusFailure(span: SpanLike): Failure | undefined {
  const status = Number(span.attributes[ATTR_HTTP_RESPONSE_STATUS_CODE]);
  return status >= 400 ? readFailure({ ...span, status: { code: 2 } }) : undefined;
}

/** @param hasEnded - What a span lacks that is still open, it may yet have got. */
function readSpanFailure(span: SpanLike, spoken: Spoken, hasEnded: boolean): Failure | undefined {
  const stated = readFailure(span);
  if (stated || !hasEnded) return stated;
  for (const { dialect } of spoken) {
    const failure = dialect.toFailure?.(span);
    if (failure) return failure;
  }
  return readStatusFailure(span);
}

/** The exception may stand in a log record, and the span says no more than that there was one. */
function fillFailure(
  stated: Failure | undefined,
  logged: Failure | undefined,
): Failure | undefined {
  if (!stated || !logged || stated.message !== "") return stated ?? logged;
  return {
    ...logged,
    type: stated.type === "Error" ? logged.type : stated.type,
    ...pickCode(stated),
  };
}

const pickCode = ({ code }: Failure): Pick<Failure, "code"> => (code === undefined ? {} : { code });

function readTraits(span: SpanLike, spoken: Spoken): SpanTraits {
  return spoken[0]?.dialect.toTraits?.(span) ?? {};
}

/** What the record of a span is made of. */
export interface RecordSource {
  readonly span: BridgeSpan;
  readonly logs: readonly BridgeRecord[];
  /** Counts what came. */
  readonly order: number;
  readonly started?: StartIdentity | undefined;
  /** Set to the time, ms since the Unix epoch, at which a span was given up that never ended. */
  readonly abandonedAt?: number | undefined;
  /** Milliseconds since the Unix epoch, for a span that has no time. */
  readonly now: number;
}

interface Side {
  readonly messages: readonly ChatMessage[];
  readonly isPartial: boolean;
}

/** Takes the messages of the span, else those of its log records. */
function pickSide(given: Side | undefined, messages: ChatMessage[], isPartial: boolean): Side {
  return given && given.messages.length > 0 ? given : { messages, isPartial };
}

const NO_EVALUATIONS: readonly Evaluation[] = [];

function findEvaluations({ span, logs }: RecordSource): readonly Evaluation[] {
  if (logs.length + (span.events?.length ?? 0) === 0) return NO_EVALUATIONS;
  const events = span.events?.filter(({ name }) => name === EVENT_GEN_AI_EVALUATION_RESULT) ?? [];
  return [...readEvaluations(events), ...readEvaluations(logs)];
}

const NO_FACTS: ResponseFacts = {};

/** Cached tokens may stand in the provider's answer alone. */
function fillCached(usage: CallUsage | undefined, facts: ResponseFacts): CallUsage | undefined {
  const { cacheRead, cacheWrite } = facts;
  if (!usage || (cacheRead === undefined && cacheWrite === undefined)) return usage;
  return fill<CallUsage>(usage, {
    ...usage,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  });
}

function withResponseId(identity: ExchangeIdentity, facts: ResponseFacts): ExchangeIdentity {
  const { responseId } = facts;
  if (responseId === undefined || identity.responseId !== undefined) return identity;
  return { ...identity, responseId };
}

function readCallSettings(span: BridgeSpan, start: number, facts: ResponseFacts): CallSettings {
  const timeToFirstChunk = readTimeToFirstChunk(span, start);
  const settings = readSettings(span, facts);
  return timeToFirstChunk === undefined ? settings : { ...settings, timeToFirstChunk };
}

/** Reads a span and its log records; `undefined` when it is of no known instrumentation. */
export function readRecord(source: RecordSource): SpanRecord | undefined {
  const { span, started, abandonedAt } = source;
  const spoken = findDialects(span);
  const role = spoken[0]?.role;
  if (role === undefined) return undefined;
  const hasMessages = role === "call" || role === "agent";
  const sides = hasMessages ? readSpanSides(span, role, spoken) : undefined;
  const logged = source.logs.length === 0 ? NOTHING_LOGGED : readLogs(source.logs);
  const input = pickSide(sides?.input, logged.input, logged.isPartial);
  const output = pickSide(sides?.output, logged.output, logged.isPartial);
  const place = readPlace(source);
  const facts = role === "call" ? scanResponse(span.attributes) : NO_FACTS;
  const own = readIdentity(span, spoken);
  const identity = logged === NOTHING_LOGGED ? own : fill(own, logged.identity);
  return {
    role,
    ...place,
    identity: withResponseId(identity, facts),
    started,
    serviceName: toServiceName(span),
    input: input.messages,
    output: output.messages,
    isInputPartial: input.isPartial,
    isOutputPartial: output.isPartial,
    usage: hasMessages ? fillCached(readUsage(span, spoken), facts) : undefined,
    settings: readCallSettings(span, place.start, facts),
    tool: role === "tool" ? readToolRun(span, spoken) : undefined,
    failure: fillFailure(readSpanFailure(span, spoken, abandonedAt === undefined), logged.failure),
    evaluations: findEvaluations(source),
    isAbandoned: abandonedAt !== undefined,
    ...readTraits(span, spoken),
  };
}

type Place = Pick<
  SpanRecord,
  "name" | "scope" | "spanId" | "traceId" | "parentSpanId" | "start" | "end" | "order"
>;

/** Reads where and when a span stands. */
function readPlace({ span, order, abandonedAt, now }: RecordSource): Place {
  const { traceId, spanId } = span.spanContext();
  const start = toMillis(span.startTime) ?? now;
  return {
    name: span.name,
    scope: span.instrumentationScope?.name ?? "",
    spanId,
    traceId,
    parentSpanId: parentIdOf(span),
    start,
    end: Math.max(start, abandonedAt ?? toMillis(span.endTime) ?? start),
    order,
  };
}
