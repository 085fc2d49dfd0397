import { problemSchema } from "../events/wire.ts";
import { parseRetryAfter } from "../http/retry-after.ts";
import type { TransportAnswer } from "./http-transport.ts";
import { isCount, parseJson, toArray } from "../util/values.ts";

const RETRYABLE_STATUS = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
const REFUSED_STATUS = new Set([400, 413, 422]);

/** An event of a batch, by its position, that the platform will never take. */
export interface Rejected {
  readonly index: number;
  readonly code: string;
}

/** What the platform's answer means for the batch. */
export type SendResult =
  /** Taken; the rejected events never will be. */
  | {
      readonly status: "accepted";
      readonly rejected: readonly Rejected[];
      readonly duplicates: number;
    }
  /** The same bytes may be taken later. */
  | { readonly status: "retryable"; readonly reason: string; readonly retryAfterMillis?: number }
  /** The id is taken by another content: the same events need a new id. */
  | { readonly status: "conflict"; readonly reason: string }
  /** These bytes will never be taken; a part of them may. */
  | { readonly status: "refused"; readonly reason: string; readonly isTooLarge: boolean }
  /** The content coding is not understood: the same bytes without it may be taken. */
  | { readonly status: "not_decodable"; readonly reason: string }
  /** Nothing is taken until somebody changes something: credentials, address, platform. */
  | { readonly status: "blocked"; readonly reason: string };

function toBlockedReason(status: number, isProblem: boolean): string {
  if (status === 401) return "status 401: the apiKey, or the signature, is not accepted";
  if (status === 403) return "status 403: the apiKey may not write for this organizationId";
  if (status === 404 && !isProblem) return "status 404: this is not an agent-monitor platform";
  if (status >= 300 && status < 400) return `status ${status}: redirects are not followed`;
  return `status ${status}`;
}

function toRejected(entry: unknown): Rejected[] {
  const { index, code } = (entry ?? {}) as { index?: unknown; code?: unknown };
  if (!isCount(index)) return [];
  // What a platform calls a reason goes into our log, so it must look like one.
  const isCode = typeof code === "string" && /^[a-z0-9_]{1,64}$/.test(code);
  return [{ index, code: isCode ? code : "rejected" }];
}

/** A 2xx is an ack whatever its body: sending again could only store the batch twice. */
function toAccepted(body: unknown): SendResult {
  const { rejected, duplicates } = (body ?? {}) as { rejected?: unknown; duplicates?: unknown };
  return {
    status: "accepted",
    // Entry by entry: one that is not as it should be must not turn the others into acks.
    rejected: toArray(rejected).flatMap(toRejected),
    duplicates: isCount(duplicates) ? duplicates : 0,
  };
}

function toRetryable(
  { headers }: Extract<TransportAnswer, { kind: "answer" }>,
  reason: string,
  nowMillis: number,
): SendResult {
  const retryAfterMillis = parseRetryAfter(headers, nowMillis);
  if (retryAfterMillis === undefined) return { status: "retryable", reason };
  return { status: "retryable", reason, retryAfterMillis };
}

/** Decides what an answer means, by status first and the problem document second. */
export function toSendResult(answer: TransportAnswer, nowMillis: number): SendResult {
  if (answer.kind === "failure") return { status: "retryable", reason: answer.reason };
  const { status } = answer;
  const reason = `status ${status}`;
  const body = parseJson(answer.body);
  if (status >= 200 && status < 300) return toAccepted(body);
  const problem = problemSchema.safeParse(body);
  const isConflict = problem.data?.code === "batch_conflict" && (status === 409 || status === 422);
  if (isConflict) return { status: "conflict", reason };
  if (RETRYABLE_STATUS.has(status)) return toRetryable(answer, reason, nowMillis);
  if (REFUSED_STATUS.has(status)) return { status: "refused", reason, isTooLarge: status === 413 };
  if (status === 415) return { status: "not_decodable", reason };
  return { status: "blocked", reason: toBlockedReason(status, problem.success) };
}
