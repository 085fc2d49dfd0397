import { rmSync } from "node:fs";
import { join } from "node:path";
import { nodeFileSystem } from "../../../src/delivery/spool/file-system.ts";
import type { SinkAnswer } from "../../helpers/sink.ts";
import type { FaultScenario } from "./fault-scenario.ts";

const MINUTE_MILLIS = 60_000;
const HOUR_MILLIS = 3_600_000;
const CENTURY_MILLIS = 100 * 365 * 24 * HOUR_MILLIS;

const unavailable: SinkAnswer = { status: 503 };

/** Has no file grow until the function is over. */
async function withFullDisk(run: () => void | Promise<void>): Promise<void> {
  const before = { ...nodeFileSystem };
  const full = (): never => {
    throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
  };
  Object.assign(nodeFileSystem, { append: full });
  try {
    await run();
  } finally {
    Object.assign(nodeFileSystem, before);
  }
}

/** What can go wrong where the monitor is, by the names of the scenarios. */
export const LOCAL_SCENARIOS: Readonly<Record<string, FaultScenario>> = {
  "shutdown-deadline": {
    about: "the platform is so slow that shutdown() ends before it answers",
    async play({ sink, clock, start, track, requests }) {
      const monitor = start({ requestTimeout: 600_000, shutdownTimeout: 5000 });
      track(monitor, 3);
      sink.answer = () => "hang";
      const over = monitor.shutdown();
      await requests(1);
      await clock.advance(5000);
      await over;
      track(monitor, 2);
    },
  },
  "shutdown-deadline-spool": {
    about: "as shutdown-deadline, with a spool",
    async play({ sink, clock, directory, start, track, requests, say }) {
      const spool = { spoolDirectory: directory, requestTimeout: 600_000, shutdownTimeout: 5000 };
      const monitor = start(spool);
      track(monitor, 3);
      sink.answer = () => "hang";
      const over = monitor.shutdown();
      await requests(1);
      await clock.advance(5000);
      await over;
      say("another monitor, and the platform answers");
      sink.answer = () => undefined;
      await start(spool).shutdown();
    },
  },
  "queue-full": {
    about: "more events than there is room for in memory",
    async play({ start, track, tell }) {
      const monitor = start({ maxQueueSize: 4, batchSize: 100 });
      track(monitor, 7);
      tell(monitor);
      await monitor.flush();
      track(monitor, 1);
      await monitor.shutdown();
    },
  },
  "spool-full": {
    about: "more events than there is room for in the spool",
    async play({ directory, start, track, tell }) {
      const monitor = start({ spoolDirectory: directory, maxSpoolBytes: 64 * 1024 });
      track(monitor, 12, 8000);
      tell(monitor);
      await monitor.flush();
      track(monitor, 1);
      await monitor.shutdown();
    },
  },
  "disk-full": {
    about: "the disk is full for a while",
    async play({ clock, directory, start, track, tell, say, logged }) {
      const monitor = start({ spoolDirectory: directory });
      track(monitor, 2);
      await withFullDisk(() => {
        say("it is full");
        track(monitor, 2);
        tell(monitor);
      });
      say("there is room again");
      await clock.advance(1000);
      await logged("takes events again");
      tell(monitor);
      await monitor.flush();
      await monitor.shutdown();
    },
  },
  "disk-full-at-the-end": {
    about: "the disk is full, the platform is away, and the process ends",
    async play({ sink, directory, start, track, say }) {
      const monitor = start({ spoolDirectory: directory });
      sink.answer = () => unavailable;
      track(monitor, 2);
      await withFullDisk(async () => {
        track(monitor, 3);
        await monitor.shutdown();
      });
      say("another monitor, and the platform is back");
      sink.answer = () => undefined;
      await start({ spoolDirectory: directory }).shutdown();
    },
  },
  "spool-unusable": {
    about: "the spool directory can't be made",
    async play({ start, track, tell }) {
      const monitor = start({ spoolDirectory: "/dev/null/spool" });
      track(monitor, 2);
      tell(monitor);
      await monitor.shutdown();
    },
  },
  "spool-removed": {
    about: "somebody removes the spool directory while it is in use",
    async play({ clock, directory, start, track, tell, say, logged }) {
      const spoolDirectory = join(directory, "spool");
      const monitor = start({ spoolDirectory });
      track(monitor, 2);
      rmSync(spoolDirectory, { recursive: true });
      say("it is gone");
      track(monitor, 1);
      await clock.advance(1000);
      await logged("it is made again");
      track(monitor, 1);
      tell(monitor);
      await monitor.shutdown();
    },
  },
  expired: {
    about: "events on disk become too old, and a clock that only jumps costs nothing",
    async play({ sink, clock, directory, start, track, tell, say }) {
      const monitor = start({ spoolDirectory: directory, maxSpoolAge: MINUTE_MILLIS });
      track(monitor, 2);
      sink.answer = () => unavailable;
      await monitor.flush();
      say("the clock jumps by a century");
      clock.jump(CENTURY_MILLIS);
      await monitor.flush();
      tell(monitor);
      say("an hour later it says the same");
      clock.sleep(HOUR_MILLIS);
      await monitor.flush();
      await monitor.shutdown();
    },
  },
  "two-monitors": {
    about: "two monitors on one spool directory, of two organizations",
    async play({ directory, start, track, say }) {
      const first = start({ spoolDirectory: directory });
      const second = start({ spoolDirectory: directory, organizationId: "other" });
      track(first, 2);
      track(second, 2);
      say("the first one sends");
      await first.flush();
      say("the second one sends");
      await second.flush();
      await first.shutdown();
      await second.shutdown();
    },
  },
  judge: {
    about: "the model of the judge replies with nonsense, breaks down and invents a passage",
    async play({ start, judged, tell }) {
      const claim = { ruleId: "consumer-protection-guaranteed-returns", reason: "It promises." };
      const replies = [
        "no JSON",
        new Error("the model is away"),
        { content: "{", finishReason: "length", model: "scripted-1" },
        JSON.stringify({ findings: [{ ...claim, quote: "a quote of nobody", confidence: 0.9 }] }),
        JSON.stringify({ findings: [{ ...claim, quote: "can't lose money", confidence: 0.9 }] }),
      ];
      const model = (): Promise<string | object> => {
        const reply = replies.shift() ?? "";
        return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
      };
      const judge = { model, gate: "findings", sampleRate: 0, maxConcurrency: 1 } as const;
      const monitor = start({ enableComplianceChecks: true, judge });
      await monitor.ready();
      for (let answer = 0; replies.length > 0 && answer < 6; answer++) {
        monitor.trackAgentResponse(
          "agent",
          `session-${answer}`,
          "You can't lose money in the fund.",
        );
        await judged(monitor);
        await monitor.flush();
      }
      tell(monitor);
      await monitor.shutdown();
    },
  },
};
