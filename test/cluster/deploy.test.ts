import { execFileSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { get as getSecurely, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { until } from "../faults/support/until.ts";
import { DEPLOY, MANIFESTS, readCompose } from "../deploy/read-deploy.ts";
import { runProgram } from "../helpers/run-program.ts";
import { createBatch } from "../platform/helpers.ts";
import { type KafkaCluster, startKafka } from "./support/kafka-cluster.ts";
import type { LintTools } from "./support/lint-tools.ts";
import { HAS_POSTGRES, type PostgresServer, startPostgres } from "./support/postgres-server.ts";
import { type Service, startService } from "./support/service.ts";

const classPath = inject("kafkaClassPath");
const lintTools = inject("lintTools");
/** Where it is asked for, a missing part is a failure. */
const canStart = classPath !== "" && (HAS_POSTGRES || process.env["REQUIRE_CLUSTER"] === "1");
const READY_MILLIS = 120_000;
const ROLE = "agent_monitor";
const SERVICE_ROLE = "agent_monitor_service";

/** A copy of the examples with secrets in it. */
const directory = mkdtempSync(join(tmpdir(), "agent-monitor-deploy-"));
beforeAll(() => {
  cpSync(DEPLOY, directory, { recursive: true });
  execFileSync(join(directory, "make-secrets.sh"), { stdio: "pipe" });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe.skipIf(lintTools === "")("linters", () => {
  const tools = JSON.parse(lintTools || "{}") as LintTools;
  const lint = (command: string, args: readonly string[], env = {}) =>
    runProgram(command, args, {
      cwd: directory,
      env: { ...process.env, ...env },
      timeoutMillis: READY_MILLIS,
    });
  const manifests = MANIFESTS.map((name) => join("kubernetes", name));
  /** Writes a file of the examples with a mistake in it. */
  const misspell = (name: string, right: string, wrong: string): string => {
    const text = readFileSync(join(directory, name), "utf8");
    expect(text).toContain(right);
    writeFileSync(join(directory, "misspelt.yaml"), text.replace(right, wrong));
    return "misspelt.yaml";
  };

  it("take compose.yaml, and nothing misspelt", async () => {
    const compose = (file: string) => lint(tools.compose, ["--no-interpolation", file]);
    expect(await compose("compose.yaml")).toMatchObject({ code: 0, stderr: "" });
    expect((await compose(misspell("compose.yaml", "restart:", "restrt:"))).stderr).toMatch(
      /restrt/,
    );
  });

  it("take the manifests by the schemas of Kubernetes, and nothing misspelt", async () => {
    const validate = (...files: string[]) =>
      lint("python3", ["-m", "kubernetes_validate", "--strict", ...files], {
        PYTHONPATH: tools.schemas,
      });
    const valid = await validate(...manifests);
    expect(valid).toMatchObject({ code: 0 });
    const file = misspell("kubernetes/gateway.yaml", "readinessProbe:", "readynessProbe:");
    expect((await validate(file)).code).not.toBe(0);
  });

  it("find nothing that a workload of Kubernetes lacks", async () => {
    const score = (...files: string[]) => lint(tools.score, ["score", "-o", "ci", ...files]);
    const { code, stdout } = await score(...manifests);
    expect(stdout.split("\n").filter((line) => /^\[(CRITICAL|WARNING)\]/.test(line))).toEqual([]);
    expect(code).toBe(0);
    const file = misspell(
      "kubernetes/gateway.yaml",
      "readOnlyRootFilesystem: true",
      "readOnlyRootFilesystem: false",
    );
    expect((await score(file)).code).not.toBe(0);
  });
});

/** Lets a server of PostgreSQL speak TLS, with the certificate of compose.yaml. */
async function protect(postgres: PostgresServer): Promise<void> {
  const client = new Client({ connectionString: `${postgres.url}/postgres` });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>("SHOW data_directory");
  const data = rows[0]?.data_directory ?? "";
  const { uid, gid } = statSync(data);
  for (const [setting, name] of [
    ["ssl_cert_file", "postgres.pem"],
    ["ssl_key_file", "postgres-key.pem"],
  ] as const) {
    const file = join(data, name);
    writeFileSync(file, readFileSync(join(directory, "secrets", name)), { mode: 0o600 });
    chownSync(file, uid, gid);
    await client.query(`ALTER SYSTEM SET ${setting} = '${file}'`);
  }
  await client.query("ALTER SYSTEM SET ssl = on");
  await client.query(`CREATE ROLE ${ROLE} LOGIN`);
  await client.query(`CREATE ROLE ${SERVICE_ROLE} LOGIN`);
  await client.query(`CREATE DATABASE ${ROLE} OWNER ${ROLE}`);
  await client.end();
  await postgres.kill();
  await postgres.start();
}

const readSecret = (name: string): string => readFileSync(join(directory, "secrets", name), "utf8");

/** Asks a gateway of compose.yaml, whose certificate is for localhost. */
function ask(url: string, body?: { readonly key: string; readonly batch: object }) {
  const options = { ca: readSecret("ca.pem") };
  const headers = {
    authorization: `Bearer ${body?.key}`,
    "content-type": "application/json",
    "x-organization-id": "first-bank",
  };
  return new Promise<number | undefined>((resolve, reject) => {
    const sent = body
      ? request(url, { ...options, method: "POST", headers }).end(JSON.stringify(body.batch))
      : getSecurely(url, options);
    sent.on("response", (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on("error", reject);
  });
}

if (classPath !== "" && !canStart)
  console.log("the commands of compose.yaml are left out: PostgreSQL is not installed");

describe.skipIf(!canStart)("commands of compose.yaml", () => {
  let kafka: KafkaCluster;
  let postgres: PostgresServer;
  const running: Service[] = [];
  beforeAll(async () => {
    [kafka, postgres] = await Promise.all([startKafka({ classPath }), startPostgres()]);
    for (const name of ["agent-events", "agent-events-otlp", "agent-events-dead"])
      await kafka.createTopic(name, { partitions: 2 });
    await protect(postgres);
  });
  afterAll(async () => {
    await Promise.all(running.map((service) => service.kill()));
    await kafka?.stop();
    await postgres?.stop();
  });

  /** Says where things are on this machine. */
  const place = (text: string, role = ROLE): string =>
    text
      .replaceAll(/\/run\/secrets\/([\w-]+)/g, (_, name: string) =>
        join(directory, readCompose().secrets[name]?.file ?? ""),
      )
      .replace(/kafka:\/\/[^/]+/, `kafka://${kafka.brokers.join(",")}`)
      .replace(/0\.0\.0\.0:\d+/, "localhost:0")
      .replace("0.0.0.0", "127.0.0.1")
      .replace(`${ROLE}@postgres/`, `${role}@localhost:${new URL(postgres.url).port}/`);

  /** Starts a service of compose.yaml. */
  async function start(name: string, role?: string): Promise<Service> {
    const { command = [], environment = {} } = readCompose().services[name] ?? {};
    const args = command.map((arg) => place(arg));
    const values = Object.entries(environment).map(
      ([variable, text]) =>
        [variable, text.startsWith("${") ? "a key of 16 characters" : place(text, role)] as const,
    );
    const port = command[0] === "platform" ? ["--port=0"] : [];
    const service = await startService([...args, ...port], Object.fromEntries(values));
    running.push(service);
    return service;
  }

  it("take a batch by TLS, store it and show it, and a role without rights goes on", async () => {
    const [consumer, gateway] = await Promise.all([start("consumer-1"), start("gateway-1")]);
    expect(consumer.output()).toContain(`/${ROLE}`);
    const { url } = gateway;
    await until(
      "the gateway is ready",
      async () => (await ask(`${url}/readyz`)) === 200,
      READY_MILLIS,
    );
    const [{ key, organizationId }] = JSON.parse(readSecret("organizations.json"));
    const batch = createBatch(undefined, { organizationId });
    expect(await ask(`${url}/v1/batches`, { key: "a key that nobody has", batch })).toBe(401);
    expect(await ask(`${url}/v1/batches`, { key, batch })).toBe(202);

    execFileSync("psql", [
      "--no-psqlrc",
      "--quiet",
      `--variable=role=${SERVICE_ROLE}`,
      "--set=ON_ERROR_STOP=1",
      `--file=${join(directory, "grants.sql")}`,
      `${postgres.url.replace("bank@", `${ROLE}@`)}/${ROLE}`,
    ]);
    const platform = await start("platform-1", SERVICE_ROLE);
    const [ann] = JSON.parse(readSecret("users.json"));
    const read = (path: string, token: string) =>
      fetch(platform.url + path, {
        headers: { authorization: `Bearer ${token}` },
      });
    expect((await read("/api/stats", "a key that nobody has")).status).toBe(401);
    const isStored = async () => {
      const response = await read("/api/stats", ann.key);
      return ((await response.json()) as { batches: number }).batches === 1;
    };
    await until("the batch is stored", isStored, READY_MILLIS);
    await consumer.end();
    await start("consumer-2", SERVICE_ROLE);
    expect(
      await ask(`${url}/v1/batches`, { key, batch: createBatch(undefined, { organizationId }) }),
    ).toBe(202);
    const areStored = async () => {
      const response = await read("/api/stats", ann.key);
      return ((await response.json()) as { batches: number }).batches === 2;
    };
    await until("the role without rights has stored a batch", areStored, READY_MILLIS);
    const client = new Client({
      connectionString: `${postgres.url.replace("bank@", `${SERVICE_ROLE}@`)}/${ROLE}`,
    });
    await client.connect();
    for (const statement of [
      "UPDATE audit SET at = 0",
      "DELETE FROM disposition",
      "TRUNCATE audit",
      "DROP TABLE audit",
      "UPDATE layout SET version = 1",
    ])
      await expect(client.query(statement)).rejects.toMatchObject({ code: "42501" });
    await client.end();
  });
});
