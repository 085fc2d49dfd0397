import * as z from "zod";
import { identifierSchema } from "../events/base-event.ts";
import type { ComplianceCategory } from "../events/compliance.ts";
import { lazySchema } from "../events/lazy-schema.ts";
import { functionSchema } from "../events/utility.ts";
import { bounded } from "./bounded.ts";

/** A request to the caller's model: one exchange, by the rules of one family. */
export interface JudgeRequest {
  /**
   * `sha256:` and hex over the two texts and the schema: the same question has the same id, in every process.
   */
  readonly id: string;
  /** Category of the rules. */
  readonly family: ComplianceCategory;
  /** The instructions and the rules, for the model's system message; the same for each exchange of a family. */
  readonly system: string;
  /** The exchange, fenced as data, for the user's message. */
  readonly user: string;
  /** JSON Schema of the reply, for models that keep to one. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Ids of the rules that a finding may name. */
  readonly ruleIds: readonly string[];
  /** Version of the prompt. */
  readonly promptVersion: string;
  /** `sha256:` and hex over `system` and `schema`: prompt and rules as they were. */
  readonly promptHash: string;
}

/** Arguments of a call of the model beside the request. */
export interface JudgeCall {
  /** Aborted at the deadline of the call, and when the monitor shuts down. */
  readonly signal: AbortSignal;
}

/**
 * The caller's own model: sends `system` and `user`, and returns the reply.
 *
 * @returns The JSON as text, or parsed; or `{ content, finishReason?, model?, usage? }` with one of them as `content`, so that
 *   a reply that was cut off is recognised, and tokens and cost are counted.
 */
export type JudgeModel = (request: JudgeRequest, call: JudgeCall) => Promise<string | object>;

/** Allowed calls of a day; the day is that of UTC. */
const budgetSchema = lazySchema(() =>
  z
    .strictObject({
      requests: z.int().min(1).optional().describe("Calls of the model."),
      tokens: z
        .int()
        .min(1)
        .optional()
        .describe("Input and output tokens that the model says it used."),
      cost: z.number().positive().optional().describe("USD that the model says it cost."),
    })
    .refine((budget) => Object.keys(budget).length > 0, "expected requests, tokens or cost"),
);

const toSelection = () => ({
  model: functionSchema<JudgeModel>("(request, { signal }) => Promise<string | object>").describe(
    "The bank's own model.",
  ),
  gate: z
    .enum(["findings", "candidates", "everything"])
    .default("candidates")
    .describe(
      "Which answers are judged beside the sample: those with findings, those with findings or candidates, or all.",
    ),
  sampleRate: bounded(z.number(), { min: 0, max: 1, default: 0.01 }).describe(
    "Share of the other answers that is judged by every family, so that what is missed can be estimated.",
  ),
  sampleSeed: z
    .string()
    .max(256)
    .default("")
    .describe("With the answer's event id it decides what is in the sample."),
  agents: z
    .array(identifierSchema)
    .min(1)
    .optional()
    .describe("Agents that are judged. Default: all."),
  content: z
    .enum(["redacted", "full"])
    .default("redacted")
    .describe("What the model gets: `redacted`, whatever `redact` says, or `full`."),
  contradictedReviewRate: bounded(z.number(), { min: 0, max: 1, default: 0.1 }).describe(
    "Share of the findings that the judge contradicts which is reviewed all the same.",
  ),
  mode: z
    .enum(["review", "observe"])
    .default("review")
    .describe("`observe` records what the judge finds, and demands and spares no review."),
});

const toBounds = () => ({
  timeout: z.number().min(1).max(600_000).default(30_000).describe("Deadline in ms of one call."),
  maxConcurrency: z.int().min(1).max(100).default(4).describe("Calls at the same time."),
  maxPerMinute: bounded(z.int(), { min: 1, max: 100_000, default: 300 }).describe(
    "Calls in any minute; more of them wait.",
  ),
  dailyBudget: budgetSchema
    .default({ requests: 20_000 })
    .describe(
      "What of a UTC day's calls is allowed, `{ requests?, tokens?, cost? }`; beyond it answers are dropped and counted.",
    ),
  maxTextLength: bounded(z.int(), { min: 1000, max: 1_000_000, default: 32_000 }).describe(
    "Characters of an exchange that are sent; a longer one is cut, and its judgement says so.",
  ),
  maxPending: bounded(z.int(), { min: 1, max: 1_000_000, default: 10_000 }).describe(
    "Answers that wait; beyond it the newest is dropped and counted.",
  ),
});

/** Every setting of the judge: bounds, default and meaning. */
export const judgeOptionsSchema = lazySchema(() =>
  z.strictObject({ ...toSelection(), ...toBounds() }),
);

/** Settings of the judge as the caller passes them. */
export type JudgeOptions = z.input<typeof judgeOptionsSchema>;
/** Settings of the judge with every default filled in. */
export type ResolvedJudgeOptions = z.output<typeof judgeOptionsSchema>;
