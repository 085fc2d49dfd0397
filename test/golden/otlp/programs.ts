import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentMonitor } from "agent-monitor";
import { CONVERSATIONS } from "../../../examples/demo/conversations.ts";
import { holdConversations } from "../../../examples/demo/hold-conversations.ts";
import { scriptedJudge } from "../../../examples/demo/judge.ts";
import { startModelServer } from "../../../examples/demo/model-server.ts";
import { startJudgeServer } from "../../helpers/judge-server.ts";
import { trackEveryKind } from "./every-kind.ts";

/** A program whose telemetry is kept as a golden file. */
export interface Program {
  readonly name: string;
  /** Whether it sets up providers or destinations itself, so that it gets none from outside. */
  readonly bringsItsOwn?: boolean;
  /** Whether the monitor observes its model calls; else they are tracked by hand. */
  readonly isObserved?: boolean;
  /** Runs it to its end, its monitor's shutdown included. */
  readonly run: () => Promise<void>;
}

let imports = 0;

/** Runs an example as it stands in the documentation; every import of it runs it anew. */
async function runExample(name: string): Promise<void> {
  const url = new URL(`../../../examples/${name}.ts?run=${imports++}`, import.meta.url);
  await import(/* @vite-ignore */ url.href);
}

async function runDemo(): Promise<void> {
  const model = await startModelServer(CONVERSATIONS.flatMap(({ turns }) => turns));
  const monitor = new AgentMonitor({
    environment: "development",
    instrumentations: ["fetch"],
    // Which of the contradicted findings are reviewed is drawn by ids, which are others in every run.
    judge: { model: scriptedJudge, gate: "everything", contradictedReviewRate: 0 },
  });
  await monitor.ready();
  // One after the other, so that they follow each other in every run.
  for (const conversation of CONVERSATIONS) {
    await holdConversations(monitor, model.url, [conversation]);
    await monitor.flush();
  }
  await monitor.shutdown();
  model.close();
}

async function trackRedacted(): Promise<void> {
  process.env["AGENT_MONITOR_REDACT"] = JSON.stringify({ key: "golden".repeat(6) });
  await trackEveryKind();
}

async function runWithModel(name: string): Promise<void> {
  const user = "When does the Delft branch open?";
  const model = await startModelServer([
    { user, steps: [{ say: "At nine, on Saturdays at ten." }] },
  ]);
  process.env["OPENAI_BASE_URL"] = model.url;
  await runExample(name);
  model.close();
}

const JUDGED = {
  findings: [
    {
      ruleId: "consumer-protection-guaranteed-returns",
      quote: "the fund pays 5 % every year, guaranteed",
      reason: "It promises a return that no fund can promise.",
      confidence: 0.97,
    },
  ],
};

async function runWithJudge(name: string): Promise<void> {
  const toBody = (content: string, reason: string): object => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_780_000_000,
    model: "gpt-5-mini",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: reason }],
    usage: { prompt_tokens: 4100, completion_tokens: 60, total_tokens: 4160 },
  });
  const reasons = { whole: "stop", cut: "length" };
  const toError = (message: string): object => ({ error: { message } });
  const form = { reasons, toBody, toError, protocol: "http/1.1" } as const;
  const server = await startJudgeServer(form, [{ content: JSON.stringify(JUDGED) }]);
  process.env["OPENAI_BASE_URL"] = `${server.url}/v1`;
  await runExample(name);
  server.close();
}

async function runWithSpool(name: string): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "agent-monitor-golden-"));
  process.env["AGENT_MONITOR_SPOOL_DIRECTORY"] = join(directory, "spool");
  await runExample(name);
  await rm(directory, { recursive: true });
}

const plain = (name: string): Program => ({ name, run: () => runExample(name) });

/** The demo, all kinds of events, and all examples that a scripted server can serve. */
export const PROGRAMS: readonly Program[] = [
  { name: "demo", isObserved: true, run: runDemo },
  { name: "every-kind", run: trackEveryKind },
  { name: "every-kind-redacted", run: trackRedacted },
  plain("quickstart"),
  plain("custom-rule"),
  { name: "nothing-lost", run: () => runWithSpool("nothing-lost") },
  {
    name: "auto-instrumentation",
    isObserved: true,
    run: () => runWithModel("auto-instrumentation"),
  },
  { name: "judge", run: () => runWithJudge("judge") },
  { name: "judge-draft", run: () => runWithJudge("judge-draft") },
  ...["fan-out", "existing-pipeline", "trace-exporter", "log-exporter"].map((name) => ({
    ...plain(name),
    bringsItsOwn: true,
    isObserved: true,
  })),
];
