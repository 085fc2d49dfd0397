import type { Destination } from "../outgoing/message-sender.ts";
import { signWebhook } from "./sign-webhook.ts";
import type { Webhook } from "./webhook-options.ts";

/** Returns where the messages of a webhook go. */
export function toWebhookDestination({ url, secret }: Webhook): Destination {
  return { kind: "webhook", url, toHeaders: (message, now) => signWebhook(message, secret, now) };
}
