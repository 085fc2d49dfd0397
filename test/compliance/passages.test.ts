import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  groupByPassage,
  mergeOverlapping,
  passageOf,
  withoutOverlapping,
} from "../../src/compliance/passages.ts";
import type { ComplianceFlag, ComplianceSeverity } from "../../src/events/compliance.ts";
import { createFakeClock } from "../helpers/clock.ts";
import { context, createTestEngine, ruleOf, ruleThat } from "./engine-fixtures.ts";

type Place = readonly [start: number, end: number, source?: string];

function flag(
  rule: string,
  pattern: string,
  severity: ComplianceSeverity,
  confidence: number,
  place?: Place,
): ComplianceFlag {
  const [start, end, source = "agentResponse"] = place ?? [0, 0];
  return {
    rule,
    category: "custom",
    severity,
    description: "found",
    confidence,
    context: {
      detectedPattern: `${rule}/${pattern}`,
      ...(place && { spans: [{ source, start, end }] }),
    },
  };
}

const RANKS = { info: 0, warning: 1, violation: 2 };
const isOverlapping = (one: ComplianceFlag, other: ComplianceFlag): boolean => {
  const [a, b] = [passageOf(one), passageOf(other)];
  return !!a && !!b && a.source === b.source && a.start < b.end && b.start < a.end;
};

const place = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 20 }), fc.boolean())
  .map(([start, length, isUser]): Place => [
    start,
    start + length,
    isUser ? "userMessage" : "agentResponse",
  ]);
const flagOf = (rules: readonly string[]) =>
  fc
    .tuple(
      fc.constantFrom(...rules),
      fc.constantFrom("a", "b", "c", "d"),
      fc.constantFrom("info" as const, "warning" as const, "violation" as const),
      fc.integer({ min: 0, max: 10 }),
      fc.option(place, { nil: undefined }),
    )
    .map(([rule, pattern, severity, tenths, at]) => flag(rule, pattern, severity, tenths / 10, at));

describe("the passage of a finding", () => {
  it("reaches from its first span to its last in one message", () => {
    const spans = [
      { source: "agentResponse", start: 30, end: 40 },
      { source: "userMessage", start: 0, end: 99 },
      { source: "agentResponse", start: 5, end: 9 },
    ];
    expect(passageOf({ context: { spans } })).toEqual({
      source: "agentResponse",
      start: 5,
      end: 40,
    });
  });

  it.each([
    undefined,
    {},
    { spans: "many" },
    { spans: [] },
    { spans: [null, 7, "x", {}, { source: 1, start: 0, end: 1 }] },
    { spans: [{ source: "agentResponse", start: Number.NaN, end: 3 }] },
  ])("is none of %j", (of) => {
    expect(passageOf({ context: of })).toBeUndefined();
  });
});

describe("findings of one rule", () => {
  it("are one finding where their passages overlap: the most severe, which names the others' patterns", () => {
    const merged = mergeOverlapping(
      [
        flag("r", "weak", "warning", 0.9, [10, 20]),
        flag("r", "strong", "violation", 0.7, [15, 40]),
        flag("r", "strong", "violation", 0.65, [30, 35]),
        flag("r", "apart", "warning", 0.7, [40, 50]),
        flag("r", "said by the user", "warning", 0.7, [10, 20, "userMessage"]),
        flag("r", "tool", "warning", 0.7),
        flag("r", "tool", "warning", 0.7),
      ],
      20,
    );
    expect(merged.map(({ context: of }) => [of?.detectedPattern, of?.alsoMatched])).toEqual([
      ["r/strong", ["r/weak"]],
      ["r/apart", undefined],
      ["r/said by the user", undefined],
      ["r/tool", undefined],
      ["r/tool", undefined],
    ]);
  });

  it("never overlap afterwards, lose no pattern, and stay as they are a second time", () => {
    fc.assert(
      fc.property(fc.array(flagOf(["r"]), { maxLength: 12 }), (flags) => {
        const merged = mergeOverlapping(flags, 100);
        for (const [index, one] of merged.entries())
          for (const other of merged.slice(index + 1))
            expect(isOverlapping(one, other)).toBe(false);
        const named = merged.flatMap(({ context: of }) => [
          of?.detectedPattern,
          ...(of?.alsoMatched ?? []),
        ]);
        expect(new Set(named)).toEqual(
          new Set(flags.map(({ context: of }) => of?.detectedPattern)),
        );
        const highest = (list: readonly ComplianceFlag[]): number =>
          Math.max(-1, ...list.map(({ severity }) => RANKS[severity]));
        expect(highest(merged)).toBe(highest(flags));
        expect(mergeOverlapping(merged, 100)).toEqual(merged);
      }),
    );
  });

  it("are bounded, the most severe first", () => {
    const flags = Array.from({ length: 50 }, (_, index) =>
      flag("r", `${index}`, index === 49 ? "violation" : "warning", 0.7, [
        index * 10,
        index * 10 + 5,
      ]),
    );
    const merged = mergeOverlapping(flags, 20);
    expect(merged).toHaveLength(20);
    expect(merged[0]?.severity).toBe("violation");
  });

  it("take their candidates with them", () => {
    const found = [flag("r", "a", "warning", 0.7, [0, 10])];
    const candidates = [
      flag("r", "b", "warning", 0.5, [5, 20]),
      flag("r", "c", "warning", 0.5, [10, 20]),
      flag("r", "d", "warning", 0.5),
    ];
    expect(withoutOverlapping(candidates, found)).toEqual(candidates.slice(1));
  });
});

