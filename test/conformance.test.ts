import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dialects } from "../src/bridge/dialects/index.ts";
import { readBuiltInPack, readPackFiles } from "../.ci/compile-packs.ts";
import { ENTRIES, toReport, toSpecifier } from "../.ci/entries.ts";
import { checks, exemptions } from "../src/compliance/checks/index.ts";
import { listsOf, marksIn, namedLists, type LineList } from "../src/compliance/packs/pack-lists.ts";
import type { PackRule } from "../src/compliance/packs/pack-schema.ts";
import type { Pack } from "../src/compliance/packs/read-pack.ts";
import { protocols } from "../src/instrumentation/protocols/index.ts";

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
    directory: "bridge/dialects",
    testEnding: ".test.ts",
    listed: dialects.map(({ name }) => name),
  },
  {
    directory: "instrumentation/protocols",
    testEnding: ".test.ts",
    listed: protocols.map(({ name }) => name),
  },
];

/** Rooms whose code holds lists of words. */
const ROOMS_OF_WORDS = ["src/compliance", "src/identifiers", "src/phrases", "src/text"];
const LONGEST_LINE = 160;
const API_REPORTS = "test/api";

const ROOT = join(import.meta.dirname, "..");
const HOOKS = "instrumentation/hooks";
/** Where each hook has the file that is a sub-path of the package. */
const DOORS = "integrations";
/** Turns hooks on by configuration. */
const SWITCH = "model-calls";

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

/** Sources by the names of their files, without `.ts`. */
type Sources = Readonly<Record<string, string>>;

interface FoundHooks {
  readonly hooks: Sources;
  /** Names of tests. */
  readonly tests: readonly string[];
  /** The files of `src/integrations`, and what turns hooks on. */
  readonly integrations: Sources;
  /** Names of tests of the former. */
  readonly doorTests: readonly string[];
  /** The doors in the list of entries. */
  readonly listed: readonly string[];
}

const findImporters = (sources: Sources, specifier: string): string[] =>
  Object.keys(sources).filter((name) => sources[name]?.includes(`from "${specifier}"`));

/**
 * Says of every library hook that lacks a part what to add where. Files that only hooks import are parts of them; a hook
 * that its door alone needs may be written there.
 */
function findMissingDoors({ hooks, tests, integrations, doorTests, listed }: FoundHooks): string[] {
  const problems: string[] = [];
  const handing = new Set([SWITCH]);
  for (const name of Object.keys(hooks)) {
    const users = findImporters(integrations, `../${HOOKS}/${name}.ts`);
    for (const user of users) handing.add(user);
    if (findImporters(hooks, `./${name}.ts`).length > 0) continue;
    if (users.length === 0) problems.push(`${name} has no door: write src/${DOORS}/${name}.ts`);
    if (!tests.includes(name))
      problems.push(`${name} has no test: write test/${HOOKS}/${name}.test.ts`);
  }
  for (const door of Object.keys(integrations)) {
    if (!handing.has(door) && !doorTests.includes(door))
      problems.push(`${door} has no test: write test/${DOORS}/${door}.test.ts`);
    if (door !== SWITCH && !listed.includes(door))
      problems.push(
        `the door ${door} is not listed: add it to ENTRIES of .ci/entries.ts, then npm run docs:generate`,
      );
  }
  return problems;
}

/** Says of every rule where its file belongs. */
function findMisplaced(
  rules: readonly { readonly id: string; readonly category: string }[],
  paths: readonly string[],
): string[] {
  const expected = rules.map(({ id, category }) => {
    const folder = category.replaceAll("_", "-");
    const subject = id.startsWith(`${folder}-`) ? id.slice(folder.length + 1) : `<${id}>`;
    return { id, path: `src/compliance/rules/${folder}/${subject}.yaml` };
  });
  return expected
    .filter(({ path }) => !paths.includes(path))
    .map(({ id, path }) => `rule "${id}" belongs in ${path}`);
}

/** Words that rules of others may name, too. */
const COMMON = "src/compliance/words/common.yaml";
/** What the guards read, and no rule. */
const GUARDS = "src/compliance/words/guards.yaml";

/** Lists the shared words and phrases that fewer than two rules use, by way of other shared ones or not. */
function findUnshared({ rules, words }: Pick<Pack, "rules" | "words">): string[] {
  const lists = words.flatMap(({ value }) => namedLists(value));
  const shared = new Map(lists.map((list) => [list.mark, list]));
  const users = new Map<string, Set<string>>();
  const visit = (rule: string, named: readonly LineList[]): void => {
    for (const mark of named.flatMap(marksIn)) {
      const found = shared.get(mark);
      const known = users.get(mark) ?? new Set();
      if (!found || known.has(rule)) continue;
      users.set(mark, known.add(rule));
      visit(rule, [found]);
    }
  };
  for (const rule of rules) visit(rule.id, listsOf(rule));
  return words
    .filter(({ file }) => file !== COMMON && file !== GUARDS)
    .flatMap(({ file, value }) =>
      namedLists(value)
        .filter(({ mark }) => (users.get(mark)?.size ?? 0) < 2)
        .map(({ mark }) => `${file}: ${mark}`),
    );
}

