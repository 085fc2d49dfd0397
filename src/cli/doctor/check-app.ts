import { basename } from "node:path";
import type { Finding } from "./finding.ts";
import type { AppReport } from "./run-app.ts";
import type { RunningFacts, RunningMonitor } from "./running-facts.ts";
import { countNoun } from "../../util/count-noun.ts";

const BLOCKED = new Set(["open", "blocked"]);

function checkEnd({ end }: AppReport): Finding[] {
  if (!end) return [];
  const check = "app";
  if (end.code === 0) return [{ check, level: "note", message: "the application ended by itself" }];
  const how = end.signal ?? `exit code ${end.code ?? ""}`;
  return [{ check, level: "error", message: `the application ended with ${how}` }];
}

const REFUSED_ADVICE: readonly (readonly [RegExp, string])[] = [
  [/\b401\b/, "AGENT_MONITOR_API_KEY must be one that the platform knows"],
  [/\b403\b/, "the key must be allowed to write for AGENT_MONITOR_ORGANIZATION_ID"],
];

function toAdvice(reason = ""): string | undefined {
  return REFUSED_ADVICE.find(([status]) => status.test(reason))?.[1];
}

/** Reports model calls that a monitor missed or counted twice. */
function checkCalls({ endpoint, calls, bridge }: RunningMonitor): Finding[] {
  const findings: Finding[] = [];
  const warn = (found: string, advice: string): void => {
    const message = `the monitor of ${endpoint} ${found}`;
    findings.push({ check: "calls", level: "warning", message, advice });
  };
  const { missed = 0, isSecond = false } = calls ?? {};
  const { doubled = 0 } = bridge ?? {};
  if (missed > 0)
    warn(
      `did not see ${countNoun(missed, "model call")}: the client was built before the monitor`,
      "make the monitor first, use --import agent-monitor/register, or give the client monitor.fetch",
    );
  if (isSecond)
    warn(
      "sees no model calls: another one of the process observes fetch",
      'use that one (import { monitor } from "agent-monitor/register"), or give clients monitor.fetch',
    );
  if (doubled > 0)
    warn(
      `was told ${countNoun(doubled, "event")} twice, by track* and by an instrumentation; each is delivered once`,
      "leave one of them out",
    );
  return findings;
}

function checkMonitor({ endpoint, ...monitor }: RunningMonitor): Finding {
  const { tracked, acked, dropped, dead, state, blockedReason } = monitor;
  const check = "monitor";
  const counts = `${countNoun(tracked, "event")}, ${acked} delivered`;
  // A monitor that was shut down has no other state, but its blocked reason explains the events that are left.
  if (BLOCKED.has(state) || blockedReason !== undefined) {
    const message = `the monitor of ${endpoint} can't deliver (${blockedReason ?? state}): ${counts}`;
    return { check, level: "error", message, advice: toAdvice(blockedReason) };
  }
  if (dropped + dead > 0) {
    const message = `the monitor of ${endpoint} has lost events: ${counts}, ${dropped} dropped, ${dead} refused`;
    return { check, level: "warning", message, advice: "stats().droppedByReason says why" };
  }
  if (tracked === 0) {
    const message = `the monitor of ${endpoint} has seen no event yet`;
    const advice = "let it run longer (--after) and call a model meanwhile";
    return { check, level: "note", message, advice };
  }
  return { check, level: "ok", message: `the monitor of ${endpoint}: ${counts}` };
}

/** With `enableLogging: false` no log line has reported them. */
function checkSettings({ endpoint, ignoredSettings = [] }: RunningMonitor): Finding[] {
  return ignoredSettings.map((setting) => ({
    check: "config",
    level: "warning",
    message: `the monitor of ${endpoint} ignores a setting: ${setting}`,
  }));
}

function checkContext({ hasContextManager, sampledSpans }: RunningFacts): Finding {
  const check = "context-manager";
  if (hasContextManager) return { check, level: "ok", message: "a context manager is registered" };
  if (!sampledSpans) {
    const message = "no context manager is registered, and no tracer provider that would need one";
    return { check, level: "note", message };
  }
  const message =
    "no context manager is registered: spans don't nest over await, so that one request looks like several";
  const advice =
    "start OpenTelemetry before the application, or use --import agent-monitor/register";
  return { check, level: "warning", message, advice };
}

function checkSampler({ sampledSpans }: RunningFacts): Finding[] {
  if (!sampledSpans) {
    const message = "no tracer provider is registered: the bridge has nothing to see";
    return [{ check: "sampler", level: "note", message }];
  }
  const { tried, recorded } = sampledSpans;
  if (recorded === tried) return [];
  const message = `the sampler records ${recorded} of ${tried} traces`;
  const advice =
    "wrap the sampler in AlwaysRecordSampler; what track* and hooks tell is not touched";
  return [{ check: "sampler", level: "warning", message, advice }];
}

function checkCopies({ apiCopies }: RunningFacts): Finding[] {
  if (apiCopies.length < 2) return [];
  const message = `${apiCopies.length} copies of @opentelemetry/api are loaded: ${apiCopies.join(", ")}`;
  const advice = "npm dedupe; an older copy may not see what a newer one has registered";
  return [{ check: "opentelemetry-api", level: "warning", message, advice }];
}

function checkProcess(facts: RunningFacts): Finding[] {
  const findings = [
    ...facts.monitors.flatMap((monitor) => [
      checkMonitor(monitor),
      ...checkCalls(monitor),
      ...checkSettings(monitor),
    ]),
    checkContext(facts),
    ...checkSampler(facts),
    ...checkCopies(facts),
  ];
  const name = basename(facts.main);
  return findings.map((finding) => ({ ...finding, message: `${name}: ${finding.message}` }));
}

/** Reports the state of a running application. */
export function checkApp(report: AppReport): Finding[] {
  const isMonitored = report.processes.some(({ monitors }) => monitors.length > 0);
  const missing: Finding = {
    check: "monitor",
    level: "error",
    message: "the application has made no AgentMonitor",
    advice:
      "make one at the start, use --import agent-monitor/register, or let it run longer (--after)",
  };
  return [
    ...checkEnd(report),
    ...(isMonitored ? [] : [missing]),
    ...report.processes.flatMap(checkProcess),
  ];
}
