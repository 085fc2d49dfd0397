import type { DetailedEvent } from "../../events/detailed-event.ts";
import type { Pseudonyms } from "../customers/pseudonyms.ts";
import { toFact, type Facts } from "./appearances.ts";
import { changeAll } from "./change-all.ts";
import { createStatement, db } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** What an event says that conversations are found by. The empty value of `error` and `failed_call` stands for any. */
export const FACT_KINDS = ["customer", "channel", "model", "tool", "failed_call", "error"] as const;
export type FactKind = (typeof FACT_KINDS)[number];

/** Kind of the facts by which conversations are found under what their customer is called. */
export const PSEUDONYM = "pseudonym";

/** Facts of other tables that are counted with them. */
type CountedKind = FactKind | "version" | "environment" | "rule" | "category";

/** A kind and its value, in one line. */
export type FactLine = `${CountedKind}=${string}`;

/** Value of a fact that stands for any. */
const ANY = Symbol("any");

/** Different facts of one conversation; of those beyond it is not found. */
const MAX_FACTS = 500;

function readMember(metadata: unknown, name: string): unknown {
  return typeof metadata === "object" && metadata !== null
    ? (metadata as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

type Say = (kind: FactKind, value: unknown) => void;

/** Says what an event of its kind says; the value is empty where it has none. */
function sayKind(event: DetailedEvent, say: Say): void {
  switch (event.interactionType) {
    case "agent_response":
      say("model", event.llmMetadata?.model ?? readMember(event.metadata, "model"));
      break;
    case "tool_call":
      say("tool", event.toolName);
      break;
    case "tool_result":
      say("tool", event.toolName);
      if (event.success) break;
      say("failed_call", event.toolName);
      say("failed_call", ANY);
      say("error", ANY);
      break;
    case "error":
      say("error", event.errorType);
      say("error", ANY);
      break;
    default:
  }
}

/** A fact that an event of a version says in an environment. */
interface SaidFact {
  readonly kind: FactKind;
  readonly value: string;
  readonly environment: string;
  readonly agentVersion: string;
}

/** What the events of a conversation say. */
export interface ConversationFacts {
  readonly lines: Set<string>;
  readonly said: Map<string, SaidFact>;
}

/** Starts the facts of a conversation. */
export function createFacts(): ConversationFacts {
  return { lines: new Set(), said: new Map() };
}

const toLine = (kind: CountedKind, value: string): FactLine => `${kind}=${value}`;

/** Adds what an event says. */
export function addFacts(
  { lines, said }: ConversationFacts,
  event: DetailedEvent,
  { environment, agentVersion }: Facts,
): void {
  const place = `\n${environment}\n${agentVersion}`;
  const say = (kind: FactKind, given: unknown): void => {
    const value = given === ANY ? "" : toFact(given);
    if (value === "" && given !== ANY) return;
    const line = toLine(kind, value);
    lines.add(line);
    const id = line + place;
    if (!said.has(id)) said.set(id, { kind, value, environment, agentVersion });
  };
  lines.add(toLine("environment", environment));
  lines.add(toLine("version", agentVersion));
  say("customer", event.userId);
  say("channel", readMember(event.metadata, "channel"));
  sayKind(event, say);
}

const FIND_FLAGGED = createStatement((values: { key: string }) =>
  db
    .selectFrom("finding")
    .select(["rule", "category"])
    .distinct()
    .where("conversation_key", "=", values.key)
    .limit(MAX_FACTS),
);

const SAVE_LINES = createStatement((values: { key: string; lines: string }) =>
  db.updateTable("conversation").set({ facts: values.lines }).where("key", "=", values.key),
);

/** Row of something that is said in a conversation. */
export interface FactRow extends Omit<SaidFact, "kind"> {
  readonly kind: FactKind | typeof PSEUDONYM;
  readonly key: string;
}

const PUT = createStatement((values: FactRow) =>
  db
    .insertInto("fact")
    .values({
      kind: values.kind,
      value: values.value,
      conversation_key: values.key,
      environment: values.environment,
      agent_version: values.agentVersion,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

/** What is stored of a conversation. */
interface FormerFacts {
  /** Its facts as lines. */
  readonly former: string;
  /** Whether some of its findings are new. */
  readonly hasFindings: boolean;
  /** What customers are called; they are found by that as well. */
  readonly pseudonyms?: Pseudonyms | undefined;
}

const isPlace = (line: string): boolean =>
  line.startsWith("environment=") || line.startsWith("version=");

/** Returns whether all that a conversation says it says of one version in one environment. */
function hasOnePlace(lines: ReadonlySet<string>): boolean {
  return [...lines].filter(isPlace).length === 2;
}

/** Writes where something is said, of a customer also under the pseudonym. */
function toRows(key: string, said: SaidFact, pseudonyms: Pseudonyms | undefined): FactRow[] {
  const { kind, value } = said;
  const row = { ...said, key };
  if (kind !== "customer" || !pseudonyms) return [row];
  return [row, { ...row, kind: PSEUDONYM, value: pseudonyms.toPseudonym(value) }];
}

/** What is to be stored of conversations. */
export interface NewFacts {
  readonly rows: FactRow[];
  /** Facts of conversations as lines, where there are more than before. */
  readonly lines: { readonly key: string; readonly lines: string }[];
}

/** Adds to what is to be stored what the events of a conversation say beside what earlier ones said. */
export function* collectFacts(
  database: SqlDatabase,
  added: NewFacts,
  { key, facts: { lines, said } }: { readonly key: string; readonly facts: ConversationFacts },
  { former, hasFindings, pseudonyms }: FormerFacts,
): Steps<void> {
  if (hasFindings)
    for (const { rule, category } of yield* FIND_FLAGGED.rows(database, { key })) {
      lines.add(toLine("rule", rule));
      lines.add(toLine("category", category));
    }
  const known = new Set(former === "" ? [] : former.split("\n"));
  const all = new Set(known);
  for (const line of lines) if (all.size < MAX_FACTS) all.add(line);
  const isKnownPlace = hasOnePlace(all);
  for (const each of said.values()) {
    const line = toLine(each.kind, each.value);
    if (all.has(line) && !(isKnownPlace && known.has(line)))
      added.rows.push(...toRows(key, each, pseudonyms));
  }
  if (all.size > known.size) added.lines.push({ key, lines: [...all].join("\n") });
}

/** Stores facts, those that are there already excepted. In a transaction, behind the rows of their conversations. */
export function* putFacts(database: Transaction, { rows, lines }: NewFacts): Steps<void> {
  yield* changeAll(database, SAVE_LINES, lines);
  yield* changeAll(database, PUT, rows);
}
