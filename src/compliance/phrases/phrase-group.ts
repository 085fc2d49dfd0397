import type { ComplianceSeverity } from "../../events/compliance.ts";
import { commonConcepts } from "../lexicon/common.ts";
import type { Exchange } from "../text/exchange.ts";
import type { SourceText, TextSource } from "../text/source-text.ts";
import type { Range } from "../text/pattern.ts";
import { DEFAULT_GUARDS, isNegated, isQuoted, prepareGuards, type Guard } from "./guards.ts";
import { registerPhraseList, type PhraseListId } from "./elements.ts";
import type { TokenRange } from "./spans.ts";
import { findPassages } from "./phrase-matches.ts";
import { PhraseReader, type Concepts, type Phrase } from "./parse-phrase.ts";
import { says } from "./says.ts";
import { Surroundings } from "./surroundings.ts";
import { createStepwise, type Steps } from "./stepwise.ts";
import { wordsOf, type Preparable, type Wording } from "./wording.ts";

/** Ways to say one thing, and what must or must not stand around them. */
export interface PhraseGroup {
  /** Any of these; see `docs/rule-authors.md` for the language. */
  readonly match: readonly string[];
  /**
   * The message in which to look.
   *
   * @defaultValue "agentResponse"
   */
  readonly in?: TextSource;
  /** Neighbouring sentences over which a phrase may spread. @defaultValue 1 */
  readonly within?: 1 | 2 | 3;
  /** None of these may stand in the matched sentences, or beside them in the same paragraph. */
  readonly unless?: readonly string[];
  /** None of these may stand anywhere in the same message. */
  readonly unlessAnywhere?: readonly string[];
  /** One of these must stand somewhere in the same message. */
  readonly alongside?: readonly string[];
  /** One of these must stand in the other message, or near the match: the subject of the exchange. */
  readonly about?: readonly string[];
  /** One of these must stand in the user's message, or in one of the earlier ones if `inSession`. */
  readonly user?: readonly string[];
  /** Reads the session's earlier user messages for `about` and `user` as well. @defaultValue false */
  readonly inSession?: boolean;
  /** Guards that don't apply, because the words mean it all the same. */
  readonly ignore?: readonly Guard[];
  /** Guards beside the default ones. */
  readonly guards?: readonly Guard[];
  /** 0 to 1. @defaultValue 0.8 */
  readonly confidence?: number;
  /**
   * Weight of the findings.
   *
   * @defaultValue the rule's severity
   */
  readonly severity?: ComplianceSeverity;
  /** Says what was found. @defaultValue the rule's description */
  readonly description?: string;
}

/** A match of a group, in the normalised text. */
export interface PhraseMatch {
  readonly text: SourceText;
  readonly range: Range;
}

/** A group that is ready to read texts. */
export interface CompiledGroup {
  readonly source: PhraseGroup;
  readonly match: readonly Phrase[];
  readonly list: PhraseListId;
  readonly unless: readonly Phrase[];
  readonly unlessAnywhere: readonly Phrase[];
  readonly alongside: readonly Phrase[];
  readonly about: readonly Phrase[];
  readonly user: readonly Phrase[];
  readonly guards: ReadonlySet<Guard>;
}

const MAX_MATCHES = 3;
const NO_MATCHES: readonly PhraseMatch[] = [];
const NO_PASSAGES: readonly TokenRange[] = [];

// Rules of one family share their concepts, and with them what was read of these.
const readers = new WeakMap<Wording<Concepts>, PhraseReader>();
const NO_CONCEPTS: Concepts = {};
const commonReader = new PhraseReader(commonConcepts);

/** Gives the reader of phrases that may name some concepts beside the common ones. */
export function readerOf(concepts: Wording<Concepts> = NO_CONCEPTS): PhraseReader {
  let reader = readers.get(concepts);
  if (!reader) {
    reader = new PhraseReader(concepts, commonReader);
    readers.set(concepts, reader);
  }
  return reader;
}

/** Reads phrases, one at each step. */
export function* readPhrases(
  reader: PhraseReader,
  sources: readonly string[] = [],
): Steps<readonly Phrase[]> {
  const phrases: Phrase[] = [];
  for (const source of sources) {
    phrases.push(reader.read(source));
    yield;
  }
  return phrases;
}

/**
 * Makes a group ready, one phrase at each step.
 *
 * @throws {@link PhraseError} for a phrase that can't be read.
 */
