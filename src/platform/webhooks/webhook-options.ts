import * as z from "zod";
import { isProtected } from "../sign-in/oidc-options.ts";

/** What webhooks are sent for. */
export const WEBHOOK_EVENTS = [
  "finding.violation",
  "review.escalated",
  "review.overdue",
  "loss.reported",
] as const;
/** What a webhook is sent for. */
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

const SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;
const MAX_WEBHOOKS = 20;

/** A receiver of webhooks. */
export interface Webhook {
  /** https; http for loopback only. */
  readonly url: string;
  /** `whsec_` and Base64 of 24 to 64 bytes: the receiver checks the signature with it. */
  readonly secret: string;
  /**
   * What it is sent.
   *
   * @defaultValue all
   */
  readonly events?: readonly WebhookEvent[] | undefined;
}

export const webhooksSchema: z.ZodType<readonly Webhook[]> = z
  .array(
    z.strictObject({
      url: z.string().max(2048).refine(isProtected, "expected https; http for loopback only"),
      secret: z.string().regex(SECRET, "expected whsec_ and Base64 of 24 to 64 bytes"),
      events: z.array(z.enum(WEBHOOK_EVENTS)).min(1).optional(),
    }),
  )
  .max(MAX_WEBHOOKS)
  .refine(
    (webhooks) => new Set(webhooks.map(({ url }) => url)).size === webhooks.length,
    "expected each url once",
  );
