import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import { onTestFinished } from "vitest";
import type { EventBatchConfig } from "../../src/event-batch/exporters.ts";
import type { EventBatchStats } from "../../src/event-batch/event-batch-delivery.ts";
import { startSink, type Sink } from "../helpers/sink.ts";

/** Starts a platform that the test stops. */
export async function startService(): Promise<Sink> {
  const sink = await startSink();
  onTestFinished(() => sink.close());
  return sink;
}

/** Configuration that delivers to a platform, and tries again soon. */
export function configFor({ url }: { url: string }, more: EventBatchConfig = {}): EventBatchConfig {
  return {
    apiKey: "key-of-the-bank",
    organizationId: "bank",
    endpoint: url,
    enableLogging: false,
    retryDelay: 5,
    ...more,
  };
}

interface AnyExporter<T> {
  export(items: T[], done: (result: ExportResult) => void): void;
}

/** Notes what an exporter answers, in order, as `SUCCESS` or as its error's message. */
export function listen<T>(exporter: AnyExporter<T>): string[] {
  const answers: string[] = [];
  const given = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    given(items, (result) => {
      const isGood = result.code === ExportResultCode.SUCCESS;
      answers.push(isGood ? "SUCCESS" : (result.error?.message ?? "FAILED"));
      done(result);
    });
  return answers;
}

/** Tells whether every event is accounted for. */
export function isBalanced({ tracked, recovered, acked, pending, dead, dropped }: EventBatchStats) {
  return tracked + recovered === acked + pending + dead + dropped;
}

/** A message as GenAI instrumentations write it. */
const message = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: "text", content }] }]);

/** Attributes of a model call. */
export const callAttributes = (question: string, answer: string) => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.request.model": "gpt-5",
  "gen_ai.input.messages": message("user", question),
  "gen_ai.output.messages": message("assistant", answer),
});
