import type { Exchange } from "./exchange.ts";
import type { Range } from "../text/pattern.ts";
import type { SourceText } from "./source-text.ts";
import type { CompiledGroup, CompiledPhrases } from "./compiled-phrases.ts";
import { isNegated, isQuoted } from "./guards.ts";
import { findPassages } from "./phrase-matches.ts";
import { says } from "./says.ts";
import type { TokenRange } from "./spans.ts";
import { PassageJudge } from "./passage-judge.ts";

/** A match of a group, in the normalised text. */
export interface PhraseMatch {
  readonly text: SourceText;
  readonly range: Range;
}

const MAX_MATCHES = 3;
const NO_MATCHES: readonly PhraseMatch[] = [];
const NO_PASSAGES: readonly TokenRange[] = [];

/** What a group asks of the exchange as a whole. */
function isInPlace(group: CompiledGroup, text: SourceText, exchange: Exchange): boolean {
  const { userMessage } = exchange;
  const earlier = group.info.inSession === true ? exchange.earlierText : undefined;
  const asksUser = group.of("user").length > 0;
  if (asksUser && !says(userMessage, group, "user") && !says(earlier, group, "user")) return false;
  if (group.of("alongside").length > 0 && !says(text, group, "alongside")) return false;
  return !says(text, group, "unlessAnywhere");
}

/** Finds the passages of a text that say what a group looks for, unguarded. */
function findUnguarded(
  group: CompiledGroup,
  text: SourceText,
  exchange: Exchange,
): readonly TokenRange[] {
  const { index } = text.reading(group.phrases);
  const { tokens } = index;
  const counts = (match: TokenRange): boolean =>
    !(group.guards.has("negation") && isNegated(tokens, match.start)) &&
    !(group.guards.has("quotation") && isQuoted(tokens, match));
  const judge = new PassageJudge(group, text, exchange);
  const isMeant = (passage: TokenRange): boolean => judge.allow(passage);
  const { within } = group.info;
  let found: TokenRange[] | undefined;
  for (const phrase of group.of("match")) {
    const passages = findPassages(index, phrase, within, MAX_MATCHES, counts, isMeant);
    if (passages.length > 0) (found ??= []).push(...passages);
  }
  if (!found) return NO_PASSAGES;
  return found.toSorted((one, other) => one.start - other.start || one.end - other.end);
}

/** Finds what a group looks for: the first places that don't overlap. */
export function findMatches(group: CompiledGroup, exchange: Exchange): readonly PhraseMatch[] {
  const text = exchange[group.info.in];
  const index = text?.reading(group.phrases).index;
  return text && index?.hasCandidate(group.list, group.info.within) === true
    ? findPossible(group, text, exchange)
    : NO_MATCHES;
}

/** Finds the matches of a group of which some phrase may match. */
function findPossible(
  group: CompiledGroup,
  text: SourceText,
  exchange: Exchange,
): readonly PhraseMatch[] {
  if (!isInPlace(group, text, exchange)) return NO_MATCHES;
  const found = findUnguarded(group, text, exchange);
  if (found.length === 0) return NO_MATCHES;
  const { tokens } = text.reading(group.phrases);
  const matches: PhraseMatch[] = [];
  let covered = 0;
  for (const { start, end } of found) {
    const [first, last] = [tokens[start], tokens[end - 1]];
    if (start < covered || !first || !last) continue;
    matches.push({ text, range: { start: first.start, end: last.end } });
    covered = end;
    if (matches.length === MAX_MATCHES) break;
  }
  return matches;
}

/** Groups side by side: most have no candidate in a text, which shows without a look at them. */
export interface GroupSet {
  readonly phrases: CompiledPhrases;
  readonly groups: readonly CompiledGroup[];
  readonly lists: Uint16Array;
  readonly withins: Uint8Array;
  /** 1 for groups that look in the user's message. */
  readonly isUsers: Uint8Array;
}

/** Puts groups of a set of phrases side by side. */
export function toGroupSet(phrases: CompiledPhrases, names: readonly string[]): GroupSet {
  const groups = names.map((name) => phrases.group(name));
  return {
    phrases,
    groups,
    lists: Uint16Array.from(groups, ({ list }) => list),
    withins: Uint8Array.from(groups, ({ info }) => info.within),
    isUsers: Uint8Array.from(groups, ({ info }) => (info.in === "userMessage" ? 1 : 0)),
  };
}

/** A match of one of several groups, by the index of the group. */
export interface GroupMatch {
  readonly index: number;
  readonly match: PhraseMatch;
}

const NO_GROUP_MATCHES: readonly GroupMatch[] = [];

/** Adds the matches of a group of which some phrase may match. */
function addMatches(
  found: GroupMatch[] | undefined,
  { groups }: GroupSet,
  index: number,
  exchange: Exchange,
): GroupMatch[] | undefined {
  const group = groups[index];
  const text = group && exchange[group.info.in];
  if (!group || !text) return found;
  let all = found;
  for (const match of findPossible(group, text, exchange)) (all ??= []).push({ index, match });
  return all;
}

/** Finds what any of some groups looks for. */
export function findAllMatches(set: GroupSet, exchange: Exchange): readonly GroupMatch[] {
  const { phrases, lists, withins, isUsers } = set;
  if (lists.length === 0) return NO_GROUP_MATCHES;
  const user = exchange.userMessage?.reading(phrases).index;
  const agent = exchange.agentResponse?.reading(phrases).index;
  let found: GroupMatch[] | undefined;
  for (let at = 0; at < lists.length; at++) {
    const index = isUsers[at] === 1 ? user : agent;
    if (index?.hasCandidate(lists[at] ?? 0, withins[at] ?? 1) === true)
      found = addMatches(found, set, at, exchange);
  }
  return found ?? NO_GROUP_MATCHES;
}
