import type { ViolationContext } from "../../../events/compliance.ts";

/** A part of a text, in UTF-16 units. */
export interface Passage {
  readonly start: number;
  readonly end: number;
}

/** A passage that findings are about. */
export interface Mark extends Passage {
  /** The greatest rank of them, as `toRank` has it. */
  readonly rank: number;
  readonly findingIds: readonly string[];
}

/** A part of a text that has one mark, or none. */
export interface Piece {
  readonly text: string;
  readonly mark?: Mark | undefined;
}

interface Span extends Passage {
  readonly source: string;
}

function isSpan(value: unknown): value is Span {
  if (typeof value !== "object" || value === null) return false;
  const { source, start, end } = value as Partial<Span>;
  return typeof source === "string" && Number.isInteger(start) && Number.isInteger(end);
}

/** Text with each run of white space as one space, in small letters, and where each of its units stands in the source. */
function normalise(text: string): { readonly text: string; readonly places: readonly number[] } {
  const places: number[] = [];
  let normal = "";
  for (let at = 0; at < text.length; at++) {
    const unit = text.charAt(at);
    const isSpace = /\s/.test(unit);
    if (isSpace && normal.endsWith(" ")) continue;
    const small = unit.toLowerCase();
    normal += isSpace ? " " : small.length === 1 ? small : unit;
    places.push(at);
  }
  return { text: normal, places };
}

/** Text beyond this is searched for a quote only as it stands. */
const MAX_NORMALISED = 50_000;

/** Finds a quote in a text: as it stands, else in whatever letters and spaces; dots at its ends are no part of it. */
export function locateQuote(text: string, quote: string): Passage | undefined {
  const words = quote.replace(/^[\s….]+/, "").replace(/[\s…]+$/, "");
  if (words === "") return undefined;
  const start = text.indexOf(words);
  if (start !== -1) return { start, end: start + words.length };
  if (text.length > MAX_NORMALISED) return undefined;
  const normal = normalise(text);
  const wanted = normalise(words).text;
  const at = normal.text.indexOf(wanted);
  const [first, last] = [normal.places[at], normal.places[at + wanted.length - 1]];
  return at === -1 || first === undefined || last === undefined
    ? undefined
    : { start: first, end: last + 1 };
}

const overlaps = (one: Passage, other: Passage): boolean =>
  one.start < other.end && other.start < one.end;

/** Message of an exchange, as spans name it. */
export type TextSource = "agentResponse" | "userMessage";

/**
 * Finds where a finding stands in a message: by its spans, else by its quote.
 *
 * Where both are there and the words stand elsewhere, the words count: whoever cut or redacted the text has moved them.
 */
export function findPassages(
  text: string,
  context: ViolationContext | undefined,
  source: TextSource,
): Passage[] {
  const given: unknown = context?.["spans"];
  const all = Array.isArray(given) ? given.filter(isSpan) : [];
  const spans = all
    .filter((span) => span.source === source)
    .map(({ start, end }) => ({ start: Math.max(0, start), end: Math.min(end, text.length) }))
    .filter(({ start, end }) => start < end);
  // A quote from the other message must not be looked for in this one.
  if (all.length > 0 && spans.length === 0 && !all.some((span) => span.source === source))
    return [];
  const quoted = locateQuote(text, context?.detectedContent ?? "");
  if (spans.length === 0) return quoted ? [quoted] : [];
  return quoted && !spans.some((span) => overlaps(span, quoted)) ? [quoted] : spans;
}

/** A finding's passage, before it is merged with others. */
export interface FoundPassage extends Passage {
  readonly rank: number;
  readonly findingId: string;
}

/** Makes one mark of passages that overlap, as severe as the most severe of them. */
export function mergePassages(passages: readonly FoundPassage[]): Mark[] {
  const marks: Mark[] = [];
  for (const { findingId, rank, start, end } of passages.toSorted(
    (one, other) => one.start - other.start,
  )) {
    const last = marks.at(-1);
    if (!last || start >= last.end) {
      marks.push({ start, end, rank, findingIds: [findingId] });
      continue;
    }
    marks[marks.length - 1] = {
      start: last.start,
      end: Math.max(last.end, end),
      rank: Math.max(last.rank, rank),
      findingIds: [...new Set([...last.findingIds, findingId])],
    };
  }
  return marks;
}

/**
 * Cuts a part of a text where marks begin and end.
 *
 * @param at - Where the part stands in the text.
 */
export function cutAtMarks(text: string, at: number, marks: readonly Mark[]): Piece[] {
  const end = at + text.length;
  const pieces: Piece[] = [];
  let from = at;
  for (const mark of marks) {
    if (mark.end <= from) continue;
    if (mark.start >= end) break;
    const start = Math.max(mark.start, from);
    const until = Math.min(mark.end, end);
    if (start > from) pieces.push({ text: text.slice(from - at, start - at) });
    pieces.push({ text: text.slice(start - at, until - at), mark });
    from = until;
  }
  if (from < end) pieces.push({ text: text.slice(from - at) });
  return pieces;
}
