import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median } from "./statistics.ts";

/** Chunks of text in one stream. */
const CHUNKS = 4000;
/** Chunks that a model's server sends at once. */
const AT_ONCE = 4;
const ROUNDS = 5;
const PEERS = ["otel", "openinference", "langfuse"] as const;

/** CPU of calls, what their callers wait, CPU of streams. */
type Mode = "calls" | "wait" | "stream";

const run = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));

function toEvent(choice: object | undefined, more: object = {}): string {
  const choices = choice ? [{ index: 0, logprobs: null, finish_reason: null, ...choice }] : [];
  const base = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_780_000_000 };
  return `data: ${JSON.stringify({ ...base, model: "gpt-4o", choices, ...more })}\n\n`;
}

async function stream(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let index = 0; index < CHUNKS; index++) {
    if (!response.write(toEvent({ delta: { content: ` word${index}` } }))) {
      await once(response, "drain");
    }
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
  }
  const usage = { prompt_tokens: 21, completion_tokens: CHUNKS, total_tokens: CHUNKS + 21 };
  response.write(toEvent({ delta: {}, finish_reason: "stop" }));
  response.end(`${toEvent(undefined, { usage })}data: [DONE]\n\n`);
}

/** Answers a stream to every chat, and takes in everything else. */
async function startServer() {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      if (request.url?.endsWith("/chat/completions") === true) void stream(response);
      else response.end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}` };
}

/** Runs one side in a new process; `NaN` when its package is not installed. */
async function runSide(side: string, mode: Mode, url: string): Promise<number> {
  const args = [`${here}instrument-side.js`, side, mode, url];
  try {
    const { stdout } = await run(process.execPath, args, { cwd: here });
    return Number(stdout);
  } catch (error) {
    if (String(error).includes("ERR_MODULE_NOT_FOUND")) return Number.NaN;
    throw error;
  }
}

/** CPU of every side. */
type Sides = Readonly<Record<string, number>>;

async function runRounds(sides: readonly string[], mode: Mode, url: string): Promise<Sides[]> {
  const rounds: Sides[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const figures: Record<string, number> = {};
    for (const side of sides) figures[side] = await runSide(side, mode, url);
    rounds.push(figures);
  }
  return rounds;
}

const of = (figures: Sides, side: string): number => figures[side] ?? Number.NaN;

/** What a side adds to a call of which the cheapest peer adds the least. */
function compareOverheads(figures: Sides, side: string): number {
  const bare = of(figures, "bare");
  const known = PEERS.map((peer) => of(figures, peer) - bare).filter((overhead) => overhead > 0);
  return (of(figures, side) - bare) / Math.min(...known);
}

function toMedians(rounds: readonly Sides[], scale: number): Record<string, number> {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, scale * median(rounds.map((figures) => of(figures, name)))]),
  );
}

/** Figures of observing calls, as ratios, with the CPU behind them. */
export interface InstrumentFigures {
  /** What a call costs more, beside the cheapest of OpenTelemetry's, OpenInference's and Langfuse's instrumentation. */
  readonly vsPeers: number;
  /** The same without what the peers don't do: making events of it, and delivering them. */
  readonly observerVsPeers: number;
  /** What a caller waits longer for an answer, beside the cheapest of the peers; what is done later does not count. */
  readonly waitVsPeers: number;
  /** A stream of 4,000 chunks beside the same without instrumentation. */
  readonly streamVsBare: number;
  /** The same beside OpenTelemetry's instrumentation. */
  readonly streamVsOtel: number;
  /** CPU of one call in us. */
  readonly callMicros: Readonly<Record<string, number>>;
  /** What a caller waits for a call of which the answer is there at once, in us. */
  readonly waitMicros: Readonly<Record<string, number>>;
  /** CPU of one stream in ms. */
  readonly streamMillis: Readonly<Record<string, number>>;
}

/** Measures what observing the calls of an OpenAI client costs, compliance off, side by side in processes of their own. */
export async function benchInstrument(): Promise<InstrumentFigures> {
  const { server, url } = await startServer();
  const calls = await runRounds(["bare", "monitor", "observer", ...PEERS], "calls", url);
  const waits = await runRounds(["bare", "monitor", ...PEERS], "wait", url);
  const streams = await runRounds(["bare", "monitor", "otel"], "stream", url);
  server.close();
  server.closeAllConnections();
  return {
    vsPeers: median(calls.map((figures) => compareOverheads(figures, "monitor"))),
    observerVsPeers: median(calls.map((figures) => compareOverheads(figures, "observer"))),
    waitVsPeers: median(waits.map((figures) => compareOverheads(figures, "monitor"))),
    streamVsBare: median(streams.map((figures) => of(figures, "monitor") / of(figures, "bare"))),
    streamVsOtel: median(streams.map((figures) => of(figures, "monitor") / of(figures, "otel"))),
    callMicros: toMedians(calls, 1e3),
    waitMicros: toMedians(waits, 1e3),
    streamMillis: toMedians(streams, 1),
  };
}
