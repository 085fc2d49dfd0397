import { linear } from "../text/pattern.ts";
import type { Identifier } from "./identifier.ts";

/** An e-mail address in a text. */
export interface EmailAddress extends Identifier {
  readonly kind: "email-address";
  readonly form: "address";
}

/** Longest local part, in octets (RFC 5321, 4.5.3.1.1). */
const MAX_LOCAL_LENGTH = 64;
const MAX_DOMAIN_LENGTH = 253;
const CERTAINTY = 0.95;

const LOCAL_CHARACTER = linear(/^[\p{L}\p{N}._%+'-]$/u);
const LOCAL_EDGE = linear(/^[.']$/);
const DOMAIN = linear(
  /^[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,7}\.[A-Za-z]{2,24}(?![A-Za-z0-9])/,
);

function localStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < MAX_LOCAL_LENGTH && LOCAL_CHARACTER.test(text.charAt(start - 1)))
    start--;
  while (start < at && LOCAL_EDGE.test(text.charAt(start))) start++;
  return start;
}

/**
 * Finds e-mail addresses; used for redaction only, because an address in a message is no breach.
 *
 * @see RFC 5321
 */
export function findEmailAddresses(text: string): EmailAddress[] {
  const addresses: EmailAddress[] = [];
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    const start = localStart(text, at);
    const domain = DOMAIN.exec(text.slice(at + 1, at + 1 + MAX_DOMAIN_LENGTH));
    if (start === at || !domain) continue;
    const end = at + 1 + domain[0].length;
    addresses.push({ kind: "email-address", form: "address", certainty: CERTAINTY, start, end });
  }
  return addresses;
}
