import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { DetailedEvent } from "../../src/events/detailed-event.ts";
import type { JudgeModel } from "../../src/config/judge-options.ts";
import { startJudgedMonitor, type JudgedMonitor } from "../helpers/judged-monitor.ts";

const RULE = "consumer-protection-guaranteed-returns";
const BAD = "You can't lose money in this fund.";

let open: JudgedMonitor[] = [];
let servers: Server[] = [];

async function start(...given: Parameters<typeof startJudgedMonitor>): Promise<JudgedMonitor> {
  const test = await startJudgedMonitor(...given);
  open.push(test);
  return test;
}

afterEach(async () => {
  for (const test of open) await test.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  open = [];
  servers = [];
});

/** A model behind HTTP that gives what a proxy gives when something is wrong. */
async function startPage(status: number, body: string): Promise<JudgeModel> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { "content-type": "text/html" }).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return async (_request, { signal }) => {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", signal });
    return response.text();
  };
}

const kindsOf = (events: readonly DetailedEvent[]): string[] =>
  events.map(({ interactionType }) => interactionType);

const never: JudgeModel = () => new Promise(() => undefined);

describe("a model that", () => {
  it.each<[string, string, () => Promise<JudgeModel>]>([
    [
      "throws",
      "error",
      () =>
        Promise.resolve(() => {
          throw new Error("4111 1111 1111 1111");
        }),
    ],
    ["rejects", "error", () => Promise.resolve(() => Promise.reject(new Error("secret")))],
    ["gives nothing", "empty", () => Promise.resolve(() => Promise.resolve(""))],
    ["gives garbage", "not_json", () => Promise.resolve(() => Promise.resolve("I think so."))],
    ["gives another shape", "not_schema", () => Promise.resolve(() => Promise.resolve({ a: 1 }))],
    [
      "is cut off",
      "truncated",
      () => Promise.resolve(() => Promise.resolve({ content: "{}", finishReason: "length" })),
    ],
    ["gives a page of HTML", "not_json", () => startPage(502, "<html>Bad gateway</html>")],
    ["gives ten megabytes", "too_long", () => startPage(200, "x".repeat(10 * 1024 * 1024))],
  ])("%s costs its judgement, which is counted, and nothing else", async (_what, failure, make) => {
    const { monitor, judge, delivered, lines } = await start();
    judge.reply = await make();
    monitor.trackAgentResponse("assistant", "s", BAD);
    const events = await delivered();
    expect(kindsOf(events)).toEqual(["agent_response"]);
    expect(events[0]).toMatchObject({ complianceFlags: [{ rule: RULE }], requiresReview: true });
    const stats = monitor.stats();
    expect(stats.judge).toMatchObject({ judged: 0, pending: 0, dropped: { failed: 1 } });
    expect(stats.judge?.failures[failure]).toBeGreaterThan(0);
    expect(stats).toMatchObject({ tracked: 1, acked: 1 });
    expect(lines.join("\n")).not.toMatch(/4111|secret|Bad gateway|xxx|I think/);
    expect(lines.filter((line) => /judge/i.test(line)).length).toBeGreaterThan(0);
  });

  it("hangs is given up at its deadline", async () => {
    const { monitor, judge, delivered } = await start({ timeout: 20 });
    const signals: AbortSignal[] = [];
    judge.reply = (request, call) => {
      signals.push(call.signal);
      return never(request, call);
    };
    monitor.trackAgentResponse("assistant", "s", BAD);
    expect(kindsOf(await delivered())).toEqual(["agent_response"]);
    expect(monitor.stats().judge).toMatchObject({ dropped: { failed: 1 }, pending: 0 });
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });

  it("hangs longer than a flush may take does not keep what is tracked", async () => {
    const { monitor, judge, sink } = await start({}, { shutdownTimeout: 300 });
    judge.reply = never;
    monitor.trackAgentResponse("assistant", "s", BAD);
    await monitor.flush({ timeoutMillis: 200 });
    expect(kindsOf(sink.events as DetailedEvent[])).toEqual(["agent_response"]);
    expect(monitor.stats().judge).toMatchObject({ pending: 1 });
  });

  it("hangs at shutdown is given up within the deadline, counted, and told to stop", async () => {
    const { monitor, judge, sink } = await start({}, { shutdownTimeout: 300 });
    let signal: AbortSignal | undefined;
    judge.reply = (request, call) => {
      ({ signal } = call);
      return never(request, call);
    };
    monitor.trackAgentResponse("assistant", "s", BAD);
    await monitor.shutdown();
    expect(kindsOf(sink.events as DetailedEvent[])).toEqual(["agent_response"]);
    expect(monitor.stats().judge).toMatchObject({ pending: 0, dropped: { shutdown: 1 } });
    expect(signal?.aborted).toBe(true);
  });

  it("answers in time is heard before the shutdown is over", async () => {
    const { monitor, judge, sink } = await start();
    judge.reply = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return '{"findings": []}';
    };
    monitor.trackAgentResponse("assistant", "s", BAD);
    await monitor.shutdown();
    expect(kindsOf(sink.events as DetailedEvent[])).toEqual([
      "agent_response",
      "compliance_violation",
    ]);
  });
});

describe("tracking", () => {
  it("calls no model, and reads no rules, before it returns", async () => {
    const { monitor, judge, delivered } = await start({ gate: "everything" });
    for (let index = 0; index < 50; index++) monitor.trackAgentResponse("a", `s${index}`, BAD);
    expect(judge.requests).toEqual([]);
    await delivered();
    expect(judge.requests).toHaveLength(250);
  });

  it("bears an answer of any kind", async () => {
    const { monitor, delivered } = await start({ gate: "everything" });
    const toolsUsed = [{ name: "x", parameters: { n: 10n }, result: null, success: true }];
    monitor.trackAgentResponse("a", "s", "\ud800 \u0000 text", { toolsUsed });
    monitor.trackAgentResponse("a", "s", "x".repeat(1024 * 1024));
    expect(kindsOf(await delivered())).toEqual(["agent_response", "agent_response"]);
    expect(monitor.stats().judge).toMatchObject({ pending: 0, judged: 10 });
  });
});
