/** An error of the client: brokers name what is wrong in `apiId`. */
interface ClientError {
  readonly apiId?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
}

/** Lists an error and all that it consists of. */
function flatten(error: unknown): readonly unknown[] {
  if (error instanceof AggregateError)
    return error.errors.length === 0 ? [error] : error.errors.flatMap(flatten);
  const { cause } = (error ?? {}) as ClientError;
  return cause instanceof Error ? [error, ...flatten(cause)] : [error];
}

function toName(error: unknown): string {
  const { apiId, code } = (error ?? {}) as ClientError;
  if (typeof apiId === "string") return apiId;
  return typeof code === "string" ? code : error instanceof Error ? error.name : "unknown";
}

/** Codes of the client that only wrap what has happened. */
const WRAPPER = /^PLT_KFK_(AUTHENTICATION|MULTIPLE|NETWORK|RESPONSE|USER)$/;
const CLOSED = "a closed connection";
/** Codes that say no more than that, of the versions 1 and 2 of the client. */
const CLOSING = new Set(["PLT_KFK_NETWORK", "PLT_KFK_USER"]);

/** What brokers and the client have to agree on, by the name of what happens where they don't. */
const EXPECTATIONS: readonly (readonly [name: RegExp, expected: string])[] = [
  [/^SASL_AUTHENTICATION_FAILED$/, "a user and a password in sasl that the brokers accept"],
  [/^UNSUPPORTED_SASL_MECHANISM$/, "a mechanism in sasl that the brokers take"],
  [/^ILLEGAL_SASL_STATE$/, "no sasl, as the brokers don't ask for it here"],
  [/_AUTHORIZATION_FAILED$/, "a user who may use the topics and the group"],
  [/^ERR_SSL_.*ALERT/, "tls with a certificate and a key that the brokers accept"],
  [/CERT|^UNABLE_TO_VERIFY/, "brokers with a certificate of the authority in tls.ca"],
  [/^ERR_OSSL/, "tls with a certificate and its key as PEM"],
  [
    /^(a closed connection|ECONNRESET|EPIPE)$/,
    "brokers that answer, with tls and sasl as they ask for it",
  ],
  [/^(E[A-Z]+|EAI_.*|PLT_KFK_TIMEOUT)$/, "brokers that answer"],
];

/**
 * Describes an error of the client: by the names of what it consists of, as messages may hold content, and by what was expected
 * where the names say so.
 */
export function describeKafkaError(error: unknown): string {
  const names = [...new Set(flatten(error).map(toName))];
  const inner = names.filter((name) => !WRAPPER.test(name));
  const isClosed = inner.length === 0 && names.some((name) => CLOSING.has(name));
  const said = inner.length > 0 ? inner : isClosed ? [CLOSED] : names;
  const [, expected] = EXPECTATIONS.find(([name]) => said.some((each) => name.test(each))) ?? [];
  return `${expected === undefined ? "" : `expected ${expected}, got `}${said.join(", ")}`;
}

const TOO_LARGE = new Set(["MESSAGE_TOO_LARGE", "RECORD_LIST_TOO_LARGE"]);

/** Returns whether a record is larger than its topic takes: another attempt fails as well. */
export function isTooLarge(error: unknown): boolean {
  return flatten(error).some((each) => TOO_LARGE.has(toName(each)));
}
