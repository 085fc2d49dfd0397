import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");

/** Beginnings of doc comments that say nothing, and what to write instead; CONTRIBUTING has the reasons. */
const RETIRED_BEGINNINGS: Readonly<Record<string, string>> = {
  Gives: "Returns",
  "Gives back": "Releases",
  Tells: "Returns whether, Emits, Logs or Records",
  "Takes down": "Records",
  "Takes back": "Requeues or Undoes",
};

/** Words that meant several things, and what to write instead. */
const RETIRED_WORDS: Readonly<Record<string, string>> = {
  surroundings: "ancestry, scope, environment",
  "takes down": "records",
  "taken down": "recorded",
  "gives back": "releases, returns",
};

/** Names that say "tell" for emit, report or state. */
const RETIRED_NAMES =
  /\b(?:is|on|to)Told\b|\bTold[A-Z]\w*|\btold[A-Z]\w*|\w+Teller\b|#told\b|\bconst told\b/;
/** A comment, and in it the verb; quoted, it is what a customer says. */
const TELLING = /^\s*(?:\/\*\*?|\*|\/\/)[^"“]*\b(?:tells?|told|telling)\b/i;

/** Lists the lines that match, as `file:line`. */
function findLines(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
  );
}

function listFiles(directory: string, ending: string): string[] {
  return readdirSync(join(ROOT, directory), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending) && !name.includes(".generated."))
    .map((name) => `${directory}/${name}`);
}

const sources = listFiles("src", ".ts");
const documents = [...listFiles("docs", ".md"), "README.md", "semconv.md", "CHANGELOG.md"];

/** Pages that say "tell" of customers and agents only, or of the words of the command. */
const TELLING_PAGES = ["docs/rules.md", "docs/model-card.md", "docs/rule-authors.md"];

describe("wording", () => {
  it("reads sources and documents", () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(documents.length).toBeGreaterThan(10);
  });

  it.each(Object.entries(RETIRED_BEGINNINGS))(
    "begins no doc comment with %s, but with %s",
    (beginning) => {
      const pattern = new RegExp(`^\\s*(?:/\\*\\*|\\*) ${beginning}\\b`);
      expect(findLines(sources, pattern)).toEqual([]);
    },
  );

  it("tells nothing in comments and names: it emits, reports, logs, records, states or shows", () => {
    expect(findLines(sources, RETIRED_NAMES)).toEqual([]);
    expect(findLines(sources, TELLING)).toEqual([]);
  });

  it("tells nothing in documents either, but what the product itself prints", () => {
    const pages = documents.filter(
      (file) => !TELLING_PAGES.includes(file) && !file.startsWith("docs/decisions/"),
    );
    expect(findLines(pages, /^[^`"(]*\b(?:tells?|told|telling)\b/i)).toEqual([]);
  });

  it.each(Object.entries(RETIRED_WORDS))("does not write %s, but %s", (word) => {
    expect(findLines([...sources, ...documents], new RegExp(`\\b${word}\\b`, "i"))).toEqual([]);
  });
});
