import {
  COUNT,
  FLAG,
  listOf,
  NUMBER,
  nullable,
  OBJECT,
  objectOf,
  optional,
  TEXT,
  TIME,
  wordOf,
} from "./openapi/json-schema.ts";
import type { PlatformStats } from "./options.ts";
import { SEVERITIES } from "./severities.ts";
import type { StoredAgent } from "./store/agent-store.ts";
import type { Appearance } from "./store/appearances.ts";
import type { StoredBatch } from "./store/batch-store.ts";
import type { ConversationCounts } from "./store/conversation-counts.ts";
import type { ConversationRow } from "./store/conversation-store.ts";
import type { EventRow } from "./store/event-store.ts";
import type { MessageHit } from "./store/message-search.ts";
import type { TraceRow } from "./store/span-store.ts";
import type { LinkedConversation } from "./store/trace-links.ts";

/** The platform's counts. */
export const STATS = objectOf<PlatformStats>({
  batches: COUNT,
  events: COUNT,
  duplicates: COUNT,
  rejected: COUNT,
  agents: COUNT,
  spans: COUNT,
  logRecords: COUNT,
});

/** A profile of an agent as it was registered. */
export const STORED_AGENT = objectOf<StoredAgent>({
  organizationId: TEXT,
  updatedAt: TIME,
  agent: OBJECT,
});

/** A batch as the ingest log shows it. */
export const STORED_BATCH = objectOf<StoredBatch>({
  seq: COUNT,
  organizationId: TEXT,
  batchId: TEXT,
  receivedAt: TIME,
  createdAt: TIME,
  eventCount: COUNT,
  totalSize: COUNT,
  wireBytes: COUNT,
  encoding: TEXT,
  accepted: COUNT,
  duplicates: COUNT,
  rejected: listOf(OBJECT),
  redeliveries: COUNT,
});

const CONVERSATION_MEMBERS = {
  seq: COUNT,
  key: TEXT,
  organizationId: TEXT,
  agentId: TEXT,
  conversationId: TEXT,
  title: nullable(TEXT),
  eventCount: COUNT,
  findingCount: COUNT,
  maxRiskScore: nullable(NUMBER),
  requiresReview: FLAG,
  startedAt: TIME,
  lastAt: TIME,
  agentName: nullable(TEXT),
  appearances: listOf(
    objectOf<Appearance>({
      environment: nullable(TEXT),
      version: nullable(TEXT),
      category: nullable(TEXT),
      specialty: nullable(TEXT),
      name: nullable(TEXT),
      eventCount: COUNT,
      firstAt: TIME,
      lastAt: TIME,
    }),
  ),
  maxSeverity: wordOf(SEVERITIES),
  hit: optional(
    objectOf<MessageHit>({
      eventId: TEXT,
      at: TIME,
      type: wordOf(["user_message", "agent_response"]),
      text: TEXT,
      matches: listOf(listOf(COUNT)),
    }),
  ),
};

/** A conversation, as lists show it. */
export const CONVERSATION = objectOf<ConversationRow>(CONVERSATION_MEMBERS);

/** A conversation with the traces that its events name. */
export const WHOLE_CONVERSATION = objectOf<ConversationRow & { readonly traces: unknown }>({
  ...CONVERSATION_MEMBERS,
  traces: listOf(TEXT),
});

/** Counts of the conversations that a filter leaves. */
export const COUNTS = objectOf<ConversationCounts>({
  total: COUNT,
  isCapped: FLAG,
  values: {
    type: "object",
    additionalProperties: listOf(
      objectOf<ConversationCounts["values"]["state"][number]>({ value: TEXT, count: COUNT }),
    ),
  },
});

/** An event with its batch and its conversation. */
export const EVENT_ROW = objectOf<Omit<EventRow, "json"> & { readonly event: unknown }>({
  seq: COUNT,
  organizationId: TEXT,
  batchId: TEXT,
  conversationKey: TEXT,
  receivedAt: TIME,
  event: { ...OBJECT, description: "As it was received, masked." },
});

const TRACE_MEMBERS = {
  seq: COUNT,
  organizationId: TEXT,
  traceId: TEXT,
  name: TEXT,
  service: TEXT,
  spanCount: COUNT,
  errorCount: COUNT,
  startedAt: NUMBER,
  durationMillis: NUMBER,
};

/** A trace, as lists show it. */
export const TRACE = objectOf<TraceRow>(TRACE_MEMBERS);

/** A trace with the conversations that have events of it. */
export const WHOLE_TRACE = objectOf<TraceRow & { readonly conversations: unknown }>({
  ...TRACE_MEMBERS,
  conversations: listOf(objectOf<LinkedConversation>({ key: TEXT, title: nullable(TEXT) })),
});
