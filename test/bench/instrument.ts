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
const ROUNDS = 3;
const PEERS = ["otel", "openinference", "langfuse"] as const;

/** CPU of calls, what their callers wait, CPU of streams. */
type Mode = "calls" | "wait" | "stream";

/** What one side measures in ms: without instrumentation, and how much more with it. */
interface Figures {
  readonly bare: number;
  readonly more: number;
}

const NONE: Figures = { bare: Number.NaN, more: Number.NaN };

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
async function runSide(side: string, mode: Mode, url: string): Promise<Figures> {
  const args = [`${here}instrument-side.js`, side, mode, url];
  try {
    const { stdout } = await run(process.execPath, args, { cwd: here });
    return JSON.parse(stdout) as Figures;
  } catch (error) {
    if (String(error).includes("ERR_MODULE_NOT_FOUND")) return NONE;
    throw error;
  }
}

type Sides = Readonly<Record<string, Figures>>;

async function runRounds(sides: readonly string[], mode: Mode, url: string): Promise<Sides[]> {
  const rounds: Sides[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const figures: Record<string, Figures> = {};
    for (const side of sides) figures[side] = await runSide(side, mode, url);
    rounds.push(figures);
  }
  return rounds;
}

/** Gives what a side adds, in parts of what it is added to: machines change their speed between two processes. */
function toOverhead(figures: Sides, side: string): number {
  const { bare, more } = figures[side] ?? NONE;
  return more / bare;
}

/** Compares what a side adds with what the cheapest peer adds. */
function compareOverheads(rounds: readonly Sides[], side: string): number {
  const overheads = (name: string): number =>
    median(rounds.map((figures) => toOverhead(figures, name)));
  return overheads(side) / Math.min(...PEERS.map(overheads).filter((overhead) => overhead > 0));
}

/** Gives what each side adds, beside what there is without one. */
function toMedians(rounds: readonly Sides[], scale: number): Record<string, number> {
  const names = Object.keys(rounds[0] ?? {});
  const middle = (pick: (figures: Sides) => number): number => scale * median(rounds.map(pick));
  return Object.fromEntries([
    ["bare", middle((figures) => median(names.map((name) => figures[name]?.bare ?? Number.NaN)))],
    ...names.map((name) => [name, middle((figures) => figures[name]?.more ?? Number.NaN)] as const),
  ]);
}

/** Figures of observing calls, as ratios, with what is behind them. */
export interface InstrumentFigures {
  /** What a caller waits longer for an answer with a whole monitor, beside the cheapest of OpenTelemetry's, OpenInference's and Langfuse's instrumentation; what is done later does not count. */
  readonly vsPeers: number;
  /** CPU of observing a call (its span, its content as JSON), beside the cheapest of the peers; all with the same processor, nothing exported. */
  readonly cpuVsPeers: number;
  /** CPU of a whole monitor beside the same peers: two events are made of each call, hashed, compressed and delivered, which none of them does. */
  readonly deliveredVsPeers: number;
  /** A stream of 4,000 chunks beside the same without instrumentation. */
  readonly streamVsBare: number;
  /** The same beside OpenTelemetry's instrumentation. */
  readonly streamVsOtel: number;
  /** CPU of one call in us: `bare`, and what each side adds; `rules` is a monitor that checks answers. */
  readonly callMicros: Readonly<Record<string, number>>;
  /** What a caller waits for a call of which the answer is there at once, in us: as above. */
  readonly waitMicros: Readonly<Record<string, number>>;
  /** CPU of one stream in ms: as above. */
  readonly streamMillis: Readonly<Record<string, number>>;
}

/** Measures what observing the calls of an OpenAI client costs, compliance off, side by side. */
export async function benchInstrument(): Promise<InstrumentFigures> {
  const { server, url } = await startServer();
  const calls = await runRounds(["observer", "monitor", "rules", ...PEERS], "calls", url);
  const waits = await runRounds(["monitor", "rules", ...PEERS], "wait", url);
  const streams = await runRounds(["monitor", "otel"], "stream", url);
  server.close();
  server.closeAllConnections();
  const vsBare = (side: string): number =>
    1 + median(streams.map((figures) => toOverhead(figures, side)));
  return {
    vsPeers: compareOverheads(waits, "monitor"),
    cpuVsPeers: compareOverheads(calls, "observer"),
    deliveredVsPeers: compareOverheads(calls, "monitor"),
    streamVsBare: vsBare("monitor"),
    streamVsOtel: vsBare("monitor") / vsBare("otel"),
    callMicros: toMedians(calls, 1e3),
    waitMicros: toMedians(waits, 1e3),
    streamMillis: toMedians(streams, 1),
  };
}
