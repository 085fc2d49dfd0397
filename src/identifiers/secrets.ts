import { linear, linearLater } from "../text/pattern.ts";
import { traitsOf } from "../text/traits.ts";
import { oneOf } from "../text/word-patterns.ts";
import type { Identifier } from "./identifier.ts";

/** How a kind of credential is recognised. */
interface SecretFormat {
  readonly form: string;
  readonly certainty: number;
  /** A value of the format; the group `value`, where there is one, is the secret in it. */
  readonly pattern: RegExp;
  /** What a text must have to hold one; most texts have not. */
  readonly needs?: "hasLongToken" | "hasAssignment";
  /** Cheap test that a text must pass first. */
  readonly cue?: RegExp;
}

/** Looks at what stands before each sign that assigns, of which texts have few. */
const ASSIGNMENT = linear(/[:=](?<=(?:passw|pwd|passphrase|secret|token|key)[a-z"'_ ]{0,12}[:=])/i);

/** A key whose beginning names the vendor, which stands by itself. */
function vendorKey(key: string): SecretFormat {
  const pattern = linear(new RegExp(`(?<![A-Za-z0-9])${key}(?![A-Za-z0-9])`, "g"));
  return { form: "vendor-key", certainty: 0.98, needs: "hasLongToken", pattern };
}

const SECRET_NAME = oneOf`
  password|passwd|pwd|passphrase|secret|token
  (?:api|access|account|private|signing|encryption|master|service)[_\- ]?key|secret[_\- ]access[_\- ]key
`;

/** Formats of credentials, the most specific first. */
const SECRET_FORMATS: readonly SecretFormat[] = [
  {
    form: "private-key",
    certainty: 0.99,
    cue: linear(/-----(?:BEGIN|END)/),
    pattern: linear(
      /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----[A-Za-z0-9+/=\s:,\\-]{0,8000}/g,
    ),
  },
  {
    form: "connection-string",
    certainty: 0.95,
    cue: linear(/:\/\//),
    pattern: linear(/:\/\/[^\s:@/"'<>?#]{0,64}:(?<value>[^\s@/"'<>]{3,128})@/g),
  },
  {
    form: "webhook",
    certainty: 0.95,
    needs: "hasLongToken",
    cue: linear(/hooks\.slack|\/webhooks\//i),
    pattern: linear(
      /\b(?:hooks\.slack\.com\/services\/|discord(?:app)?\.com\/api\/webhooks\/)(?<value>[A-Za-z0-9_/-]{20,120})/g,
    ),
  },
  {
    form: "web-token",
    certainty: 0.98,
    needs: "hasLongToken",
    cue: linear(/eyJ/),
    pattern: linear(
      /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,6000}(?:\.[A-Za-z0-9_-]{0,2000})?/g,
    ),
  },
  vendorKey(oneOf`
    (?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}
    sk-(?:ant-|proj-|or-v1-|svcacct-|lf-)?[A-Za-z0-9_-]{20,200}
    (?:sk|rk)_live_[A-Za-z0-9]{16,120}
    whsec_[A-Za-z0-9+/]{20,100}
    gh[opsur]_[A-Za-z0-9]{30,255}
    github_pat_[A-Za-z0-9_]{22,255}
    gl(?:pat|dt|ptt|rt)-[A-Za-z0-9_-]{20,100}
    xox[abeoprs]-[A-Za-z0-9-]{10,250}
    xapp-\d-[A-Za-z0-9-]{10,200}
    AIza[A-Za-z0-9_-]{35}
    ya29\.[A-Za-z0-9_-]{20,300}
    GOCSPX-[A-Za-z0-9_-]{20,60}
    SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}
  `),
  vendorKey(oneOf`
    npm_[A-Za-z0-9]{36}
    pypi-[A-Za-z0-9_-]{50,250}
    hf_[A-Za-z0-9]{30,60}
    shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}
    do[opr]_v1_[a-f0-9]{64}
    hv[sbr]\.[A-Za-z0-9_-]{24,200}
    s\.[A-Za-z0-9]{24}
    AGE-SECRET-KEY-1[A-Z0-9]{58}
    PMAK-[a-f0-9]{24}-[a-f0-9]{34}
    dapi[a-f0-9]{32}
    gsk_[A-Za-z0-9]{40,80}
    pplx-[A-Za-z0-9]{40,80}
    xai-[A-Za-z0-9]{40,120}
  `),
  vendorKey(oneOf`
    nvapi-[A-Za-z0-9_-]{40,100}
    r8_[A-Za-z0-9]{30,60}
    glsa_[A-Za-z0-9_]{30,80}
    NRAK-[A-Z0-9]{27}
    sntry[su]_[A-Za-z0-9+/=_-]{40,250}
    ATATT3[A-Za-z0-9_=-]{50,300}
    tskey-[a-z]{3,8}-[A-Za-z0-9-]{16,80}
    EAAA[A-Za-z0-9_-]{58,62}
    sq0[a-z]{3}-[A-Za-z0-9_-]{22,60}
    lin_api_[A-Za-z0-9]{32,60}
    figd_[A-Za-z0-9_-]{36,60}
    key-[a-f0-9]{32}
    \d{8,10}:AA[A-Za-z0-9_-]{33}
  `),
  {
    form: "bearer-token",
    certainty: 0.9,
    needs: "hasLongToken",
    cue: linear(/\b(?:bearer|basic)\s/i),
    pattern: linear(
      /\b(?:bearer\s{1,3}|authorization["']?\s{0,2}[:=]\s{0,2}["']?basic\s{1,3})(?<value>[A-Za-z0-9._~+/-]{16,2000}={0,2})/gi,
    ),
  },
  {
    form: "assignment",
    certainty: 0.9,
    needs: "hasAssignment",
    cue: ASSIGNMENT,
    pattern: linear(
      new RegExp(
        String.raw`${SECRET_NAME}["']?\s{0,2}(?<sign>[:=])\s{0,2}["']?(?<value>[^\s"'\`,;|]{6,200})`,
        "gi",
      ),
    ),
  },
];

const MIN_DISTINCT = 4;

const PLACEHOLDER_WORD = linearLater(
  () => oneOf`
    your|example|sample|dummy|fake|placeholder|replace|insert|changeme|change[_-]me
    redacted|masked|hidden|removed|secret[_-]?here|test[_-]?(?:key|token)
    xxx|\.\.\.|\*\*\*|12345678|abcdef
    process\.env|os\.environ|getenv
  `,
  "i",
);
const TEMPLATE = linear(/^(?:[<[({$%].*|.*[>}\])])$/);
const NOTHING = linear(
  /^(?:null|none|nil|true|false|undefined|empty|n\/a|password|passwd|pwd|secret|token|string)$/i,
);

/** Returns whether a value only stands for one: `YOUR_API_KEY`, `<token>`, `********`, `${PASSWORD}`. */
function isPlaceholder(value: string): boolean {
  return (
    new Set(value).size < MIN_DISTINCT ||
    TEMPLATE.test(value) ||
    NOTHING.test(value) ||
    PLACEHOLDER_WORD.test(value)
  );
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

/** Returns whether a value looks made by a machine: letters and digits, and no word, number, date or id. */
function isMixed(value: string): boolean {
  return (
    LETTER.test(value) && DIGIT.test(value) && !UUID.test(value) && !NUMBER_OR_DATE.test(value)
  );
}

function isSecretValue(form: string, value: string, { 0: all, groups }: RegExpExecArray): boolean {
  if (form === "private-key") return true;
  if (isPlaceholder(value)) return false;
  switch (form) {
    case "assignment":
      if (groups?.["sign"] === "=" && IS_PASSWORD.test(all)) return !NUMBER_OR_DATE.test(value);
      return value.length >= MIN_LABELLED_LENGTH && isMixed(value) && !WORDS.test(value);
    case "bearer-token":
      return isMixed(value);
    default:
      return true;
  }
}

function toSecret(
  { form, certainty }: SecretFormat,
  match: RegExpExecArray,
): Identifier | undefined {
  const [all] = match;
  const given = match.groups?.["value"] ?? all;
  const [value = ""] = given.split(NEXT_PARAMETER, 1);
  if (!isSecretValue(form, value, match)) return undefined;
  // Behind the value stands at most a sign, before it its label.
  const start = match.index + all.lastIndexOf(given);
  const keyEnd = form === "private-key" ? KEY_END.exec(all) : null;
  const end = keyEnd ? start + keyEnd.index + keyEnd[0].length : start + value.length;
  return { kind: "secret", form, certainty, start, end };
}

/** Returns of each secret, in the order of the text, whether it stands apart from those of other formats. */
function createFreeTest(found: readonly Identifier[]): (secret: Identifier) => boolean {
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
export function findSecrets(text: string): Identifier[] {
  const traits = traitsOf(text);
  const secrets: Identifier[] = [];
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
