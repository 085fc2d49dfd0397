import { hash } from "node:crypto";
import type { DetailedEvent } from "./detailed-event.ts";

/**
 * Adds `contentHash` to a message, unless only a part of its content is there: a hash of a part would pass
 * for a hash of the whole.
 */
export function addContentHash(event: DetailedEvent): void {
  if (event.interactionType !== "user_message" && event.interactionType !== "agent_response")
    return;
  if (event.contentHash !== undefined || event.content.length !== event.contentLength) return;
  event.contentHash = `sha256:${hash("sha256", event.content)}`;
}