const EXPORTED = /^export (?:abstract )?(?:class|const|function|interface|type) (\w+)/gm;

/**
 * Names what an API report calls forgotten, without the schemas and constants that types are inferred from, and what
 * the main entry exports.
 */
function findForgotten(report: string, mainReport: string): string[] {
  const exported = new Set([...mainReport.matchAll(EXPORTED)].map(([, name]) => name));
  const warnings = report.matchAll(/\(ae-forgotten-export\) The symbol "([^"]+)"/g);
  return [...warnings]
    .map(([, name = ""]) => name)
    .filter((name) => !exported.has(name) && !/Schema$|^[A-Z_]+$/.test(name));
}

function listNames(directory: string, ending: string): string[] {
  const path = join(ROOT, directory);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .filter((name) => name !== "index");
}

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

function readSources(directory: string): Sources {
  const names = listNames(directory, ".ts");
  return Object.fromEntries(names.map((name) => [name, read(`${directory}/${name}.ts`)]));
}

const pack = await readBuiltInPack();
const rulePaths = readPackFiles().rules.map(({ path }) => path);
const entries = ENTRIES.map((entry) => ({
  specifier: toSpecifier(entry),
  report: toReport(entry),
}));

describe("conformance", () => {
  it.each(REGISTRIES)("$directory: every unit has its file, entry and test", (registry) => {
    const files = listNames(`src/${registry.directory}`, ".ts");
    const tests = listNames(`test/${registry.directory}`, registry.testEnding);
    expect(files.length).toBeGreaterThan(0);
    expect(findMissing(registry, { files, tests })).toEqual([]);
  });

  it("every library hook has its door and test, and every door stands in the list of entries", () => {
    const hooks = readSources(`src/${HOOKS}`);
    expect(Object.keys(hooks).length).toBeGreaterThan(0);
    const tests = listNames(`test/${HOOKS}`, ".test.ts");
    const integrations = {
      ...readSources(`src/${DOORS}`),
      [SWITCH]: read(`src/monitor/${SWITCH}.ts`),
    };
    const doorTests = listNames(`test/${DOORS}`, ".test.ts");
    const listed = ENTRIES.filter(({ source }) => source.startsWith(`${DOORS}/`)).map(
      ({ name }) => name,
    );
    expect(findMissingDoors({ hooks, tests, integrations, doorTests, listed })).toEqual([]);
  });

  it("has every rule in the file that is named as it is, below the folder of its category", () => {
    expect(findMisplaced(pack.rules, rulePaths)).toEqual([]);
  });

  it("has a file and an entry for every check, and a rule that names it", () => {
    const named = pack.rules.flatMap(({ check = [] }) => check);
    const exempting = pack.rules.flatMap(({ exemption = [] }) => exemption);
    const files = listNames("src/compliance/checks", ".ts").filter((name) => name !== "check");
    expect(Object.keys(checks), "list each file of checks/ in checks/index.ts").toEqual(files);
    expect(files.toSorted(), "a rule names each check, and none twice").toEqual(named.toSorted());
    expect(Object.keys(exemptions).toSorted()).toEqual([...new Set(exempting)].toSorted());
  });

  it("shares words that several rules use, and no others", () => {
    expect(findUnshared(pack), "move it to the rule that uses it, or take it away").toEqual([]);
  });

  it("has no line that is too long to review", () => {
    const { pack: head, rules, words } = readPackFiles();
    const long = [head, ...rules, ...words].flatMap(({ path, text }) => findLongLines(path, text));
    expect(long).toEqual([]);
  });

  it.each(ROOMS_OF_WORDS)("has no line of code that is too long to review: %s", (room) => {
    const files = readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".generated.ts"))
      .map((name) => join(room, name));
    const long = files.flatMap((path) => findLongLines(path, read(path)));
    expect(long, "write lists of words as `src/text/word-patterns.ts` reads them").toEqual([]);
  });

  it("says what rules look for in at most 450 KB", () => {
    const { rules, words } = readPackFiles();
    const bytes = [...rules, ...words].map(({ text }) => countWording(text));
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(450_000);
  });

  it("has an API report for every entry of the package, and no other", () => {
    const reports = entries.map(({ report }) => report);
    expect(readdirSync(join(ROOT, API_REPORTS)).toSorted(), "npm run api").toEqual(
      reports.toSorted(),
    );
  });

  it.each(entries)(
    "exports every type that an exported type refers to, except what types are inferred from: $specifier",
    ({ report }) => {
      const forgotten = findForgotten(
        read(join(API_REPORTS, report)),
        read(join(API_REPORTS, "agent-monitor.api.md")),
      );
      expect(forgotten, "export these types where the entry's are, then npm run api").toEqual([]);
    },
  );
});

