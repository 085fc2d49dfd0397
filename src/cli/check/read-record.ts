import type { ComplianceSettings } from "../../events/agent.ts";
import type { InteractionContext } from "../../events/compliance.ts";
import { readLabel, type CaseLabel } from "./case-label.ts";
import { LineProblem } from "./line-problem.ts";
import { isRecord, type JsonRecord } from "../../util/values.ts";
import { readTurn } from "./read-turn.ts";
import { replay, type ReplayedExchange } from "./replay.ts";

/** What a line is about. */
export type CheckedRecord =
  | {
      readonly kind: "conversation";
      readonly id: string | undefined;
      readonly label?: CaseLabel;
      readonly exchanges: readonly ReplayedExchange[];
    }
  | { readonly kind: "events"; readonly events: readonly unknown[] };

/** What stands for every exchange of a line. */
export type SharedContext = Partial<InteractionContext> & {
  readonly complianceSettings?: ComplianceSettings;
};

const CONTEXT_MEMBERS = [
  "agentId",
  "agentCategory",
  "agentSpecialty",
  "sessionId",
  "timestamp",
  "userId",
  "metadata",
  "customerProfile",
  "transactionContext",
  "riskFactors",
  "toolsUsed",
  "complianceSettings",
];

function readContext(record: JsonRecord): SharedContext {
  const { context } = record;
  if (context !== undefined && context !== null && !isRecord(context))
    throw new LineProblem("context", "an object", context);
  const members = CONTEXT_MEMBERS.filter((name) => name in record);
  return Object.assign(Object.fromEntries(members.map((name) => [name, record[name]])), context);
}

function readText(record: JsonRecord, name: string): string | undefined {
  const value = record[name];
  if (value === undefined || value === null || typeof value === "string") return value ?? undefined;
  throw new LineProblem(name, "a string", value);
}

function readExchange(record: JsonRecord): ReplayedExchange[] {
  const userMessage = readText(record, "userMessage");
  const agentResponse = readText(record, "agentResponse");
  const shared = readContext(record);
  const { toolsUsed } = shared as JsonRecord;
  if (toolsUsed !== undefined && toolsUsed !== null && !Array.isArray(toolsUsed))
    throw new LineProblem("toolsUsed", "an array", toolsUsed);
  const context: SharedContext = {
    ...shared,
    ...(userMessage !== undefined && { userMessage }),
    ...(agentResponse !== undefined && { agentResponse }),
  };
  if (
    userMessage === undefined &&
    agentResponse === undefined &&
    !toolsUsed &&
    !context.transactionContext
  )
    throw new LineProblem("", "userMessage, agentResponse, turns, messages or events", record);
  return [{ context, userTurn: 1, agentTurn: userMessage === undefined ? 1 : 2 }];
}

function readConversation(record: JsonRecord): ReplayedExchange[] | undefined {
  const name = ["turns", "messages"].find((member) => record[member] !== undefined);
  if (name === undefined) return undefined;
  const list = record[name];
  if (!Array.isArray(list)) throw new LineProblem(name, "an array", list);
  const turns = list.map((message: unknown, index) => readTurn(message, `${name}[${index}]`));
  return replay(turns, readContext(record));
}

function readId({ id, conversationId, sessionId }: JsonRecord): string | undefined {
  const found = [id, conversationId, sessionId].find(
    (value) => typeof value === "string" || typeof value === "number",
  );
  return found === undefined ? undefined : String(found);
}

function unwrap(record: JsonRecord): unknown {
  const { base64 } = record;
  if (typeof base64 !== "string" || Object.keys(record).length > 1) return record;
  try {
    return JSON.parse(Buffer.from(base64, "base64").toString("utf8")) as unknown;
  } catch {
    throw new LineProblem("base64", "a batch in JSON", base64);
  }
}

/**
 * Reads a line: an exchange, a conversation, an event, or a batch of events.
 *
 * @throws LineProblem
 */
export function readRecord(value: unknown): CheckedRecord {
  const record = isRecord(value) ? unwrap(value) : value;
  if (!isRecord(record)) throw new LineProblem("", "an object", record);
  if (typeof record["interactionType"] === "string") return { kind: "events", events: [record] };
  if (record["events"] !== undefined) {
    if (Array.isArray(record["events"])) return { kind: "events", events: record["events"] };
    throw new LineProblem("events", "an array", record["events"]);
  }
  const exchanges = readConversation(record) ?? readExchange(record);
  const label = readLabel(record);
  return { kind: "conversation", id: readId(record), ...(label && { label }), exchanges };
}
