import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { devCommand } from "../../src/cli/dev.ts";
import { gatewayCommand } from "../../src/cli/gateway.ts";
import { toTopics } from "../../src/platform/kafka/kafka-record.ts";
import { DEFAULT_PLATFORM_PORT, OTLP_PORT } from "../../src/platform/options.ts";
import { HEALTH_ROUTES } from "../../src/platform/routes.ts";
import { SCHEMA } from "../../src/platform/store/create-tables.ts";
import { toPostgresTables } from "../../src/platform/store/postgres/postgres-tables.ts";
import { DEPLOY, type Manifest, readCompose, readManifests } from "./read-deploy.ts";

const REPOSITORY = join(DEPLOY, "../..");
const readDeploy = (name: string): string => readFileSync(join(DEPLOY, name), "utf8");
const HELP: Readonly<Record<string, string>> = {
  gateway: gatewayCommand.help,
  platform: devCommand.help,
};
/** Of Node.js, and of PostgreSQL's clients. */
const FOREIGN_VARIABLES = ["NODE_EXTRA_CA_CERTS", "PGPASSWORD"];
const HEALTH_PATHS = HEALTH_ROUTES.map(({ path }) => path);

const compose = readCompose();
const manifests = readManifests();
const services = Object.entries(compose.services);
const own = services.filter(([, { image }]) => image === "agent-monitor");
const deployments = manifests.filter(({ kind }) => kind === "Deployment");
const readPod = (deployment: Manifest): any => deployment["spec"].template.spec;
const containers: any[] = deployments.flatMap((each) => readPod(each).containers);
const ownContainers = containers.filter(({ image }) => /agent-monitor/.test(image));

/** What is wrong with a command line: a name that is not in the help. */
function findUnknownOptions([command = "", ...args]: readonly string[]): string[] {
  const help = HELP[command];
  if (help === undefined) return [command];
  const names = args.map((arg) => /^--[a-z-]+/.exec(arg)?.[0] ?? arg);
  return names.filter((name) => !new RegExp(`^  ${name} `, "m").test(help));
}

function findUnknownVariables(
  [command = "", ...args]: readonly string[],
  names: readonly string[],
): string[] {
  const help = HELP[command] ?? "";
  const used = args.flatMap((arg) => [...arg.matchAll(/\$\((\w+)\)/g)].map(([, name]) => name));
  const isKnown = (name: string): boolean =>
    new RegExp(`\\b${name}\\b`).test(help) ||
    FOREIGN_VARIABLES.includes(name) ||
    used.includes(name);
  const missing = used.filter((name) => !names.includes(name ?? ""));
  return [...names.filter((name) => !isKnown(name)), ...missing.map((name) => `$(${name})`)];
}

/** Ports on which a command listens. */
function findPorts([command, ...args]: readonly string[]): number[] {
  const port = (name: string): number | undefined => {
    const given = args.find((arg) => arg.startsWith(`--${name}=`));
    return given === undefined ? undefined : Number(/\d+$/.exec(given)?.[0]);
  };
  const first = port(command === "gateway" ? "listen" : "port") ?? DEFAULT_PLATFORM_PORT;
  const otlp = port(command === "gateway" ? "otlp" : "otlp-port");
  return otlp === undefined ? [first] : [first, otlp];
}

const toFiles = (args: readonly string[], place: string): string[] =>
  args.flatMap((arg) => arg.match(new RegExp(`${place}[\\w./-]+`, "g")) ?? []);

describe("compose.yaml", () => {
  it.each(own)("%s has options and variables of its command", (_, service) => {
    const { command = [], environment = {} } = service;
    expect(findUnknownOptions(command)).toEqual([]);
    expect(findUnknownVariables(command, Object.keys(environment))).toEqual([]);
  });

  it.each(own)("%s has the files of its options, and asks itself for its health", (_, service) => {
    const { command = [], environment = {}, secrets = [], healthcheck } = service;
    const texts = [...command, ...Object.values(environment)];
    const used = new Set(toFiles(texts, "/run/secrets/"));
    expect([...used].map((file) => file.slice("/run/secrets/".length)).toSorted()).toEqual(
      secrets.toSorted(),
    );
    const url = /https?:\/\/[\w.:/]+/.exec(healthcheck?.test.join(" ") ?? "")?.[0] ?? "";
    expect(HEALTH_PATHS).toContain(new URL(url).pathname);
    expect(findPorts(command)).toContain(Number(new URL(url).port));
    expect(new URL(url).protocol === "https:").toBe(command.join(" ").includes("--tls-cert"));
  });

  it.each(services)("%s refers to what there is", (_, service) => {
    const { secrets = [], configs = [], volumes = [], depends_on: needed = [] } = service;
    const others = Array.isArray(needed) ? needed : Object.keys(needed);
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(others));
    expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining([...secrets]));
    expect(Object.keys(compose.configs)).toEqual(
      expect.arrayContaining(configs.map(({ source }) => source)),
    );
    const named = volumes.map((volume) => volume.split(":")[0]);
    expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(named));
  });

  it("reaches the parts where they listen, and creates the topics that they need", () => {
    const proxy = readDeploy("haproxy.cfg");
    const binds = [...proxy.matchAll(/bind :(\d+)/g)].map(([, port]) => `${port}:${port}`);
    expect(compose.services["load-balancer"]?.ports).toEqual(binds);
    const reached = [...proxy.matchAll(/^ {2}server \S+ (\S+):(\d+)/gm)];
    expect(reached).toHaveLength(6);
    for (const [, name = "", port] of reached)
      expect(findPorts(compose.services[name]?.command ?? [])).toContain(Number(port));
    const asked = [...proxy.matchAll(/http-check send meth GET uri (\S+)/g)];
    expect(HEALTH_PATHS).toEqual(expect.arrayContaining(asked.map(([, path]) => path)));
    const addresses = services.flatMap(([, { command = [] }]) =>
      command.flatMap((arg) => /kafka:\/\/(.*)\/(.*)/.exec(arg) ?? []),
    );
    const [, brokers = "", topic = ""] = addresses;
    // Gateways and consumers have one address: it, its brokers and its topic.
    expect(new Set(addresses).size).toBe(3);
    for (const broker of brokers.split(","))
      expect(compose.services[broker.split(":")[0] ?? ""]).toBeDefined();
    const created = compose.services["topics"]?.command?.at(-1) ?? "";
    for (const name of [...Object.values(toTopics(topic)), `${topic}-dead`])
      expect(created).toMatch(new RegExp(`\\b${name}:\\d`));
  });

  it("has the versions that are tested", () => {
    const manifest = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")) as {
      devDependencies: Record<string, string>;
    };
    for (const name of ["pg", "@platformatic/kafka"])
      expect(readDeploy("Dockerfile")).toContain(`${name}@${manifest.devDependencies[name]}`);
    const pom = readFileSync(join(REPOSITORY, "test/cluster/kafka/pom.xml"), "utf8");
    for (const [, { image }] of services)
      if (image.startsWith("apache/kafka:"))
        expect(pom).toContain(`<version>${image.split(":")[1]}</version>`);
  });
});

