import { afterEach, describe, expect, it } from "vitest";
import type { DetailedEvent } from "../../src/events/detailed-event.ts";
import { startJudgedMonitor, type JudgedMonitor } from "../helpers/judged-monitor.ts";

const BAD = "You can't lose money in this fund.";
const NOTHING = '{"findings": []}';
/** Nothing is sent before a flush. */
const SLOW = { batchSize: 1000, flushInterval: 60_000 };

let open: JudgedMonitor[] = [];

afterEach(async () => {
  for (const test of open) await test.close();
  open = [];
});

async function start(...given: Parameters<typeof startJudgedMonitor>): Promise<JudgedMonitor> {
  const test = await startJudgedMonitor(...given);
  open.push(test);
  return test;
}

const kindsOf = ({ sink }: JudgedMonitor): string[] =>
  (sink.events as DetailedEvent[]).map(({ interactionType }) => interactionType);

describe("a flush with a judge", () => {
  it("delivers within its time what is there, though the model hangs", async () => {
    const test = await start({ gate: "everything" }, { ...SLOW, shutdownTimeout: 100 });
    test.judge.reply = () => new Promise(() => undefined);
    test.monitor.trackAgentResponse("assistant", "s", BAD);
    await test.monitor.flush({ timeoutMillis: 2000 });
    expect(kindsOf(test)).toEqual(["agent_response"]);
    expect(test.monitor.stats().judge?.pending).toBeGreaterThan(0);
  });

  it("delivers within its time what the judge has said by then, though another call hangs", async () => {
    const test = await start({ gate: "everything" }, { ...SLOW, shutdownTimeout: 100 });
    test.judge.reply = ({ family }) =>
      family === "privacy" ? new Promise(() => undefined) : Promise.resolve(NOTHING);
    test.monitor.trackAgentResponse("assistant", "s", BAD);
    await test.monitor.flush({ timeoutMillis: 3000 });
    // The model contradicts what the rules have found.
    expect(kindsOf(test)).toEqual(["agent_response", "compliance_violation"]);
  });

  it("without a deadline waits for the judge, but not for a model that wants to be left alone", async () => {
    const test = await start({}, { ...SLOW, shutdownTimeout: 100 });
    test.monitor.trackAgentResponse("assistant", "s", BAD);
    await test.monitor.flush();
    expect(kindsOf(test)).toEqual(["agent_response", "compliance_violation"]);
    test.judge.reply = () =>
      Promise.reject(Object.assign(new Error("slow down"), { status: 429, retryAfter: 600 }));
    test.monitor.trackAgentResponse("assistant", "s", BAD);
    await test.monitor.flush();
    expect(kindsOf(test)).toHaveLength(3);
    expect(test.monitor.stats().judge).toMatchObject({ state: "open", pending: 1 });
  });
});
