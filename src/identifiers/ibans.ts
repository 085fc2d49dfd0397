import { findAll, linear, type Range } from "../text/pattern.ts";
import { createMaker, type Identifier } from "./identifier.ts";

// ISO 3166 code and length, from the registry of SWIFT (release 99).
const LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 " +
    "ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 " +
    "LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 " +
    "PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** Makes a found number out of what it was recognised by and where it stands. */
export const toIban: (form: "checksum" | "split", range: Range) => Identifier = createMaker(
  "iban",
  { checksum: 0.99, split: 0.95 },
);

const COUNTRY_LENGTH = 2;
const HEAD_LENGTH = 4;
/** An IBAN is mostly digits; words that happen to fit are not. */
const MIN_DIGIT_SHARE = 0.4;
const MAX_GAP = 3;

const START = linear(/(?<![A-Za-z0-9])[A-Za-z][\s.-]?[A-Za-z][\s\-./]{0,2}\d[\s\-./]{0,2}\d/g);
const ALPHANUMERIC = linear(/^[A-Za-z0-9]$/);
const SEPARATOR = linear(/^[\s\-./_,\u00b7]$/);
const NOT_LETTER = linear(/[^A-Za-z]/g);
const DIGIT = linear(/\d/g);

/** Reads alphanumerics with separators between them; `undefined` unless exactly `length` of them stand there. */
function readExactly(
  text: string,
  start: number,
  length: number,
): { value: string; end: number } | undefined {
  let value = "";
  let gap = 0;
  let position = start;
  for (; value.length < length && position < text.length; position++) {
    const character = text.charAt(position);
    if (ALPHANUMERIC.test(character)) {
      value += character;
      gap = 0;
    } else if (!SEPARATOR.test(character) || ++gap > MAX_GAP) return undefined;
  }
  // A prefix of a longer number passes by chance: only the whole counts.
  const isWhole = value.length === length && !ALPHANUMERIC.test(text.charAt(position));
  return isWhole ? { value: value.toUpperCase(), end: position } : undefined;
}

/** Returns the remainder of ISO 7064 mod 97-10, letters read as 10 to 35. */
function remainderOf(value: string): number {
  let remainder = 0;
  for (const character of value.slice(HEAD_LENGTH) + value.slice(0, HEAD_LENGTH)) {
    const number = Number.parseInt(character, 36);
    remainder = (remainder * (number > 9 ? 100 : 10) + number) % 97;
  }
  return remainder;
}

/**
 * Returns whether a value without separators is an IBAN: exact length of its country, check digits valid.
 *
 * @see ISO 13616-1
 */
export function isIban(value: string): boolean {
  return LENGTHS.get(value.slice(0, COUNTRY_LENGTH)) === value.length && remainderOf(value) === 1;
}

/** Finds international bank account numbers, in upper or lower case, in one piece or in groups. */
export function findIbans(text: string): Identifier[] {
  const ibans: Identifier[] = [];
  for (const { start } of findAll(START, text)) {
    const country = text
      .slice(start, start + 3)
      .replace(NOT_LETTER, "")
      .slice(0, COUNTRY_LENGTH);
    const length = LENGTHS.get(country.toUpperCase());
    const read = length === undefined ? undefined : readExactly(text, start, length);
    if (!read || !isIban(read.value)) continue;
    if (findAll(DIGIT, read.value).length < read.value.length * MIN_DIGIT_SHARE) continue;
    ibans.push(toIban("checksum", { start, end: read.end }));
  }
  return ibans;
}
