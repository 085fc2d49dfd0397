import { rememberLatest } from "../text/latest.ts";
import { findAll, linear, type Range } from "../text/pattern.ts";
import { oneOf } from "../text/word-patterns.ts";
import { wordSet } from "../text/word-set.ts";

/** What the words around a number call it. */
export type LabelKind = "card" | "social-security" | "account" | "routing" | "phone" | "otherwise";

/** The label nearest to a number. */
export interface Label {
  readonly kind: LabelKind;
  /** Only words such as "number" or "is" stand between the label and the number. */
  readonly isAdjacent: boolean;
}

/** How far from a number its label may stand, in UTF-16 units. */
export const LABEL_REACH = 60;

/** "The second part", "in two parts", "part one" name parts of a number, and "part 4410" another number. */
const NO_PART = oneOf`
  first|front|area|initial|opening|leading|left|top|upper|second|third|other
  last|final|closing|bottom|lower|back|right
  in|some|several|two|three|four|[2-5]
`;
const OTHER_NAMES = oneOf`
  orders?|invoice|bill|receipt|booking|reservation|flight|tracking|shipment|parcel
  item|product|lot|sku|model|serial|device|catalog(?:ue)?|isbn|ean|upc|gtin|barcode|imei|iccid
  reference|ref|confirmation|tickets?|case|request|claim|docket|trace|session|message|event
  application|transaction|txn|batch|timestamp|correlation|version|build|terminal
  customer|client|employee|merchant|member(?:ship)?|polic(?:y|ies)|loans?
  isin|cusip|ein|feins?|employer\sid\w{0,12}|npi|nmls|duns|patent|permit|licen[cs]e|passport|vin
  zip|postal|postcode|coupon|promo|voucher|(?<!\b${NO_PART}\s)parts?(?!\s(?:one|two|three|four|[a-d1-4])\b)
`;

/** Words that name a number, by what they make it. */
const WORDS_OF: Readonly<Record<LabelKind, string>> = {
  card: oneOf`
    cards?|pan|plastic|debit|credit|cvv2?|cvc2?|expir(?:y|es|ing|ation)|exp
    visa|master\s?card|amex|american\sexpress|discover|maestro|diners|jcb|union\s?pay
  `,
  "social-security": oneOf`
    ssns?|s[\s.-]s[\s.-]n|ss[\s_-]?(?:#|no\b|num(?:ber)?)|sosh|soc\.?[\s_-]?sec
    socials?(?!\s(?:media|network|work|club|impact|event))(?:[\s_-]?sec(?:urity)?)?
    itins?|tins?|tax(?:[\s_-]?payer)?(?:'s)?[\s_-]?(?:id|ident\w{0,11}|number|no)
  `,
  account: oneOf`accounts?|accts?|acc|a/c|acnt|dda|cuenta|checking|savings|iban`,
  routing: oneOf`routing|aba|rtn|transit|sort\scode|swift|bic`,
  phone: oneOf`
    (?:tele)?phones?|tel|call|dial|ring|fax|mobile|cell|text|sms|whatsapp|hotline|helpline|pager
  `,
  otherwise: String.raw`${OTHER_NAMES}(?:[\s_-]?(?:ids?|no|nr|num(?:ber)?|ref|code))?`,
};
const KINDS = Object.keys(WORDS_OF) as LabelKind[];

function toPattern(words: string): RegExp {
  return linear(new RegExp(String.raw`(?<![A-Za-z])(?:${words})(?![A-Za-z])`, "gi"));
}

/** One group for each kind, in their order. */
const LABEL = toPattern(KINDS.map((kind) => `(${WORDS_OF[kind]})`).join("|"));
const MENTIONS: ReadonlyMap<LabelKind, RegExp> = new Map(
  KINDS.map((kind) => [kind, toPattern(WORDS_OF[kind])]),
);

const CONNECTORS = wordSet(`
  number numbers no num nr id ids code line value is are was were be will has have had it its s
  the a an your our my his her their me us this that here of on for at to with as under
  read reads called see
`);

