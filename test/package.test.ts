import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ENTRIES, toSpecifier } from "../.ci/entries.ts";
import { VERSION } from "../src/version.ts";
import {
  installPackage,
  readJson,
  REPOSITORY,
  type Consumer,
} from "./helpers/installed-package.ts";

/** Installing may be tried twice. */
const SETUP_TIMEOUT_MILLIS = 450_000;
const MAX_FILES = 90;
const MAX_BYTES = 5_000_000;
/** Without the compiled phrases of the rules, their text and the learned model. */
const MAX_CODE_BYTES = 3_750_000;
/** What the rules' data and the model's weights are in. */
const DATA = /^dist\/cjs\/shared\/(model|phrases|source)\.js$/;

/** Each door with names of values that it must show. */
const DOORS = ENTRIES.map((entry) => [toSpecifier(entry), entry.shows] as const);

/** Packages that belong to the platform alone, and the platform itself. */
const PLATFORM_ONLY =
  /\bdist\/(cjs\/)?(platform|cli)\b|\b(hono|kysely|preact|htm|node-sqlite3-wasm)\b|node:sqlite/;

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly imports: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const manifest = readJson("package.json") as Manifest;
let consumer: Consumer;

/** Lines of Node.js whose types a project may have, and the name under which the consumer has them. */
const NODE_LINES = [20, 22, 24, 26];
const toTypes = (line: number): string => `types-of-node-${line}`;

beforeAll(async () => {
  const types = NODE_LINES.map((line) => [toTypes(line), `npm:@types/node@${line}`]);
  consumer = await installPackage(Object.fromEntries(types));
}, SETUP_TIMEOUT_MILLIS);
afterAll(() => consumer?.remove());

function findNewestVersion(changelog: string): string | undefined {
  return /^## (\d+\.\d+\.\d+\S*)/m.exec(changelog)?.[1];
}