function findLongLines(path: string, text: string): string[] {
  return text
    .split("\n")
    .flatMap(({ length }, index) => (length > LONGEST_LINE ? `${path}:${index + 1}` : []));
}

const SECTION = /^(\w+):/;
const WORDING = new Set(["patterns", "probes", "phrases", "words"]);

/** Counts the bytes of patterns and words in a rule's file: without law, cases, remarks and indentation. */
function countWording(text: string): number {
  let section = "";
  let bytes = 0;
  for (const line of text.split("\n")) {
    section = SECTION.exec(line)?.[1] ?? section;
    const written = line.trim();
    if (WORDING.has(section) && written !== "" && !written.startsWith("# "))
      bytes += Buffer.byteLength(written) + 1;
  }
  return bytes;
}

describe("the checker", () => {
  const check = (listed: string[], files: string[], tests: string[]): string[] =>
    findMissing({ directory: "bridge/dialects", testEnding: ".test.ts", listed }, { files, tests });

  it("accepts what is complete", () => {
    expect(check(["a", "b"], ["a", "b"], ["a", "b"])).toEqual([]);
  });

  it.each([
    ["an unlisted file", [], ["a"], ["a"], "a is not listed"],
    ["a missing test", ["a"], ["a"], [], "write test/bridge/dialects/a.test.ts"],
    ["a unit without file", ["a"], [], [], "file and id must agree"],
    ["a unit listed twice", ["a", "a"], ["a"], ["a"], "listed twice"],
    ["a test without unit", [], [], ["a"], "tests nothing"],
  ])("names %s", (_, listed, files, tests, problem) => {
    expect(check(listed, files, tests)).toEqual([expect.stringContaining(problem)]);
  });

  it("names what a library hook lacks", () => {
    const door = `import { hook } from "../${HOOKS}/a.ts";`;
    const whole = {
      hooks: { a: 'import { part } from "./a-part.ts";', "a-part": "" },
      tests: ["a"],
      integrations: { "a-door": door, [SWITCH]: door },
      doorTests: [],
      listed: ["a-door"],
    };
    expect(findMissingDoors(whole)).toEqual([]);
    expect(findMissingDoors({ ...whole, listed: [] })).toEqual([
      "the door a-door is not listed: add it to ENTRIES of .ci/entries.ts, then npm run docs:generate",
    ]);
    const alone = { ...whole, integrations: { ...whole.integrations, b: "" } };
    expect(findMissingDoors({ ...alone, doorTests: ["b"], listed: ["a-door", "b"] })).toEqual([]);
    expect(findMissingDoors({ ...alone, listed: ["a-door", "b"] })).toEqual([
      `b has no test: write test/${DOORS}/b.test.ts`,
    ]);
    expect(findMissingDoors({ ...whole, tests: [], integrations: {} })).toEqual([
      `a has no door: write src/${DOORS}/a.ts`,
      `a has no test: write test/${HOOKS}/a.test.ts`,
    ]);
  });

  it("names forgotten exports", () => {
    const warn = (name: string) =>
      `// Warning: (ae-forgotten-export) The symbol "${name}" needs to be\n`;
    const report = warn("AgentInfo") + warn("agentInfoSchema") + warn("LOG_LEVELS");
    expect(findForgotten(report, report)).toEqual(["AgentInfo"]);
    expect(findForgotten(report, "// @public\nexport type AgentInfo = {\n")).toEqual([]);
  });

  it("names rules whose files are not called as they are", () => {
    const rule = (id: string) => ({ id, category: "bsa_aml" });
    const path = "src/compliance/rules/bsa-aml/structuring.yaml";
    expect(findMisplaced([rule("bsa-aml-structuring")], [path])).toEqual([]);
    expect(findMisplaced([rule("bsa-aml-splitting"), rule("privacy-x")], [path])).toHaveLength(2);
  });

  it("names words that one rule uses", () => {
    const rule = (id: string, match: string): PackRule =>
      ({ id, patterns: { a: { match: [match] } } }) as unknown as PackRule;
    const words = [{ file: "w.yaml", value: { words: { cash: ["{coins}"], coins: ["dimes"] } } }];
    const both = [rule("a", "{cash}"), rule("b", "{coins}")];
    expect(findUnshared({ words, rules: both })).toEqual(["w.yaml: {cash}"]);
    expect(findUnshared({ words, rules: [rule("a", "{coins}")] })).toHaveLength(2);
  });
});
