import type { Sink, SinkAnswer, SinkRequest } from "../../helpers/sink.ts";
import type { FaultScenario } from "./fault-scenario.ts";

const MINUTE_MILLIS = 60_000;

const unavailable: SinkAnswer = { status: 503 };

/** Answers with one thing after another, and takes everything behind them. */
function answerWith(sink: Sink, ...answers: readonly SinkAnswer[]): void {
  let asked = 0;
  sink.answer = () => answers[asked++];
}

/** Refuses whatever holds an event of that name. */
function poison(sink: Sink, name: string, status: number): void {
  sink.answer = ({ text }: SinkRequest) => (text.includes(`${name} `) ? { status } : undefined);
}

/** What a platform can do, by the names of the scenarios. */
export const PLATFORM_SCENARIOS: Readonly<Record<string, FaultScenario>> = {
  outage: {
    about: "the platform is away longer than all retries, and comes back",
    async play({ sink, clock, start, track, tell, say }) {
      const monitor = start({ retryAttempts: 2, retryDelay: 10 });
      track(monitor, 3);
      sink.answer = () => unavailable;
      await monitor.flush();
      tell(monitor);
      say("it is away still, a minute later");
      clock.sleep(MINUTE_MILLIS);
      await monitor.flush();
      say("it is back");
      sink.answer = () => undefined;
      await monitor.flush();
      await monitor.shutdown();
    },
  },
  "outage-spool": {
    about: "as outage, with a spool, and the process ends before the platform is back",
    async play({ sink, directory, start, track, say }) {
      const spool = { spoolDirectory: directory, retryAttempts: 1, retryDelay: 10 };
      const first = start(spool);
      track(first, 3);
      sink.answer = () => unavailable;
      await first.flush();
      await first.shutdown();
      say("another monitor, and the platform is back");
      sink.answer = () => undefined;
      const next = start(spool);
      track(next, 1);
      await next.flush();
      await next.shutdown();
    },
  },
  "retry-after": {
    about: "the platform names the time after which it wants to be asked again",
    async play({ sink, clock, start, track, requests, logged }) {
      const monitor = start({ retryAttempts: 1, retryDelay: 10 });
      track(monitor, 2);
      answerWith(sink, { status: 429, headers: { "retry-after": "30" } });
      const flushed = monitor.flush();
      await logged("trying again");
      await clock.advance(MINUTE_MILLIS / 2);
      await requests(2);
      await flushed;
      await monitor.shutdown();
    },
  },
  unauthorized: {
    about: "the key is not accepted, and a minute later it is",
    async play({ sink, clock, start, track, tell, say, logged }) {
      const monitor = start();
      track(monitor, 2);
      sink.answer = () => ({ status: 401 });
      await monitor.flush();
      tell(monitor);
      say("it is accepted a minute later");
      sink.answer = () => undefined;
      await clock.advance(MINUTE_MILLIS);
      await logged("takes events again");
      await monitor.flush();
      await monitor.shutdown();
    },
  },
  "refused-event": {
    about: "the platform refuses a batch for one of its events",
    async play({ sink, directory, start, track }) {
      const monitor = start({ spoolDirectory: directory });
      track(monitor, 8);
      poison(sink, "life-5", 400);
      await monitor.flush();
      track(monitor, 1);
      await monitor.shutdown();
    },
  },
  "refused-everything": {
    about: "the platform refuses every batch and every part of it",
    async play({ sink, start, track, tell, say }) {
      const monitor = start();
      track(monitor, 4);
      sink.answer = () => ({ status: 422 });
      await monitor.flush();
      tell(monitor);
      say("it takes them");
      sink.answer = () => undefined;
      await monitor.shutdown();
    },
  },
  "too-large": {
    about: "the platform takes batches of some bytes only, and one event is larger",
    async play({ sink, start, track, tell }) {
      const monitor = start();
      track(monitor, 7);
      track(monitor, 1, 3000);
      sink.answer = ({ text }) => (text.length > 2500 ? { status: 413 } : undefined);
      await monitor.flush();
      tell(monitor);
      await monitor.shutdown();
    },
  },
  rejected: {
    about: "the platform takes a batch but for two of its events",
    async play({ sink, start, track }) {
      const monitor = start();
      track(monitor, 5);
      const rejected = [1, 3].map((index) => ({ index, code: "invalid_event", detail: "refused" }));
      answerWith(sink, { status: 202, body: { rejected, duplicates: 1 } });
      await monitor.flush();
      track(monitor, 1);
      await monitor.shutdown();
    },
  },
  conflict: {
    about: "the platform says that the id of a batch is taken",
    async play({ sink, start, track }) {
      const monitor = start();
      track(monitor, 2);
      const body = { type: "about:blank", title: "Conflict", status: 409, code: "batch_conflict" };
      answerWith(sink, { status: 409, body });
      await monitor.flush();
      await monitor.shutdown();
    },
  },
  "no-gzip": {
    about: "the platform does not understand gzip",
    async play({ sink, start, track }) {
      const monitor = start({ compression: "gzip" });
      track(monitor, 2, 1000);
      answerWith(sink, { status: 415 });
      await monitor.flush();
      track(monitor, 2, 1000);
      await monitor.shutdown();
    },
  },
  "cut-off": {
    about: "the connection breaks off before an answer",
    async play({ sink, start, track }) {
      const monitor = start({ retryAttempts: 1, retryDelay: 10 });
      track(monitor, 2);
      answerWith(sink, "reset");
      await monitor.flush();
      await monitor.shutdown();
    },
  },
  "no-answer": {
    about: "the platform does not answer in time",
    async play({ sink, start, track }) {
      const monitor = start({ requestTimeout: 500, retryAttempts: 1, retryDelay: 10 });
      track(monitor, 2);
      answerWith(sink, "hang");
      await monitor.flush();
      await monitor.shutdown();
    },
  },
};
