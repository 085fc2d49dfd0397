/** One signature that a request carries. */
export interface GivenSignature {
  /** Names of the components that are signed, in order. */
  readonly names: readonly string[];
  /** The member of `Signature-Input` without its label, as received: it is signed as well. */
  readonly parameters: string;
  /** Seconds since the Unix epoch. */
  readonly created: number | undefined;
  readonly keyId: string | undefined;
  readonly algorithm: string | undefined;
  readonly signature: Buffer;
}

const LABEL = String.raw`([a-z*][a-z0-9_.*-]*)`;
const STRING = String.raw`"(?:[^"\\]|\\["\\])*"`;
// Components with parameters (`"x";req`) are not understood, hence no signature of them is found.
const LIST = String.raw`\((?:"[^"\\ ]+"(?: "[^"\\ ]+")*)?\)`;
const PARAMETERS = String.raw`(?:;[a-z*][a-z0-9_.*-]*=(?:-?\d{1,15}|${STRING}))*`;
// The whole header is one member: who signs twice is not known here.
const INPUT = new RegExp(`^${LABEL}=(${LIST}${PARAMETERS})$`);
const SIGNATURE = new RegExp(`^${LABEL}=:([A-Za-z0-9+/]{43}=):$`);

function toParameters(text: string): ReadonlyMap<string, string> {
  const found = text.matchAll(new RegExp(`;([a-z0-9_.*-]+)=(-?\\d{1,15}|${STRING})`, "g"));
  return new Map([...found].map(([, name = "", value = ""]) => [name, value]));
}

function toText(value: string | undefined): string | undefined {
  return value?.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(["\\])/g, "$1") : undefined;
}

/**
 * Reads the one signature of a request; `undefined` when there is none in the form that the SDK writes.
 *
 * @see RFC 9421, 4
 */
export function parseSignature(input: string, signature: string): GivenSignature | undefined {
  const [, label, parameters] = INPUT.exec(input.trim()) ?? [];
  const [, signedLabel, base64 = ""] = SIGNATURE.exec(signature.trim()) ?? [];
  if (label === undefined || parameters === undefined || label !== signedLabel) return undefined;
  const end = parameters.indexOf(")");
  const values = toParameters(parameters.slice(end + 1));
  const created = values.get("created");
  return {
    names: [...parameters.slice(0, end).matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name),
    parameters,
    created: created !== undefined && /^\d+$/.test(created) ? Number(created) : undefined,
    keyId: toText(values.get("keyid")),
    algorithm: toText(values.get("alg")),
    signature: Buffer.from(base64, "base64"),
  };
}
