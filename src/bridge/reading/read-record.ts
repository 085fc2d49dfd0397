import {
  type BridgeRecord,
  type BridgeSpan,
  parentIdOf,
  toMillis,
  toServiceName,
} from "../bridge-span.ts";
import {
  carriesMessages,
  fill,
  findDialects,
  readIdentity,
  readSpanSides,
} from "../dialects/index.ts";
import { otelGenAi } from "../dialects/otel-gen-ai.ts";
import { findFirst } from "./read-attributes.ts";
import { readEvaluations, type Evaluation } from "./read-evaluations.ts";
import { readFailure } from "./read-failure.ts";
import { NOTHING_LOGGED, readLogs } from "./read-logs.ts";
import { fillSides } from "./read-messages.ts";
import { readGenAiTool } from "./read-tool.ts";
import { readSettings } from "./read-settings.ts";
import { NO_FACTS, scanResponse, type ResponseFacts } from "./scan-response.ts";
import type {
  CallUsage,
  Failure,
  SpanLike,
  SpanRecord,
  StartIdentity,
  ToolRun,
} from "../span-record.ts";
import { ATTR_HTTP_RESPONSE_STATUS_CODE, EVENT_GEN_AI_EVALUATION_RESULT } from "../../semconv.ts";

type Spoken = ReturnType<typeof findDialects>;

function readToolRun(span: SpanLike, spoken: Spoken): ToolRun {
  let tool: Partial<ToolRun> = {};
  for (const { dialect, role } of spoken) {
    if (role !== "tool") continue;
    tool = { ...(dialect.toTool?.(span) ?? readGenAiTool(span.attributes)), ...tool };
  }
  const { id, name = span.name.replace(/^execute_tool /, ""), parameters, result } = tool;
  return { ...tool, id, name, parameters, result };
}

function readUsage(span: SpanLike, spoken: Spoken): CallUsage | undefined {
  return findFirst(spoken, ({ dialect }) =>
    dialect.toUsage ? dialect.toUsage(span) : otelGenAi.toUsage(span),
  );
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
  const own = findFirst(spoken, ({ dialect }) => dialect.toFailure?.(span));
  return own ?? readStatusFailure(span);
}

/** The exception may stand in a log record, and the span says no more than that there was one. */
function fillFailure(
  stated: Failure | undefined,
  logged: Failure | undefined,
): Failure | undefined {
  if (!stated || !logged || stated.message !== "") return stated ?? logged;
  const type = stated.type === "Error" ? logged.type : stated.type;
  return { ...logged, type, code: stated.code ?? logged.code };
}

/** A span that has ended, or was given up. */
export interface KeptSpan {
  readonly span: BridgeSpan;
  /** Names it among all of the process. */
  readonly key: string;
  /** Counts what came, at its start if that was seen. */
  readonly order: number;
  readonly started?: StartIdentity | undefined;
  /** Milliseconds since the Unix epoch at which it was given up. */
  readonly abandonedAt?: number | undefined;
}

const NO_EVALUATIONS: readonly Evaluation[] = [];

function findEvaluations(
  { events = [] }: SpanLike,
  logs: readonly BridgeRecord[],
): readonly Evaluation[] {
  if (logs.length + events.length === 0) return NO_EVALUATIONS;
  const judged = events.filter(({ name }) => name === EVENT_GEN_AI_EVALUATION_RESULT);
  return readEvaluations([...judged, ...logs]);
}

/** Cached tokens may stand in the provider's answer alone. */
function fillCached(
  usage: CallUsage | undefined,
  { cacheRead, cacheWrite }: ResponseFacts,
): CallUsage | undefined {
  if (!usage || (cacheRead ?? cacheWrite) === undefined) return usage;
  return fill<CallUsage>(usage, { ...usage, cacheRead, cacheWrite });
}

function readTimes(
  { span, abandonedAt }: KeptSpan,
  now: number,
): Pick<SpanRecord, "start" | "end"> {
  const start = toMillis(span.startTime) ?? now;
  return { start, end: Math.max(start, abandonedAt ?? toMillis(span.endTime) ?? start) };
}

/**
 * Reads a span and its log records; `undefined` when it is of no known instrumentation.
 *
 * @param now - Milliseconds since the Unix epoch, for a span that has no time.
 */
export function readRecord(
  kept: KeptSpan,
  logs: readonly BridgeRecord[],
  now: number,
): SpanRecord | undefined {
  const { span, order, started, abandonedAt } = kept;
  const spoken = findDialects(span);
  const [surest] = spoken;
  if (!surest) return undefined;
  const { dialect, role } = surest;
  const hasMessages = carriesMessages(role);
  const logged = logs.length === 0 ? NOTHING_LOGGED : readLogs(logs);
  const sides = hasMessages ? fillSides(readSpanSides(span, role, spoken), logged) : logged;
  const facts = role === "call" ? scanResponse(span.attributes) : NO_FACTS;
  const { responseId } = facts;
  const own = readIdentity(span, spoken);
  const identity = logged === NOTHING_LOGGED ? own : fill(own, logged.identity);
  const { traceId, spanId } = span.spanContext();
  const { start, end } = readTimes(kept, now);
  return {
    role,
    name: span.name,
    scope: span.instrumentationScope?.name ?? "",
    spanId,
    traceId,
    parentSpanId: parentIdOf(span),
    start,
    end,
    order,
    identity: responseId === undefined ? identity : fill(identity, { responseId }),
    started,
    serviceName: toServiceName(span),
    input: sides.input,
    output: sides.output,
    usage: hasMessages ? fillCached(readUsage(span, spoken), facts) : undefined,
    settings: readSettings(span, facts, start),
    tool: role === "tool" ? readToolRun(span, spoken) : undefined,
    failure: fillFailure(readSpanFailure(span, spoken, abandonedAt === undefined), logged.failure),
    evaluations: findEvaluations(span, logs),
    isAbandoned: abandonedAt !== undefined,
    ...dialect.toTraits?.(span),
  };
}
