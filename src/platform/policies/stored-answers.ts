import { readCaseContext } from "../../events/case-context.ts";
import type { DetailedEvent } from "../../events/detailed-event.ts";
import type { InteractionContext } from "../../testing.ts";
import type { JsonValue } from "../../util/values.ts";
import { EVENT_WITH_BODY } from "../store/event-store.ts";
import { createStatement, db, readRows } from "../store/query.ts";
import type { SqlDatabase } from "../store/sql-database.ts";
import type { Steps } from "../turns.ts";

/** Rows that are looked at in one step. */
const STEP = 5000;
/** Events before an answer that are read to find what it answers. */
const MAX_BEFORE = 24;

/** Which answers are wanted. */
export interface AnswerPeriod {
  /** Milliseconds since the Unix epoch; answers from here on. */
  readonly from: number;
  /** Answers before this. */
  readonly to: number;
  readonly limit: number;
}

/** An answer that is stored. */
export interface StoredAnswer {
  readonly seq: number;
  readonly key: string;
  readonly at: number;
  readonly eventId: string;
}

const LAST = db.selectFrom("event").select((eb) => eb.fn.max("seq").as("seq"));

const ANSWERS = createStatement(
  (values: { after: number; end: number; from: number; to: number; limit: number }) =>
    db
      .selectFrom("event")
      .select(["seq", "conversation_key as key", "timestamp as at", "event_id as eventId"])
      .where("seq", ">", values.after)
      .where("seq", "<=", values.end)
      .where("type", "=", "agent_response")
      .where("timestamp", ">=", values.from)
      .where("timestamp", "<", values.to)
      .orderBy("seq", "desc")
      .limit(values.limit),
);

/** Finds the answers of a period that came last, and puts them in the order of their conversations. */
export function* findAnswers(
  database: SqlDatabase,
  { from, to, limit }: AnswerPeriod,
): Steps<StoredAnswer[]> {
  const found: StoredAnswer[] = [];
  let end = (yield* readRows(database, LAST))[0]?.seq ?? 0;
  for (; end > 0 && found.length < limit; end -= STEP) {
    yield;
    const place = { after: end - STEP, end, from, to };
    found.push(...(yield* ANSWERS.rows(database, { ...place, limit: limit - found.length })));
  }
  return found.toSorted(
    (one, other) =>
      (one.key < other.key ? -1 : Number(one.key > other.key)) ||
      one.at - other.at ||
      one.seq - other.seq,
  );
}

const BODY = createStatement((values: { seq: number }) =>
  EVENT_WITH_BODY.select("body.json").where("event.seq", "=", values.seq),
);

const BEFORE = createStatement((values: { key: string; at: number; seq: number }) =>
  EVENT_WITH_BODY.select(["type", "body.json"])
    .where("conversation_key", "=", values.key)
    .where((eb) => eb(eb.refTuple("timestamp", "event.seq"), "<", eb.tuple(values.at, values.seq)))
    .orderBy("timestamp", "desc")
    .orderBy("event.seq", "desc")
    .limit(MAX_BEFORE),
);

type Tools = NonNullable<InteractionContext["toolsUsed"]>;

/** Joins calls of tools with their results, in order. */
function toTools(events: readonly DetailedEvent[]): Tools {
  const tools: (Tools[number] & { isOpen: boolean })[] = [];
  for (const event of events) {
    if (event.interactionType === "tool_call") {
      const { toolName: name, toolParameters: parameters } = event;
      // A call without a recorded result is no evidence of a failure.
      tools.push({ name, parameters, result: null, success: true, isOpen: true });
    } else if (event.interactionType === "tool_result") {
      const { toolName: name, toolResult: result, success } = event;
      const call = tools.find((tool) => tool.isOpen && tool.name === name);
      if (call) Object.assign(call, { result, success, isOpen: false });
      else tools.push({ name, parameters: {}, result, success, isOpen: false });
    }
  }
  return tools.map(({ isOpen: _isOpen, ...tool }) => tool);
}

/** Reads what came since the answer before: the user's message, and tools. */
function* readBefore(database: SqlDatabase, { key, at, seq }: StoredAnswer) {
  const events: DetailedEvent[] = [];
  for (const { type, json } of yield* BEFORE.rows(database, { key, at, seq })) {
    if (type === "agent_response") break;
    events.unshift(JSON.parse(json) as DetailedEvent);
  }
  const messages = events.filter((event) => event.interactionType === "user_message");
  return { userMessage: messages.at(-1)?.content, tools: toTools(events) };
}

function* readEvent(database: SqlDatabase, seq: number): Steps<DetailedEvent | undefined> {
  const json = (yield* BODY.rows(database, { seq }))[0]?.json;
  return json === undefined ? undefined : (JSON.parse(json) as DetailedEvent);
}

/** Reads an answer as rules see it; `undefined` where nothing of it was stored. */
export function* readExchange(
  database: SqlDatabase,
  answer: StoredAnswer,
): Steps<InteractionContext | undefined> {
  const event = yield* readEvent(database, answer.seq);
  if (event?.interactionType !== "agent_response" || event.content === "") return undefined;
  const { userMessage, tools } = yield* readBefore(database, answer);
  const { agentSpecialty } = event;
  // It was read of JSON.
  const metadata = event.metadata as Record<string, JsonValue> | undefined;
  const { toolsUsed: listed, ...ofCase } = metadata
    ? readCaseContext(metadata, () => undefined)
    : {};
  const toolsUsed = tools.length > 0 ? tools : listed;
  return {
    agentId: event.agentId,
    sessionId: answer.key,
    timestamp: event.timestamp,
    agentResponse: event.content,
    agentCategory: event.agentCategory ?? "tool_calling",
    ...(agentSpecialty !== undefined && { agentSpecialty }),
    ...(userMessage !== undefined && { userMessage }),
    ...(toolsUsed && { toolsUsed: [...toolsUsed] }),
    ...(metadata && { metadata }),
    ...ofCase,
  };
}
