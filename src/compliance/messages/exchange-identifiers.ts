import type { Exchange } from "../../phrases/exchange.ts";
import type { Finding } from "../rule-definition.ts";
import type { SourceText } from "../../phrases/source-text.ts";
import { findAll, linear } from "../../text/pattern.ts";
import type { Identifier, IdentifierKind } from "../../identifiers/identifier.ts";
import { findInNormalText, MIN_SPOKEN_DIGITS, resolveOverlaps } from "../../identifiers/index.ts";
import { labelBefore, LABEL_REACH, mentions } from "../../identifiers/labels.ts";
import { findSocialSecurityNumbers } from "../../identifiers/social-security-numbers.ts";
import { findSplitNumbers } from "../../identifiers/split-numbers.ts";
import { readSpokenDigits } from "../../identifiers/spoken-digits.ts";

/** A sensitive value and the message that it stands in. */
export interface Mention {
  readonly text: SourceText;
  /** Its range is one of the normalised text. */
  readonly identifier: Identifier;
}

/** Names the message that a text is, at the start of a sentence. */
export function nameOf({ source }: SourceText): string {
  return source === "agentResponse" ? "The agent's answer" : "The user's message";
}

/** Returns the severity of a value in a message: what the user reveals about himself is no breach by the bank. */
function severityIn({ source }: SourceText): "violation" | "warning" {
  return source === "agentResponse" ? "violation" : "warning";
}

/** Makes a finding of a value in a message: that it "contains a card number". */
export function toMentionFinding({ text, identifier }: Mention, claim: string): Finding {
  const { form, certainty, start, end } = identifier;
  return {
    pattern: form,
    description: `${nameOf(text)} ${claim}.`,
    severity: severityIn(text),
    confidence: certainty,
    text,
    range: { start, end },
  };
}

const KINDS: ReadonlySet<IdentifierKind> = new Set([
  "card-number",
  "social-security-number",
  "account-number",
  "iban",
  "secret",
]);
/** Findings of one kind in one message beyond this number add nothing. */
const MAX_MENTIONS = 20;

const DIGITS = linear(/\d{2}/);
const NINE_DIGITS = linear(/(?<!\d)\d{9}(?!\d)/g);
const SENTENCE_END = linear(/[.!?]\s|\n/g);

/** Finds bare numbers that the message before asked for: "Your SSN?" – "Sure. It's 861449022". */
function findAnswered(text: string, before: SourceText | undefined): Identifier[] {
  const bare = before ? findAll(NINE_DIGITS, text) : [];
  if (!before || bare.length === 0) return [];
  const prefix = `${before.folded.slice(-LABEL_REACH)}\n`;
  if (!mentions(prefix, "social-security")) return [];
  return bare.slice(0, MAX_MENTIONS).flatMap(({ start, end }) => {
    const isNamed = labelBefore(text, start) !== undefined;
    // A number without a label answers from its own sentence on, however much was said before.
    const sentence = isNamed ? 0 : (findAll(SENTENCE_END, text.slice(0, start)).at(-1)?.end ?? 0);
    const shift = sentence - prefix.length;
    return findSocialSecurityNumbers(prefix + text.slice(sentence, end + LABEL_REACH))
      .map((found) => ({ ...found, start: found.start + shift, end: found.end + shift }))
      .filter((found) => found.start === start);
  });
}

/** A message that gives a part of a number says little else. */
const MAX_PART_LENGTH = 600;

/** Finds numbers that one side gives in parts, over several messages. */
function findOverTurns(text: SourceText, exchange: Exchange): Identifier[] {
  const isAgent = text.source === "agentResponse";
  const earlier = isAgent ? exchange.earlierAnswers : exchange.earlierMessages;
  if (earlier.length === 0 || text.folded.length > MAX_PART_LENGTH) return [];
  const last = readSpokenDigits(text.folded, MIN_SPOKEN_DIGITS);
  if (!DIGITS.test(last.text)) return [];
  const said = earlier.map(({ folded }) => readSpokenDigits(folded, MIN_SPOKEN_DIGITS).text);
  // What a number is often stands in the other side's words: "the rest of the card?"
  const others = isAgent
    ? [...exchange.earlierMessages, exchange.userMessage]
    : [...exchange.earlierAnswers, exchange.agentResponse];
  const topic = others.map((other) => other?.folded ?? "").join("\n");
  return findSplitNumbers([...said, last.text], topic).map((found) => ({
    ...found,
    ...last.toSource(found),
  }));
}

function findIn(text: SourceText, exchange: Exchange): Mention[] {
  const { folded } = text;
  const { userMessage, agentResponse, earlierMessages } = exchange;
  const isAgent = text.source === "agentResponse";
  // A user answers the question before; the agent answers the message of this turn.
  const before = isAgent ? userMessage : (exchange.earlierAnswers.at(-1) ?? earlierMessages.at(-1));
  const other = isAgent ? userMessage : agentResponse;
  text.work.spend(folded.length * KINDS.size);
  const found = resolveOverlaps([
    ...findInNormalText(folded, KINDS, other?.folded),
    ...findAnswered(folded, before),
    ...findOverTurns(text, exchange),
  ]);
  const counts = new Map<IdentifierKind, number>();
  return found.flatMap((identifier) => {
    const count = (counts.get(identifier.kind) ?? 0) + 1;
    counts.set(identifier.kind, count);
    return count > MAX_MENTIONS ? [] : [{ text, identifier }];
  });
}

const MENTIONS = Symbol("mentions");

/** Returns the sensitive values of a kind in both messages, read once for all rules. */
export function findMentions(exchange: Exchange, kind: IdentifierKind): readonly Mention[] {
  const found = exchange.once(MENTIONS, () =>
    [exchange.userMessage, exchange.agentResponse].flatMap((text) =>
      text ? findIn(text, exchange) : [],
    ),
  );
  return found.filter(({ identifier }) => identifier.kind === kind);
}
