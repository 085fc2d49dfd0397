import { createHmac, type KeyObject } from "node:crypto";

/** What customers are called where nobody may know who they are. */
export interface Pseudonyms {
  /** Returns the pseudonym of a customer's id: the same id has the same one, as long as the key stays. */
  readonly toPseudonym: (id: string) => string;
  /** Differs from key to key, and shows nothing of it. */
  readonly fingerprint: string;
}

// One letter for each hexadecimal digit: a pseudonym without digits is never taken for a number, nor for a word.
const LETTERS = "bcdfghjkmnpqrstv";
/** 48 bits: of a million customers, two have the same pseudonym with a probability of 0.2 %. */
const LENGTH = 12;
const PSEUDONYM = new RegExp(`^customer-[${LETTERS}]{${LENGTH}}$`);

/** Returns whether a text has the form of a pseudonym. */
export function isPseudonym(text: string): boolean {
  return PSEUDONYM.test(text);
}

function toLetters(hex: string): string {
  return hex.replaceAll(/./g, (digit) => LETTERS.charAt(Number.parseInt(digit, 16)));
}

/** Creates the pseudonyms of a key: HMAC-SHA-256 of the id, cut. @see RFC 2104 */
export function createPseudonyms(key: KeyObject): Pseudonyms {
  const sign = (text: string): string => createHmac("sha256", key).update(text).digest("hex");
  return {
    toPseudonym: (id) => `customer-${toLetters(sign(`customer\n${id}`).slice(0, LENGTH))}`,
    fingerprint: sign("fingerprint").slice(0, 16),
  };
}
