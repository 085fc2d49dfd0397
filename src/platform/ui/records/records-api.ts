/// <reference lib="dom" />
import type { PurgeResult, RetentionReport } from "../../records/purge.ts";
import type { HoldRequest, Selector } from "../../records/legal-hold.ts";
import type { Hold } from "../../store/hold-store.ts";
import { download, getJson, postJson } from "../api.ts";

/** Loads the classes, and what a purge would remove. */
export function loadRetention(): Promise<RetentionReport> {
  return getJson("/api/retention");
}

/** Loads the newest holds. */
export async function loadHolds(): Promise<readonly Hold[]> {
  return (await getJson<{ readonly holds: readonly Hold[] }>("/api/holds?limit=200")).holds;
}

/** Places a hold. */
export function placeHold(request: HoldRequest): Promise<object> {
  return postJson("/api/holds", request, {});
}

/** Releases a hold. */
export function releaseHold(id: number, reason: string): Promise<object> {
  return postJson(`/api/holds/${id}/release`, { reason }, {});
}

/** Removes the next part of what is due. */
export function purgeNext(reason: string, after: PurgeResult["next"]): Promise<PurgeResult> {
  return postJson("/api/purge", { ...(reason !== "" && { reason }), ...(after && { after }) }, {});
}

/** Loads an export, and lets the browser keep it as a file. */
export function downloadExport(query: URLSearchParams): Promise<void> {
  return download(`/api/exports/conversations?${query.toString()}`);
}

const SELECTOR_FIELDS = ["agent", "version", "environment", "customer", "conversation"] as const;
const DAY_MILLIS = 86_400_000;

/** Reads a text field of a form. */
export function readField(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** Reads a selector out of a form; the day that it ends with is part of it. */
export function readSelector(data: FormData): Selector {
  const texts = SELECTOR_FIELDS.map((name) => [name, readField(data, name)] as const);
  const [from, to] = [readField(data, "from"), readField(data, "to")];
  return {
    ...Object.fromEntries(texts.filter(([, text]) => text !== "")),
    ...(from !== "" && { from: Date.parse(from) }),
    ...(to !== "" && { to: Date.parse(to) + DAY_MILLIS - 1 }),
  };
}
