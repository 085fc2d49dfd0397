import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Logger } from "../../src/events/utility.ts";
import {
  createBurstLogger,
  createConsoleLogger,
  LOG_LEVELS,
  silentLogger,
  toErrorName,
  type LogLevel,
} from "../../src/util/logger.ts";
import { createFakeClock } from "../helpers/clock.ts";

function createRecorder(): { logger: Logger; lines: unknown[][] } {
  const lines: unknown[][] = [];
  const write =
    (level: LogLevel) =>
    (...line: unknown[]): void => {
      lines.push([level, ...line]);
    };
  return {
    lines,
    logger: {
      debug: write("debug"),
      info: write("info"),
      warn: write("warn"),
      error: write("error"),
    },
  };
}

describe("the console logger", () => {
  const written: unknown[][] = [];
  beforeEach(() => {
    for (const level of LOG_LEVELS)
      vi.spyOn(console, level).mockImplementation(
        (...line: unknown[]) => void written.push([level, ...line]),
      );
  });
  afterEach(() => {
    vi.restoreAllMocks();
    written.length = 0;
  });

  it.each([
    ["debug", ["debug", "info", "warn", "error"]],
    ["info", ["info", "warn", "error"]],
    ["warn", ["warn", "error"]],
    ["error", ["error"]],
  ] as const)("at level %s writes %j", (level, expected) => {
    const logger = createConsoleLogger(level);
    for (const name of LOG_LEVELS) logger[name](name);
    expect(written.map(([, line]) => line)).toEqual(
      expected.map((name) => `[agent-monitor] ${name}`),
    );
    // These go to stderr: what a program writes to stdout is its own.
    for (const [method] of written) expect(["warn", "error"]).toContain(method);
  });

  it("names the SDK and passes data on, if there is any", () => {
    const logger = createConsoleLogger("debug");
    logger.warn("line", { a: 1 });
    logger.warn("line");
    expect(written).toEqual([
      ["warn", "[agent-monitor] line", { a: 1 }],
      ["warn", "[agent-monitor] line"],
    ]);
  });

  it("can be silent", () => {
    for (const name of LOG_LEVELS) silentLogger[name]("line");
    expect(written).toEqual([]);
  });
});

describe("a burst", () => {
  const createLog = () => {
    const clock = createFakeClock();
    const recorder = createRecorder();
    return { clock, ...recorder, log: createBurstLogger(recorder.logger, clock) };
  };

  it("costs two lines: the first at once, the rest in a summary", async () => {
    const { clock, lines, log } = createLog();
    for (let count = 0; count < 1000; count++)
      log.log("warn", "retry", `attempt ${count}`, { count });
    expect(lines).toEqual([["warn", "attempt 0", { count: 0 }]]);
    await clock.advance(10_000);
    expect(lines.slice(1)).toEqual([["warn", "999 more of this kind within 10 s: attempt 999"]]);
    expect(clock.pending).toBe(0);
  });

  it("of one line has no summary, and is over after a while", async () => {
    const { clock, lines, log } = createLog();
    log.log("info", "a", "first");
    await clock.advance(10_000);
    log.log("info", "a", "second");
    expect(lines).toEqual([
      ["info", "first"],
      ["info", "second"],
    ]);
  });

  it("does not hide lines of another kind", () => {
    const { lines, log } = createLog();
    log.log("info", "a", "one");
    log.log("error", "b", "two");
    expect(lines).toEqual([
      ["info", "one"],
      ["error", "two"],
    ]);
  });

  it("is summed up on flush", async () => {
    const { clock, lines, log } = createLog();
    log.log("warn", "a", "line");
    log.log("warn", "a", "line");
    await clock.advance(3000);
    log.flush();
    expect(lines.at(-1)).toEqual(["warn", "1 more of this kind within 3 s: line"]);
    expect(clock.pending).toBe(0);
    log.flush();
    expect(lines.length).toBe(2);
  });

  it("is one of at most 100 at a time", () => {
    const { clock, lines, log } = createLog();
    log.log("warn", "code-0", "line");
    log.log("warn", "code-0", "line");
    for (let code = 1; code < 500; code++) log.log("warn", `code-${code}`, "line");
    expect(clock.pending).toBe(100);
    expect(lines).toContainEqual(["warn", "1 more of this kind within 1 s: line"]);
  });

  it("ends a flush although the logger logs", () => {
    const clock = createFakeClock();
    const lines: string[] = [];
    const write = (message: string): void => {
      lines.push(message);
      log.log("info", "echo", "echo");
    };
    const log = createBurstLogger({ debug: write, info: write, warn: write, error: write }, clock);
    log.log("warn", "a", "line");
    log.log("warn", "a", "line");
    log.flush();
    log.flush();
    expect(lines.length).toBeLessThan(10);
  });
});

describe("a logger that fails", () => {
  let rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  beforeEach(() => {
    rejections = [];
    process.on("unhandledRejection", note);
  });
  afterEach(() => void process.off("unhandledRejection", note));

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("disk full");
      },
    ],
    ["rejects", () => Promise.reject(new Error("disk full"))],
    ["rejects in another realm", () => runInNewContext("Promise.reject(new Error('disk full'))")],
    ["answers with something odd", () => ({ then: 5 })],
    [
      "answers with a getter that throws",
      () => ({
        get then() {
          throw new Error("no");
        },
      }),
    ],
  ])("and %s fails nobody else", async (_name, answer) => {
    const write = answer;
    const clock = createFakeClock();
    const log = createBurstLogger({ debug: write, info: write, warn: write, error: write }, clock);
    for (const level of LOG_LEVELS) {
      log.log(level, level, "line");
      log.log(level, level, "line");
    }
    await clock.advance(10_000);
    log.flush();
    await new Promise((resolve) => setImmediate(resolve));
    expect(rejections).toEqual([]);
  });

  it("and has no methods at all fails nobody else", () => {
    const log = createBurstLogger({} as Logger, createFakeClock());
    expect(() => log.log("warn", "a", "line")).not.toThrow();
  });
});

describe("toErrorName", () => {
  it("tells the kind of an error, never its message", () => {
    expect(toErrorName(new RangeError("secret"))).toBe("RangeError");
    expect(toErrorName("secret")).toBe("string");
    expect(toErrorName(undefined)).toBe("undefined");
  });

  it("gives a name only if it looks like that of a class of errors", () => {
    const named = (name: unknown): Error => Object.assign(new Error("secret"), { name });
    for (const name of ["TypeError", "APIConnectionTimeoutError", "DOMException", "RequestAborted"])
      expect(toErrorName(named(name))).toBe(name);
    for (const name of [
      "Maria Lopez 861-44-9022",
      "Maria",
      "",
      42,
      "aError",
      "X".repeat(80) + "Error",
    ])
      expect(toErrorName(named(name))).toBe("Error");
    const hostile = new Error("secret");
    Object.defineProperty(hostile, "name", {
      get: () => {
        throw new Error("secret");
      },
    });
    expect(toErrorName(hostile)).toBe("Error");
  });
});
