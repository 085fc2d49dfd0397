import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { check } from "recheck";
import { afterAll, describe, expect, it } from "vitest";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import { linearPatterns } from "../../src/text/pattern.ts";
import { context, createTestEngine } from "./engine-fixtures.ts";

// What reads the files of packs registers its patterns, too.
await import("../../src/compliance/packs/read-pack.ts");

const SOURCE = new URL("../../src/", import.meta.url);
const ROOMS = ["compliance", "identifiers", "phrases", "text"];
const SCAN_LENGTH = 32 * 1024;
/** recheck counts the characters that are read, and does not ask how fast the machine reads them. */
const UNTIMED = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  // What recheck reads in seconds: without a deadline, its default would be read for minutes.
  attackLimit: 10_000_000,
};
/** What the version of recheck beside it has found safe, a digest a line: checking all takes two minutes. */
const KNOWN = new URL("linear-patterns.txt", import.meta.url);
/** Set, everything is checked again and `KNOWN` is written anew. */
const IS_RENEWING = process.env["RECHECK"] === "all";
/** Ends a check that hangs: on a busy machine the longest takes ten seconds. */
const HANGS_AFTER_MILLIS = 600_000;

function sourceFiles(): string[] {
  return ROOMS.flatMap((room) =>
    readdirSync(new URL(`${room}/`, SOURCE), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => `${room}/${file}`),
  );
}

const manifest = readFileSync(new URL(import.meta.resolve("recheck/package.json")), "utf8");
const HEAD = `# recheck ${(JSON.parse(manifest) as { version: string }).version}; anew: RECHECK=all npx vitest run test/compliance/patterns.test.ts`;

function readKnown(): ReadonlySet<string> {
  const [head, ...digests] = existsSync(KNOWN) ? readFileSync(KNOWN, "utf8").split("\n") : [];
  return new Set(head === HEAD && !IS_RENEWING ? digests : []);
}

const toDigest = ({ source, flags }: RegExp): string =>
  createHash("sha256").update(`${flags} ${source}`).digest("hex").slice(0, 32);

describe("patterns", () => {
  const known = readKnown();
  const patterns = [...linearPatterns()];
  const safe: string[] = [];

  it("are as many as ever", () => {
    expect(patterns.length).toBeGreaterThan(200);
  });

  it.each(
    patterns
      .filter((pattern) => !known.has(toDigest(pattern)))
      .map((pattern) => [pattern.source.slice(0, 60), pattern] as const),
  )(
    "run in linear time: %s",
    async (_title, pattern) => {
      // recheck knows no `g`: it is about where a search begins and not about how long it takes.
      const { status } = await check(pattern.source, pattern.flags.replace("g", ""), UNTIMED);
      expect(status).toBe("safe");
      safe.push(toDigest(pattern));
    },
    HANGS_AFTER_MILLIS,
  );

  afterAll(() => {
    if (IS_RENEWING) writeFileSync(KNOWN, `${[HEAD, ...safe.toSorted()].join("\n")}\n`);
  });

  it.each(sourceFiles())("are registered with linear(): %s", (file) => {
    const source = readFileSync(new URL(file, SOURCE), "utf8").replaceAll(
      /\/\*[\s\S]*?\*\/|\/\/ .*$/gm,
      "",
    );
    const literals = source.match(/(?:^|[=(,:[!&|?])\s*\/(?![/*])[^\n]+\/[a-z]*/gm) ?? [];
    const constructed = source.match(/new RegExp\(/g) ?? [];
    const registered = source.match(/(?:\blinear)\(\s*(?:\/(?![/*])|new RegExp\()/g) ?? [];
    expect(registered).toHaveLength(literals.length + constructed.length);
  });
});

describe("texts made to be slow", () => {
  const bricks = [
    "a",
    " ",
    "9 ",
    "4 ",
    "4",
    "４１ ",
    "\u200b",
    "...",
    ". ",
    "a, ",
    "no ",
    "can't ",
    "report no ",
    "guarantee ",
    '"no risk" ',
    "half tomorrow and each day report not ",
  ];

  it.each(bricks)("are scanned to the end: %j", (brick) => {
    const { engine } = createTestEngine({ rules: builtInRules });
    const text = brick.repeat(SCAN_LENGTH / brick.length);
    const { metadata } = engine.evaluate({ ...context, userMessage: text, agentResponse: text });
    expect(metadata).toMatchObject({ evaluated: true, rulesEvaluated: builtInRules.length });
    expect(metadata.ruleErrors).toBeUndefined();
  });
});
