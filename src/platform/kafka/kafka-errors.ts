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

/** Describes an error of the client by the names of what it consists of; messages may hold content. */
export function describeKafkaError(error: unknown): string {
  return [...new Set(flatten(error).map(toName))].join(", ");
}

const TOO_LARGE = new Set(["MESSAGE_TOO_LARGE", "RECORD_LIST_TOO_LARGE"]);

/** Returns whether a record is larger than its topic takes: another attempt fails as well. */
export function isTooLarge(error: unknown): boolean {
  return flatten(error).some((each) => TOO_LARGE.has(toName(each)));
}
