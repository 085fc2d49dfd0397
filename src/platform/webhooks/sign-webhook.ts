import { createHmac } from "node:crypto";

/**
 * Returns the headers that show a receiver who has sent a message, and that it is the same as before.
 *
 * @param at - Milliseconds since the Unix epoch.
 * @see https://www.standardwebhooks.com
 */
export function signWebhook(
  { id, body }: { readonly id: string; readonly body: string },
  secret: string,
  at: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}
