import { type KeyObject, createHash, createHmac, timingSafeEqual } from "node:crypto";
import { isIdentifier } from "../events/base-event.ts";
import {
  CONTENT_DIGEST_HEADER,
  IDEMPOTENCY_HEADER,
  ORGANIZATION_HEADER,
  SIGNATURE_HEADER,
  SIGNATURE_INPUT_HEADER,
  SIGNED_COMPONENTS,
  fromOrganizationHeader,
} from "../events/wire.ts";
import {
  SIGNATURE_ALGORITHM,
  type SignatureComponent,
  signBase,
  toSignatureBase,
} from "../util/http-signature.ts";
import type { ResolvedOptions } from "./options.ts";
import { ProblemError } from "./problem.ts";
import type { Actor } from "./review/roles.ts";
import type { Sessions } from "./sign-in/sessions.ts";
import { findUser } from "./review/users.ts";

const BEARER = /^bearer +(\S+) *$/i;

function isSame(left: string, right: string): boolean {
  // Digests have one length, which timingSafeEqual needs and which hides the length of the key.
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

function unauthorized(detail: string): ProblemError {
  const headers = { "www-authenticate": "Bearer" };
  return new ProblemError("unauthorized", detail, { headers });
}

/** Organization of OpenTelemetry data that names none, where any is accepted. */
const DEFAULT_ORGANIZATION = "local";

/** Who works with a platform that has no users: whoever may reach it, or has its key or its viewer's token. */
const LOCAL_USER: Actor = { name: "local", role: "admin" };
/** Whoever reads with the key of deliveries, where there are users. */
const KEY_OWNER: Actor = { name: "api-key", role: "viewer" };

/** Creates the check of who reads, and the token with which the viewer does. */
function createReaderCheck({ apiKey, users, oidc }: ResolvedOptions, sessions: Sessions) {
  const hasUsers = users.length > 0 || oidc !== undefined;
  // The viewer's token is visible in an address bar: it allows reading, but it is not the key and can't deliver.
  const viewerToken =
    apiKey === undefined || hasUsers
      ? undefined
      : createHmac("sha256", apiKey).update("agent-monitor viewer").digest("base64url");

  const readUser = (request: Request): Actor => {
    const key = readKey(request);
    const user = findUser(users, key);
    if (user) return user;
    if (apiKey !== undefined && isSame(key, apiKey)) return KEY_OWNER;
    throw unauthorized("the key is not accepted");
  };

  return {
    /** Token with which the viewer reads; absent when reading is open, and where users have keys of their own. */
    viewerToken,
    /** Returns who sends a request; throws a problem when it may not read. */
    authenticateReading(request: Request): Actor {
      const isSession = hasUsers && !request.headers.has("authorization");
      const signedIn = isSession ? sessions.find(request) : undefined;
      if (signedIn) {
        verifySameOrigin(request);
        return signedIn;
      }
      if (hasUsers) return readUser(request);
      if (apiKey === undefined || viewerToken === undefined) return LOCAL_USER;
      const key = readKey(request);
      // No short circuit: the response time must not reveal which of the two came close.
      const isViewer = isSame(key, viewerToken);
      const isOwner = isSame(key, apiKey);
      if (!isViewer && !isOwner) throw unauthorized("the token is not accepted");
      return LOCAL_USER;
    },
  };
}

/**
 * Refuses what changes something unless the viewer itself sends it: a browser adds the cookie to requests of other sites' pages, too.
 *
 * Where there is an `Origin`, it has been compared with `Host` before.
 */
function verifySameOrigin({ method, headers }: Request): void {
  if (method === "GET" || method === "HEAD" || headers.has("origin")) return;
  if (headers.get("sec-fetch-site") === "same-origin") return;
  throw new ProblemError("unauthorized", "expected the header Origin", { status: 403 });
}

function readKey(request: Request): string {
  const key = BEARER.exec(request.headers.get("authorization") ?? "")?.[1];
  if (key === undefined) throw unauthorized("expected the header Authorization: Bearer <key>");
  return key;
}

/** Creates the checks for one key and organization, and for the users. */
export function createAuthenticator(options: ResolvedOptions, sessions: Sessions) {
  const { apiKey, organizationId, signingKeys, clock } = options;

  const readAcceptedKey = (request: Request): void => {
    const key = readKey(request);
    if (apiKey !== undefined && !isSame(key, apiKey)) throw unauthorized("the key is not accepted");
  };

  const readOrganization = (request: Request, fallback?: string): string => {
    const header = request.headers.get(ORGANIZATION_HEADER);
    const organization = header === null ? fallback : fromOrganizationHeader(header);
    if (!isIdentifier(organization)) {
      throw new ProblemError("organization_mismatch", "expected the header X-Organization-Id");
    }
    if (organizationId !== undefined && organization !== organizationId) {
      throw new ProblemError("organization_mismatch", "the organization is not accepted");
    }
    return organization;
  };

  const verifySignature = (request: Request): void => {
    if (signingKeys.size === 0) return;
    const problem = findSignatureProblem(request, signingKeys, clock.now());
    if (problem !== undefined) throw unauthorized(problem);
  };

  return {
    ...createReaderCheck(options, sessions),
    /** Returns the organization of a delivery; throws a problem when it is not allowed. */
    authenticateDelivery(request: Request): string {
      readAcceptedKey(request);
      const organization = readOrganization(request);
      verifySignature(request);
      return organization;
    },
    /**
     * Returns the organization of OpenTelemetry data; throws a problem when it is not allowed.
     *
     * A stock exporter sends no key and no organization: each is needed only where one is configured, the organization
     * not even there, because only one is possible.
     */
    authenticateTelemetry(request: Request): string {
      if (apiKey !== undefined) readAcceptedKey(request);
      const organization = readOrganization(request, organizationId ?? DEFAULT_ORGANIZATION);
      verifySignature(request);
      return organization;
    },
  };
}

/** Decides who may deliver and who may read. */
export type Authenticator = ReturnType<typeof createAuthenticator>;

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
function findSignatureProblem(
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
