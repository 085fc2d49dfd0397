import { ROOT_CONTEXT } from "@opentelemetry/api";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ComplianceEngine } from "../../src/compliance/engine.ts";
import { startCounting, type StepCounter } from "../helpers/count-steps.ts";
import { BRICKS, createRandom, mix, readCaseTexts, repeat } from "../helpers/hostile-texts.ts";
import type { TestMonitor } from "../helpers/monitor.ts";

/** Longest message; of each the rules read 24 KB of the beginning and 8 KB of the end. */
const LENGTH = 64 * 1024;
/** What an exchange costs whatever is in it, and for each character. */
const BASE = 200_000;
const STEPS_PER_CHARACTER = 250;
const SEED = 20_261_122;
const MIXES = 6;
/** What makes rules look closely at the other message as well. */
const TRIGGERS =
  "Your whole account is fully insured by the FDIC. Tom's balance is $5. Your PIN is one two three. ";

interface Exchange {
  readonly name: string;
  readonly question: string;
  readonly answer: string;
}

/** Pieces repeated without end, a different one on each side. */
function repeated(): Exchange[] {
  return BRICKS.map((brick, index) => {
    const other = BRICKS[(index * 7 + 3) % BRICKS.length] ?? "";
    return {
      name: `${JSON.stringify(brick)} and ${JSON.stringify(other)}`,
      question: repeat(brick, LENGTH),
      answer: TRIGGERS + repeat(other, LENGTH - TRIGGERS.length),
    };
  });
}

/** Random mixtures of pieces, of the words that rules look for, and of stretches of what violates them. */
async function mixed(): Promise<Exchange[]> {
  const random = createRandom(SEED);
  const texts = readCaseTexts();
  const words = texts.map((text) => text.match(/[\w'$%-]+/g) ?? []);
  const stretches = words.flatMap((all) =>
    all.flatMap((_, at) => (at % 2 === 0 ? [all.slice(at, at + 4).join(" ")] : [])),
  );
  const sources: Readonly<Record<string, readonly string[]>> = {
    pieces: BRICKS,
    words: [...new Set(words.flat())],
    stretches,
    sentences: texts.map((text) => text.replaceAll(/[.?!]/g, "")),
  };
  return Object.entries(sources).flatMap(([name, all]) =>
    Array.from({ length: MIXES }, (_, index) => {
      // From few of them each comes time and again.
      const few = index % 2 === 0 ? all : all.filter(() => random() < 8 / all.length);
      const one = few.length > 0 ? few : all;
      const ends = index % 3 === 0 ? [" "] : [" ", " ", " ", ". ", ", ", "\n"];
      return {
        name: `${name} ${index}`,
        question: mix(one, ends, LENGTH, random),
        answer: mix(one, index % 3 === 1 ? [" "] : ends, LENGTH, random),
      };
    }),
  );
}

describe("hostile texts of 64 KB", () => {
  let counter: StepCounter;
  let engine: ComplianceEngine;
  let monitors: readonly TestMonitor[];
  let sessions = 0;

  beforeAll(async () => {
    counter = startCounting("/src/");
    // Behind the start of the counting, which sees into what is loaded afterwards only.
    const { ComplianceEngine: Engine } = await import("../../src/compliance/engine.ts");
    const clock = { now: () => 0, monotonic: () => 0, schedule: () => () => undefined };
    engine = new Engine({ clock, log: { log: () => undefined, flush: () => undefined } });
    const { startMonitor } = await import("../helpers/monitor.ts");
    monitors = [
      await startMonitor({ eventSizeLimit: 1024 * 1024 }),
      await startMonitor({ eventSizeLimit: 1024 * 1024, redact: true }),
    ];
    evaluate({ name: "", question: "hello", answer: "hello" });
  });

  afterAll(async () => {
    counter.stop();
    await Promise.all(monitors.map((one) => one.close()));
  });

  function evaluate({ question, answer }: Exchange) {
    return engine.evaluate({
      agentId: "agent",
      agentCategory: "persona",
      sessionId: `session-${sessions++}`,
      timestamp: 0,
      userMessage: question,
      agentResponse: answer,
    });
  }

  /** Lists the exchanges that cost more than a fixed number of steps for each character. */
  function tooDear(
    exchanges: readonly Exchange[],
    perCharacter: number,
    call: (exchange: Exchange) => unknown,
  ): string[] {
    return exchanges.flatMap((exchange) => {
      const { name, question, answer } = exchange;
      const steps = counter.count(() => void call(exchange));
      const most = BASE + perCharacter * (question.length + answer.length);
      if (steps <= most) return [];
      // Readers remember the latest texts.
      const again = { name, question: ` ${question}`, answer: ` ${answer}` };
      const places = counter.explain(() => void call(again)).slice(0, 5);
      return [`${name}: ${steps} steps, at most ${most}\n  ${places.join("\n  ")}`];
    });
  }

  it("cost evaluate a bounded number of steps for each character", async () => {
    expect(tooDear([...repeated(), ...(await mixed())], STEPS_PER_CHARACTER, evaluate)).toEqual([]);
  }, 120_000);

  it("cost track* and the span processor no more, with redaction too", async () => {
    const exchanges = [...repeated().filter((_, index) => index % 16 === 0), ...(await mixed())];
    const few = exchanges.filter((_, index) => index % 3 === 0);
    for (const { monitor } of monitors) {
      const track = ({ question, answer }: Exchange): void => {
        const sessionId = `session-${sessions++}`;
        monitor.trackUserMessage("assistant", sessionId, question);
        monitor.trackAgentResponse("assistant", sessionId, answer);
      };
      expect(tooDear(few, 2 * STEPS_PER_CHARACTER, track)).toEqual([]);
      const tracer = new BasicTracerProvider({
        spanProcessors: [monitor.spanProcessor],
      }).getTracer("test");
      const say = (role: string, content: string): string =>
        JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
      const end = ({ question, answer }: Exchange): void => {
        const attributes = {
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": "openai",
          "gen_ai.request.model": "gpt-5",
          "gen_ai.conversation.id": `conversation-${sessions++}`,
          "gen_ai.input.messages": say("user", question),
          "gen_ai.output.messages": say("assistant", answer),
        };
        tracer.startSpan("chat", { attributes, root: true }, ROOT_CONTEXT).end();
      };
      expect(tooDear(few, 2 * STEPS_PER_CHARACTER, end)).toEqual([]);
    }
  }, 120_000);
});
