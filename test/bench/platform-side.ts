/*
 * A platform in a process of its own, so that its CPU time is known: started by `startPlatformSide`.
 */
import { startPlatform } from "agent-monitor/platform";
import { END } from "./platform-load.ts";
import type { SideAnswer, SideOptions, SideRequest } from "./platform-process.ts";

const [, , given = "{}"] = process.argv;
const { database, at = END, sampled = 0 } = JSON.parse(given) as SideOptions;
/** Time of arrival: it goes on with the load, which is of other days. */
let now = at;

const platform = await startPlatform({
  port: 0,
  database,
  review: { sampling: { default: sampled } },
  clock: {
    now: () => now,
    monotonic: () => performance.now(),
    schedule(callback: () => void, delayMillis: number) {
      const timer = setTimeout(callback, delayMillis);
      timer.unref();
      return () => clearTimeout(timer);
    },
  },
});

const answer = (message: SideAnswer): void => void process.send?.(message);
const readCpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

process.on("message", ({ do: wish, at: time }: SideRequest) => {
  if (time !== undefined) now = time;
  if (wish === "close") void platform.close().then(() => process.disconnect());
  else answer({ cpuMillis: readCpu(), url: platform.url });
});
answer({ cpuMillis: readCpu(), url: platform.url });
