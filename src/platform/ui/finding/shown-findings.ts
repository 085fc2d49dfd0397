import type { ComplianceFlag } from "../../../events/compliance.ts";
import type { ComplianceViolationEvent } from "../../../events/detailed-event.ts";
import type { JudgeResult } from "../../../events/judge-result.ts";
import type { StoredFinding } from "../../store/finding-store.ts";
import { findPassages, type FoundPassage, type Mark, mergePassages } from "./passages.ts";
import { toRank } from "./finding.ts";
import type { MessageItem, TranscriptItem } from "../conversation/transcript.ts";

/** A finding, and when it was made. */
interface Occurrence {
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** What a card shows: a flag, or as much of it as an application reports. */
export type ShownFlag = Omit<ComplianceFlag, "category" | "severity"> & {
  readonly category: string;
  readonly severity: string;
};

/** A finding as the transcript shows it. */
export interface ShownFinding extends Occurrence {
  readonly flag: ShownFlag;
  /** What the judge says of it, or the judge's own result. */
  readonly judged?: JudgeResult | undefined;
  /** What the platform knows of it. */
  readonly stored?: StoredFinding | undefined;
  /** Whether it is marked in the text. */
  readonly isMarked: boolean;
  /** The same offence said before. */
  readonly first?: Occurrence | undefined;
  /** The same offence said again. */
  readonly again: readonly Occurrence[];
}

/** What is found in one entry of the transcript. */
export interface ItemFindings {
  readonly findings: readonly ShownFinding[];
  readonly marks: readonly Mark[];
}

/** What an entry without findings has. */
export const NOTHING_FOUND: ItemFindings = { findings: [], marks: [] };

/** Identifies a finding's passage: two findings of one rule in an answer have different passages. */
function toPlace({ rule, context }: ShownFlag): string {
  const passage = context?.["spans"] ?? context?.detectedContent;
  return JSON.stringify([rule, context?.detectedPattern, passage]);
}

/** Finds the judge's opinion on a finding of the rules. */
function findOpinion(item: MessageItem, flag: ShownFlag): JudgeResult | undefined {
  const place = toPlace(flag);
  return item.judged
    .map(({ result }) => result)
    .find(({ isOpinion, finding }) => isOpinion && toPlace(finding) === place);
}

/** A finding as an event has it. */
interface Given {
  readonly flag: ShownFlag;
  readonly judged?: JudgeResult | undefined;
  /** Id of the event. */
  readonly eventId: string;
  readonly at: number;
}

function toOwnFlag(event: ComplianceViolationEvent): ShownFlag {
  const { ruleId, violationType, severity, description } = event;
  return { rule: ruleId, category: violationType, severity, description };
}

function listOfAnswer(item: MessageItem): Given[] {
  const { event, judged, late } = item;
  if (event.interactionType !== "agent_response") return [];
  const { eventId, timestamp: at } = event;
  const flags = new Map((event.complianceFlags ?? []).map((flag) => [toPlace(flag), flag]));
  const ofRules = [...flags.values()].map((flag) => ({
    flag,
    judged: findOpinion(item, flag),
    eventId,
    at,
  }));
  const ofRulesLate = late.map(({ flag, event: own }) => ({
    flag,
    judged: findOpinion(item, flag),
    eventId: own.eventId,
    at,
  }));
  const ofJudge = judged
    .filter(({ result }) => !result.isOpinion)
    .map(({ result, event: own }) => {
      const { finding, quote } = result;
      const detectedContent = finding.context?.detectedContent ?? quote;
      const context =
        detectedContent === undefined ? finding.context : { ...finding.context, detectedContent };
      const flag: ShownFlag = { ...finding, ...(context && { context }) };
      return { flag, judged: result, eventId: own.eventId, at };
    });
  return [...ofRules, ...ofRulesLate, ...ofJudge];
}

function listGiven(item: TranscriptItem): Given[] {
  if (item.kind === "message") return listOfAnswer(item);
  if (item.kind !== "violation") return [];
  const { event } = item;
  return [{ flag: toOwnFlag(event), eventId: event.eventId, at: event.timestamp }];
}

/** Hands out what the platform has stored of an event's findings; of several of one rule and pattern in their order. */
function createMatcher(stored: readonly StoredFinding[]) {
  const toName = (eventId: string, rule: string, pattern: string): string =>
    JSON.stringify([eventId, rule, pattern]);
  const waiting = new Map<string, StoredFinding[]>();
  for (const finding of stored) {
    const name = toName(finding.eventId, finding.rule, finding.pattern);
    waiting.set(name, [...(waiting.get(name) ?? []), finding]);
  }
  return ({ eventId, flag }: Given): StoredFinding | undefined =>
    waiting.get(toName(eventId, flag.rule, flag.context?.detectedPattern ?? ""))?.shift();
}

type Found = Omit<ShownFinding, "again" | "first">;

/** Says of each finding where its offence was said before, or is said again. */
function addOccurrences(findings: readonly Found[]): ShownFinding[] {
  const offences = new Map<string, Occurrence[]>();
  // Without words nothing says that it is the same one again.
  const toOffence = ({ stored, id }: Found): string =>
    stored && stored.quote + stored.pattern !== "" ? stored.offence : id;
  for (const finding of findings) {
    const name = toOffence(finding);
    offences.set(name, [...(offences.get(name) ?? []), { id: finding.id, at: finding.at }]);
  }
  return findings.map((finding) => {
    const [first, ...again] = offences.get(toOffence(finding)) ?? [];
    return first?.id === finding.id ? { ...finding, again } : { ...finding, first, again: [] };
  });
}

/**
 * Finds what the rules, the judge and the application have found in each entry of a transcript, and where it stands in
 * the text.
 *
 * @returns By the entry's key; entries without findings are not there.
 */
export function gatherFindings(
  items: readonly TranscriptItem[],
  stored: readonly StoredFinding[],
): ReadonlyMap<string, ItemFindings> {
  const match = createMatcher(stored);
  const passages = new Map<string, FoundPassage[]>();
  const found = new Map<string, Found[]>();
  let asked: { readonly key: string; readonly content: string } | undefined;
  /** Notes where a finding stands: in the answer, else in what the user had said. */
  const note = (item: TranscriptItem, id: string, { context, severity }: ShownFlag): boolean => {
    if (item.kind !== "message") return false;
    const own = findPassages(item.event.content, context, "agentResponse");
    const users =
      own.length === 0 && asked ? findPassages(asked.content, context, "userMessage") : [];
    const key = own.length > 0 ? item.key : (asked?.key ?? item.key);
    const rank = toRank(severity);
    const all = [...own, ...users].map((passage) => ({ ...passage, rank, findingId: id }));
    passages.set(key, [...(passages.get(key) ?? []), ...all]);
    return all.length > 0;
  };
  for (const item of items) {
    if (item.kind === "message" && item.event.interactionType === "user_message")
      asked = { key: item.key, content: item.event.content };
    const given = listGiven(item);
    if (given.length === 0) continue;
    const shown = given.map((each, index): Found => {
      const own = match(each);
      const id = own?.id ?? `${each.eventId}.${index}`;
      const { flag, judged, at } = each;
      return { id, at, flag, judged, stored: own, isMarked: note(item, id, flag) };
    });
    found.set(item.key, shown);
  }
  const occurrences = new Map(
    addOccurrences([...found.values()].flat()).map((finding) => [finding.id, finding]),
  );
  const keys = new Set([...found.keys(), ...passages.keys()]);
  return new Map(
    [...keys].map((key) => [
      key,
      {
        findings: (found.get(key) ?? []).flatMap(({ id }) => occurrences.get(id) ?? []),
        marks: mergePassages(passages.get(key) ?? []),
      },
    ]),
  );
}
