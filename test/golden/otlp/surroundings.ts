import { createSecretKey } from "node:crypto";
import { createRisingClock } from "./rising-clock.ts";

/** The process as a run finds it: nothing of it depends on where the run is made. */
const FIXED_ENVIRONMENT: Readonly<Record<string, string>> = {
  AGENT_MONITOR_API_KEY: "golden-key",
  AGENT_MONITOR_ORGANIZATION_ID: "first-bank",
  AGENT_MONITOR_ENABLE_LOGGING: "false",
  // Times of the clock are far apart.
  AGENT_MONITOR_CONVERSATION_IDLE_TIMEOUT: String(2 ** 31 - 1),
  // Only a flush sends, however long a run takes.
  AGENT_MONITOR_FLUSH_INTERVAL: "3600000",
  OPENAI_API_KEY: "scripted",
  OTEL_SERVICE_NAME: "golden",
};
const OF_PROGRAMS = /^(?:AGENT_MONITOR|OPENAI|OTEL)_/;

/** Keys the tokens of what is redacted, which every process draws anew. */
const REDACTION_KEY = Symbol.for("agent-monitor.redaction-key");

function setEnvironment(environment: Readonly<Record<string, string>>): () => void {
  const before = { ...process.env };
  const clear = (): void => {
    for (const name of Object.keys(process.env))
      if (OF_PROGRAMS.test(name)) Reflect.deleteProperty(process.env, name);
  };
  clear();
  Object.assign(process.env, FIXED_ENVIRONMENT, environment);
  return () => {
    clear();
    for (const [name, value] of Object.entries(before))
      if (OF_PROGRAMS.test(name)) process.env[name] = value;
  };
}

function setMember<T extends object>(target: T, member: keyof T, value: T[keyof T]): () => void {
  const before = target[member];
  target[member] = value;
  return () => {
    target[member] = before;
  };
}

/** Runs a program with a fixed environment and a rising clock. @returns What it printed. */
export async function runSurrounded(
  environment: Readonly<Record<string, string>>,
  run: () => Promise<void>,
): Promise<string[]> {
  const printed: string[] = [];
  const shared = globalThis as { [REDACTION_KEY]?: unknown };
  const print = (...parts: unknown[]): void => void printed.push(parts.join(" "));
  const restore = [
    setEnvironment(environment),
    setMember(Date, "now", createRisingClock()),
    setMember(shared, REDACTION_KEY, createSecretKey(Buffer.alloc(32, "golden"))),
    setMember(console, "log", print),
    setMember(process.stdout, "write", () => true),
  ];
  try {
    await run();
  } finally {
    for (const putBack of restore.toReversed()) putBack();
  }
  return printed;
}
