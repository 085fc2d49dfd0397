import { type KeyObject, timingSafeEqual } from "node:crypto";
import {
  CONTENT_DIGEST_HEADER,
  IDEMPOTENCY_HEADER,
  SIGNATURE_HEADER,
  SIGNATURE_INPUT_HEADER,
  SIGNED_COMPONENTS,
} from "../events/wire.ts";
import {
  SIGNATURE_ALGORITHM,
  type SignatureComponent,
  signBase,
  toSignatureBase,
} from "../util/http-signature.ts";

const LABEL = String.raw`([a-z*][a-z0-9_.*-]*)`;
const STRING = String.raw`"(?:[^"\\]|\\["\\])*"`;
// Components with parameters (`"x";req`) are not supported, hence no signature with them is found.
const LIST = String.raw`\((?:"[^"\\ ]+"(?: "[^"\\ ]+")*)?\)`;
const PARAMETERS = String.raw`(?:;[a-z*][a-z0-9_.*-]*=(?:-?\d{1,15}|${STRING}))*`;
// The whole header is one member: double signatures are not supported.
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
export function parseSignature(input: string, signature: string) {
  const [, label, parameters] = INPUT.exec(input.trim()) ?? [];
  const [, signedLabel, base64 = ""] = SIGNATURE.exec(signature.trim()) ?? [];
  if (label === undefined || parameters === undefined || label !== signedLabel) return undefined;
  const end = parameters.indexOf(")");
  const values = toParameters(parameters.slice(end + 1));
  const created = values.get("created");
  return {
    /** Names of the components that are signed, in order. */
    names: [...parameters.slice(0, end).matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name),
    /** The member of `Signature-Input` without its label, as received: it is signed as well. */
    parameters,
    /** Seconds since the Unix epoch. */
    created: created !== undefined && /^\d+$/.test(created) ? Number(created) : undefined,
    keyId: toText(values.get("keyid")),
    algorithm: toText(values.get("alg")),
    signature: Buffer.from(base64, "base64"),
  };
}

/** Older signatures, or those so far in the future, are rejected. */
const MAX_SKEW_SECONDS = 300;

const NOT_ACCEPTED = "the signature is not accepted";

function findValue(request: Request, name: string): string | undefined {
  if (name === "@method") return request.method;
  // As the client sent it: a proxy that changes host, path or scheme breaks the signature.
  if (name === "@target-uri") return request.url;
  if (name.startsWith("@") || !/^[a-z0-9-]+$/.test(name)) return undefined;
  return request.headers.get(name)?.trim();
}

function findComponents(
  request: Request,
  names: readonly string[],
): SignatureComponent[] | undefined {
  const components = names.flatMap((name): SignatureComponent[] => {
    const value = findValue(request, name);
    return value === undefined ? [] : [[name, value]];
  });
  return components.length === names.length ? components : undefined;
}

/** Names a component that must be signed and is not; the digest must be one that is compared with the body. */
function findUnsigned(request: Request, names: readonly string[]): string | undefined {
  const digest = request.headers.get(CONTENT_DIGEST_HEADER) ?? "";
  if (!/(^|,)\s*sha-256\s*=/.test(digest)) return CONTENT_DIGEST_HEADER;
  const needed = request.headers.has(IDEMPOTENCY_HEADER)
    ? [...SIGNED_COMPONENTS, IDEMPOTENCY_HEADER]
    : SIGNED_COMPONENTS;
  return needed.find((name) => !names.includes(name));
}

type GivenSignature = NonNullable<ReturnType<typeof parseSignature>>;

function findClaimProblem(given: GivenSignature, nowMillis: number): string | undefined {
  if (given.algorithm !== undefined && given.algorithm !== SIGNATURE_ALGORITHM)
    return `expected a signature with ${SIGNATURE_ALGORITHM}`;
  if (given.created === undefined) return "expected the time of the signature: created";
  if (Math.abs(nowMillis / 1000 - given.created) > MAX_SKEW_SECONDS)
    return `the signature is of a time more than ${MAX_SKEW_SECONDS} s off, see the Date header`;
  return undefined;
}

/** Checks that a request was signed by the holder of one of the keys; returns what is wrong. @see RFC 9421, 3.2 */
export function findSignatureProblem(
  request: Request,
  keys: ReadonlyMap<string, KeyObject>,
  nowMillis: number,
): string | undefined {
  const given = parseSignature(
    request.headers.get(SIGNATURE_INPUT_HEADER) ?? "",
    request.headers.get(SIGNATURE_HEADER) ?? "",
  );
  if (!given) return "expected the headers Signature-Input and Signature";
  const unsigned = findUnsigned(request, given.names);
  if (unsigned !== undefined) return `expected a signature that covers ${unsigned}`;
  const problem = findClaimProblem(given, nowMillis);
  if (problem !== undefined) return problem;
  const key = keys.get(given.keyId ?? "");
  const components = findComponents(request, given.names);
  if (!key || !components) return NOT_ACCEPTED;
  const actual = signBase(toSignatureBase(components, given.parameters), key);
  return timingSafeEqual(actual, given.signature) ? undefined : NOT_ACCEPTED;
}
