import { AgentMonitor } from "agent-monitor";
import * as sdk from "openai";
import * as parser from "openai/lib/parser";
import * as version from "openai/version";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openai } from "./clients/suite/drivers/openai.ts";
import { judgeScenario, toModes } from "./clients/suite/main.ts";
import { watchRejections } from "./clients/suite/run-scenario.ts";

/** What is tried of the client that is at hand; `npm run test:clients` tries everything, of many clients. */
const CORE = [
  "chat",
  "stream",
  "streamed tools",
  "401",
  "retry",
  "retry by the caller",
  "cut stream",
  "break",
  "abort",
  "withResponse",
  "parse",
  "runTools streamed",
  "tee",
];

const modules = { sdk, parser, version };
const scenarios = openai.scenarios(modules);

let unwatch: () => void;
beforeAll(() => {
  unwatch = watchRejections();
});
afterAll(() => unwatch());

describe("a client that is observed", () => {
  it.each(CORE)("is as without us, and the platform gets exactly the events: %s", async (name) => {
    const scenario = scenarios.find((each) => each.name === name);
    expect(scenario).toBeDefined();
    const verdicts = await judgeScenario(scenario!, toModes(openai), {
      modules,
      Monitor: AgentMonitor,
    });
    expect(verdicts.map(({ problems }) => problems)).toEqual([[], []]);
  });
});
