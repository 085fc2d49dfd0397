import { BoundedMap } from "../util/bounded-map.ts";
import type { RedactedKind } from "../config/redact-options.ts";

/** Redaction rule of a member, derived from its name. */
export interface NameRule {
  /** The value is of this kind in any form. */
  readonly kind?: RedactedKind;
  /** The value is of this kind if it consists of digits. */
  readonly kindOfDigits?: RedactedKind;
  /** The value is an identifier: numbers in it need no second check. */
  readonly isIdentifier?: true;
}

// Names with their words joined; they match at the end of a longer name as well: `customerSsn`.
const KINDS_OF_NAMES: Readonly<Record<RedactedKind, string>> = {
  secret:
    "password passwd pwd passphrase passcode pin pincode pinnumber cvv cvv2 cvc cvc2 securitycode otp onetimepasscode " +
    "authorization proxyauthorization cookie setcookie apikey accesstoken refreshtoken idtoken authtoken bearertoken " +
    "sessiontoken clientsecret secretkey privatekey accesskey accesskeyid secretaccesskey connectionstring credential " +
    "credentials mothersmaidenname securityanswer",
  ssn: "ssn itin tin taxid taxidnumber taxpayerid socialsecurity socialsecuritynumber",
  account:
    "accountnumber accountno accountnum acctnumber acctno acctnum bankaccount bankaccountnumber",
  card: "cardnumber cardno cardnum pan creditcard debitcard primaryaccountnumber",
  iban: "iban",
  email: "email emailaddress mail",
  phone: "phone phonenumber phoneno telephone telephonenumber mobile mobilenumber cellphone fax",
};

/** Names that match only as a whole: as the last word they are too common. */
const WHOLE_NAMES: ReadonlySet<string> = new Set(["token", "secret", "auth", "jwt"]);
const DIGIT_NAMES: Readonly<Record<string, RedactedKind>> = {
  account: "account",
  acct: "account",
  card: "card",
  routingnumber: "account",
};
const IDENTIFIER_WORDS: ReadonlySet<string> = new Set(["id", "ids", "uid", "uuid", "guid"]);

const KIND_OF_NAME: ReadonlyMap<string, RedactedKind> = new Map(
  (Object.entries(KINDS_OF_NAMES) as [RedactedKind, string][]).flatMap(([kind, names]) =>
    names.split(" ").map((name): [string, RedactedKind] => [name, kind]),
  ),
);

const NONE: NameRule = {};
const MAX_NAME_LENGTH = 128;
const MAX_NAME_WORDS = 4;
const MAX_REMEMBERED = 4096;

/** Splits a name into its words: `api_key`, `apiKey`, `x-api-key` and `API key` alike. */
function toWords(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");
}

function readName(name: string): NameRule {
  const words = toWords(name.slice(-MAX_NAME_LENGTH));
  const last = words.at(-1);
  if (last === undefined) return NONE;
  for (let count = Math.min(MAX_NAME_WORDS, words.length); count > 0; count--) {
    const tail = words.slice(-count).join("");
    const kind = KIND_OF_NAME.get(tail);
    if (kind) return { kind };
    const kindOfDigits = Object.hasOwn(DIGIT_NAMES, tail) ? DIGIT_NAMES[tail] : undefined;
    if (kindOfDigits) return { kindOfDigits };
  }
  if (WHOLE_NAMES.has(last) && (words.length === 1 || name.endsWith(`.${last}`)))
    return { kind: "secret" };
  return IDENTIFIER_WORDS.has(last) ? { isIdentifier: true } : NONE;
}

const remembered = new BoundedMap<string, NameRule>(MAX_REMEMBERED);

/** Returns the rule of a member's name; names recur, so rules are cached. */
export function toNameRule(name: string): NameRule {
  if (name.length > MAX_NAME_LENGTH) return readName(name);
  let rule = remembered.get(name);
  if (!rule) {
    rule = readName(name);
    remembered.set(name, rule);
  }
  return rule;
}
