import type { DetailedEvent } from "../../events/detailed-event.ts";
import { readEventVerdict } from "../../events/late-finding.ts";
import type { Sampling } from "../quality/sampling.ts";
import type { Finding, FindingOrigin } from "../review/findings.ts";
import type { ReviewOrigin } from "../review/review-item.ts";
import { SEVERITIES } from "../severities.ts";
import { createAnswerCounts } from "./answer-counts.ts";
import { type FindingSource, putFindings } from "./finding-store.ts";
import type { Transaction } from "./sql-database.ts";
import { announce, type Announcing } from "./webhook-store.ts";
import type { Steps } from "../turns.ts";

/** What has arrived in a conversation, as the queue has to know it. */
export interface Noted {
  /** What has found the newest of the findings. */
  readonly origin: ReviewOrigin;
  /** Whether an event demands a review, and its findings are not held back. */
  readonly requiresReview: boolean;
  /** Whether an answer is in the sample. */
  readonly isSampled: boolean;
}

type Note = Omit<Noted, "origin"> & { readonly found: FindingOrigin | undefined };

function demandsReview(event: DetailedEvent): boolean {
  switch (event.interactionType) {
    case "agent_response":
      return event.requiresReview === true;
    case "compliance_violation":
      return readEventVerdict(event).requiresReview;
    default:
      return false;
  }
}

function merge(former: Note | undefined, note: Note): Note {
  return {
    found: note.found ?? former?.found,
    requiresReview: note.requiresReview || former?.requiresReview === true,
    isSampled: note.isSampled || former?.isSampled === true,
  };
}

const VIOLATION = SEVERITIES.indexOf("violation");

function* announceViolations(
  database: Transaction,
  findings: readonly Finding[],
  { organizationId, key, event, receivedAt: at }: FindingSource,
  announcing: Announcing,
): Steps<void> {
  for (const { id, rule, severity, offence, isConfidential } of findings) {
    if (severity < VIOLATION || isConfidential) continue;
    const data = { findingId: id, rule, severity: "violation", offence, agentId: event.agentId };
    yield* announce(database, announcing, {
      type: "finding.violation",
      at,
      organizationId,
      key,
      data,
    });
  }
}

/** How arriving events are treated. */
interface ArrivalSettings {
  readonly sampling: Sampling;
  /** Receivers of messages about violations. */
  readonly announcing: Announcing;
  /** Returns whether a conversation may have had findings before. */
  readonly hadFindings: (key: string) => boolean;
}

/** Stores what arriving events have found, chooses the sample, and notes what is to be reviewed. */
export function createArrivals(
  database: Transaction,
  { sampling, announcing, hadFindings }: ArrivalSettings,
) {
  const notes = new Map<string, Note>();
  const counts = createAnswerCounts(database, sampling);
  return {
    /** Takes an event that is stored. @param isNew - Whether it is no fuller copy of one that was known. */
    *note(source: FindingSource, isNew: boolean): Steps<void> {
      const { organizationId, key, event, receivedAt } = source;
      const put = yield* putFindings(database, source);
      const { origin, answerId, shown, isHeldBack } = put;
      yield* announceViolations(database, shown, source, announcing);
      const { agentId, eventId, timestamp } = event;
      const answer = { organizationId, key, eventId, agentId, timestamp, receivedAt };
      const isAnswer = isNew && event.interactionType === "agent_response";
      const mayBeFlagged = (): boolean => shown.length > 0 || notes.has(key) || hadFindings(key);
      const isSampled = isAnswer && (yield* counts.addAnswer(answer, mayBeFlagged()));
      if (!isAnswer && shown.length > 0) yield* counts.addLater(answer, answerId, shown.length);
      const requiresReview = demandsReview(event) && !isHeldBack;
      if (origin === undefined && !requiresReview && !isSampled) return;
      notes.set(key, merge(notes.get(key), { found: origin, requiresReview, isSampled }));
    },
    /** Stores the counts. @returns What was noted, by the key of the conversation. */
    *finish(): Steps<ReadonlyMap<string, Noted>> {
      yield* counts.save();
      const toNoted = ({ found = "rule", ...note }: Note): Noted => ({
        ...note,
        origin: note.isSampled && !note.requiresReview ? "qa_sample" : found,
      });
      return new Map([...notes].map(([key, note]) => [key, toNoted(note)]));
    },
  };
}
