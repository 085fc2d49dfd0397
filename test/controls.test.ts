import { existsSync } from "node:fs";
import { join } from "node:path";
import type * as z from "zod";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Control, readControls } from "../.ci/docs/controls.ts";
import { findMember } from "../.ci/docs/schema.ts";
import { builtInRules } from "../src/compliance/built-in-rules.ts";
import { agentMonitoringConfigSchema } from "../src/config/config.ts";
import { agentInfoSchema } from "../src/events/agent.ts";
import { batchEnvelopeSchema } from "../src/events/batch.ts";
import { complianceFlagSchema } from "../src/events/compliance.ts";
import { eventSchemas } from "../src/events/detailed-event.ts";
import { startPlatform, type Platform } from "../src/platform/index.ts";
import { resolveOptions } from "../src/platform/options.ts";
import { openDatabase } from "../src/platform/store/open-database.ts";
import type { SqliteDatabase } from "../src/platform/store/sql-database.ts";
import { openStore, type Store } from "../src/platform/store/store.ts";
import { createTurns } from "../src/platform/turns.ts";
import * as semconv from "../src/semconv.ts";
import { systemClock } from "../src/util/clock.ts";
import { runCommand } from "./helpers/command.ts";

const ROOT = join(import.meta.dirname, "..");
const { frameworks } = readControls();
const controls = frameworks.flatMap((framework) => framework.controls);

/** Names of a kind of evidence, each once. */
function listNames(kind: string): string[] {
  const all = controls.flatMap(({ evidence }) => evidence.flatMap((each) => Object.entries(each)));
  return [...new Set(all.flatMap(([each, name]) => (each === kind ? [name] : [])))];
}

describe("docs/controls.json", () => {
  it("has rows enough to be of use, and few enough to be read, each with an id of its own", () => {
    expect(controls.length).toBeGreaterThanOrEqual(30);
    expect(controls.length).toBeLessThanOrEqual(45);
    expect(new Set(controls.map(({ id }) => id)).size).toBe(controls.length);
  });

  it("calls nothing observed without something that shows it and a test that proves it", () => {
    const isUnproven = ({ state, evidence, tests }: Control): boolean =>
      state === "observed" && (evidence.length === 0 || tests.length === 0);
    expect(controls.filter(isUnproven).map(({ id }) => id)).toEqual([]);
  });

  it("has gaps: nothing does all of it", () => {
    const states = new Set(controls.map(({ state }) => state));
    expect([...states].toSorted()).toEqual(["gap", "not assessed", "observed"]);
  });

  it.each([...new Set(controls.flatMap(({ tests }) => tests))])("names a test: %s", (file) => {
    expect(existsSync(join(ROOT, file))).toBe(true);
  });
});

describe("what shows a record is there", () => {
  const roots: Readonly<Record<string, unknown>> = {
    ...eventSchemas,
    agent: agentInfoSchema,
    batch: batchEnvelopeSchema,
    finding: complianceFlagSchema,
  };

  it.each(listNames("field"))("field %s", (name) => {
    const [root = "", ...path] = name.split(".");
    expect(Object.keys(roots)).toContain(root);
    expect(findMember(roots[root] as z.ZodObject, path.join("."))).toBeDefined();
  });

  it.each(listNames("setting"))("setting %s", (name) => {
    expect(findMember(agentMonitoringConfigSchema as unknown as z.ZodObject, name)).toBeDefined();
  });

  it.each(listNames("rule"))("rule %s", (name) => {
    expect(builtInRules.map(({ id }) => id)).toContain(name);
  });

  it.each(listNames("attribute"))("attribute %s", (name) => {
    expect(Object.values(semconv)).toContain(name);
  });

  it.each(listNames("option"))("option %s of the platform", (name) => {
    expect(() => resolveOptions({ [name]: undefined })).not.toThrow();
    expect(() => resolveOptions({ [`${name}Gone`]: undefined })).toThrow(/unknown option/);
  });

  describe("of the platform", () => {
    let store: Store;
    let database: SqliteDatabase;
    beforeAll(async () => {
      database = await openDatabase(":memory:");
      store = await openStore(database, createTurns(), systemClock);
    });
    afterAll(() => store.close());

    it.each(listNames("column"))("column %s", (name) => {
      const [table = "", column] = name.split(".");
      const columns = database.all<{ name: string }>("SELECT name FROM pragma_table_info(?)", [
        table,
      ]);
      expect(columns.map((each) => each.name)).toContain(column);
    });
  });

  describe("of the HTTP interface", () => {
    let platform: Platform;
    beforeAll(async () => {
      platform = await startPlatform({ port: 0 });
    });
    afterAll(() => platform.close());

    it.each(listNames("route"))("route %s", async (name) => {
      const [method = "", path = ""] = name.split(" ");
      // No path has this method: the refusal says which it has.
      const url = platform.url + path.replaceAll(/\{\w+\}/g, "x");
      const { status, headers } = await fetch(url, { method: "OPTIONS" });
      expect(status).toBe(405);
      expect(headers.get("allow")?.split(", ")).toContain(method);
    });
  });

  it.each(listNames("command"))("command agent-monitor %s", async (name) => {
    const words = name.split(" ");
    const option = words.find((word) => word.startsWith("--"));
    const [command = "", ...others] = words.filter((word) => !word.startsWith("--"));
    const { code, out } = await runCommand([command, "--help"]);
    expect(code).toBe(0);
    if (option !== undefined) expect(out).toMatch(new RegExp(`^ +(?:.*, )?${option}\\b`, "m"));
    for (const word of others)
      expect(out).toMatch(
        new RegExp(`^ *(?:Usage:.*|agent-monitor ${command} )?\\b${word}\\b`, "m"),
      );
  });
});
