import { runSide } from "./run-side.ts";
import { startBenchSink } from "./sink.ts";
import { median } from "./statistics.ts";

/** Processes that measure the same: each compiles in its own way, which is most of what differs between them. */
const ROUNDS = 5;
const PEERS = ["otel", "openinference", "langfuse"];

/** What each side takes more than without instrumentation, in ms; under `bare` what there is without one. */
type Figures = Readonly<Record<string, number>>;

/** Measures the sides by turns, in a new process each time. */
async function runRounds(
  mode: "calls" | "wait" | "stream",
  url: string,
  sides: readonly string[],
): Promise<Figures[]> {
  const rounds: Figures[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const printed = await runSide("instrument-side", mode, url, ["bare", ...sides].join(","));
    rounds.push(JSON.parse(printed) as Figures);
  }
  return rounds;
}

/** Gives what a side adds, in parts of what it is added to. */
function toOverhead(rounds: readonly Figures[], side: string): number {
  return median(rounds.map((figures) => figures[side]! / figures["bare"]!));
}

/** Compares what a side adds with what the cheapest peer adds. */
function compareOverheads(rounds: readonly Figures[], side: string): number {
  const peers = PEERS.filter((peer) => rounds[0]?.[peer] !== undefined);
  return toOverhead(rounds, side) / Math.min(...peers.map((peer) => toOverhead(rounds, peer)));
}

/** Gives what each side adds, beside what there is without one. */
function toMedians(rounds: readonly Figures[], scale: number): Record<string, number> {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, scale * median(rounds.map((figures) => figures[name]!))]),
  );
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
  const sink = await startBenchSink();
  const calls = await runRounds("calls", sink.url, ["observer", "monitor", "rules", ...PEERS]);
  const waits = await runRounds("wait", sink.url, ["monitor", "rules", ...PEERS]);
  const streams = await runRounds("stream", sink.url, ["monitor", "otel"]);
  sink.server.close();
  sink.server.closeAllConnections();
  const vsBare = (side: string): number => 1 + toOverhead(streams, side);
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
