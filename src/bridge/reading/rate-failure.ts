import type { ErrorSeverity } from "../../events/base-event.ts";
import type { Failure } from "../span-record.ts";

/** How bad a failure is, and whether the same request may go well another time. */
export interface FailureRating {
  readonly severity: ErrorSeverity;
  readonly recoverable: boolean;
}

/** What is not rated otherwise, as errors that are tracked by hand. */
const UNKNOWN: FailureRating = { severity: "medium", recoverable: true };
/** Nobody is answered until somebody changes a key, a right or a contract. */
const LOCKED_OUT: FailureRating = { severity: "high", recoverable: false };
/** The same request fails again. */
const REFUSED: FailureRating = { severity: "medium", recoverable: false };
/** The application itself has called it off. */
const CALLED_OFF: FailureRating = { severity: "low", recoverable: true };

/** Types of errors, of clients, of providers and of Node.js, the surest first; signs between words do not count. */
const BY_TYPE: readonly (readonly [RegExp, FailureRating])[] = [
  [/abort|cancel/, CALLED_OFF],
  [/quota|billing|paymentrequired|creditbalance/, LOCKED_OUT],
  [/authentication|unauthorized|unauthenticated|apikey|credential|expiredtoken/, LOCKED_OUT],
  [/permission|forbidden|accessdenied/, LOCKED_OUT],
  [/ratelimit|throttl|toomanyrequests|resourceexhausted|overloaded/, UNKNOWN],
  [/timeout|timedout|connection|network|econn|enotfound|unavailable|internalserver/, UNKNOWN],
  [/notfound|badrequest|invalidrequest|invalidargument|validation|unprocessable/, REFUSED],
  [/contextlength|toolarge|contentfilter|contentpolicy|unsupported|notimplemented/, REFUSED],
];

const MAX_TYPE_LENGTH = 200;

function rateType(type: string): FailureRating | undefined {
  const name = type
    .slice(0, MAX_TYPE_LENGTH)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");
  return BY_TYPE.find(([pattern]) => pattern.test(name))?.[1];
}

/** Statuses of the 400s after which the same request may go well. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 409, 425, 429]);
const LOCKING: ReadonlySet<number> = new Set([401, 402, 403, 407]);
const NEVER_SERVED: ReadonlySet<number> = new Set([501, 505]);

function rateStatus(code: string | undefined): FailureRating | undefined {
  const status = Number(code);
  if (!(status >= 400 && status <= 599)) return undefined;
  if (LOCKING.has(status)) return LOCKED_OUT;
  if (TEMPORARY.has(status)) return UNKNOWN;
  return status < 500 || NEVER_SERVED.has(status) ? REFUSED : UNKNOWN;
}

/** Rates how a model call or a run failed: by the status of the answer, else by the type of the error. */
export function rateFailure({ type, code }: Failure): FailureRating {
  const byType = rateType(type);
  // A quota that is used up comes with the status of too many requests.
  if (byType === LOCKED_OUT) return byType;
  return rateStatus(code) ?? byType ?? UNKNOWN;
}
