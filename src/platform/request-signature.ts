import { timingSafeEqual, type KeyObject } from "node:crypto";
import {
  CONTENT_DIGEST_HEADER,
  IDEMPOTENCY_HEADER,
  SIGNATURE_HEADER,
  SIGNATURE_INPUT_HEADER,
  SIGNED_COMPONENTS,
} from "../events/wire.ts";
import type { Clock } from "../util/clock.ts";
import {
  SIGNATURE_ALGORITHM,
  signBase,
  toSignatureBase,
  type SignatureComponent,
} from "../util/http-signature.ts";
import { parseSignature, type GivenSignature } from "./signature-input.ts";

/** A signature that was made longer ago, or so far in the future, is not accepted. */
const MAX_SKEW_SECONDS = 300;

/** Checks the signature of a request; gives what is wrong with it. */
export type SignatureCheck = (request: Request) => string | undefined;

function findValue(request: Request, name: string): string | undefined {
  if (name === "@method") return request.method;
  // As the client wrote it: a proxy that changes host, path or scheme breaks the signature.
  if (name === "@target-uri") return request.url;
  if (name.startsWith("@") || !/^[a-z0-9-]+$/.test(name)) return undefined;
  return request.headers.get(name)?.trim();
}

function findComponents(
  request: Request,
  names: readonly string[],
): SignatureComponent[] | undefined {
  const components = names.map((name) => [name, findValue(request, name)] as const);
  const isComplete = (pair: readonly [string, string | undefined]): pair is SignatureComponent =>
    pair[1] !== undefined;
  return components.every(isComplete) ? components : undefined;
}

/** Names what has to be signed; the digest must be one that is compared with the body. */
function findUnsigned(request: Request, names: readonly string[]): string | undefined {
  const digest = request.headers.get(CONTENT_DIGEST_HEADER) ?? "";
  if (!/(^|,)\s*sha-256\s*=/.test(digest)) return CONTENT_DIGEST_HEADER;
  const needed = request.headers.has(IDEMPOTENCY_HEADER)
    ? [...SIGNED_COMPONENTS, IDEMPOTENCY_HEADER]
    : SIGNED_COMPONENTS;
  return needed.find((name) => !names.includes(name));
}

function findClaimProblem(given: GivenSignature, nowMillis: number): string | undefined {
  if (given.algorithm !== undefined && given.algorithm !== SIGNATURE_ALGORITHM)
    return `expected a signature with ${SIGNATURE_ALGORITHM}`;
  if (given.created === undefined) return "expected the time of the signature: created";
  if (Math.abs(nowMillis / 1000 - given.created) > MAX_SKEW_SECONDS)
    return `the signature is of a time more than ${MAX_SKEW_SECONDS} s off, see the Date header`;
  return undefined;
}

/** Creates the check that a request was signed by the holder of one of the keys. @see RFC 9421, 3.2 */
export function createSignatureCheck(
  keys: ReadonlyMap<string, KeyObject>,
  clock: Clock,
): SignatureCheck {
  return (request) => {
    const given = parseSignature(
      request.headers.get(SIGNATURE_INPUT_HEADER) ?? "",
      request.headers.get(SIGNATURE_HEADER) ?? "",
    );
    if (!given) return "expected the headers Signature-Input and Signature";
    const unsigned = findUnsigned(request, given.names);
    if (unsigned !== undefined) return `expected a signature that covers ${unsigned}`;
    const problem = findClaimProblem(given, clock.now());
    if (problem !== undefined) return problem;
    const key = given.keyId === undefined ? undefined : keys.get(given.keyId);
    const components = findComponents(request, given.names);
    const isRight =
      key !== undefined &&
      components !== undefined &&
      timingSafeEqual(
        signBase(toSignatureBase(components, given.parameters), key),
        given.signature,
      );
    return isRight ? undefined : "the signature is not accepted";
  };
}
