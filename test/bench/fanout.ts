import { runSide } from "./run-side.ts";
import { startBenchSink } from "./sink.ts";
import { median } from "./statistics.ts";

const DESTINATIONS = 3;
const TURNS = 5000;
const ROUNDS = 5;
/** Bodies of the two sides differ by identifiers and the description of the resource alone. */
const MAX_DIFFERENCE = 0.05;

interface SideResult {
  /** CPU time of the process in ms. */
  readonly millis: number;
  /** Bytes that each destination got. */
  readonly bytes: readonly number[];
}

/** Runs one side in a new process, against sinks in this one. */
async function measureSide(side: string): Promise<SideResult> {
  const sinks = await Promise.all(Array.from({ length: DESTINATIONS + 1 }, startBenchSink));
  const urls = sinks.map(({ url }) => url);
  const printed = await runSide("fanout-side", side, String(TURNS), ...urls);
  for (const { server } of sinks) server.close();
  return { millis: Number(printed), bytes: sinks.slice(1).map(({ bytes }) => bytes) };
}

function verify(monitor: SideResult, stock: SideResult): void {
  for (const [index, bytes] of monitor.bytes.entries()) {
    const other = stock.bytes[index] ?? 0;
    if (bytes === 0 || Math.abs(bytes / other - 1) > MAX_DIFFERENCE)
      throw new Error(`bench: destination ${index} got ${bytes} bytes, from OTel's own ${other}`);
  }
}

/** Figures of fan-out, in ms of CPU and as a ratio. */
export interface FanoutFigures {
  /** CPU of the fan-out alone beside that of OTel's processors and exporters: what tracking costs is taken off both. */
  readonly vsStock: number;
  readonly millis: { readonly monitor: number; readonly stock: number; readonly tracking: number };
}

/** Measures full telemetry to three destinations beside OTel's own processors and exporters, in turn. */
export async function benchFanout(): Promise<FanoutFigures> {
  const times = { monitor: [] as number[], stock: [] as number[], tracking: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const monitor = await measureSide("monitor");
    const stock = await measureSide("stock");
    const tracking = await measureSide("tracking");
    verify(monitor, stock);
    times.monitor.push(monitor.millis);
    times.stock.push(stock.millis);
    times.tracking.push(tracking.millis);
  }
  const tracking = median(times.tracking);
  return {
    vsStock: median(
      times.monitor.map(
        (millis, round) => (millis - tracking) / ((times.stock[round] ?? Number.NaN) - tracking),
      ),
    ),
    millis: { monitor: median(times.monitor), stock: median(times.stock), tracking },
  };
}
