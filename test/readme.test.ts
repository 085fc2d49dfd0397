import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KNOWN_CLIENTS, type KnownClient } from "../src/instrumentation/known-clients.ts";
import { startPlatform, type Platform } from "../src/platform/index.ts";
import { startModelServer, type ModelServer } from "./helpers/model-server/index.ts";
import { MODEL_SCRIPT, type ScriptedTurn } from "./helpers/model-server/script.ts";

const ROOT = join(import.meta.dirname, "..");
const EXAMPLE_TIMEOUT_MILLIS = 25_000;

const read = (path: string): string => {
  const file = join(ROOT, path);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};

/** The examples proper; directories below hold longer programs with tests of their own. */
const examples = existsSync(join(ROOT, "examples"))
  ? readdirSync(join(ROOT, "examples")).filter((name) => name.endsWith(".ts"))
  : [];

const MARKER = /^[ \t]*\/\/ #(?:region|endregion).*\n?/gm;

/** Removes the indentation that all lines share. */
function dedent(text: string): string {
  const lines = text.split("\n");
  const depths = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const depth = Math.min(...depths);
  return lines.map((line) => line.slice(depth)).join("\n");
}

/** What a README may show of a file: all of it, and each `// #region name` … `// #endregion`. */
function findShowable(source: string): string[] {
  const regions = source.matchAll(/^[ \t]*\/\/ #region (\S+)\n([^]*?)^[ \t]*\/\/ #endregion \1$/gm);
  return [source, ...[...regions].map(([, , body = ""]) => dedent(body))].map((text) =>
    text.replaceAll(MARKER, "").trim(),
  );
}

function findBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, block = ""]) => block.trim());
}

/** What users read first, whose blocks they copy. */
const PAGES = ["README.md", "docs/instrumentation.md", "docs/pipelines.md"];
/** Most bytes of the README. */
const MAX_README_BYTES = 12 * 1024;

describe("README.md and the pages behind it", () => {
  const blocks = PAGES.flatMap((page) => findBlocks(read(page)));
  const showable = examples.flatMap((name) => findShowable(read(`examples/${name}`)));

  it("show code", () => {
    for (const page of ["README.md", "docs/instrumentation.md", "docs/pipelines.md"])
      expect(findBlocks(read(page)).length, `${page} has no \`\`\`ts block`).toBeGreaterThan(0);
  });

  it("begin with a README of a few minutes", () => {
    expect(Buffer.byteLength(read("README.md"))).toBeLessThanOrEqual(MAX_README_BYTES);
  });

  it("show only code of examples/", () => {
    const strangers = blocks.filter((block) => !showable.includes(block));
    expect(
      strangers,
      "each ```ts block must be a file of examples/, or a `// #region name` of one",
    ).toEqual([]);
  });

  it("or others in docs name every example", () => {
    const pages = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
    const text = ["README.md", ...pages.map((name) => `docs/${name}`)].map(read).join("");
    const unnamed = examples.filter((name) => !text.includes(`examples/${name}`));
    expect(unnamed, "name these files in README.md or in docs").toEqual([]);
  });
});

/** What the guide must name of a client: what to write. */
function toWay({ coverage, advice }: KnownClient): string {
  if (coverage === "fetch") return "| fetch |";
  return coverage === "hook"
    ? `\`${/[\w-]+\/[\w-]+/.exec(advice)?.[0]}\``
    : "`monitor.spanProcessor`";
}

describe("the guide to auto-instrumentation", () => {
  const rows = read("docs/instrumentation.md")
    .split("\n")
    .filter((line) => line.startsWith("|"));

  it.each(KNOWN_CLIENTS)("tells what to write for $name", (client) => {
    const own = rows.filter((row) => row.includes(`\`${client.name}\` `));
    expect(own, "one row with the name and versions").toHaveLength(1);
    expect(own[0]).toContain(toWay(client));
  });
});

describe("docs/architecture.md", () => {
  it("names files and folders that are there", () => {
    const named = read("docs/architecture.md").matchAll(
      /(?<![\w./-])([a-z-]+\/[a-z/-]+(?:\.ts)?)/g,
    );
    const paths = [...new Set([...named].map(([, path = ""]) => path))];
    const missing = paths.filter((path) => !existsSync(join(ROOT, "src", path)));
    expect(paths.length).toBeGreaterThan(30);
    expect(missing).toEqual([]);
  });
});

/** What the model replies as a judge. */
const JUDGEMENT: ScriptedTurn = {
  question: "<<<EXCHANGE",
  answer: JSON.stringify({
    findings: [
      {
        ruleId: "consumer-protection-guaranteed-returns",
        quote: "the fund pays 5 % every year, guaranteed",
        reason: "It promises a return.",
        confidence: 0.9,
      },
    ],
  }),
};
/** What examples print, where that shows more than that they run. */
const OUTPUT: Readonly<Record<string, readonly string[]>> = {
  "judge.ts": ["1 of 1 requests judged", "findings 1 confirmed"],
  "judge-draft.ts": ["second stage: judged", "consumer-protection-guaranteed-returns"],
};

describe("examples", () => {
  const spoolRoot = mkdtempSync(join(tmpdir(), "agent-monitor-examples-"));
  let platform: Platform;
  let model: ModelServer;

  beforeAll(async () => {
    platform = await startPlatform({ port: 0 });
    model = await startModelServer([...MODEL_SCRIPT, JUDGEMENT]);
  });
  afterAll(async () => {
    rmSync(spoolRoot, { recursive: true });
    await platform.close();
    await model.close();
  });

  it("exist", () => {
    expect(examples.length, "examples/ has no .ts file").toBeGreaterThan(0);
  });

  it.each(examples)("%s runs without a network, and the platform gets its events", async (name) => {
    const before = (await platform.stats()).events;
    const { stdout, stderr } = await promisify(execFile)(
      join(ROOT, "node_modules/.bin/tsx"),
      [join("examples", name)],
      {
        cwd: ROOT,
        timeout: EXAMPLE_TIMEOUT_MILLIS,
        env: {
          PATH: process.env["PATH"],
          HOME: process.env["HOME"],
          AGENT_MONITOR_ENDPOINT: platform.url,
          AGENT_MONITOR_API_KEY: "example-key",
          AGENT_MONITOR_ORGANIZATION_ID: "example-bank",
          AGENT_MONITOR_SPOOL_DIRECTORY: join(spoolRoot, name),
          OPENAI_API_KEY: "example-key",
          OPENAI_BASE_URL: `${model.url}/v1`,
        },
      },
    );
    expect(stderr).not.toMatch(/\b(error|unhandled)\b/i);
    expect((await platform.stats()).events).toBeGreaterThan(before);
    for (const part of OUTPUT[name] ?? []) expect(stdout).toContain(part);
  });
});

describe("the checker", () => {
  it("finds files and their regions", () => {
    const source = "a();\n{\n  // #region part\n  b();\n    c();\n  // #endregion part\n}\n";
    expect(findShowable(source)).toEqual(["a();\n{\n  b();\n    c();\n}", "b();\n  c();"]);
  });

  it("finds blocks", () => {
    expect(findBlocks("x\n\n```ts\na();\n```\n\n```sh\nls\n```\n```ts\nb();\n```\n")).toEqual([
      "a();",
      "b();",
    ]);
  });
});