describe("version", () => {
  it("is the same in package.json, the source and CHANGELOG.md", () => {
    const changelog = readFileSync(join(REPOSITORY, "CHANGELOG.md"), "utf8");
    expect(VERSION, "set VERSION in src/version.ts").toBe(manifest.version);
    expect(findNewestVersion(changelog), "head CHANGELOG.md with ## <version>").toBe(
      manifest.version,
    );
    expect(changelog).toMatch(/^## Unreleased$/m);
  });

  it("is what the command says", async () => {
    const bin = join(consumer.directory, "node_modules/.bin/agent-monitor");
    expect(await consumer.node(bin, "--version")).toContain(manifest.version);
  });
});

describe("the packed package", () => {
  const paths = (): string[] => consumer.pack.files.map(({ path }) => path);

  it("holds what is needed and nothing else", () => {
    const strangers = paths().filter(
      (path) =>
        !/^dist\/.*\.(js|d\.ts|txt)$/.test(path) &&
        !/^docs\/[\w-]+\.md$/.test(path) &&
        !["dist/cjs/package.json", "package.json", "README.md", "CHANGELOG.md", "LICENSE"].includes(
          path,
        ) &&
        path !== "semconv.md",
    );
    expect(strangers, "no tests, sources or source maps").toEqual([]);
    expect(paths().filter((path) => /\.test\.|(^|\/)(test|src|fixtures)\//.test(path))).toEqual([]);
    expect(paths()).toEqual(expect.arrayContaining(["LICENSE", "README.md", "CHANGELOG.md"]));
  });

  it("is small, and has the rules' data once", () => {
    const { files } = consumer.pack;
    const sum = (given: typeof files): number => given.reduce((total, { size }) => total + size, 0);
    expect(files.length).toBeLessThanOrEqual(MAX_FILES);
    expect(sum(files)).toBeLessThan(MAX_BYTES);
    expect(files.filter(({ path }) => DATA.test(path))).toHaveLength(3);
    expect(sum(files.filter(({ path }) => !DATA.test(path)))).toBeLessThan(MAX_CODE_BYTES);
  });

  it("has each module once, but for the platform and the command", () => {
    const modules = paths()
      .filter((path) => path.startsWith("dist/cjs/") && path.endsWith(".js"))
      .filter((path) => !path.includes("/platform/"))
      // A file names a module more than once where it has parts of it apart.
      .flatMap((path) => {
        const code = readFileSync(join(consumer.packageDirectory, path), "utf8");
        const names = code.matchAll(/^\/\/ temp\/modules\/(\S+)$/gm);
        return [...new Set(Array.from(names, ([, name = ""]) => name))];
      })
      // A part's functions stand beside those that load it.
      .filter((name) => !/\/(?:deferred-\w+|pack-source)\.js$/.test(name));
    expect(modules.length).toBeGreaterThan(100);
    expect(modules.filter((name, at) => modules.indexOf(name) !== at)).toEqual([]);
  });

  it("runs nothing when it is installed", () => {
    const hooks = ["preinstall", "install", "postinstall", "prepare"];
    expect(Object.keys(manifest.scripts).filter((name) => hooks.includes(name))).toEqual([]);
  });

  it("has every file its exports name", () => {
    const named = [...JSON.stringify(manifest.exports).matchAll(/"\.\/(dist\/[^"]+)"/g)];
    expect(named.length).toBeGreaterThan(0);
    for (const [, path] of named) expect(paths()).toContain(path);
  });

  it("has every page and heading that its pages link to", () => {
    const pages = paths().filter((path) => path.endsWith(".md"));
    const readPage = (path: string): string =>
      readFileSync(join(consumer.packageDirectory, path), "utf8");
    const broken = pages.flatMap((page) =>
      findLinks(readPage(page))
        .filter((link) => {
          const [target = "", heading] = link.split("#");
          const file = target === "" ? page : join(dirname(page), target);
          if (!paths().includes(file)) return true;
          return heading !== undefined && !toAnchors(readPage(file)).includes(heading);
        })
        .map((link) => `${page}: ${link}`),
    );
    expect(pages.length).toBeGreaterThan(10);
    expect(broken).toEqual([]);
  });

  it("imports only files it has and packages it declares", () => {
    const declared = Object.keys({
      ...manifest.dependencies,
      ...manifest.peerDependencies,
      ...manifest.optionalDependencies,
    });
    const problems = paths()
      .filter((path) => /\.(js|d\.ts)$/.test(path))
      .flatMap((path) =>
        findSpecifiers(readFileSync(join(consumer.packageDirectory, path), "utf8")).flatMap(
          (specifier) => judge(path, specifier, declared),
        ),
      );
    expect(problems).toEqual([]);
  });

  it("points to no source map that it lacks", () => {
    for (const path of paths().filter((name) => name.endsWith(".js"))) {
      const [, map] =
        /\/\/# sourceMappingURL=(\S+)/.exec(
          readFileSync(join(consumer.packageDirectory, path), "utf8"),
        ) ?? [];
      if (map !== undefined) expect(paths()).toContain(join(dirname(path), map));
    }
  });
});

/** Links of a page that lead to no other site. */
function findLinks(markdown: string): string[] {
  const links = markdown.replaceAll(/^```[^]*?^```$/gm, "").matchAll(/\]\(([^)\s]+)\)/g);
  return [...links].map(([, link = ""]) => link).filter((link) => !/^[a-z]+:/.test(link));
}

/** Gives the anchors of headings as GitHub makes them, the second of a name with its number. */
function toAnchors(markdown: string): string[] {
  const counts = new Map<string, number>();
  return [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

/** Specifiers of imports and require(): compiled files have every statement in the first column. */
function findSpecifiers(code: string): string[] {
  const patterns = [
    /^(?:import|export)\b[^;"'`]*?\bfrom\s*["']([^"'\n]+)["']/gm,
    /^import\s*["']([^"'\n]+)["']/gm,
    /^(?!\s*(?:\*|\/\/)).*?(?<![.\w])(?:import|require)\(["']([^"'\n]+)["']\)/gm,
  ];
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = ""]) => name));
}