export function* compileGroup(
  group: Wording<PhraseGroup>,
  concepts?: Wording<Concepts>,
): Steps<CompiledGroup> {
  yield* prepareGuards();
  const source = wordsOf(group);
  const reader = readerOf(concepts);
  const guards = new Set([...DEFAULT_GUARDS, ...(source.guards ?? [])]);
  for (const guard of source.ignore ?? []) guards.delete(guard);
  const match = yield* readPhrases(reader, source.match);
  const list = { phrases: match.map(({ id }) => id), within: source.within ?? 1 };
  return {
    source,
    match,
    list: registerPhraseList(list),
    unless: yield* readPhrases(reader, source.unless),
    unlessAnywhere: yield* readPhrases(reader, source.unlessAnywhere),
    alongside: yield* readPhrases(reader, source.alongside),
    about: yield* readPhrases(reader, source.about),
    user: yield* readPhrases(reader, source.user),
    guards,
  };
}

/** What a group asks of the exchange as a whole. */
function isInPlace(group: CompiledGroup, text: SourceText, exchange: Exchange): boolean {
  const { userMessage } = exchange;
  const earlier = group.source.inSession === true ? exchange.earlierText : undefined;
  if (group.user.length > 0 && !says(userMessage, group.user) && !says(earlier, group.user))
    return false;
  if (group.alongside.length > 0 && !says(text, group.alongside)) return false;
  return !says(text, group.unlessAnywhere);
}

/** Finds the passages of a text that say what a group looks for, unguarded. */
function findUnguarded(
  group: CompiledGroup,
  text: SourceText,
  exchange: Exchange,
): readonly TokenRange[] {
  const index = text.index();
  const { tokens } = index;
  const counts = (match: TokenRange): boolean =>
    !(group.guards.has("negation") && isNegated(tokens, match.start)) &&
    !(group.guards.has("quotation") && isQuoted(tokens, match));
  const surroundings = new Surroundings(group, text, exchange);
  const isMeant = (passage: TokenRange): boolean => surroundings.allow(passage);
  const within = group.source.within ?? 1;
  let found: TokenRange[] | undefined;
  for (const phrase of group.match) {
    const passages = findPassages(index, phrase, within, MAX_MATCHES, counts, isMeant);
    if (passages.length > 0) (found ??= []).push(...passages);
  }
  if (!found) return NO_PASSAGES;
  return found.toSorted((one, other) => one.start - other.start || one.end - other.end);
}

/** Finds what a group looks for: the first places that don't overlap. */
export function findMatches(group: CompiledGroup, exchange: Exchange): readonly PhraseMatch[] {
  const text = exchange[group.source.in ?? "agentResponse"];
  return text?.index().hasCandidate(group.list) === true
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
  const { tokens } = text.index();
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

/** Groups side by side: most have nothing in a text, which is told without a look at them. */
export interface GroupSet {
  readonly groups: readonly CompiledGroup[];
  readonly lists: Int32Array;
  /** 1 for groups that look in the user's message. */
  readonly isUsers: Uint8Array;
}

/** Puts groups side by side. */
export function toGroupSet(groups: readonly CompiledGroup[]): GroupSet {
  return {
    groups,
    lists: Int32Array.from(groups, ({ list }) => list),
    isUsers: Uint8Array.from(groups, ({ source }) => (source.in === "userMessage" ? 1 : 0)),
  };
}

/** A match of one of several groups, by the index of the group. */
export interface GroupMatch {
  readonly index: number;
  readonly match: PhraseMatch;
}

function append(
  found: GroupMatch[] | undefined,
  index: number,
  matches: readonly PhraseMatch[],
): GroupMatch[] | undefined {
  if (matches.length === 0) return found;
  const all = found ?? [];
  for (const match of matches) all.push({ index, match });
  return all;
}

const NO_GROUP_MATCHES: readonly GroupMatch[] = [];

/** Finds what any of some groups looks for. */
export function findAllMatches(
  { groups, lists, isUsers }: GroupSet,
  exchange: Exchange,
): readonly GroupMatch[] {
  const { userMessage, agentResponse } = exchange;
  const user = userMessage?.index();
  const agent = agentResponse?.index();
  let found: GroupMatch[] | undefined;
  for (let index = 0; index < lists.length; index++) {
    const isOfUser = isUsers[index] === 1;
    const looked = isOfUser ? user : agent;
    if (looked?.hasCandidate(lists[index] ?? 0) !== true) continue;
    const group = groups[index];
    const text = isOfUser ? userMessage : agentResponse;
    if (group && text) found = append(found, index, findPossible(group, text, exchange));
  }
  return found ?? NO_GROUP_MATCHES;
}

/** Finds what one group looks for. */
export interface Finder extends Preparable {
  (exchange: Exchange): readonly PhraseMatch[];
}

/** Makes a finder for a rule's `check`, which the rule lists in `finders`. */
export function createFinder(group: Wording<PhraseGroup>, concepts?: Wording<Concepts>): Finder {
  const compiled = createStepwise(() => compileGroup(group, concepts));
  return Object.assign((exchange: Exchange) => findMatches(compiled.finish(), exchange), {
    isPrepared: () => compiled.isDone(),
    prepareStep: () => compiled.step(),
  });
}
