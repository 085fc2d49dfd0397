import type { AuditRecord } from "../../review/audit-trail.ts";
import type { ManualItem } from "../../review/manual-item.ts";
import type { ReviewAction } from "../../review/review-action.ts";
import type { ReviewPolicy } from "../../review/review-policy.ts";
import type { Role } from "../../review/roles.ts";
import type { StoredFinding } from "../../store/finding-store.ts";
import type { SampledAnswer } from "../../store/sampled-answers.ts";
import type { ShownItem } from "../../store/review-queue.ts";
import { getJson, postJson } from "../api.ts";

/** Who works with the page, and the rules of the review. */
export interface Me {
  readonly name: string;
  readonly role: Role;
  /** Whether an identity provider has said who it is. */
  readonly isSignedIn: boolean;
  readonly review: ReviewPolicy;
}

/** A page of the queue. */
export interface QueuePage {
  readonly items: readonly ShownItem[];
  readonly next: string | null;
}

/** An item with its findings and what was done to it, the newest first. */
export interface ReviewDetail {
  readonly item: ShownItem;
  readonly findings: readonly StoredFinding[];
  readonly sampled: readonly SampledAnswer[];
  readonly history: readonly AuditRecord[];
}

/** Loads who works with the page. */
export function loadMe(): Promise<Me> {
  return getJson("/api/me");
}

/** Loads a page of the queue. @param query - As the address has it. */
export function loadQueue(query: string, after?: string): Promise<QueuePage> {
  const members = new URLSearchParams(query);
  if (after !== undefined) members.set("after", after);
  return getJson(`/api/reviews?${members.toString()}`);
}

/** Loads an item. */
export function loadReview(key: string): Promise<ReviewDetail> {
  return getJson(`/api/reviews/${encodeURIComponent(key)}`);
}

/** Returns a key of a request that is new. Not randomUUID, which a page has only where it came over TLS or from this machine. */
const createKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-");

/** Puts a conversation into the queue by hand. */
export async function addItem(given: ManualItem): Promise<ShownItem> {
  const headers = { "idempotency-key": createKey() };
  return (await postJson<{ readonly item: ShownItem }>("/api/reviews", given, headers)).item;
}

/** Does something with an item that nobody has changed since it was read. */
export async function act(item: ShownItem, action: ReviewAction): Promise<ShownItem> {
  const path = `/api/reviews/${encodeURIComponent(item.key)}/actions`;
  const headers = { "if-match": `"${item.version}"`, "idempotency-key": createKey() };
  return (await postJson<{ readonly item: ShownItem }>(path, action, headers)).item;
}