function judge(path: string, specifier: string, declared: readonly string[]): string[] {
  if (specifier.startsWith("node:")) return [];
  if (specifier.startsWith("#")) {
    const files = Object.values(manifest.imports[specifier] ?? {});
    const missing = files.filter((file) => !existsSync(join(consumer.packageDirectory, file)));
    return files.length > 0 && missing.length === 0 ? [] : [`${path} imports ${specifier}`];
  }
  if (!specifier.startsWith(".")) {
    const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
    return declared.includes(name) ? [] : [`${path} imports ${name}: declare it as a dependency`];
  }
  const target = join(consumer.packageDirectory, dirname(path), specifier);
  const isThere = path.endsWith(".d.ts")
    ? existsSync(target.replace(/\.(ts|js)$/, ".d.ts"))
    : existsSync(target);
  return isThere ? [] : [`${path} imports ${specifier}, which is not in the package`];
}

describe("its doors", () => {
  const PRINT = "console.log(JSON.stringify(Object.keys(door).sort()))";

  it("are the expected ones", () => {
    const doors = Object.keys(manifest.exports)
      .filter((path) => path !== "./package.json")
      .map((path) => path.replace(/^\./, "agent-monitor"));
    expect(doors).toEqual(DOORS.map(([door]) => door));
  });

  it.each(DOORS)("open %s by import", async (door, names) => {
    const script = `import * as door from ${JSON.stringify(door)}; ${PRINT}`;
    const found: unknown = JSON.parse(await consumer.node("--input-type=module", "-e", script));
    expect(found).toEqual(expect.arrayContaining([...names]));
  });

  it.each(DOORS)("open %s by require()", async (door, names) => {
    const script = `const door = require(${JSON.stringify(door)}); ${PRINT}`;
    const found: unknown = JSON.parse(await consumer.node("--input-type=commonjs", "-e", script));
    expect(found).toEqual(expect.arrayContaining([...names]));
  });

  it.each(DOORS)("show the same in both formats: %s", async (door) => {
    const script = `import * as esm from ${JSON.stringify(door)}; import { createRequire } from "node:module";
      const cjs = createRequire(process.cwd() + "/x.js")(${JSON.stringify(door)});
      const names = (door) => Object.keys(door).filter((name) => name !== "default").sort();
      console.log(JSON.stringify([names(esm), names(cjs)]));`;
    const [esm, cjs] = JSON.parse(await consumer.node("--input-type=module", "-e", script)) as [
      string[],
      string[],
    ];
    expect(cjs).toEqual(esm);
  });

  it.each(["import", "require"])("keep the platform out of the SDK: %s", async (kind) => {
    const contents = kind === "import" ? 'import "agent-monitor";' : 'require("agent-monitor");';
    const { metafile } = await build({
      stdin: { contents, resolveDir: consumer.directory },
      bundle: true,
      platform: "node",
      format: kind === "import" ? "esm" : "cjs",
      // "sideEffects": false would let esbuild drop all of it.
      ignoreAnnotations: true,
      metafile: true,
      write: false,
      logLevel: "silent",
    });
    const inputs = Object.entries(metafile.inputs);
    const reached = inputs.flatMap(([path, { imports }]) => [
      path,
      ...imports.map((found) => found.path),
    ]);
    expect(inputs.length).toBeGreaterThan(5);
    expect(reached.filter((path) => PLATFORM_ONLY.test(path))).toEqual([]);
  });

  it.each(["import", "require"])(
    "load what is not always needed at first use: %s",
    async (kind) => {
      const load = kind === "import" ? 'await import("agent-monitor")' : 'require("agent-monitor")';
      const script = `const { createRequire } = await import("node:module");
      const require = createRequire(process.cwd() + "/x.js");
      const { AgentMonitor } = ${load};
      const logger = { debug() {}, info() {}, warn() {}, error() {} };
      const config = { apiKey: "k", organizationId: "o", endpoint: "http://127.0.0.1:9", logger, shutdownTimeout: 1 };
      const PARTS = ["pipeline", "rules", "observers", "spool", "packs", "judge"];
      const loaded = () => PARTS.filter((part) => Object.keys(require.cache).some((path) => path.endsWith("/cjs/shared/" + part + ".js")));
      const steps = [loaded()];
      const off = new AgentMonitor({ ...config, enableComplianceChecks: false });
      steps.push(loaded());
      const monitor = new AgentMonitor(config);
      steps.push(loaded());
      monitor.spanProcessor;
      steps.push(loaded());
      const spooling = new AgentMonitor({ ...config, spoolDirectory: "spool-${kind}" });
      steps.push(loaded());
      console.log(JSON.stringify(steps));
      await Promise.all([off, monitor, spooling].map((each) => each.shutdown()));`;
      const steps: unknown = JSON.parse(await consumer.node("--input-type=module", "-e", script));
      expect(steps).toEqual([
        [],
        ["pipeline"],
        ["pipeline", "rules"],
        ["pipeline", "rules", "observers"],
        ["pipeline", "rules", "observers", "spool"],
      ]);
    },
  );

  it.each([
    ["esm", "@opentelemetry/*"],
    ["cjs", "@opentelemetry/*"],
    ["cjs", "nothing"],
  ] as const)(
    "work in a bundle of an application: %s, %s left outside",
    async (format, outside) => {
      const contents = `import { AgentMonitor, ComplianceSpanProcessor, createRedactor, defineRule, readExchange, ValidationError } from "agent-monitor";
      import { ComplianceEngine, isDefinedRule } from "agent-monitor/testing";
      const logger = { debug() {}, info() {}, warn() {}, error() {} };
      const monitor = new AgentMonitor({ apiKey: "k", organizationId: "o", endpoint: "http://127.0.0.1:9", logger, shutdownTimeout: 1, spoolDirectory: "spool" });
      const engine = monitor.complianceEngine;
      const answer = { agentId: "a", agentCategory: "persona", sessionId: "s", timestamp: 0, agentResponse: "Your approval is guaranteed, whatever your credit history." };
      const rule = defineRule({ id: "bank-guess", name: "Guess", category: "custom", severity: "warning", description: "d", explanation: "e", recommendation: "r",
        impact: { customer: "moderate", business: "minimal" }, law: { citation: "c", asOf: "2026-01-01", status: "guidance" }, patterns: ["guess"],
        *check(context) {
          const { agentResponse: text } = readExchange(context);
          for (const { index } of text?.folded.matchAll(/i am guessing/gi) ?? [])
            yield { pattern: "guess", confidence: 0.8, text, range: { start: index, end: index + 4 } };
        } });
      engine.addRule(rule);
      let refused;
      try { engine.addRule({ id: "" }); } catch (error) { refused = error instanceof ValidationError; }
      const rules = (result) => result.violations.map((found) => found.rule);
      console.log(JSON.stringify([rules(engine.evaluate(answer)), rules(engine.evaluate({ ...answer, agentResponse: "I am guessing here." })),
        engine instanceof ComplianceEngine, isDefinedRule(rule), refused, typeof monitor.spanProcessor.onEnd, typeof new ComplianceSpanProcessor({ logger }).onEnd,
        createRedactor().text("Card 4111 1111 1111 1111")]));
      void monitor.shutdown();`;
      const ending = format === "esm" ? "mjs" : "cjs";
      const directory = join(consumer.directory, `bundled-${format}-${outside.length}`);
      const outfile = join(directory, `app.${ending}`);
      await build({
        stdin: { contents, resolveDir: consumer.directory },
        outfile,
        bundle: true,
        platform: "node",
        target: "node20",
        format,
        external: [outside],
        logLevel: "silent",
      });
      const [found, added, ...rest] = JSON.parse(await consumer.node(outfile)) as unknown[];
      expect(found).toContain("consumer-protection-guaranteed-approval");
      expect(added).toContain("bank-guess");
      expect(rest).toEqual([
        true,
        true,
        true,
        "function",
        "function",
        expect.not.stringContaining("4111"),
      ]);
    },
  );

  it.each([
    ["ESM", `import { startPlatform } from "agent-monitor/platform";`, "module"],
    ["CommonJS", `const { startPlatform } = require("agent-monitor/platform");`, "commonjs"],
  ])("start a platform that serves its page: %s", async (_, opening, type) => {
    const script = `${opening}
      void startPlatform({ port: 0 }).then(async (platform) => {
        const page = await (await fetch(platform.url)).text();
        const files = [...page.matchAll(/(?:src|href)="(\\/[^"]+\\.(?:js|css))"/g)].map(([, path]) => path);
        const sizes = await Promise.all(files.map(async (path) => (await (await fetch(new URL(path, platform.url))).text()).length));
        console.log(JSON.stringify([page.includes("<html"), sizes.map((size) => size > 1000)]));
        await platform.close();
      });`;
    const found: unknown = JSON.parse(await consumer.node(`--input-type=${type}`, "-e", script));
    expect(found).toEqual([true, [true, true]]);
  });

  it("register one monitor for both formats, with --import and --require", async () => {
    vi.stubEnv("AGENT_MONITOR_API_KEY", "k");
    vi.stubEnv("AGENT_MONITOR_ORGANIZATION_ID", "o");
    vi.stubEnv("AGENT_MONITOR_ENDPOINT", "http://127.0.0.1:9");
    const script = `import { monitor } from "agent-monitor/register"; import { createRequire } from "node:module";
      const cjs = createRequire(process.cwd() + "/x.js")("agent-monitor/register");
      console.log(monitor !== undefined && monitor === cjs.monitor);`;
    for (const flag of ["--import", "--require"]) {
      const args = [flag, "agent-monitor/register", "--input-type=module", "-e", script];
      expect(await consumer.node(...args)).toBe("true");
    }
    vi.unstubAllEnvs();
  });

  it.each([
    ["ESM", `import { AgentMonitor } from "agent-monitor";`, "module"],
    ["CommonJS", `const { AgentMonitor } = require("agent-monitor");`, "commonjs"],
  ])("give a monitor that works and lets the process end: %s", async (_, opening, type) => {
    const script = `${opening}
      const logger = { debug() {}, info() {}, warn() {}, error() {} };
      const monitor = new AgentMonitor({ apiKey: "k", organizationId: "o", endpoint: "http://127.0.0.1:9",
        retryAttempts: 0, logger });
      monitor.trackUserMessage("agent", "session", "Hello");
      monitor.shutdown().then(() => console.log("closed"));`;
    expect(await consumer.node(`--input-type=${type}`, "-e", script)).toBe("closed");
  });
});

