import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startBenchSink } from "./sink.ts";
import { median } from "./statistics.ts";

/** Processes of each side: each compiles in its own way. */
const ROUNDS = 3;
const WARM_UPS = 30;
const TURNS = 40;

/** What an application waits for its answers with `register`, beside one with a context manager and no monitor. */
export interface RegisterFigures {
  /** A stream of 4,000 chunks, as ratio. */
  readonly registerStreamVsBare: number;
  /** An answer of 64 KiB that comes as a whole, as ratio. */
  readonly registerBodyVsBare: number;
  /** What is behind them, in ms. */
  readonly registerMillis: Readonly<
    Record<"stream" | "body", readonly [bare: number, register: number]>
  >;
}

type Mode = "stream" | "body";
type Pair = readonly [bare: number, register: number];

const here = fileURLToPath(new URL(".", import.meta.url));

async function start(kind: "bare" | "register", url: string): Promise<ChildProcess> {
  const preloads = [new URL("register-model.js", import.meta.url).href];
  if (kind === "register") preloads.push(import.meta.resolve("agent-monitor/register"));
  const child = fork(`${here}register-side.js`, [kind, url], {
    cwd: here,
    execArgv: preloads.map((preload) => `--import=${preload}`),
    env: {
      ...process.env,
      AGENT_MONITOR_ENDPOINT: url,
      AGENT_MONITOR_API_KEY: "key",
      AGENT_MONITOR_ORGANIZATION_ID: "bank",
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "message");
  return child;
}

async function ask(child: ChildProcess, mode: Mode): Promise<number> {
  const answer = once(child, "message");
  child.send(mode);
  const [millis] = (await answer) as [number];
  return millis;
}

/** Has both sides take turns, because the machine's speed changes more than what is measured. */
async function takeTurns(bare: ChildProcess, other: ChildProcess, mode: Mode): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let turn = 0; turn < WARM_UPS + TURNS; turn++) {
    const isBareFirst = turn % 2 === 0;
    const early = isBareFirst ? await ask(bare, mode) : undefined;
    const seen = await ask(other, mode);
    const pair = [early ?? (await ask(bare, mode)), seen] as const;
    if (turn >= WARM_UPS) pairs.push(pair);
  }
  return pairs;
}

function toFigures(pairs: readonly Pair[]): { readonly ratio: number; readonly millis: Pair } {
  return {
    ratio: median(pairs.map(([bare, seen]) => seen / bare)),
    millis: [median(pairs.map(([bare]) => bare)), median(pairs.map(([, seen]) => seen))],
  };
}

/** Measures what an application waits longer when `agent-monitor/register` is loaded, rules included. */
export async function benchRegister(): Promise<RegisterFigures> {
  const sink = await startBenchSink();
  const pairs: Record<Mode, Pair[]> = { stream: [], body: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const [bare, other] = [await start("bare", sink.url), await start("register", sink.url)];
    for (const mode of ["stream", "body"] as const) {
      pairs[mode].push(...(await takeTurns(bare, other, mode)));
    }
    for (const child of [bare, other]) child.disconnect();
  }
  sink.server.close();
  sink.server.closeAllConnections();
  const [stream, body] = [toFigures(pairs.stream), toFigures(pairs.body)];
  return {
    registerStreamVsBare: stream.ratio,
    registerBodyVsBare: body.ratio,
    registerMillis: { stream: stream.millis, body: body.millis },
  };
}
