import type { BackTest } from "../../policies/back-tests.ts";
import type { TriedResult, TriedText } from "../../policies/evaluate-text.ts";
import type { PolicyDetail, PolicyEntry } from "../../policies/policy-catalog.ts";
import type { PolicyChange, SeenVersion } from "../../policies/policy-store.ts";
import { deleteJson, getJson, postJson } from "../api.ts";

/** The rules of the engine, and what is known of their versions. */
export interface Policies {
  readonly pack: { readonly id: string; readonly version: string; readonly sha256: string } | null;
  readonly secondLook: { readonly version: string; readonly sha256: string } | null;
  readonly rules: readonly PolicyEntry[];
  readonly seen: readonly SeenVersion[];
  readonly changes: readonly PolicyChange[];
}

/** Loads the rules and their versions. */
export function loadPolicies(): Promise<Policies> {
  return getJson("/api/policies");
}

/** Loads everything that is known of a rule. */
export async function loadRule(id: string): Promise<PolicyDetail> {
  const path = `/api/policies/rules/${encodeURIComponent(id)}`;
  return (await getJson<{ readonly rule: PolicyDetail }>(path)).rule;
}

/** Has the engine evaluate a text, which is not kept. */
export function tryText(text: TriedText): Promise<TriedResult> {
  return postJson("/api/policies/evaluate", text);
}

/** A back-test as lists show it. */
export type ListedBackTest = Omit<BackTest, "result">;

/** Loads the newest back-tests. */
export async function loadBackTests(): Promise<readonly ListedBackTest[]> {
  const path = "/api/policies/backtests";
  return (await getJson<{ readonly backTests: readonly ListedBackTest[] }>(path)).backTests;
}

const toPath = (id: string): string => `/api/policies/backtests/${encodeURIComponent(id)}`;

/** Loads a back-test with its result. */
export async function loadBackTest(id: string): Promise<BackTest> {
  return (await getJson<{ readonly backTest: BackTest }>(toPath(id))).backTest;
}

/** What is to be tested. */
export interface BackTestRequest {
  readonly pack: string;
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
}

/** Starts a back-test. */
export async function startBackTest(request: BackTestRequest): Promise<BackTest> {
  const path = "/api/policies/backtests";
  return (await postJson<{ readonly backTest: BackTest }>(path, request)).backTest;
}

/** Ends a back-test that is running. */
export function cancelBackTest(id: string): Promise<object> {
  return deleteJson(toPath(id));
}
