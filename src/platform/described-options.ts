import type * as z from "zod";
import { type EvaluationOptions, evaluationsSchema } from "./evaluations/evaluation-options.ts";
import { retentionPolicySchema, type RetentionPolicy } from "./records/retention-policy.ts";
import {
  DEFAULT_REVIEW_POLICY,
  type ReviewPolicy,
  reviewPolicySchema,
} from "./review/review-policy.ts";
import { type OidcOptions, oidcSchema } from "./sign-in/oidc-options.ts";
import { type Webhook, webhooksSchema } from "./webhooks/webhook-options.ts";

/** Options that come out of files, and that schemas describe. */
interface DescribedOptions {
  readonly oidc?: OidcOptions;
  readonly webhooks?: readonly Webhook[];
  readonly evaluations?: EvaluationOptions;
  readonly review?: Partial<ReviewPolicy>;
  readonly retention?: RetentionPolicy;
}

/** Reads one; says which member of it is wrong. */
function readBySchema<Option>(name: string, schema: z.ZodType<Option>, given: unknown): Option {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(
    `platform: ${name}.${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}`,
  );
}

/** Reads these options; throws where one is invalid. */
export function readDescribed({
  oidc,
  webhooks = [],
  evaluations,
  review,
  retention = [],
}: DescribedOptions) {
  return {
    oidc: oidc && readBySchema("oidc", oidcSchema, oidc),
    webhooks: readBySchema("webhooks", webhooksSchema, webhooks),
    ...(evaluations && {
      evaluations: readBySchema("evaluations", evaluationsSchema, evaluations),
    }),
    review: readBySchema("review", reviewPolicySchema, { ...DEFAULT_REVIEW_POLICY, ...review }),
    retention: readBySchema("retention", retentionPolicySchema, retention),
  };
}
