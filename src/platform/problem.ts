import { PROBLEM_MEDIA_TYPE, type Problem, type ProblemCode } from "../events/wire.ts";

/** One entry of a problem's `errors`. */
export type ProblemDetail = NonNullable<Problem["errors"]>[number];

/** Limit of the problems in one response. */
const MAX_DETAILS = 100;

/** Codes of what no client of deliveries gets. */
type ReviewCode =
  | "forbidden"
  | "hold_conflict"
  | "view_conflict"
  | "review_conflict"
  | "idempotency_conflict"
  | "outdated"
  | "invalid_action"
  | "invalid_suppression";
/** What a problem is called. */
export type Code = ProblemCode | ReviewCode;

/** Status and title of each code. */
const PROBLEMS: Readonly<Record<Code, readonly [status: number, title: string]>> = {
  unauthorized: [401, "The request is not authorized"],
  organization_mismatch: [403, "The organization does not match"],
  malformed_body: [400, "The body can't be read"],
  invalid_query: [400, "The query is invalid"],
  invalid_batch: [422, "The batch is invalid"],
  checksum_mismatch: [422, "The body is not what was sent"],
  no_valid_event: [422, "No event of the batch is valid"],
  batch_conflict: [409, "Another batch has this id"],
  batch_in_progress: [409, "The batch is being received"],
  invalid_agent: [422, "The agent is invalid"],
  unsupported_media_type: [415, "The content type is not supported"],
  unsupported_encoding: [415, "The content encoding is not supported"],
  payload_too_large: [413, "The body is too large"],
  forbidden: [403, "The role does not allow it"],
  review_conflict: [409, "The item is in another state"],
  hold_conflict: [409, "The hold is in another state"],
  view_conflict: [409, "The view can't be saved so"],
  outdated: [412, "It has changed since"],
  idempotency_conflict: [422, "The key belongs to another request"],
  invalid_action: [422, "The action is invalid"],
  invalid_suppression: [422, "The suppression is invalid"],
  not_found: [404, "There is nothing here"],
  method_not_allowed: [405, "The method is not allowed here"],
  too_many_requests: [429, "Too many requests"],
  unavailable: [503, "The platform is unavailable"],
  internal_error: [500, "The platform failed"],
};

/** Returns the status of a code. */
export function toStatus(code: Code): number {
  return PROBLEMS[code][0];
}

interface ProblemExtras {
  /** Status, where it is not that of the code. */
  readonly status?: number;
  readonly errors?: readonly ProblemDetail[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Text for the log instead of the detail, where the detail repeats something of the request. */
  readonly logged?: string;
}

/** Ends a request with a problem document. */
export class ProblemError extends Error {
  override readonly name = "ProblemError" as const;
  readonly status: number;
  readonly code: Code;
  readonly errors: readonly ProblemDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Text for the log. */
  readonly logged: string;

  /** @param detail - What was expected and where; never content or credentials. */
  constructor(code: Code, detail: string, extras: ProblemExtras = {}) {
    super(detail);
    this.status = extras.status ?? PROBLEMS[code][0];
    this.code = code;
    this.errors = extras.errors?.slice(0, MAX_DETAILS);
    this.headers = extras.headers ?? {};
    this.logged = extras.logged ?? detail;
  }
}

/** Thrown when the client has disconnected before its body was complete: no response can reach it. */
export class UploadBrokenError extends Error {
  override readonly name = "UploadBrokenError" as const;

  constructor() {
    super("the client broke off its upload");
  }
}

/** Writes a problem as a response. @see RFC 9457 */
export function toProblemResponse(error: ProblemError): Response {
  const { status, code } = error;
  const problem: Problem = {
    type: "about:blank",
    title: PROBLEMS[code][1],
    status,
    detail: error.message,
    code,
  };
  if (error.errors) problem.errors = [...error.errors];
  const headers = { ...error.headers, "content-type": PROBLEM_MEDIA_TYPE };
  return new Response(JSON.stringify(problem), { status, headers });
}
