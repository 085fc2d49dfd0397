import type { RedactedKind } from "../../src/config/redact-options.ts";

/** One valid value of each kind, as it stands in a text, and what of it must not be left. */
export const VALUES: Readonly<
  Record<RedactedKind, { readonly text: string; readonly value: string }>
> = {
  card: { text: "my card is 4539 5787 6362 1486, exp 12/27", value: "4539 5787 6362 1486" },
  ssn: { text: "her SSN is 536-22-8147.", value: "536-22-8147" },
  account: {
    text: "wire it to account number 483920175566, routing number 021000021",
    value: "483920175566",
  },
  iban: { text: "IBAN DE89 3704 0044 0532 0130 00 please", value: "DE89 3704 0044 0532 0130 00" },
  secret: { text: "the key is AKIAZ7QX4M2PLN5RT6WD today", value: "AKIAZ7QX4M2PLN5RT6WD" },
  email: { text: "write to jane.roe@customer-mail.org", value: "jane.roe@customer-mail.org" },
  phone: { text: "call me at (415) 867-4402 tonight", value: "(415) 867-4402" },
};

/** All of them in one text. */
export const EVERYTHING = Object.values(VALUES)
  .map(({ text }) => text)
  .join(" ; ");

/** What must not be found in anything that is redacted; spaces and dashes out of numbers as well. */
export const CANARIES: readonly string[] = [
  ...new Set(
    Object.values(VALUES).flatMap(({ value }) => [value, value.replaceAll(/[\s()-]/g, "")]),
  ),
];
