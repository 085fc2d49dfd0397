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

/** Receivers of webhooks. */
export const webhooksSchema = z
  .array(
    z.strictObject({
      url: z.string().max(2048).refine(isProtected, "expected https; http for loopback only"),
      secret: z
        .string()
        .regex(SECRET, "expected whsec_ and Base64 of 24 to 64 bytes")
        .describe("Shared with the receiver, which checks the signature with it."),
      events: z.array(z.enum(WEBHOOK_EVENTS)).min(1).optional().describe("Default: all."),
    }),
  )
  .max(MAX_WEBHOOKS)
  .refine(
    (webhooks) => new Set(webhooks.map(({ url }) => url)).size === webhooks.length,
    "expected each url once",
  );
/** A receiver of webhooks. */
export type Webhook = z.infer<typeof webhooksSchema>[number];
