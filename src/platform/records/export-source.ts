import {
  type CustomerMask,
  hideCustomers,
  type KnownCustomers,
} from "../customers/hide-customers.ts";
import type { Evaluation } from "../evaluations/evaluation.ts";
import { maskJsonSteps, maskText } from "../masking.ts";
import type { ReviewItem } from "../review/review-item.ts";
import { type ConversationRow, findConversation } from "../store/conversation-store.ts";
import { readEvaluations, type EvaluationPage } from "../store/evaluation-store.ts";
import { listEventsOf } from "../store/event-store.ts";
import { listFindings, type StoredFinding } from "../store/finding-store.ts";
import { findItem } from "../store/review-store.ts";
import { selectPart, type SelectedPart } from "../store/selection-store.ts";
import type { SqlDatabase } from "../store/sql-database.ts";
import { type Turns, type Steps, followSteps } from "../turns.ts";
import type { Selector } from "./legal-hold.ts";

/** A conversation as exports have it: masked, unless asked otherwise. */
export interface ExportedConversation {
  readonly conversation: ConversationRow;
  /** `null` where it was never to be reviewed. */
  readonly item: ReviewItem | null;
  readonly findings: readonly StoredFinding[];
  /** All that people have decided, in order, also what they have changed since. */
  readonly evaluations: () => AsyncIterable<Evaluation>;
  /** Its events in order of time, each as one line of JSON. */
  readonly events: () => AsyncIterable<string>;
}

/** What is exported, and how. */
export interface ExportHead {
  readonly exportedAt: number;
  readonly by: string;
  readonly selector: Selector;
  /** The hold that it is of. */
  readonly hold?: number | undefined;
  readonly isMasked: boolean;
  /** The audit record that says so. */
  readonly audit: { readonly sequence: number; readonly hash: string };
}

/** Where the data of an export comes from. */
export interface ExportRoom {
  readonly database: SqlDatabase;
  readonly turns: Turns;
  /** How the ids of customers are hidden; absent where everybody may know them. */
  readonly customers: KnownCustomers | undefined;
}

const PAGE = 100;
/** Line breaks between the tokens of JSON: in a text they are escaped. */
const LINE_BREAKS = /[\r\n]+/g;

async function* readEvents(
  { database, turns, customers }: ExportRoom,
  key: string,
  isMasked: boolean,
): AsyncGenerator<string> {
  for (let offset = 0; ;) {
    const page = { limit: PAGE, offset };
    const { rows, hasMore } = await followSteps(listEventsOf(database, key, page));
    for (const { json } of rows) {
      const line = json.replaceAll(LINE_BREAKS, " ");
      yield isMasked ? await turns.take(maskJsonSteps(line, customers)) : line;
    }
    if (!hasMore) return;
    offset += rows.length;
  }
}

function maskFinding(finding: StoredFinding, customers: CustomerMask | undefined): StoredFinding {
  const mask = (text: string): string => maskText(text, customers);
  const { description, quote, decision } = finding;
  const comment = decision?.comment == null ? null : mask(decision.comment);
  return {
    ...finding,
    description: mask(description),
    quote: mask(quote),
    decision: decision && { ...decision, comment },
  };
}

/** Masks what an export says of a conversation beside its events. */
function maskWhole(
  { conversation, findings }: Pick<ExportedConversation, "conversation" | "findings">,
  customers: KnownCustomers | undefined,
) {
  const { title } = conversation;
  // oxlint-disable-next-line require-yield -- short texts
  return hideCustomers(customers, function* (mask) {
    return {
      conversation: { ...conversation, title: title === null ? null : maskText(title, mask) },
      findings: findings.map((each) => maskFinding(each, mask)),
    };
  });
}

async function* listEvaluations(database: SqlDatabase, key: string): AsyncGenerator<Evaluation> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: EvaluationPage = await followSteps(readEvaluations(database, { key, after }));
    for (const { evaluation } of page.part) yield evaluation;
    after = page.next;
  }
}

function* toExported(
  room: ExportRoom,
  conversation: ConversationRow,
  isMasked: boolean,
): Steps<ExportedConversation> {
  const { key } = conversation;
  const { customers } = room;
  const whole = { conversation, findings: yield* listFindings(room.database, key) };
  const shown = isMasked ? yield* maskWhole(whole, customers) : whole;
  return {
    ...shown,
    item: (yield* findItem(room.database, key)) ?? null,
    evaluations: () => listEvaluations(room.database, key),
    events: () => readEvents(room, key, isMasked),
  };
}

/** Reads the conversations of an export, one at a time. */
export async function* readSelected(
  room: ExportRoom,
  { selector, isMasked }: Pick<ExportHead, "isMasked" | "selector">,
): AsyncGenerator<ExportedConversation> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const part: SelectedPart = await followSteps(selectPart(room.database, selector, after));
    for (const key of part.keys) {
      // It may have been purged since.
      const conversation = await followSteps(findConversation(room.database, key));
      if (conversation) yield await followSteps(toExported(room, conversation, isMasked));
    }
    after = part.next;
    // A part may have none that matches: others get their turn all the same.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Number of what an export has. */
export interface ExportCounts {
  conversations: number;
  events: number;
  findings: number;
}

/** Writes the conversations of an export in a format, and counts them. */
export type ExportWriter = (
  conversations: AsyncIterable<ExportedConversation>,
  head: ExportHead,
  counts: ExportCounts,
) => AsyncGenerator<Uint8Array>;