describe("findings of several rules", () => {
  it("are grouped under the most severe on their passage, and all stay on record in their order", () => {
    const findings = [
      flag("lesser", "a", "warning", 0.9, [0, 12]),
      flag("most", "a", "violation", 0.7, [10, 30]),
      flag("also", "a", "violation", 0.65, [29, 40]),
      flag("apart", "a", "warning", 0.7, [31, 50]),
      flag("tool", "a", "violation", 0.9),
    ];
    const grouped = groupByPassage(findings);
    expect(grouped.map(({ rule, context: of }) => [rule, of?.groupedUnder])).toEqual([
      ["lesser", "most"],
      ["most", undefined],
      ["also", "most"],
      ["apart", undefined],
      ["tool", undefined],
    ]);
    expect(groupByPassage(findings.slice(0, 1))).toEqual(findings.slice(0, 1));
  });

  it("lie on the passage of what they are grouped under, which is no less severe and in no group itself", () => {
    const rules = ["r", "s", "t"];
    fc.assert(
      fc.property(fc.array(flagOf(rules), { maxLength: 12 }), (flags) => {
        const merged = rules.flatMap((rule) =>
          mergeOverlapping(
            flags.filter((one) => one.rule === rule),
            100,
          ),
        );
        const grouped = groupByPassage(merged);
        expect(grouped.map(({ rule }) => rule)).toEqual(merged.map(({ rule }) => rule));
        const leaders = grouped.filter(({ context: of }) => of?.groupedUnder === undefined);
        for (const [index, one] of leaders.entries())
          for (const other of leaders.slice(index + 1))
            expect(isOverlapping(one, other)).toBe(false);
        for (const one of grouped) {
          const rule = one.context?.groupedUnder;
          if (rule === undefined) continue;
          expect(rule).not.toBe(one.rule);
          const leader = leaders.find((other) => other.rule === rule && isOverlapping(one, other));
          expect(RANKS[leader!.severity]).toBeGreaterThanOrEqual(RANKS[one.severity]);
        }
      }),
    );
  });
});

describe("an evaluation", () => {
  const at = (start: number, end: number) => ({
    context: { spans: [{ source: "agentResponse", start, end }] },
  });

  it("groups what rules found, those of the caller's own and those that answer later as well", async () => {
    const { engine } = createTestEngine({
      clock: createFakeClock(),
      rules: [
        ruleOf("first", [{ severity: "warning", ...at(0, 5) }]),
        ruleOf("second", [{ severity: "violation", ...at(3, 9) }]),
        ruleThat("later", async () => ({
          isCompliant: true,
          violations: [{ rule: "later", severity: "warning", description: "", ...at(8, 20) }],
          riskScore: 0,
          requiresReview: false,
        })),
      ],
    });
    const { violations, late } = engine.evaluate(context);
    expect(violations.map(({ context: of }) => of)).toMatchObject([
      { groupedUnder: "second", relatedViolations: ["second"] },
      { relatedViolations: ["first"] },
    ]);
    expect(violations[1]?.context).not.toHaveProperty("groupedUnder");
    expect(await late).toMatchObject([{ rule: "later", context: { groupedUnder: "second" } }]);
  });

  it("survives spans of any kind", () => {
    const odd = [{ source: "agentResponse", start: "1", end: {} }, 7, null];
    const { engine } = createTestEngine({
      rules: [
        ruleOf("odd", [{ context: { spans: odd } }, { context: { spans: odd } }]),
        ruleOf("other", [{ context: { spans: "all" } }]),
      ],
    });
    expect(engine.evaluate(context).violations).toHaveLength(3);
  });
});