const PROGRAM = `import { AgentMonitor, VERSION } from "agent-monitor";
import { startPlatform } from "agent-monitor/platform";
import { monitor as registered } from "agent-monitor/register";
import { verifyRule, type RuleCases } from "agent-monitor/testing";

const cases: RuleCases = { violating: [], compliant: [{ userMessage: "Hi" }] };

export async function main(): Promise<string> {
  const platform = await startPlatform({ port: 0 });
  const monitor = new AgentMonitor({ apiKey: "k", organizationId: "o", endpoint: platform.url });
  // @ts-expect-error -- proves that the types are real
  monitor.trackUserMessage(1);
  registered?.trackUserMessage("agent", "session", "Hi");
  for (const rule of monitor.complianceEngine?.rules ?? []) verifyRule(rule, cases);
  await monitor.flush();
  await monitor.shutdown();
  await platform.close();
  return VERSION;
}
`;

const FIELDS = `import type { AgentInfo, AgentMonitorConfig, DetailedEvent, EventBatch } from "agent-monitor";

const config: AgentMonitorConfig = {
  apiKey: "k",
  organizationId: "o",
  batchSize: 5,
  encryption: { enabled: true, keyId: "a", key: { kty: "oct", k: "AAAA", alg: "dir" } },
  // @ts-expect-error -- a number is wanted
  flushInterval: "100",
};
// @ts-expect-error -- version is missing
const agent: AgentInfo = { id: "a", name: "A", category: "persona", llmProvider: "p", model: "m", description: "d" };

export function read(batch: EventBatch, event: DetailedEvent): string {
  if (event.interactionType === "agent_response") return event.content + (event.riskScore ?? 0).toFixed();
  // @ts-expect-error -- not every event has content
  event.content;
  // @ts-expect-error -- any would allow everything
  batch.events.nonsense();
  return batch.batchId + config.apiKey + agent.id;
}
`;

