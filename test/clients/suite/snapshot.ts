const MAX_DEPTH = 10;

/** Headers that differ from run to run. */
const VARYING_HEADERS = new Set(["date", "content-length", "connection", "keep-alive"]);

/** Members that differ from run to run: undici's errors tell of their socket, AWS of its jitter. */
const VARYING_MEMBERS = new Set(["stack", "socket", "totalRetryDelay"]);

function toHeaders(headers: Headers): object {
  return Object.fromEntries([...headers].filter(([name]) => !VARYING_HEADERS.has(name)));
}

function toMembers(value: object, depth: number): object {
  const names = Object.keys(value).filter((name) => !VARYING_MEMBERS.has(name));
  return Object.fromEntries(
    names.map((name) => {
      try {
        return [name, toPlain((value as Record<string, unknown>)[name], depth + 1)];
      } catch (error) {
        return [name, `throws ${String(error)}`];
      }
    }),
  );
}

function toPlainError(error: Error, depth: number): object {
  return {
    class: error.constructor.name,
    name: error.name,
    message: error.message,
    ...("cause" in error && { cause: toPlain(error.cause, depth + 1) }),
    ...toMembers(error, depth),
  };
}

function toPlainObject(value: object, depth: number): unknown {
  if (value instanceof Error) return toPlainError(value, depth);
  if (value instanceof Date) return "a date";
  if (value instanceof Headers) return toHeaders(value);
  if (value instanceof Response) {
    const { status, statusText, url, redirected, type, ok, bodyUsed } = value;
    const headers = toHeaders(value.headers);
    return { class: "Response", status, statusText, url, redirected, type, ok, bodyUsed, headers };
  }
  if (value instanceof Map || value instanceof Set) return toPlain([...value], depth + 1);
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (value instanceof ReadableStream) return { class: "ReadableStream", locked: value.locked };
  if (Array.isArray(value)) return value.map((each) => toPlain(each, depth + 1));
  const { name = "Object" } = (Object.getPrototypeOf(value) as object | null)?.constructor ?? {};
  return name === "Object" ? toMembers(value, depth) : { class: name, ...toMembers(value, depth) };
}

/**
 * Writes a value as plain data that can be compared with that of another run: with classes, without stacks and times.
 */
export function toPlain(value: unknown, depth = 0): unknown {
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  if (typeof value === "bigint" || value === undefined) return `${typeof value} ${String(value)}`;
  if (typeof value !== "object" || value === null) return value;
  return depth > MAX_DEPTH ? "deeper" : toPlainObject(value, depth);
}
