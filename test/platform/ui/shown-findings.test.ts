import { expect, it } from "vitest";
import { detailedEventSchema } from "../../../src/events/detailed-event.ts";
import { readFindings } from "../../../src/platform/review/findings.ts";
import type { StoredFinding } from "../../../src/platform/store/finding-store.ts";
import { gatherFindings } from "../../../src/platform/ui/finding/shown-findings.ts";
import { toTranscript } from "../../../src/platform/ui/conversation/transcript.ts";
import { createEvent, START, type JsonObject } from "../helpers.ts";

const TEXT = "You can never lose a cent, and you double it.";

function toFlag(rule: string, quote: string, more: JsonObject = {}): JsonObject {
  return {
    rule,
    category: "consumer_protection",
    severity: "warning",
    description: "A promise.",
    context: { detectedContent: quote, detectedPattern: rule, ...more },
  };
}

/** What the page makes of events, and the platform's ids of the same findings. */
function gather(events: readonly JsonObject[]) {
  const parsed = events.map((event) => detailedEventSchema.parse(event));
  const stored = parsed.flatMap((event) =>
    readFindings(event).findings.map((finding) => ({
      ...finding,
      eventId: event.eventId,
      decision: null,
    })),
  ) as unknown as StoredFinding[];
  const items = toTranscript(parsed);
  const found = gatherFindings(items, stored);
  return {
    stored,
    items,
    found,
    findings: items.flatMap(({ key }) => found.get(key)?.findings ?? []),
  };
}

const answer = (timestamp: number, complianceFlags: readonly JsonObject[], content = TEXT) =>
  createEvent("agent_response", {
    timestamp: START + timestamp,
    content,
    contentLength: content.length,
    complianceFlags,
  });

const about = (eventId: unknown, metadata: JsonObject) =>
  createEvent("compliance_violation", {
    timestamp: START + 50,
    violationType: "consumer_protection",
    metadata: { eventId, ...metadata },
  });

it("gives each finding the platform's id, whoever has found it", () => {
  const first = answer(1, [
    toFlag("a", "lose a cent"),
    toFlag("a", "double it"),
    toFlag("b", "none"),
  ]);
  const evaluator = { id: "judge", model: "m-1" };
  const { findings, stored } = gather([
    first,
    about(first["eventId"], { finding: toFlag("late", "never lose") }),
    about(first["eventId"], { finding: toFlag("c", "You can"), tier: "confirmed", evaluator }),
    about(first["eventId"], {
      finding: toFlag("b", "none"),
      tier: "contradicted",
      evaluator,
      opinion: {},
    }),
    about(undefined, {}),
  ]);
  expect(findings.map(({ id }) => id).toSorted()).toEqual(stored.map(({ id }) => id).toSorted());
  expect(findings.map(({ flag, judged, isMarked }) => [flag.rule, judged?.tier, isMarked])).toEqual(
    [
      ["a", undefined, true],
      ["a", undefined, true],
      ["b", "contradicted", false],
      ["late", undefined, true],
      ["c", "confirmed", true],
      ["own-rule", undefined, false],
    ],
  );
});

it("says where an offence was said before, and where again", () => {
  const { findings } = gather([
    answer(1, [toFlag("a", "never lose")]),
    answer(2, [toFlag("a", "NEVER  lose!"), toFlag("b", "double it")]),
  ]);
  const [first, second, other] = findings;
  expect(first?.first).toBeUndefined();
  expect(first).toMatchObject({ again: [{ id: second?.id, at: START + 2 }] });
  expect(second).toMatchObject({ first: { id: first?.id, at: START + 1 }, again: [] });
  expect(other?.first).toBeUndefined();
  expect(other?.again).toEqual([]);
});

it("marks a passage of the user's in the user's message", () => {
  const spans = [{ source: "userMessage", start: 0, end: 3 }];
  const { found, items } = gather([
    createEvent("user_message", { content: "Can I avoid the report?", contentLength: 23 }),
    answer(1, [toFlag("a", "Can", { spans })]),
  ]);
  expect(found.get(items[0]?.key ?? "")?.marks).toMatchObject([{ start: 0, end: 3 }]);
  expect(found.get(items[1]?.key ?? "")?.marks).toEqual([]);
});