const LETTER = linear(/[A-Za-z]/);
const WORDS = linear(/[A-Za-z]+/g);
const NAME = linear(/^[A-Z][a-z]+$/);
const NEXT_NUMBER = linear(/[,:;\n]/);
/** "No. 12" ends no sentence. */
export const DIGIT_OR_END = linear(/\d|(?<!\b[Nn]o|\b[Nn]r|\b[Aa]cct)\.\s|[?!]\s/);

function isConnecting(between: string, fillers?: ReadonlySet<string>): boolean {
  if (DIGIT_OR_END.test(between)) return false;
  return findAll(WORDS, between).every(({ start, end }) => {
    const word = between.slice(start, end);
    // "The account of Maria Lopez is …".
    const plain = word.toLowerCase();
    return CONNECTORS.has(plain) || fillers?.has(plain) === true || NAME.test(word);
  });
}

const ROLE = linear(/^(?:customer|client|employee|member|merchant)$/i);
/** "customer Ivo Brandl, …": what follows the name is not the number of a customer by that word alone. */
const NAMED_PERSON = linear(
  /^:?\s(?:[A-Z][\w\u00c0-\u024f'.-]{0,20}\s){1,3}[A-Z][\w\u00c0-\u024f'-]{1,20},/,
);

const SHORT_FORM = linear(/\b(?:no|nr|num|acct|ref)$/i);
const FULL_STOP = linear(/^\.\s/);

interface FoundLabel extends Range {
  readonly kind: LabelKind;
}

/** Each detector asks for the labels around the same numbers. */
const labelsIn = rememberLatest((window): readonly FoundLabel[] => {
  if (!LETTER.test(window)) return [];
  return Array.from(window.matchAll(LABEL), (match) => {
    const group = match.slice(1).findIndex((words) => words !== undefined);
    const start = match.index;
    return { kind: KINDS[group] ?? "otherwise", start, end: start + match[0].length };
  }).filter(
    ({ start, end }) =>
      !(ROLE.test(window.slice(start, end)) && NAMED_PERSON.test(window.slice(end))),
  );
});

/**
 * Returns the last label before a position.
 *
 * @param fillers - Words, beside the usual ones, that may stand between a label and the number that it names.
 */
export function labelBefore(
  text: string,
  position: number,
  fillers?: ReadonlySet<string>,
): Label | undefined {
  const window = text.slice(Math.max(0, position - LABEL_REACH), position);
  const nearest = labelsIn(window).at(-1);
  if (!nearest) return undefined;
  const between = window.slice(nearest.end);
  // The full stop of "Employee no. 12" ends no sentence.
  const isShort = SHORT_FORM.test(window.slice(nearest.start, nearest.end));
  const isAdjacent = isConnecting(isShort ? between.replace(FULL_STOP, " ") : between, fillers);
  return { kind: nearest.kind, isAdjacent };
}

/** Returns the label that a number is called by behind it: "… is my account number". */
export function labelAfter(text: string, position: number): LabelKind | undefined {
  const window = text.slice(position, position + LABEL_REACH);
  const [nearest] = labelsIn(window);
  if (!nearest) return undefined;
  const between = window.slice(0, nearest.start);
  // What follows a comma or a colon is the label of the next number.
  return isConnecting(between) && between.trim() !== "" && !NEXT_NUMBER.test(between)
    ? nearest.kind
    : undefined;
}

/** Returns whether a text speaks of something. */
export function mentions(text: string, kind: LabelKind): boolean {
  return text.search(MENTIONS.get(kind) ?? LABEL) >= 0;
}

/** Returns whether a word of a kind stands near a number, on either side. */
export function isNear(text: string, { start, end }: Range, kind: LabelKind): boolean {
  return (
    mentions(text.slice(Math.max(0, start - LABEL_REACH), start), kind) ||
    mentions(text.slice(end, end + LABEL_REACH), kind)
  );
}
