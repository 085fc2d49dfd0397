/*
 * An application of its own, with `agent-monitor/register` loaded before it or, as `register-side.js bare`, with a
 * context manager that is in use and nothing else. Asks the model as often as its parent says, and tells what ms
 * each call took.
 */
import { setTimeout } from "node:timers/promises";
import { context, ROOT_CONTEXT } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OpenAI } from "openai";

/** What is put off is done before the next call. */
const REST_MILLIS = 60;

const [kind, url = ""] = process.argv.slice(2);
if (kind === "bare") {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  // Whoever has a context manager enters contexts: with the first one Node.js hooks into all promises of the process.
  context.with(ROOT_CONTEXT, () => undefined);
} else {
  const { monitor } = await import("agent-monitor/register");
  if (!monitor) throw new Error("bench: nothing is registered");
}
const client = new OpenAI({ apiKey: "key", baseURL: `${url}/v1`, maxRetries: 0 });
const messages = [{ role: "user", content: "When does the Delft branch open?" }] as const;

async function readStream(): Promise<void> {
  const stream = await client.chat.completions.create({
    model: "gpt-4o",
    messages: [...messages],
    stream: true,
  });
  for await (const chunk of stream) if (chunk.choices.length > 1) throw new Error("two choices");
}

async function readBody(): Promise<void> {
  await client.chat.completions.create({ model: "gpt-4o", messages: [...messages] });
}

async function measure(mode: unknown): Promise<number> {
  await setTimeout(REST_MILLIS);
  const startedAt = performance.now();
  await (mode === "stream" ? readStream() : readBody());
  return performance.now() - startedAt;
}

process.on("message", (mode) => {
  void measure(mode).then((millis) => process.send?.(millis));
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
