import type { DetailedEvent } from "../../events/detailed-event.ts";
import { createStatement, db } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;

/** Reads the trace that an event was read from, as the bridge writes it. */
function readTraceId({ metadata }: DetailedEvent): string | undefined {
  const { traceId } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  return typeof traceId === "string" && TRACE_ID.test(traceId) ? traceId : undefined;
}

interface Link {
  readonly organizationId: string;
  readonly key: string;
  readonly traceId: string;
}

const PUT = createStatement(({ organizationId, key, traceId }: Link) =>
  db
    .insertInto("conversation_trace")
    .values({ organization_id: organizationId, conversation_key: key, trace_id: traceId })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Notes in which trace an event of a conversation happened, if it says so. In a transaction. */
export function* linkTrace(
  database: Transaction,
  { organizationId, key, event }: Omit<Link, "traceId"> & { readonly event: DetailedEvent },
): Steps<void> {
  const traceId = readTraceId(event);
  if (traceId !== undefined) yield* PUT.send(database, { organizationId, key, traceId });
}

const MAX_LINKS = 100;

const TRACES = createStatement(({ key }: Pick<Link, "key">) =>
  db
    .selectFrom("conversation_trace")
    .innerJoin("trace", (join) =>
      join
        .onRef("trace.trace_id", "=", "conversation_trace.trace_id")
        .onRef("trace.organization_id", "=", "conversation_trace.organization_id"),
    )
    .select("trace.trace_id as traceId")
    .where("conversation_key", "=", key)
    .orderBy("start_micros")
    .orderBy("trace.trace_id")
    .limit(MAX_LINKS),
);

/** Lists the traces of a conversation whose spans are kept, at most 100, the first one first. */
export function* listTracesOf(database: SqlDatabase, key: string): Steps<string[]> {
  return (yield* TRACES.rows(database, { key })).map(({ traceId }) => traceId);
}

/** A conversation as its trace names it. */
export interface LinkedConversation {
  readonly key: string;
  readonly title: string | null;
}

const CONVERSATIONS = createStatement(({ organizationId, traceId }: Omit<Link, "key">) =>
  db
    .selectFrom("conversation_trace")
    .innerJoin("conversation", "conversation.key", "conversation_trace.conversation_key")
    .select(["conversation.key", "conversation.title"])
    .where("conversation_trace.organization_id", "=", organizationId)
    .where("conversation_trace.trace_id", "=", traceId)
    .orderBy("conversation.seq")
    .limit(MAX_LINKS),
);

/** Lists the conversations with events of a trace, at most 100. */
export function* listConversationsOf(
  database: SqlDatabase,
  trace: Omit<Link, "key">,
): Steps<LinkedConversation[]> {
  return yield* CONVERSATIONS.rows(database, trace);
}