describe("kubernetes", () => {
  it.each(ownContainers)("$name has options and variables of its command", ({ args, env = [] }) => {
    expect(findUnknownOptions(args)).toEqual([]);
    const names = env.map(({ name }: { name: string }) => name);
    expect(findUnknownVariables(args, names)).toEqual([]);
  });

  it.each(ownContainers)("$name is reached and asked where it listens", (container) => {
    const { args, ports, startupProbe, livenessProbe, readinessProbe } = container;
    expect(ports.map((port: any) => port.containerPort)).toEqual(findPorts(args));
    const scheme = args.join(" ").includes("--tls-cert") ? "HTTPS" : undefined;
    for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
      expect(HEALTH_PATHS).toContain(httpGet.path);
      expect(ports.map((port: any) => port.name)).toContain(httpGet.port);
      expect(httpGet.scheme).toBe(scheme);
    }
  });

  it.each(deployments)("$metadata.name has the files of its options", (deployment) => {
    const { containers: inPod, volumes } = readPod(deployment);
    const sources = new Map<string, any>(volumes.map((volume: any) => [volume.name, volume]));
    for (const { args = [], volumeMounts } of inPod) {
      const mounts = new Map<string, string>(
        volumeMounts.map((mount: any) => [mount.mountPath, mount.name]),
      );
      for (const name of mounts.values()) expect([...sources.keys()]).toContain(name);
      for (const file of toFiles(args, "/etc/agent-monitor/")) {
        const [, folder = "", name] = /^(.*)\/(.*)$/.exec(file) ?? [];
        const { secret } = sources.get(mounts.get(folder) ?? "");
        const items = secret.items?.map(({ path }: { path: string }) => path) ?? [name];
        expect(items).toContain(name);
      }
    }
  });

  it("has policies and services for the ports that there are", () => {
    const listened = new Set<number>(
      containers.flatMap(({ ports }) => ports.map((port: any) => port.containerPort)),
    );
    const names = containers.flatMap(({ ports }) => ports.map((port: any) => port.name));
    for (const { kind, spec } of manifests as any[]) {
      if (kind === "Service")
        for (const { targetPort } of spec.ports) expect(names).toContain(targetPort);
      if (kind === "NetworkPolicy")
        for (const { ports } of spec.ingress ?? [])
          for (const { port } of ports) expect([...listened]).toContain(port);
    }
  });

  it("names secrets that the README describes, and configuration that there is", () => {
    const readme = readDeploy("README.md");
    const text = JSON.stringify(deployments);
    const secrets = [...text.matchAll(/"secretName":"([^"]+)"|"secretKeyRef":{"name":"([^"]+)"/g)];
    expect(secrets.length).toBeGreaterThan(5);
    for (const [, mounted, named] of secrets)
      expect(readme).toContain(`| \`${mounted ?? named}\` |`);
    expect(manifests.some(({ kind }) => kind === "Secret")).toBe(false);
    const configured = new Map(
      manifests.filter(({ kind }) => kind === "ConfigMap").map((map) => [map.metadata.name, map]),
    );
    for (const [, name = "", key = ""] of text.matchAll(
      /"configMapKeyRef":{"name":"([^"]+)","key":"([^"]+)"/g,
    ))
      expect(Object.keys(configured.get(name)?.["data"] ?? {})).toContain(key);
  });
});

it("listens by default where the documents say", () => {
  for (const [, { command = [] }] of own)
    expect([DEFAULT_PLATFORM_PORT, OTLP_PORT]).toEqual(expect.arrayContaining(findPorts(command)));
});

describe("grants.sql", () => {
  it("takes the right to change from each table that is append-only", () => {
    const tables = [...toPostgresTables(SCHEMA).matchAll(/BEFORE DELETE ON (\w+) /g)];
    const [, revoked = ""] = /REVOKE UPDATE, DELETE ON (.*) FROM/.exec(readDeploy("grants.sql"))!;
    expect(tables.length).toBeGreaterThan(4);
    expect(new Set(revoked.split(", "))).toEqual(new Set(tables.map(([, name]) => name)));
  });
});
