import { linear } from "../text/pattern.ts";
import { traitsOf } from "../text/traits.ts";
import type { Identifier } from "./identifier.ts";
import { isPlaceholder } from "./placeholders.ts";
import { SECRET_FORMATS, type SecretFormat } from "./secret-formats.ts";

/** A credential in a text. */
export interface Secret extends Identifier {
  readonly kind: "secret";
}

/** A value behind a colon may be prose ("Password: choose…") unless it looks made by a machine. */
const MIN_LABELLED_LENGTH = 10;

const LETTER = linear(/[A-Za-z]/);
const DIGIT = linear(/\d/);
const NUMBER_OR_DATE = linear(/^[\d\-./:+TZ]+$/);
const UUID = linear(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i);
const WORDS = linear(/^[A-Za-z]{1,24}(?:[_\-./][A-Za-z]{1,24}){0,8}[.!?)]{0,2}$/);
const IS_PASSWORD = linear(/^pass|^pwd/i);
const NEXT_PARAMETER = linear(/&[A-Za-z_]{1,40}=/);
const KEY_END = linear(/-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/);

type Groups = Readonly<Record<string, string | undefined>>;

/** Returns whether a value looks made by a machine: letters and digits, and no word, number, date or id. */
function isMixed(value: string): boolean {
  return (
    LETTER.test(value) && DIGIT.test(value) && !UUID.test(value) && !NUMBER_OR_DATE.test(value)
  );
}

function isSecretValue(
  { form }: SecretFormat,
  label: string,
  value: string,
  groups: Groups,
): boolean {
  if (form === "private-key") return true;
  if (isPlaceholder(value)) return false;
  switch (form) {
    case "assignment":
      if (groups["sign"] === "=" && IS_PASSWORD.test(label)) return !NUMBER_OR_DATE.test(value);
      return value.length >= MIN_LABELLED_LENGTH && isMixed(value) && !WORDS.test(value);
    case "bearer-token":
      return isMixed(value);
    default:
      return true;
  }
}

function toSecret(format: SecretFormat, match: RegExpExecArray): Secret | undefined {
  const groups = match.groups ?? {};
  const [value = ""] = (groups["value"] ?? match[0]).split(NEXT_PARAMETER, 1);
  if (!isSecretValue(format, match[0], value, groups)) return undefined;
  // Behind the value stands at most a sign, before it its label.
  const start = match.index + match[0].lastIndexOf(groups["value"] ?? match[0]);
  const keyEnd = format.form === "private-key" ? KEY_END.exec(match[0]) : null;
  const end = keyEnd ? start + keyEnd.index + keyEnd[0].length : start + value.length;
  return { kind: "secret", form: format.form, certainty: format.certainty, start, end };
}

/** Returns of each secret, in the order of the text, whether it stands apart from those of other formats. */
function createFreeTest(found: readonly Secret[]): (secret: Secret) => boolean {
  const others = found.toSorted((one, other) => one.start - other.start);
  let near = 0;
  return ({ start, end }) => {
    while ((others[near]?.end ?? Infinity) <= start) near++;
    return (others[near]?.start ?? Infinity) >= end;
  };
}

/**
 * Finds credentials: private keys, passwords in connection strings and assignments, tokens and keys of well-known
 * vendors.
 *
 * Placeholders, digests and identifiers are none. A range covers the secret itself and not the words around it.
 */
export function findSecrets(text: string): Secret[] {
  const traits = traitsOf(text);
  const secrets: Secret[] = [];
  for (const format of SECRET_FORMATS) {
    const isFree = createFreeTest(secrets);
    if ((format.needs && !traits[format.needs]) || format.cue?.test(text) === false) continue;
    format.pattern.lastIndex = 0;
    for (const match of text.matchAll(format.pattern)) {
      const secret = toSecret(format, match);
      if (secret && isFree(secret)) secrets.push(secret);
    }
  }
  return secrets;
}
