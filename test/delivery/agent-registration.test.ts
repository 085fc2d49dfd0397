import { expect, it } from "vitest";
import type { AgentInfo } from "../../src/events/agent.ts";
import { AgentRegistration } from "../../src/delivery/agent-registration.ts";
import type { Transport } from "../../src/delivery/http-transport.ts";
import { createFakeClock } from "../helpers/clock.ts";
import { createCollectingLog } from "../helpers/exporter.ts";
import { agentInfo } from "../helpers/monitor.ts";

function create(answers: (version: string, index: number) => number | Error, retryAfter?: string) {
  const clock = createFakeClock();
  const { log, lines } = createCollectingLog(clock);
  const taken: string[] = [];
  let requests = 0;
  const transport: Transport = {
    url: "https://platform.example",
    send({ body }, signal) {
      if (signal.aborted) return Promise.resolve({ kind: "failure", reason: "aborted" });
      const { version } = JSON.parse(body.toString()) as AgentInfo;
      const status = answers(version, requests++);
      if (status instanceof Error) throw status;
      if (status < 300) taken.push(version);
      const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
      return Promise.resolve({ kind: "answer", status, headers, body: "" });
    },
    close: () => undefined,
  };
  const retry = { retryAttempts: 2, retryDelay: 1000, clock, random: () => 0 };
  const registration = new AgentRegistration({ transport, retry, clock, log });
  return { registration, clock, taken, lines, count: () => requests };
}

const version = (name: string): AgentInfo => ({ ...agentInfo, version: name });

it("never lets an older profile overwrite a newer one", async () => {
  const { registration, clock, taken } = create((name, index) =>
    name === "1" && index === 0 ? 503 : 200,
  );
  const first = registration.register(version("1"));
  await clock.advance(0);
  const second = registration.register(version("2"));
  await clock.advance(120_000);
  await Promise.all([first, second]);
  expect(taken).toEqual(["2"]);
});

it("rejects when every retry has failed, and sends again each minute until it is taken", async () => {
  let isUp = false;
  const { registration, clock, taken, count } = create(() => (isUp ? 200 : 503));
  const registering = registration.register(version("1"));
  const rejected = expect(registering).rejects.toThrow(/sent again in the background/);
  await clock.advance(10_000);
  await rejected;
  expect(count()).toBe(3);
  isUp = true;
  await clock.advance(60_000);
  expect(taken).toEqual(["1"]);
  await clock.advance(600_000);
  expect(count()).toBe(4);
});

it("sends nothing after it is closed, and names what was not taken", async () => {
  const { registration, clock, count, lines } = create(() => 503);
  const rejected = expect(registration.register(version("1"))).rejects.toThrow(/did not take/);
  await clock.advance(10_000);
  await rejected;
  registration.close();
  expect(lines.at(-1)?.message).toBe(
    "the platform at https://platform.example has not taken 1 agent to the end: assistant",
  );
  await clock.advance(600_000);
  expect(count()).toBe(3);
  expect(clock.pending).toBeLessThanOrEqual(1);
});

it.each([400, 413, 422])("does not send again what is refused with %i", async (status) => {
  const { registration, clock, count } = create(() => status);
  await expect(registration.register(version("1"))).rejects.toThrow(/registered here only/);
  await clock.advance(600_000);
  expect(count()).toBe(1);
});

it("sends again in the background no earlier than Retry-After asks for", async () => {
  const { registration, clock, count } = create(() => 503, "600");
  const rejected = expect(registration.register(version("1"))).rejects.toThrow(/background/);
  await clock.advance(2 * 600_000);
  await rejected;
  expect(count()).toBe(3);
  await clock.advance(599_000);
  expect(count()).toBe(3);
  await clock.advance(2000);
  expect(count()).toBe(4);
});

it("asks with one of many profiles whether a platform that was away is back", async () => {
  let isUp = false;
  const { registration, clock, taken, count, lines } = create(() => (isUp ? 200 : 503));
  for (let agent = 0; agent < 20; agent++) {
    const profile = { ...agentInfo, id: `agent-${agent}`, version: `${agent}` };
    registration.register(profile).catch(() => undefined);
  }
  await clock.advance(10_000);
  expect(count()).toBe(60);
  await clock.advance(120_000);
  expect(count()).toBe(62);
  isUp = true;
  await clock.advance(60_000);
  expect(taken).toHaveLength(20);
  expect(lines.filter(({ level }) => level === "info").map(({ message }) => message)).toContain(
    "agent agent-0 is registered at https://platform.example",
  );
});

it("tells the caller, and nobody else, of a request that can't be made", async () => {
  const { registration, clock } = create(() => new TypeError("key-of-the-bank"));
  const rejected = expect(registration.register(version("1"))).rejects.toThrow(
    /sending failed: TypeError\); it is registered here and sent again/,
  );
  await rejected;
  await clock.advance(120_000);
});
