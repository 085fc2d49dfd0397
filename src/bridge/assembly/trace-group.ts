import { keyOf, parentIdOf, toMillis, type BridgeRecord, type BridgeSpan } from "../bridge-span.ts";
import type { BridgedEvent } from "../bridged-event.ts";
import type { PlacedRecord } from "../reading/place-record.ts";
import type { Attributes } from "../reading/read-attributes.ts";
import type { KeptSpan } from "../reading/read-record.ts";
import type { AssessedExchange, StartIdentity } from "../span-record.ts";

/** A span that has not ended. */
export interface OpenSpan extends Pick<KeptSpan, "span" | "order"> {
  readonly started: StartIdentity;
  /** Monotonic milliseconds of its start here. */
  readonly since: number;
}

/** Parents of other spans that are kept of one trace. */
const MAX_LINKS = 2000;
const MAX_LOGS_PER_SPAN = 2000;
/** About the bytes of a span or a record beside its texts. */
const OVERHEAD_BYTES = 400;

/** Returns about the bytes that texts and structures take; never more than a glance at each. */
function estimateBytes(values: Attributes): number {
  let bytes = OVERHEAD_BYTES;
  for (const key in values) {
    const value = values[key];
    if (typeof value === "string") bytes += value.length;
    else if (typeof value === "object" && value !== null) bytes += OVERHEAD_BYTES;
  }
  return bytes;
}

/** Returns whether spans may be of two instrumentations, which may have seen the same call. */
export function areOfSeveralScopes(groups: readonly TraceGroup[]): boolean {
  const first = groups[0]?.ended[0]?.span.instrumentationScope?.name;
  return groups.some(
    ({ ended, logs }) =>
      logs.size > 0 || ended.some(({ span }) => span.instrumentationScope?.name !== first),
  );
}

/** When the first span that is open began, in ms since the Unix epoch, by the name of the instrumentation. */
export type OpenStarts = Map<string | undefined, number>;

const NOTHING: ReadonlyMap<string, never> = new Map<string, never>();

/** The GenAI spans of one trace, and the log records that belong to them, until all is there. */
export class TraceGroup {
  readonly traceId: string;
  readonly open = new Map<string, OpenSpan>();
  readonly ended: KeptSpan[] = [];
  bytes = 0;
  /** Monotonic milliseconds of the last that came. */
  lastActivity = 0;
  /** Whether what comes is known to be all: starts were seen, or the root of the trace. */
  isRooted = false;
  /** Whether its log records are all that will come of it. */
  isComplete = false;
  /** Whether it was handed on while another instrumentation had a span open that may be of the same. */
  isShared = false;
  // Most traces have neither: making the maps takes longer than all else that begins with a trace.
  #logs: Map<string, BridgeRecord[]> | undefined;
  #links: Map<string, string> | undefined;
  /** By the text of the answer. */
  #assessed: Map<string, AssessedExchange> | undefined;

  constructor(traceId: string) {
    this.traceId = traceId;
  }

  /** Log records, by the ids of their spans. */
  get logs(): ReadonlyMap<string, readonly BridgeRecord[]> {
    return this.#logs ?? NOTHING;
  }

  /** Parents of spans that are no GenAI spans, by span id. */
  get links(): ReadonlyMap<string, string> {
    return this.#links ?? NOTHING;
  }

  /** Notes when the spans that are open here began, the first one of each instrumentation. */
  noteOpen(starts: OpenStarts): void {
    for (const { span } of this.open.values()) {
      const scope = span.instrumentationScope?.name;
      const start = toMillis(span.startTime) ?? Infinity;
      if (start < (starts.get(scope) ?? Infinity)) starts.set(scope, start);
    }
  }

  /** Returns whether a span of an instrumentation that is not here began before this trace was over. */
  mayShare(starts: OpenStarts): boolean {
    if (starts.size === 0) return false;
    const scopes = new Set(this.ended.map(({ span }) => span.instrumentationScope?.name));
    const end = Math.max(
      ...this.ended.map(({ span, abandonedAt }) => abandonedAt ?? toMillis(span.endTime) ?? 0),
    );
    for (const [scope, start] of starts) if (start <= end && !scopes.has(scope)) return true;
    return false;
  }

  get size(): number {
    return this.open.size + this.ended.length + (this.#logs?.size ?? 0);
  }

  start(open: OpenSpan): void {
    this.open.set(open.span.spanContext().spanId, open);
    this.isRooted = true;
  }

  /**
   * @param count - Orders it, if its start was not seen.
   * @returns The bytes that came with it.
   */
  end(span: BridgeSpan, key: string, count: number): number {
    const { spanId } = span.spanContext();
    const open = this.open.get(spanId);
    if (open) this.open.delete(spanId);
    this.ended.push({ span, key, order: open ? open.order : count, started: open?.started });
    this.#noteRoot(span);
    return this.#add(estimateBytes(span.attributes));
  }

  /** Takes note of a span that is no GenAI span. */
  pass(span: BridgeSpan): void {
    const parent = parentIdOf(span);
    if (parent !== undefined) {
      const links = (this.#links ??= new Map<string, string>());
      if (links.size < MAX_LINKS) links.set(span.spanContext().spanId, parent);
    }
    this.#noteRoot(span);
  }

  /** @returns The bytes that came with it; 0 when there are too many. */
  log({ record, spanId, isComplete = false }: Omit<PlacedRecord, "traceId">): number {
    const all = (this.#logs ??= new Map<string, BridgeRecord[]>());
    const logs = all.get(spanId) ?? [];
    if (logs.length >= MAX_LOGS_PER_SPAN) return 0;
    logs.push(record);
    all.set(spanId, logs);
    this.isComplete = isComplete;
    const body = typeof record.body === "string" ? record.body.length : OVERHEAD_BYTES;
    return this.#add(body + estimateBytes(record.attributes));
  }

  /** Keeps an answer that was assessed on a span or a log record of the trace, for its event. */
  noteAssessed(assessed: AssessedExchange): void {
    const { agentResponse = "" } = assessed.exchange;
    (this.#assessed ??= new Map()).set(agentResponse, assessed);
  }

  /** Finds what was assessed of an answer, by its text: a processor behind may have changed what the span says. */
  findAssessed({ interaction, userMessage: asked }: BridgedEvent): AssessedExchange | undefined {
    if (!this.#assessed || interaction.kind !== "agent_response") return undefined;
    const found = this.#assessed.get(interaction.content ?? "");
    const question = found?.exchange.userMessage;
    // One to another message of the user is another answer.
    return question === undefined || asked === undefined || question === asked ? found : undefined;
  }

  /** Returns the log records of a span, once. */
  takeLogs(spanId: string): readonly BridgeRecord[] | undefined {
    const logs = this.#logs?.get(spanId);
    this.#logs?.delete(spanId);
    return logs;
  }

  /** Returns spans up that will not end any more. */
  abandon(now: number, isOld: (open: OpenSpan) => boolean): number {
    let count = 0;
    for (const [spanId, open] of this.open) {
      if (!isOld(open)) continue;
      this.open.delete(spanId);
      this.ended.push({ ...open, key: keyOf(open.span), abandonedAt: now });
      count++;
    }
    return count;
  }

  #noteRoot(span: BridgeSpan): void {
    if (parentIdOf(span) === undefined || span.parentSpanContext?.isRemote === true) {
      this.isRooted = true;
    }
  }

  #add(bytes: number): number {
    this.bytes += bytes;
    return bytes;
  }
}
