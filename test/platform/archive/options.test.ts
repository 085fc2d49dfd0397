import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type ArchiveOptions,
  resolveArchiveOptions,
} from "../../../src/platform/archive/archive-options.ts";
import { archiveRecords } from "../../../src/platform/archive/archive-records.ts";
import { createS3Store } from "../../../src/platform/archive/s3-store.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { runCommand } from "../../helpers/command.ts";
import { createBatch } from "../helpers.ts";
import { readAs, toRecord } from "./records.ts";

const FROM = "kafka://kafka-1/agent-events";
const ACCESS = { accessKeyId: "an id", secretAccessKey: "a secret" };

const resolve = (options: Partial<ArchiveOptions>) =>
  resolveArchiveOptions({ from: FROM, to: "archive", ...options });

describe("options of an archive", () => {
  it.each([
    [{ from: "https://kafka-1" }, "from: expected kafka://host:port,host:port/topic"],
    [{ from: "kafka://kafka-1" }, "from: expected a topic of"],
    [{ to: "" }, "to: expected a directory or s3://bucket/prefix"],
    [{ to: "https://bank.example" }, "to: expected a directory or s3://bucket/prefix"],
    [{ to: "s3://" }, "to: expected s3://bucket or s3://bucket/prefix"],
    [{ to: "s3://b/x" }, "to: expected s3://bucket or s3://bucket/prefix"],
    [{ to: "s3://bank/../x" }, "to: expected letters, digits"],
    [{ to: "s3://bank" }, "s3.accessKeyId: "],
    [{ to: "s3://bank.eu", s3: ACCESS }, "s3.endpoint: a bucket with a dot needs it"],
    [{ to: "s3://bank", s3: { ...ACCESS, region: "eu/x" } }, "s3.region: expected a name"],
    [{ to: "s3://bank", s3: { ...ACCESS, endpoint: "http://bank.example" } }, "s3.endpoint: "],
    [{ s3: ACCESS }, "s3 is for a bucket, and to names none"],
    [{ consumerGroup: "" }, "consumerGroup must not be empty"],
    [{ port: -1 }, "port must be 0 to 65535 (got -1)"],
    [{ form: FROM }, 'unknown option "form": did you mean from?'],
  ])("%j are refused", (options, problem) => {
    const act = () => resolve(options as Partial<ArchiveOptions>);
    expect(act).toThrow(`archive: ${problem}`);
    expect(act).not.toThrow("a secret");
  });

  it.each([
    [{}, "https://bank.s3.us-east-1.amazonaws.com/"],
    [{ region: "eu-central-1" }, "https://bank.s3.eu-central-1.amazonaws.com/"],
    [{ endpoint: "http://127.0.0.1:9000/" }, "http://127.0.0.1:9000/bank/"],
    [{ endpoint: "https://store.example/s3" }, "https://store.example/s3/bank/"],
  ])("%j name where objects are: %s", (access, url) => {
    const { target } = resolve({ to: "s3://bank/of/agents", s3: { ...ACCESS, ...access } });
    expect(target).toMatchObject({ kind: "s3", url: `${url}of/agents/` });
  });
});

describe("gateway archive", () => {
  const run = (args: readonly string[], env = {}) =>
    runCommand(["gateway", "archive", ...args], { env: { ...process.env, ...env } });

  it.each([
    [[], "gateway archive needs --from <address>"],
    [["--from", FROM], "gateway archive needs --to <directory|address>"],
    [["--from", FROM, "--to", "x", "y"], "gateway archive takes options only (got y)"],
    [["--from", FROM, "--to", "x", "--s3-endpoint", "https://x"], "--s3-endpoint is for s3://"],
    [
      ["--from", FROM, "--to", "s3://bank"],
      "s3:// needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    ],
    [["--from", FROM, "--to", "x", "--listen", "x"], "--listen must be [host]:port (got x)"],
    [["--form", FROM], "unknown option --form: did you mean --from?"],
  ])("%j is wrong usage", async (args, problem) => {
    const { code, out, err } = await run(args, { AWS_ACCESS_KEY_ID: "" });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(problem);
  });

  it("ends with 1 where no broker answers", async () => {
    const { code, err } = await run(["--from", "kafka://127.0.0.1:1/x", "--to", "x"]);
    expect(code).toBe(1);
    expect(err).toMatch(/^agent-monitor: archive: 127\.0\.0\.1:1: \w+/);
  });
});

describe("a store that redirects", () => {
  it("is not followed: neither content nor signature goes elsewhere", async () => {
    const paths: string[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url ?? "");
      request.resume();
      response.writeHead(307, { location: "/elsewhere" }).end("<Code>TemporaryRedirect</Code>");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const store = createS3Store(`http://127.0.0.1:${port}/bank/`, ACCESS, systemClock);
    await expect(archiveRecords(store, readAs([toRecord(createBatch())]))).rejects.toThrow(
      /^batches\/first-bank\/\S+: status 307, TemporaryRedirect$/,
    );
    expect(paths).toEqual([expect.stringMatching(/^\/bank\/batches\//)]);
  });
});
