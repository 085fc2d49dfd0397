import type { Quality } from "../../quality/quality.ts";
import type { Report } from "../../quality/report.ts";
import type { Suppression, SuppressionRequest } from "../../quality/suppression.ts";
import { getJson, postJson } from "../api.ts";

/** Loads what the findings of some days are worth. @param query - As the address has it. */
export function loadQuality(query: string): Promise<Quality> {
  return getJson(`/api/quality${query === "" ? "" : `?${query}`}`);
}

/** Loads the suppressions that hold. */
export async function loadSuppressions(): Promise<readonly Suppression[]> {
  const path = "/api/suppressions?state=active&limit=200";
  return (await getJson<{ readonly suppressions: readonly Suppression[] }>(path)).suppressions;
}

/** Makes a suppression out of a false positive. */
export async function createSuppression(request: SuppressionRequest): Promise<void> {
  await postJson("/api/suppressions", request);
}

/** Ends a suppression. */
export async function revoke(id: string, reason: string): Promise<void> {
  await postJson(`/api/suppressions/${encodeURIComponent(id)}/revoke`, { reason }, {});
}

/** Loads the supervision report. @param query - As the address has it. */
export function loadReport(query: string): Promise<Report> {
  return getJson(`/api/report${query === "" ? "" : `?${query}`}`);
}
