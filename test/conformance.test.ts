import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dialects } from "../src/bridge/dialects/index.ts";
import { builtInRules } from "../src/compliance/rules/index.ts";

/** A directory of which every file is one unit of the same kind, listed in its index.ts. */
interface Registry {
  /** Below src; the tests stand in the same directory below test. */
  readonly directory: string;
  /** How the name of a unit's test ends. */
  readonly testEnding: string;
  /** What index.ts lists, by the names the units go by. */
  readonly listed: readonly string[];
}

// A new kind of unit is one line.
const REGISTRIES: readonly Registry[] = [
  {
    directory: "compliance/rules",
    testEnding: ".cases.ts",
    listed: builtInRules.map(({ id }) => id),
  },
  {
    directory: "bridge/dialects",
    testEnding: ".test.ts",
    listed: dialects.map(({ name }) => name),
  },
];

interface Found {
  /** File names without `.ts`, `index` left out. */
  readonly files: readonly string[];
  /** File names without the registry's ending. */
  readonly tests: readonly string[];
}

/** Says of every unit that lacks a part what to add where. */
function findMissing(
  { directory, testEnding, listed }: Registry,
  { files, tests }: Found,
): string[] {
  const unlisted = files.filter((name) => !listed.includes(name));
  const untested = files.filter((name) => !tests.includes(name));
  const nameless = listed.filter((name) => !files.includes(name));
  const doubled = listed.filter((name, index) => listed.indexOf(name) !== index);
  const orphaned = tests.filter((name) => !files.includes(name));
  return [
    ...unlisted.map(
      (name) =>
        `${name} is not listed: import src/${directory}/${name}.ts in src/${directory}/index.ts`,
    ),
    ...untested.map((name) => `${name} has no test: write test/${directory}/${name}${testEnding}`),
    ...nameless.map(
      (name) =>
        `"${name}" is listed, but src/${directory}/${name}.ts does not exist: file and id must agree`,
    ),
    ...doubled.map((name) => `"${name}" is listed twice in src/${directory}/index.ts`),
    ...orphaned.map(
      (name) =>
        `test/${directory}/${name}${testEnding} tests nothing: no src/${directory}/${name}.ts`,
    ),
  ];
}

/** Says of every rule whose id does not start with its category how the id must start. */
function findMisnamed(rules: readonly { id: string; category: string }[]): string[] {
  return rules
    .map(({ id, category }) => ({ id, start: `${category.replaceAll("_", "-")}-` }))
    .filter(({ id, start }) => !id.startsWith(start) || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))
    .map(({ id, start }) => `rule "${id}" must be named ${start}<subject>, in kebab case`);
}

/** Names what the API report calls forgotten, without the schemas and constants that types are inferred from. */
function findForgotten(report: string): string[] {
  const warnings = report.matchAll(/\(ae-forgotten-export\) The symbol "([^"]+)"/g);
  return [...warnings]
    .map(([, name = ""]) => name)
    .filter((name) => !/Schema$|^[A-Z_]+$/.test(name));
}

function listNames(directory: string, ending: string): string[] {
  const path = join(import.meta.dirname, "..", directory);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .filter((name) => name !== "index");
}

describe("conformance", () => {
  it.each(REGISTRIES)("$directory: every unit has its file, entry and test", (registry) => {
    const files = listNames(`src/${registry.directory}`, ".ts");
    const tests = listNames(`test/${registry.directory}`, registry.testEnding);
    expect(files.length).toBeGreaterThan(0);
    expect(findMissing(registry, { files, tests })).toEqual([]);
  });

  it("names every rule after its category", () => {
    expect(findMisnamed(builtInRules)).toEqual([]);
  });

  it("exports every type that an exported type refers to, except what types are inferred from", () => {
    const report = readFileSync(join(import.meta.dirname, "api/agent-monitor.api.md"), "utf8");
    expect(findForgotten(report), "export these types from src/index.ts, then npm run api").toEqual(
      [],
    );
  });
});

describe("the checker", () => {
  const check = (listed: string[], files: string[], tests: string[]): string[] =>
    findMissing(
      { directory: "compliance/rules", testEnding: ".cases.ts", listed },
      { files, tests },
    );

  it("accepts what is complete", () => {
    expect(check(["a", "b"], ["a", "b"], ["a", "b"])).toEqual([]);
  });

  it.each([
    ["an unlisted file", [], ["a"], ["a"], "a is not listed"],
    ["a missing test", ["a"], ["a"], [], "write test/compliance/rules/a.cases.ts"],
    ["a unit without file", ["a"], [], [], "file and id must agree"],
    ["a unit listed twice", ["a", "a"], ["a"], ["a"], "listed twice"],
    ["a test without unit", [], [], ["a"], "tests nothing"],
  ])("names %s", (_, listed, files, tests, problem) => {
    expect(check(listed, files, tests)).toEqual([expect.stringContaining(problem)]);
  });

  it("names forgotten exports", () => {
    const warn = (name: string) =>
      `// Warning: (ae-forgotten-export) The symbol "${name}" needs to be\n`;
    expect(findForgotten(warn("AgentInfo") + warn("agentInfoSchema") + warn("LOG_LEVELS"))).toEqual(
      ["AgentInfo"],
    );
  });

  it("names rules that are not called after their category", () => {
    const rule = (id: string) => ({ id, category: "bsa_aml" });
    expect(findMisnamed([rule("bsa-aml-structuring")])).toEqual([]);
    expect(findMisnamed([rule("privacy-x"), rule("bsa-aml-X"), rule("bsa-aml-")])).toHaveLength(3);
  });
});