const isDeclaration = (path: string): boolean => path.endsWith(".d.ts");

describe("a TypeScript project", () => {
  const configure = (directory: string, type: string, options: object): void => {
    consumer.write(`${directory}/package.json`, JSON.stringify({ type }));
    consumer.write(`${directory}/main.ts`, PROGRAM);
    const compilerOptions = {
      target: "es2022",
      lib: ["es2023", "esnext.disposable"],
      types: ["node"],
      strict: true,
      noEmit: true,
      ...options,
    };
    consumer.write(`${directory}/tsconfig.json`, JSON.stringify({ compilerOptions }));
  };

  it.each([
    ["nodenext, ES modules", "module", { module: "nodenext" }],
    ["nodenext, CommonJS", "commonjs", { module: "nodenext" }],
    ["bundler", "module", { module: "esnext", moduleResolution: "bundler" }],
    [
      "ES modules with every library type checked",
      "module",
      { module: "nodenext", skipLibCheck: false, exactOptionalPropertyTypes: true },
    ],
    [
      "CommonJS with every library type checked",
      "commonjs",
      { module: "nodenext", skipLibCheck: false },
    ],
  ])("type-checks: %s", async (name, type, options) => {
    const directory = name.replaceAll(/\W+/g, "-");
    configure(directory, type, { skipLibCheck: true, ...options });
    expect(await consumer.compile("-p", directory)).toBe("");
  });

  /** A compiler that still knows `esModuleInterop: false`, which TypeScript 7 does not. */
  const OLD_COMPILER = "node_modules/@arethetypeswrong/core/node_modules/typescript";
  const STRICT = { module: "nodenext", skipLibCheck: false, exactOptionalPropertyTypes: true };

  it.each(NODE_LINES)("type-checks every library beside the types of Node.js %i", async (line) => {
    const installed = join(consumer.directory, "node_modules/@types/node");
    rmSync(installed, { recursive: true });
    cpSync(join(consumer.directory, "node_modules", toTypes(line)), installed, { recursive: true });
    const directory = `node-${line}`;
    configure(directory, "commonjs", STRICT);
    expect(await consumer.compile("-p", directory)).toBe("");
  });

  it("type-checks without the interoperability of module systems", async () => {
    configure("no-interop", "commonjs", { ...STRICT, esModuleInterop: false });
    expect(await consumer.compileWith(OLD_COMPILER, "-p", "no-interop")).toBe("");
  });

  it("needs no declarations of what the package validates with", () => {
    const declarations = consumer.pack.files.map(({ path }) => path).filter(isDeclaration);
    expect(declarations.length).toBeGreaterThan(20);
    const needing = declarations.filter((path) =>
      findSpecifiers(readFileSync(join(consumer.packageDirectory, path), "utf8")).includes("zod"),
    );
    expect(needing).toEqual([]);
  });

  it("sees the fields of events and configuration, each with its type", async () => {
    configure("fields", "module", STRICT);
    consumer.write("fields/main.ts", FIELDS);
    expect(await consumer.compile("-p", "fields")).toBe("");
  });
});

describe("the dependencies", () => {
  it("contain no second copy of the OpenTelemetry API", () => {
    const nested = join(consumer.packageDirectory, "node_modules");
    expect(existsSync(nested) ? readdirSync(nested) : []).toEqual([]);
  });
});
