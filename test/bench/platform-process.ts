import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** How a platform's process starts. */
export interface SideOptions {
  /** The file. */
  readonly database: string;
  /** What its clock shows, ms since the Unix epoch. */
  readonly at?: number;
  /** Share of answers without findings that people look at, 0 to 1. */
  readonly sampled?: number;
}

/** A wish to the process of a platform: `close` ends it. */
export interface SideRequest {
  readonly do: "close" | "look";
  /** What its clock shows from now on, ms since the Unix epoch. */
  readonly at?: number | undefined;
}

/** The state of a platform's process. */
export interface SideAnswer {
  /** CPU time that it has taken so far. */
  readonly cpuMillis: number;
  readonly url: string;
}

const SIDE = fileURLToPath(new URL("platform-side.js", import.meta.url));

/** Resolves with what the process says next. */
async function receive(child: ChildProcess): Promise<SideAnswer> {
  const stop = new AbortController();
  const { signal } = stop;
  const exit = once(child, "exit", { signal }).then(() => {
    throw new Error("bench: the platform has ended");
  });
  try {
    const [answer] = (await Promise.race([once(child, "message", { signal }), exit])) as [
      SideAnswer,
    ];
    return answer;
  } finally {
    stop.abort();
    await exit.catch(() => undefined);
  }
}

/** Starts a platform in a process of its own. */
export async function startPlatformSide(options: SideOptions) {
  const child = fork(SIDE, [JSON.stringify(options)], { execArgv: readFlags() });
  const { url } = await receive(child);
  return {
    url,
    /** Sets its clock, and returns the CPU time that it has taken so far. */
    async look(time?: number): Promise<number> {
      child.send({ do: "look", at: time } satisfies SideRequest);
      return (await receive(child)).cpuMillis;
    },
    async close(): Promise<void> {
      const exit = once(child, "exit");
      child.send({ do: "close" } satisfies SideRequest);
      await exit;
    },
  };
}

/** Flags for the platform's process alone: `BENCH_FLAGS=--cpu-prof npm run bench`. */
function readFlags(): string[] {
  return process.env["BENCH_FLAGS"]?.split(" ") ?? [];
}

export type PlatformSide = Awaited<ReturnType<typeof startPlatformSide>>;
