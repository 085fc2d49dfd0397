import assert from "node:assert/strict";
import type { App } from "./apps.ts";
import { findAdded, type OtelCopy } from "./otel-copies.ts";

/** What was found around an installation. */
export interface Installation {
  /** Copies of OpenTelemetry's packages before the package was installed. */
  readonly before: readonly OtelCopy[];
  readonly after: readonly OtelCopy[];
  /** Lines in which npm told of conflicts while installing the package. */
  readonly conflicts: readonly string[];
}

const API = "@opentelemetry/api";

/**
 * Judges what installing the package has done to an application.
 *
 * @returns A summary in a few words.
 * @throws AssertionError when there is a second API, a copy that need not be, or a warning.
 */
export function judgeInstallation(app: App, { before, after, conflicts }: Installation): string {
  const apis = after.filter(({ name }) => name === API);
  assert.equal(apis.length, 1, `one ${API}, not ${apis.map(({ path }) => path).join(", ")}`);
  const added = findAdded(before, after);
  const strangers = added.filter(({ name }) => !app.mayAdd.includes(name));
  assert.deepEqual(strangers, [], "nothing is added of what the application has");
  const moved = findAdded(after, before);
  assert.deepEqual(moved, [], "what the application had stays");
  const isWarned = conflicts.length > 0;
  assert.equal(isWarned, app.warns, `npm says: ${conflicts.join("; ") || "nothing"}`);
  return `${before.length} OpenTelemetry packages, ${added.length} added, ${conflicts.length} warnings`;
}
