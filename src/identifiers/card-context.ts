import { linear, linearLater, type Range } from "../text/pattern.ts";
import { oneOf } from "../text/word-patterns.ts";

/** How far before a number a brand, and the verb of a payment, may stand, in UTF-16 units. */
const REACH = 60;

const UNTIL = String.raw`\b(?:exp(?:ir(?:y|es|ing|ation))?|valid|good)\b`;
const MONTH_AND_YEAR = String.raw`(?:0?[1-9]|1[0-2])\s?[/-]?\s?(?:20)?[23]\d(?!\d)`;
const MONTH = String.raw`(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b`;
/** "valid to 04/29", "good through March": behind an order or a parcel stands no such date. */
const VALID_UNTIL = linearLater(
  () => String.raw`^[^\d]{0,20}${UNTIL}[^\d]{0,16}(?:${MONTH_AND_YEAR}|${MONTH})`,
  "i",
);
/** They end on a date as well. */
const EXPIRES = linearLater(
  () =>
    String.raw`\b${oneOf`
    member(?:ship)?|subscription|polic(?:y|ies)|warranty|certificate|permit|licen[cs]e|passport
    coupon|promo|voucher|offer|gift|pass|quote|application|docket|vin
    device|version|token|session
  `}\b`,
  "i",
);
const SECURITY_CODE = linear(
  /^.{0,40}\b(?:cvv2?|cvc2?|cv2|csc|security(?:\s(?:code|no|number))?)\b[^\d]{0,8}\d{3,4}(?!\d)/i,
);
/** "tickets on 4539 …" is paid with the number, "ticket 4539 …" is named by it. */
const PAYS = linear(
  /\b(?:put|bill|charg|pa(?:y|id)|book|buy|bought|renew|run|ran|settl|plac|purchas|cover|debit|tak|took|stick|throw|rent)(?:s|es|ed|e|ing)?\b/i,
);
const WITH = linear(
  /\s(?:on|onto|with|using|off|to|from|via|against)(?:\s(?:my|this|the|his|her|their|number|no\.?))?[\s:]{1,2}$/i,
);
const BRAND = linear(/\b(?:(visa)|(master\s?card)|(amex|american\sexpress)|(discover))\b/gi);
/** First digits of a brand's numbers, in the order of the groups above. */
const FIRST_DIGITS: readonly (readonly string[])[] = [["4"], ["5", "2"], ["34", "37"], ["6"]];

/** Returns whether a text names the brand that a number has. */
function namesBrand(text: string, digits: string): boolean {
  return Array.from(text.matchAll(BRAND)).some((match) =>
    FIRST_DIGITS.some(
      (starts, group) =>
        match[group + 1] !== undefined && starts.some((start) => digits.startsWith(start)),
    ),
  );
}

/** Returns whether a number is given as a card's, though another word may stand nearer to it: "airline tickets on …". */
export function isGivenAsCard(text: string, digits: string, { start, end }: Range): boolean {
  const before = text.slice(Math.max(0, start - REACH), start);
  const after = text.slice(end, end + REACH);
  return (
    (VALID_UNTIL.test(after) && !EXPIRES.test(before)) ||
    SECURITY_CODE.test(after) ||
    (WITH.test(before) && PAYS.test(before)) ||
    namesBrand(before, digits)
  );
}
