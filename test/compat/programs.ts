import assert from "node:assert/strict";
import type { Sink } from "../helpers/sink.ts";
import { ANSWER, QUESTION } from "./suite/support/texts.ts";

/** A program of the suite and what must come of it. */
export interface Program {
  readonly name: string;
  /** Whether it is started behind `--import agent-monitor/register`. */
  readonly isRegistered?: boolean;
  /** Throws when what the program reported, or what the platform received, is not as it must be. */
  judge(report: any, platform: Sink): void;
}

const FOREIGN = ["user_message", "agent_response"];
const TRACKED = [
  "conversation_start",
  "user_message",
  "tool_call",
  "agent_response",
  "conversation_end",
];

const namesOf = (items: readonly { name: string }[]): string[] =>
  items.map(({ name }) => name).toSorted();

function judgeEvents({ events }: Sink, types: readonly string[]): void {
  const found = events.map(({ interactionType }) => interactionType as string);
  assert.deepEqual(found.toSorted(), [...types].toSorted(), "events of the platform");
  const contents = events.map(({ content }) => content as unknown);
  for (const [type, text] of [
    ["user_message", QUESTION],
    ["agent_response", ANSWER],
  ] as const)
    if (types.includes(type)) assert.ok(contents.includes(text), `content of ${type}`);
}

function judgeLedger({ stats }: any): void {
  const { tracked, recovered, acked, pending, dead, dropped } = stats;
  assert.equal(tracked + recovered, acked, `everything is delivered: ${JSON.stringify(stats)}`);
  assert.deepEqual([pending, dead, Object.values(dropped)], [0, 0, []], "nothing is left or lost");
}

/** The spans and the record of the service's own request, as they were without us. */
function judgeRequest({ spans, records }: any): void {
  const foreign = spans.filter(({ name }: { name: string }) => /^(POST|chat)/.test(name));
  assert.deepEqual(namesOf(foreign), ["POST /chat", "chat gpt-4o-mini"], "spans of the service");
  const call = foreign.find(({ name }: { name: string }) => name.startsWith("chat"));
  assert.equal(call.isRoot, false, "the call has its parent");
  assert.match(call.attributes["gen_ai.output.messages"], /stay under/, "the span has its content");
  const own = records.filter(({ eventName }: any) => eventName === "service.done");
  assert.deepEqual([own.length, own[0].isInTrace], [1, true], "log record of the service");
}

function judgeBare(exported: unknown): void {
  const text = JSON.stringify(exported);
  for (const content of [QUESTION, ANSWER]) assert.ok(!text.includes(content), "no content");
}

/** Every program of the suite. */
export const PROGRAMS: readonly Program[] = [
  {
    name: "drop-in",
    judge(report, platform) {
      judgeRequest(report);
      assert.equal(report.isOpen, true, "the SDK's shutdown delivers, and leaves the monitor open");
      judgeEvents(platform, [...FOREIGN, "user_message"]);
      judgeLedger(report);
    },
  },
  {
    name: "unsampled",
    judge(report, platform) {
      assert.deepEqual(report.spans, [], "nothing is sampled");
      judgeEvents(platform, FOREIGN);
      judgeLedger(report);
    },
  },
  {
    name: "standalone",
    judge(report, platform) {
      judgeEvents(platform, TRACKED);
      judgeLedger(report);
      const names = namesOf(report.spans);
      assert.deepEqual(names, ["conversation assistant", "invoke_agent assistant"], "own spans");
      const records = report.records.map(({ eventName }: any) => eventName);
      for (const name of ["user.message", "agent.response"])
        assert.ok(records.includes(`agent_monitor.${name}`), `log record ${name}`);
      judgeBare(report);
    },
  },
  {
    name: "content",
    judge(report, platform) {
      judgeEvents(platform, TRACKED);
      judgeRequest(report.full);
      judgeBare(report.none);
      const [full, redacted] = [report.full, report.redacted].map((found) => JSON.stringify(found));
      for (const text of [full, redacted]) assert.ok(text?.includes(QUESTION), "content is kept");
      const count = ({ spans, records }: any): number[] => [spans.length, records.length];
      assert.deepEqual(count(report.none), count(report.full), "each exporter gets everything");
      assert.deepEqual(count(report.redacted), count(report.full), "each exporter gets everything");
    },
  },
  {
    name: "fan-out",
    judge(report, platform) {
      judgeEvents(platform, TRACKED);
      judgeLedger(report);
      const sentTo = (path: string): string =>
        platform.requests.flatMap((request) => (request.path === path ? request.text : [])).join();
      for (const signal of ["traces", "logs"]) {
        assert.ok(sentTo(`/whole/v1/${signal}`).includes(QUESTION), `${signal} with content`);
        assert.ok(sentTo(`/bare/v1/${signal}`).includes("agent_monitor"), `${signal} without`);
        judgeBare(sentTo(`/bare/v1/${signal}`));
      }
    },
  },
  {
    name: "exit",
    judge(report, platform) {
      judgeEvents(platform, TRACKED);
      judgeLedger(report);
    },
  },
  {
    name: "compliance",
    judge(report) {
      judgeRequest(report);
      const call = report.spans.find(({ name }: { name: string }) => name.startsWith("chat"));
      assert.equal(call.attributes["agent_monitor.compliance.evaluated"], true, "evaluated");
      const rules: string[] = call.attributes["agent_monitor.compliance.rule_ids"] ?? [];
      assert.ok(rules.includes("bsa-aml-structuring-advice"), `rules on the span: ${rules.join()}`);
      const findings = report.records.filter(
        ({ eventName }: any) => eventName === "agent_monitor.compliance.finding",
      );
      assert.ok(findings.length > 0 && findings.every(({ isInTrace }: any) => isInTrace));
    },
  },
  {
    name: "span-exporter",
    judge(report, platform) {
      judgeRequest(report);
      judgeEvents(platform, FOREIGN);
    },
  },
  {
    name: "register",
    isRegistered: true,
    judge(report, platform) {
      judgeEvents(platform, [...FOREIGN, "user_message"]);
      judgeLedger(report);
    },
  },
  {
    name: "register-own-sdk",
    isRegistered: true,
    judge(report, platform) {
      judgeRequest(report);
      judgeEvents(platform, FOREIGN);
    },
  },
];
