import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { parseDoctorArguments } from "../../src/cli/doctor.ts";
import { checkApp } from "../../src/cli/doctor/check-app.ts";
import { checkClashes, checkSilent } from "../../src/cli/doctor/check-clashes.ts";
import { checkEndpoint, checkEnvironment } from "../../src/cli/doctor/check-environment.ts";
import {
  checkClients,
  CHECKED_PACKAGES,
  checkPackages,
} from "../../src/cli/doctor/check-packages.ts";
import { findPackages } from "../../src/cli/doctor/find-packages.ts";
import { toExitCode, type Finding } from "../../src/cli/doctor/finding.ts";
import { startPlatform } from "../../src/platform/index.ts";
import { runCommand, type Finished } from "../helpers/command.ts";

const API = "@opentelemetry/api";

const root = realpathSync(mkdtempSync(join(tmpdir(), "agent-monitor-doctor-")));
afterAll(() => rmSync(root, { recursive: true }));

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

let projects = 0;
/** Makes a project: versions by the path of a package below the project. */
function makeProject(packages: Readonly<Record<string, string>>, manifest: object = {}): string {
  const folder = join(root, `project-${projects++}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "app", ...manifest }));
  for (const [path, version] of Object.entries(packages)) addPackage(folder, path, version);
  return folder;
}

function addPackage(folder: string, path: string, version: string): void {
  const target = join(folder, path);
  mkdirSync(target, { recursive: true });
  const name = path.split("node_modules/").at(-1);
  writeFileSync(join(target, "package.json"), JSON.stringify({ name, version }));
}

const inModules = (packages: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(packages).map(([name, version]) => [`node_modules/${name}`, version]),
  );

/** What a sound project has. */
const SOUND = inModules({ "agent-monitor": "0.1.0", [API]: "1.9.1", openai: "6.49.0" });

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function startEndpoint(): Promise<string> {
  const platform = await startPlatform({ port: 0 });
  closers.push(() => platform.close());
  return platform.url;
}

const runDoctor = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> =>
  runCommand(["doctor", ...args], { cwd: root, env: { PATH: process.env["PATH"], ...env } });

describe("agent-monitor doctor", () => {
  it("finds nothing to mend in a sound project", async () => {
    const url = await startEndpoint();
    const { code, out, err } = await runDoctor([makeProject(SOUND), "--url", url]);
    expect(err).toBe("");
    expect(out).toMatch(/^ok +openai 6\.49\.0: monitor\.instrumentFetch\(\)/m);
    expect(out).toContain(`${url} is an agent-monitor platform`);
    expect(out).toMatch(/\n0 errors, 0 warnings\n$/);
    expect(code).toBe(0);
  });

  it("tells warnings by exit code 1, as JSON on request, of the environment's endpoint", async () => {
    const folder = makeProject({ ...SOUND, "node_modules/a/node_modules/openai": "4.104.0" });
    const env = {
      AGENT_MONITOR_ENDPOINT: await startEndpoint(),
      OTEL_TRACES_SAMPLER: "always_off",
    };
    const { code, out } = await runDoctor([folder, "--json"], env);
    const { exitCode, findings } = JSON.parse(out) as { exitCode: number; findings: Finding[] };
    const warnings = findings.filter(({ level }) => level === "warning");
    expect(warnings.map(({ check }) => check)).toEqual(["sampler", "client"]);
    expect(warnings[1]?.message).toContain("openai 4.104.0 is not covered");
    expect([code, exitCode]).toEqual([1, 1]);
  });

  it("tells errors by exit code 2", async () => {
    const url = await serve((_request, response) => response.writeHead(404).end());
    const { code, out } = await runDoctor([makeProject({}), "--url", url]);
    expect(out).toMatch(/^error +no node_modules/m);
    expect(out).toMatch(/^error +.* answers with status 404/m);
    expect(code).toBe(2);
  });

  it("tells wrong usage", async () => {
    const { code, out, err } = await runDoctor(["--url", "https://me:secret@bank.example"]);
    expect(err).toContain("--url: expected a URL without user name");
    expect(err).not.toContain("secret");
    expect([code, out]).toEqual([2, ""]);
  });
});

/** Tells whether a process runs; one that has ended may wait for its parent to ask. */
function isRunning(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && !readFileSync(path, "utf8").includes(") Z ");
}

describe("a running application", () => {
  const NODE = process.execPath;
  // The processes that the doctor starts read TypeScript as well.
  const env = { NODE_OPTIONS: `--import=${import.meta.resolve("tsx")}` };
  const sources = new URL("../../src/", import.meta.url).href;
  let apps = 0;

  function makeApp(source: string, extension = "mjs"): string {
    const path = join(root, `app-${apps++}.${extension}`);
    writeFileSync(path, source.replaceAll("agent-monitor/", sources));
    return path;
  }

  async function examine(options: readonly string[], command: readonly string[], more = {}) {
    const args = [makeProject(SOUND), "--json", ...options, "--", ...command];
    const { code, out, err } = await runDoctor(args, { ...env, ...more });
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    const all = (check: string): Finding[] => findings.filter((one) => one.check === check);
    const of = (check: string): Finding | undefined => all(check)[0];
    return { code, err, of, all };
  }

  it("tells of its monitors and of what it lacks, and is ended with all that it has started", async () => {
    const endpoint = await startEndpoint();
    const app = makeApp(`
      import { AgentMonitor } from "agent-monitor/index.ts";
      const monitor = new AgentMonitor({ endpoint: "${endpoint}", apiKey: "key", organizationId: "bank" });
      monitor.trackUserMessage("teller", "s-1", "When do you open?");
      await monitor.flush();
      console.log("pid", process.pid);
      setInterval(() => undefined, 1000);
    `);
    const { code, err, of } = await examine(
      ["--after", "8"],
      ["/bin/sh", "-c", `${NODE} ${app}; :`],
    );
    expect(of("monitor")).toMatchObject({ level: "ok" });
    expect(of("monitor")?.message).toContain(`the monitor of ${endpoint}: 1 event, 1 delivered`);
    // Nobody makes spans that would need one.
    expect(of("context-manager")?.level).toBe("note");
    expect(of("sampler")?.level).toBe("note");
    expect(of("endpoint")).toMatchObject({ level: "ok" });
    expect(code).toBe(0);
    const pid = Number(/pid (\d+)/.exec(err)?.[1]);
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false));
  });

  it("finds nothing to mend in README's quick start", async () => {
    const endpoint = await startEndpoint();
    const quickstart = readFileSync(
      join(import.meta.dirname, "../../examples/quickstart.ts"),
      "utf8",
    );
    const app = makeApp(quickstart.replace('"agent-monitor"', '"agent-monitor/index.ts"'), "mts");
    const { code, of } = await examine(["--after", "20"], [NODE, app], {
      AGENT_MONITOR_API_KEY: "dev",
      AGENT_MONITOR_ORGANIZATION_ID: "first-bank",
      AGENT_MONITOR_ENDPOINT: endpoint,
    });
    expect(of("monitor")).toMatchObject({ level: "ok" });
    expect(code).toBe(0);
  });

  it.each([
    [401, "AGENT_MONITOR_API_KEY"],
    [403, "AGENT_MONITOR_ORGANIZATION_ID"],
  ])(
    "tells of a platform that answers with %i, also when the monitor was shut down",
    async (status, name) => {
      const endpoint = await serve((request, response) => {
        request.resume().on("end", () => response.writeHead(status).end());
      });
      const app = makeApp(`
      import { AgentMonitor } from "agent-monitor/index.ts";
      const monitor = new AgentMonitor({ endpoint: "${endpoint}", apiKey: "key", organizationId: "bank", shutdownTimeout: 1000 });
      monitor.trackUserMessage("teller", "s-1", "When do you open?");
      await monitor.shutdown();
    `);
      const { of } = await examine(["--after", "20"], [NODE, app]);
      expect(of("monitor")).toMatchObject({ level: "error" });
      expect(of("monitor")?.message).toContain(`status ${status}`);
      expect(of("monitor")?.advice).toContain(name);
    },
  );

  it("tells of calls that are missed, and of a monitor that sees none beside another", async () => {
    const endpoint = await startEndpoint();
    const model = await serve((request, response) => {
      request.resume().on("end", () => {
        const message = { role: "assistant", content: "The branch opens at nine." };
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] }));
      });
    });
    const app = makeApp(`
      import { AgentMonitor } from "agent-monitor/index.ts";
      const early = globalThis.fetch;
      const options = { endpoint: "${endpoint}", apiKey: "key", organizationId: "bank", enableComplianceChecks: false };
      const monitor = new AgentMonitor(options);
      const second = new AgentMonitor({ ...options, enableLogging: false, batchsize: 5 });
      monitor.instrumentFetch();
      second.instrumentFetch();
      const ask = (send) => send("${model}/v1/chat/completions", {
        method: "POST",
        body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "When do you open?" }] }),
      }).then((response) => response.json());
      await ask(early);
      await monitor.flush();
    `);
    const { all } = await examine(["--after", "20"], [NODE, app]);
    expect(all("config").at(-1)?.message).toContain(
      "ignores a setting: batchsize is unknown: did you mean batchSize?",
    );
    const warnings = all("calls").map(({ message }) => message);
    expect(warnings).toEqual([
      expect.stringContaining("did not see 1 model call"),
      expect.stringContaining("another one of the process observes fetch"),
    ]);
  });

  it("tells of what is told twice", () => {
    const monitor = {
      endpoint: "https://platform.example",
      tracked: 4,
      acked: 4,
      dropped: 0,
      dead: 0,
      state: "closed",
      bridge: { doubled: 2 },
    };
    const facts = { main: "/app.js", hasContextManager: true, apiCopies: [], monitors: [monitor] };
    const found = checkApp({ processes: [facts] }).find(({ check }) => check === "calls");
    expect(found).toMatchObject({ level: "warning" });
    expect(found?.message).toContain(
      "was told 2 events twice, by track* and by an instrumentation",
    );
  });

  it("tells of a sampler that leaves nothing", async () => {
    const app = makeApp(`
      import { context, trace } from "@opentelemetry/api";
      import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
      import { AlwaysOffSampler, BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
      context.setGlobalContextManager(new AsyncLocalStorageContextManager());
      trace.setGlobalTracerProvider(new BasicTracerProvider({ sampler: new AlwaysOffSampler() }));
    `);
    symlinkSync(join(import.meta.dirname, "../../node_modules"), join(root, "node_modules"));
    const { of } = await examine([], [NODE, app]);
    expect(of("sampler")?.message).toContain("the sampler records 0 of 20 traces");
    expect(of("context-manager")?.level).toBe("ok");
    expect(of("monitor")).toMatchObject({
      level: "error",
      message: "the application has made no AgentMonitor",
    });
    expect(of("app")).toMatchObject({ level: "note" });
  });

  it("may end before its time", async () => {
    const { code, of } = await examine([], [NODE, "-e", "process.exit(3)"]);
    expect(of("app")?.message).toBe("the application ended with exit code 3");
    expect(code).toBe(2);
  });

  it("may not be there", async () => {
    const { code, err } = await runDoctor([makeProject(SOUND), "--", "no-such-program"]);
    expect(err).toContain("no-such-program can't be started (ENOENT)");
    expect(code).toBe(2);
  });
});

describe("the arguments", () => {
  it("have defaults", () => {
    const expected = {
      folder: process.cwd(),
      url: undefined,
      json: false,
      command: [],
      runMillis: 5000,
    };
    expect(parseDoctorArguments([])).toEqual(expected);
  });

  it.each([
    [["nowhere"], "expected the folder of a project (got nowhere)"],
    [[".", "."], "doctor takes one folder"],
    [["--format", "text"], "unknown option --format"],
    [["--url", "http://bank.example"], "--url: expected https"],
    [["--after", "soon"], "--after: expected seconds up to 600 (got soon)"],
    [["--"], "expected a program behind --"],
  ])("may not be %j", (args, problem) => {
    expect(() => parseDoctorArguments(args)).toThrow(problem);
  });
});

describe("packages", () => {
  const find = (folder: string) =>
    findPackages(folder, (name) => CHECKED_PACKAGES.has(name) || name === "openai");
  const examine = (folder: string, node = "22.15.0", dependencies: readonly string[] = []) =>
    checkPackages({
      folder,
      packages: find(folder).packages,
      dependencies: new Set(dependencies),
      node,
    }).filter(({ level }) => level === "warning" || level === "error");

  it("are found wherever they are nested, each copy once", () => {
    const folder = makeProject({
      ...SOUND,
      "node_modules/@a/b/node_modules/@c/d/node_modules/openai": "5.0.0",
      "node_modules/.bin/openai": "1.0.0",
    });
    symlinkSync(join(folder, "node_modules/openai"), join(folder, "node_modules/@a/openai"));
    symlinkSync(folder, join(folder, "node_modules/self"));
    const { packages, isInstalled, isCut } = find(folder);
    expect([isInstalled, isCut]).toEqual([true, false]);
    expect(packages.filter(({ name }) => name === "openai").map(({ version }) => version)).toEqual([
      "5.0.0",
      "6.49.0",
    ]);
  });

  it("are found in pnpm's store, through its links", () => {
    const store = "node_modules/.pnpm/openai@6.49.0/node_modules/openai";
    const folder = makeProject({ [store]: "6.49.0" });
    symlinkSync(join(folder, store), join(folder, "node_modules/openai"));
    expect(find(folder).packages).toEqual([
      { name: "openai", version: "6.49.0", path: join(folder, store) },
    ]);
  });

  it("are found in the root of a workspace", () => {
    const folder = makeProject(SOUND, { workspaces: ["packages/*"] });
    const member = join(folder, "packages/app");
    addPackage(folder, "packages/app", "1.0.0");
    addPackage(member, "node_modules/openai", "5.0.0");
    const versions = find(member).packages.filter(({ name }) => name === "openai");
    expect(versions.map(({ version }) => version)).toEqual(["6.49.0", "5.0.0"]);
  });

  it("may have manifests that can't be read", () => {
    const folder = makeProject({ ...SOUND, "node_modules/openai": "6.49.0" });
    writeFileSync(join(folder, "node_modules/openai/package.json"), "{");
    writeFileSync(join(folder, `node_modules/${API}/package.json`), "null");
    expect(find(folder).packages.map(({ name }) => name)).toEqual(["agent-monitor"]);
  });

  it("are sound", () => {
    expect(examine(makeProject(SOUND))).toEqual([]);
  });

  it.each<[string, Record<string, string>, string, string]>([
    [
      "two copies of the API",
      { "a/node_modules/@opentelemetry/api": "1.9.0" },
      "warning",
      "2 copies of @opentelemetry/api: 1.9.1 in node_modules/@opentelemetry/api, 1.9.0 in node_modules/a/",
    ],
    ["an old API", { [API]: "1.8.0" }, "error", "1.8.0 is older than 1.9.0"],
    [
      "an old SDK",
      { "@opentelemetry/sdk-trace-base": "1.30.1" },
      "warning",
      "sdk-trace-base 1.30.1",
    ],
    [
      "two copies of an import hook",
      { "import-in-the-middle": "3.6.0", "a/node_modules/import-in-the-middle": "1.7.1" },
      "warning",
      "2 copies of import-in-the-middle",
    ],
    [
      "two monitors",
      { "a/node_modules/agent-monitor": "0.0.9" },
      "warning",
      "2 copies of agent-monitor",
    ],
  ])("tell of %s", (_what, packages, level, message) => {
    const found = examine(makeProject({ ...SOUND, ...inModules(packages) }));
    expect(found).toEqual([
      expect.objectContaining({ level, message: expect.stringContaining(message) as string }),
    ]);
  });

  it("tell what is missing", () => {
    const found = examine(makeProject(inModules({ openai: "6.49.0" })));
    expect(found.map(({ level, check }) => [level, check])).toEqual([
      ["warning", "agent-monitor"],
      ["error", "opentelemetry-api"],
    ]);
  });

  it("tell that OpenTelemetry 3.x needs a newer Node", () => {
    const folder = makeProject({ ...SOUND, ...inModules({ "@opentelemetry/sdk-trace": "3.1.0" }) });
    expect(examine(folder, "22.14.0").map(({ check }) => check)).toEqual(["opentelemetry-sdk"]);
    expect(examine(folder, "22.15.0")).toEqual([]);
  });

  it("tell that a bare SDK has no context manager", () => {
    const folder = makeProject(SOUND);
    const sdk = "@opentelemetry/sdk-trace-base";
    expect(examine(folder, "22.15.0", [sdk]).map(({ check }) => check)).toEqual([
      "context-manager",
    ]);
    expect(examine(folder, "22.15.0", [sdk, "@opentelemetry/context-async-hooks"])).toEqual([]);
    expect(examine(folder, "22.15.0", ["@opentelemetry/sdk-node"])).toEqual([]);
  });

  it("tell of every version of a client once", () => {
    const copies = ["6.49.0", "6.49.0", "9.0.0"].map((version) => ({
      name: "openai",
      version,
      path: "",
    }));
    expect(checkClients(copies).map(({ level }) => level)).toEqual(["ok", "warning"]);
    expect(checkClients([{ name: "express", version: "5.0.0", path: "" }])).toEqual([
      { check: "client", level: "note", message: "no known client is installed" },
    ]);
  });
});

describe("instrumentations that harm clients", () => {
  const examine = (versions: Readonly<Record<string, string>>): string[] =>
    checkClashes(
      Object.entries(versions).map(([name, version]) => ({ name, version, path: "" })),
    ).map(({ level, message }) => `${level} ${message}`);

  it("are told of where both are installed", () => {
    const traceloop = { "@traceloop/instrumentation-anthropic": "0.27.0" };
    expect(examine({ ...traceloop, "@anthropic-ai/sdk": "1.11.0" })).toEqual([
      "error @traceloop/instrumentation-anthropic 0.27.0 with @anthropic-ai/sdk 1.11.0: importing the client throws",
    ]);
    expect(examine({ ...traceloop, "@anthropic-ai/sdk": "0.137.0" })).toEqual([]);
    expect(examine(traceloop)).toEqual([]);
  });

  it("are told of for the versions that they touch", () => {
    const otel = { "@opentelemetry/instrumentation-openai": "0.21.0" };
    expect(examine({ ...otel, openai: "6.49.0" })).toHaveLength(1);
    expect(examine({ ...otel, openai: "7.55.0" })).toEqual([]);
  });
});

describe("the environment", () => {
  const examine = (environment: NodeJS.ProcessEnv, node = "20.19.0"): string[] =>
    checkEnvironment(environment, node)
      .filter(({ level }) => level !== "ok")
      .map(({ message }) => message);

  it.each(["20.19.0", "20.20.2", "22.12.0", "24.21.0", "26.0.0"])("may be Node %s", (node) => {
    expect(examine({}, node)).toEqual([]);
  });

  it.each(["18.20.0", "20.18.1", "21.7.0", "22.11.0"])("may not be Node %s", (node) => {
    expect(examine({}, node)).toEqual([expect.stringContaining(`Node ${node}: expected`)]);
  });

  it.each([
    ["always_off", undefined, "samples every trace out"],
    ["parentbased_always_off", undefined, "samples every trace out"],
    ["traceidratio", "0", "samples every trace out"],
    ["parentbased_traceidratio", "0.05", "samples 5 % of the traces"],
  ])("may sample by %s %s", (sampler, share, message) => {
    const environment = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share };
    expect(examine(environment)).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    {},
    { OTEL_TRACES_SAMPLER: "always_on", OTEL_TRACES_SAMPLER_ARG: "0" },
    { OTEL_TRACES_SAMPLER: "traceidratio" },
    { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "much" },
    { OTEL_SDK_DISABLED: "false" },
  ])("may be %j", (environment) => {
    expect(examine(environment)).toEqual([]);
  });

  it("may turn OpenTelemetry off", () => {
    expect(examine({ OTEL_SDK_DISABLED: "true" })).toEqual([expect.stringContaining("no spans")]);
  });
});

describe("the endpoint", () => {
  const NOW = Date.parse("2026-11-21T10:00:00Z");
  const ask = (url: string, isDefault = false, timeoutMillis = 5000): Promise<Finding[]> =>
    checkEndpoint({ url, isDefault, timeoutMillis, now: () => NOW });
  const levels = (findings: readonly Finding[]): string[] =>
    findings.map(({ check, level }) => `${check} ${level}`);

  it("is a platform, also below a path", async () => {
    const url = await startEndpoint();
    const findings = await checkEndpoint({
      url: `${url}/`,
      isDefault: false,
      timeoutMillis: 5000,
      now: Date.now,
    });
    expect(levels(findings)).toEqual(["endpoint ok", "clock ok"]);
  });

  it("leaves no warning in the log of the platform that it asks", async () => {
    const warnings: string[] = [];
    const warn = (line: string): void => void warnings.push(line);
    const quiet = (): void => undefined;
    const logger = { debug: quiet, info: quiet, warn, error: warn };
    const platform = await startPlatform({ port: 0, logger });
    closers.push(() => platform.close());
    expect(levels(await ask(platform.url))[0]).toBe("endpoint ok");
    expect(warnings).toEqual([]);
    // Who sends in a wrong way is told of as before.
    await fetch(`${platform.url}/v1/batches`, { method: "PUT" });
    expect(warnings).toHaveLength(1);
  });

  it.each([
    ["no document", "text/html", "<html>"],
    ["a document that is none of ours", "application/problem+json", '{"type":"about:blank"}'],
    ["no JSON", "application/problem+json", "{"],
    ["too much", "application/problem+json", " ".repeat(200_000)],
  ])("is no platform when it answers with %s", async (_what, type, body) => {
    const url = await serve((_request, response) =>
      response.writeHead(405, { "content-type": type }).end(body),
    );
    expect(levels(await ask(url))[0]).toBe("endpoint error");
  });

  it("is asked without credentials, and no redirect is followed", async () => {
    const seen: unknown[] = [];
    const url = await serve(({ method, url: path, headers }, response) => {
      seen.push([method, path, headers.authorization]);
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    expect(levels(await ask(url))[0]).toBe("endpoint error");
    expect(seen).toEqual([["GET", "/v1/batches", undefined]]);
  });

  it.each([
    [0, "clock ok"],
    [29, "clock ok"],
    [60, "clock warning"],
    [-60, "clock warning"],
    [301, "clock error"],
    [-301, "clock error"],
  ])("has a clock that is off by %i s", async (seconds, expected) => {
    const url = await serve((_request, response) =>
      response.writeHead(200, { date: new Date(NOW + seconds * 1000).toUTCString() }).end(),
    );
    expect(levels(await ask(url))[1]).toBe(expected);
  });

  it("may be unreachable, which is no error where nobody has set it", async () => {
    const url = await serve(() => undefined);
    for (const close of closers.splice(0)) await close();
    expect(await ask(url)).toEqual([
      expect.objectContaining({
        level: "error",
        message: `${url} can't be reached (ECONNREFUSED)`,
      }),
    ]);
    expect(levels(await ask(url, true))).toEqual(["endpoint warning", "endpoint warning"]);
  });

  it("may never answer", async () => {
    const url = await serve(() => undefined);
    const [finding] = await ask(url, false, 20);
    expect(finding?.message).toContain("TimeoutError");
  });

  it("may be set to what is no URL, which is not repeated", async () => {
    const [finding] = await ask("https://me:secret@bank.example");
    expect(finding).toMatchObject({ level: "error", check: "endpoint" });
    expect(JSON.stringify(finding)).not.toContain("secret");
  });
});

describe("the exit code", () => {
  it("is that of the worst", () => {
    const of = (...found: Finding["level"][]): number =>
      toExitCode(found.map((level) => ({ check: "a", level, message: "" })));
    expect([of(), of("ok", "note"), of("note", "warning"), of("error", "warning")]).toEqual([
      0, 0, 1, 2,
    ]);
  });
});

describe("packages that make no spans", () => {
  it.each([
    ["10.78.0", 0],
    ["11.12.0", 1],
  ])("are told of: @sentry/node %s", (version, count) => {
    const found = checkSilent([{ name: "@sentry/node", version, path: "/app" }]);
    expect(found.map(({ level }) => level)).toEqual(Array(count).fill("warning"));
  });
});
