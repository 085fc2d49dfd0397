import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compare, detach, readCaptures, replay } from "../helpers/captures.ts";

const fixtures = new URL("../fixtures/dialects/", import.meta.url);

/** What the data of a producer cannot hold. */
interface Unrecoverable {
  /** Names of captures; `*` stands for anything. */
  readonly files: string;
  readonly missing: string;
  readonly why: string;
  /** What has to be exact all the same. */
  readonly exact?: "events" | "tokens";
}

const unrecoverable = JSON.parse(
  readFileSync(new URL("unrecoverable.json", fixtures), "utf8"),
) as Unrecoverable[];

function matches(name: string, pattern: string): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.+]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(name);
}

const findEntry = (name: string): Unrecoverable | undefined =>
  unrecoverable.find(({ files }) => matches(name, files));
const isUnrecoverable = (name: string): boolean => findEntry(name) !== undefined;

const partOf = (side: unknown, part: string): unknown => (side as Record<string, unknown>)[part];

const captures = readCaptures(new URL("captures/", fixtures));

describe("captured spans of other instrumentations", () => {
  it.each(captures.filter(({ name }) => !isUnrecoverable(name)))(
    "gives exactly what happened: $name",
    ({ capture }) => {
      const { got, expected } = compare(capture);
      expect(got).toEqual(expected);
    },
  );

  it.each(captures.filter(({ name }) => isUnrecoverable(name)))(
    "invents and doubles nothing where the data lacks something: $name",
    ({ name, capture }) => {
      const count = (kinds: readonly string[], wanted: string): number =>
        kinds.filter((kind) => kind === wanted).length;
      const got = replay(capture).map(({ interactionType }) => interactionType);
      const expected = (capture.meta.expected?.events ?? []).map(([kind]) => kind);
      for (const kind of ["user_message", "tool_call", "tool_result"]) {
        expect(count(got, kind), kind).toBeLessThanOrEqual(count(expected, kind));
      }
      const { got: told, expected: wanted } = compare(capture);
      expect(told, "the list says more than is true: take the entry away").not.toEqual(wanted);
      const { exact } = findEntry(name) ?? {};
      if (exact) expect(partOf(told, exact), exact).toEqual(partOf(wanted, exact));
      // Whether a call that was broken off has failed, its data may leave open.
      const ends = (kinds: readonly string[]): number =>
        count(kinds, "agent_response") + count(kinds, "error");
      expect(ends(got), "answers and errors").toBeLessThanOrEqual(ends(expected));
    },
  );
});

/** What nothing tells any more when each call is a trace of its own; beginnings of names, with the reason. */
const LOST_WITHOUT_HOLDER: Readonly<Record<string, string>> = {
  "dual-traceloop+native-anthropic__anthropic-sdk@0.137.0__stream-tools":
    "the arguments stand in the next request alone, which is another trace",
  "traceloop+instrumentation-anthropic__anthropic-sdk@0.130.0__stream-tools":
    "the arguments stand in the next request alone, which is another trace",
  "traceloop+instrumentation-anthropic__anthropic-sdk@0.68.0__stream-tools":
    "the arguments stand in the next request alone, which is another trace",
  "elastic+opentelemetry-instrumentation-openai__openai@4.104.0__content-off-tools":
    "without content nothing tells that two calls belong together",
  "langsmith__openai@6.49.0__tools-shared":
    "the first request has the messages of the second one, for the application shares its array",
  "traceloop+instrumentation-langchain__langgraph@1.4.18__parallel":
    "a run ends before the next trace begins, so that calls and results take turns",
  "traceloop+instrumentation-langchain__langgraph@1.4.18__sub-agent":
    "nothing tells that an agent runs inside a tool",
};

describe("captured spans of which each call is a trace of its own", () => {
  const detached = captures.flatMap(({ name, capture }) => {
    // Turns without an id in common are conversations of their own.
    const isSkipped = isUnrecoverable(name) || name.includes("__multi");
    const parts = isSkipped ? undefined : detach(capture);
    return parts ? [{ name, parts }] : [];
  });

  it.each(detached)("gives what happened, unless nothing tells it: $name", ({ name, parts }) => {
    const { got, expected } = compare(parts);
    if (LOST_WITHOUT_HOLDER[name] === undefined) expect(got).toEqual(expected);
    else expect(got, "take it off the list").not.toEqual(expected);
  });
});

it("gives each event of a capture an id of its own, and the same when the spans come again", () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  for (const { name, capture } of captures) {
    const ids = replay(capture).map(({ eventId }) => eventId);
    expect(new Set(ids).size, name).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(uuid);
    // What never ended is given up at another time, which says nothing of its id.
    expect(
      replay(capture).map(({ eventId }) => eventId),
      name,
    ).toEqual(ids);
  }
});
