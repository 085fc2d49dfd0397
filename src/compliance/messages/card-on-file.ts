import { linearLater } from "../../text/pattern.ts";
import { oneOf } from "../../text/word-patterns.ts";

const CARD = String.raw`(?:cards?|visa|master\s?card|amex|discover|debit|credit)`;
const HELD = oneOf`
  on\sfile|on\srecord|saved|stored
  (?:i|you|we|they)(?:\s?(?:'ve|have|had))?(?:\salready)?\s(?:used?|saved?|stored?|entered|registered|linked|added|have|has|got|hold)
`;
/** "the card on file", "the Visa that I used at checkout", "my saved card". */
const ON_FILE = linearLater(
  () =>
    String.raw`\b${CARD}\b[^.?!\n]{0,24}\b${HELD}\b|` +
    String.raw`\b(?:saved|stored|linked|default|usual|registered|on-file)\s(?:\w{1,12}\s)?${CARD}\b`,
  "i",
);

/** Returns whether a message speaks of a card that the bank or the shop holds already. */
export function isAboutCardOnFile(message: string): boolean {
  return ON_FILE.test(message);
}
