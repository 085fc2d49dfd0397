import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { AUTHORS, EXCERPTS, HELD_OUT, REPOSITORY, RUN_LOG } from "./authors/places.ts";
import { MAX_RUNS, readRunsFile } from "./authors/run-log.ts";
import { answerLengthOf, readAuthorTexts, turnsOf } from "./authors/texts.ts";

const authors = readAuthorTexts(AUTHORS);
const heldOut = readAuthorTexts(HELD_OUT);
const excerpts = readAuthorTexts(EXCERPTS);
const all = [...authors, ...heldOut, ...excerpts];

describe("texts of independent authors", () => {
  it("have ids of their own, and no author stands on both sides", () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const held = new Set(heldOut.map(({ author }) => author));
    expect([...authors, ...excerpts].filter(({ author }) => held.has(author))).toEqual([]);
    expect(held.size).toBeGreaterThanOrEqual(4);
  });

  it("have their offending passage where they say, and none in a lawful text", () => {
    const wrong = all.filter((text) => {
      const { label, passage, kind } = text;
      if (label === "ok") return passage !== undefined;
      if (!passage) return kind !== "tool";
      const { start, text: words } = passage;
      return turnsOf(text)[passage.turn]?.content.slice(start, start + words.length) !== words;
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it("name the rule and the area of law of each violation, all 49 among the held out", () => {
    const violations = all.filter(({ label }) => label === "violation");
    const nameless = violations.filter((text) => !text.expectedRule || !text.expectedCategory);
    expect(nameless.map(({ id }) => id)).toEqual([]);
    const rules = heldOut.flatMap(({ expectedRule }) => expectedRule ?? []);
    expect(new Set(rules).size).toBe(49);
  });

  it("are as long as answers of assistants are", () => {
    const lengths = heldOut
      .filter(({ label }) => label === "ok")
      .map(answerLengthOf)
      .toSorted((one, other) => one - other);
    expect(lengths[lengths.length >> 1]).toBeGreaterThanOrEqual(700);
  });
});

describe("held-out texts", () => {
  const SCRIPT = /\.(?:[cm]?[jt]sx?|json|ya?ml|sh|py)$/;
  const READERS = [
    "test/accuracy/author-texts.test.ts",
    "test/accuracy/authors/command.ts",
    "test/accuracy/authors/places.ts",
    "test/accuracy/judge-recorded.test.ts",
    "test/accuracy/judge/command.ts",
  ];
  const scripts = [".ci", "src", "test", "examples", "docs"]
    .flatMap((room) =>
      readdirSync(join(REPOSITORY, room), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(REPOSITORY, join(entry.parentPath, entry.name))),
    )
    .filter((path) => SCRIPT.test(path) && !path.startsWith("test/fixtures/"))
    .concat([".ci/run", "package.json", "vitest.config.ts"])
    .map((path) => ({ path, source: readFileSync(join(REPOSITORY, path), "utf8") }));

  it("are read by the harness alone: nothing may be trained or tuned with them", () => {
    expect(scripts.length).toBeGreaterThan(500);
    const naming = scripts.filter(({ path, source }) =>
      (path.startsWith("test/accuracy/") ? /\bHELD_OUT\b/ : /held-out|\bHELD_OUT\b/).test(source),
    );
    expect(naming.map(({ path }) => path).toSorted()).toEqual(READERS);
  });

  it("are reached by no listing of the folders above them", () => {
    const listing = scripts.filter(
      ({ path, source }) =>
        !path.startsWith("test/accuracy/") &&
        /fixtures(?:\/|["'`], ["'`])compliance/.test(source) &&
        /\brecursive\b|\bglob|\*\*\/\*/.test(source),
    );
    expect(listing.map(({ path }) => path)).toEqual([]);
  });

  it("are scored at most five times, each behaviour once", () => {
    const runs = readRunsFile(RUN_LOG);
    expect(runs.length).toBeLessThanOrEqual(MAX_RUNS);
    expect(new Set(runs.map(({ digest }) => digest)).size).toBe(runs.length);
  });
});
