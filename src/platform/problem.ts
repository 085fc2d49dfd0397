import { PROBLEM_MEDIA_TYPE, type Problem, type ProblemCode } from "../events/wire.ts";

/** One entry of a problem's `errors`. */
export type ProblemDetail = NonNullable<Problem["errors"]>[number];

/** Limit of the problems in one response. */
const MAX_DETAILS = 100;

const TITLES: Record<ProblemCode, string> = {
  unauthorized: "The request is not authorized",
  organization_mismatch: "The organization does not match",
  malformed_body: "The body can't be read",
  invalid_query: "The query is invalid",
  invalid_batch: "The batch is invalid",
  checksum_mismatch: "The body is not what was sent",
  no_valid_event: "No event of the batch is valid",
  batch_conflict: "Another batch has this id",
  batch_in_progress: "The batch is being received",
  invalid_agent: "The agent is invalid",
  unsupported_media_type: "The content type is not supported",
  unsupported_encoding: "The content encoding is not supported",
  payload_too_large: "The body is too large",
  not_found: "There is nothing here",
  method_not_allowed: "The method is not allowed here",
  too_many_requests: "Too many requests",
  unavailable: "The platform is unavailable",
  internal_error: "The platform failed",
};

interface ProblemExtras {
  readonly errors?: readonly ProblemDetail[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Text for the log instead of the detail, where the detail repeats something of the request. */
  readonly logged?: string;
}

/** Ends a request with a problem document. */
export class ProblemError extends Error {
  override readonly name = "ProblemError" as const;
  readonly status: number;
  readonly code: ProblemCode;
  readonly errors: readonly ProblemDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Text for the log. */
  readonly logged: string;

  /** @param detail - What was expected and where; never content or credentials. */
  constructor(status: number, code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    super(detail);
    this.status = status;
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
    title: TITLES[code],
    status,
    detail: error.message,
    code,
  };
  if (error.errors) problem.errors = [...error.errors];
  const headers = { ...error.headers, "content-type": PROBLEM_MEDIA_TYPE };
  return new Response(JSON.stringify(problem), { status, headers });
}
