import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runSteps, type Steps } from "../../../src/platform/turns.ts";
import { matchesSelector, type Selector } from "../../../src/platform/records/legal-hold.ts";
import {
  findLeastAge,
  findRetentionClass,
  OUTCOMES,
  retentionPolicySchema,
  toDueAt,
  toOutcomes,
  type RetentionClass,
} from "../../../src/platform/records/retention-policy.ts";
import { createSteadyTime } from "../../../src/platform/records/steady-time.ts";

const ENVIRONMENTS = ["production", "staging", "development"] as const;

const policies = fc
  .array(
    fc.record(
      {
        days: fc.integer({ min: 1, max: 4000 }),
        environment: fc.constantFrom(...ENVIRONMENTS),
        outcome: fc.constantFrom(...OUTCOMES),
      },
      { requiredKeys: ["days"] },
    ),
    { maxLength: 8 },
  )
  .map((classes): RetentionClass[] =>
    classes.map((each, index) => ({ name: `c${index}`, ...each })),
  );

const facts = fc.record({
  environments: fc.uniqueArray(fc.constantFrom(...ENVIRONMENTS, ""), { maxLength: 3 }),
  outcomes: fc.uniqueArray(fc.constantFrom(...OUTCOMES), { minLength: 1, maxLength: 2 }),
  isUnderReview: fc.boolean(),
});

describe("the class of a conversation", () => {
  it("is the first one that matches", () => {
    const policy = [
      { name: "test", days: 7, environment: "development" },
      { name: "escalated", days: 3650, outcome: "escalated" },
      { name: "violation", days: 2555, outcome: "violation" },
      { name: "clean", days: 90, outcome: "no_finding" },
    ] as const;
    const find = (environments: string[], outcomes: (typeof OUTCOMES)[number][]) =>
      findRetentionClass({ environments, outcomes, isUnderReview: false }, policy)?.name;
    expect(find(["development"], ["violation"])).toBe("test");
    expect(find(["production"], ["violation", "escalated"])).toBe("escalated");
    expect(find([""], ["no_finding"])).toBe("clean");
    expect(find([], ["no_finding"])).toBe("clean");
    // What was also seen in production is kept as that is.
    expect(find(["development", "production"], ["no_finding"])).toBe("clean");
    expect(find(["development", "production"], ["cleared"])).toBeUndefined();
  });

  it("never keeps a conversation shorter than one of its environments alone asks for, nor what is under review at all", () => {
    fc.assert(
      fc.property(policies, facts, (policy, given) => {
        const found = findRetentionClass(given, policy);
        if (given.isUnderReview) expect(found).toBeUndefined();
        for (const environment of given.environments) {
          const alone = findRetentionClass({ ...given, environments: [environment] }, policy);
          if (!found) continue;
          expect(alone).toBeDefined();
          expect(found.days).toBeGreaterThanOrEqual(alone?.days ?? 0);
          expect(toDueAt(found, 5)).toBeGreaterThanOrEqual(5 + (findLeastAge(policy) ?? 0));
        }
      }),
    );
  });

  it("does not depend on classes behind the one that matches", () => {
    fc.assert(
      fc.property(policies, policies, facts, (policy, others, given) => {
        const one = { ...given, environments: given.environments.slice(0, 1) };
        const found = findRetentionClass(one, policy);
        fc.pre(found !== undefined);
        expect(findRetentionClass(one, [...policy, ...others])).toEqual(found);
      }),
    );
  });

  it.each([
    [{ hasFindings: false, isClosed: false, dispositions: [] }, ["no_finding"]],
    [{ hasFindings: true, isClosed: false, dispositions: [] }, ["undecided"]],
    [{ hasFindings: true, isClosed: true, dispositions: ["false_positive"] }, ["cleared"]],
    [
      { hasFindings: true, isClosed: true, dispositions: ["acceptable", "violation"] },
      ["violation"],
    ],
    [{ hasFindings: false, isClosed: true, dispositions: ["violation"] }, ["violation"]],
  ] as const)("goes by what has become of it: %j", (traces, outcomes) => {
    expect(toOutcomes({ ...traces, wasEscalated: false })).toEqual(outcomes);
    expect(toOutcomes({ ...traces, wasEscalated: true })).toEqual([...outcomes, "escalated"]);
  });

  it("has bounds, and one class of a name", () => {
    const parse = (classes: unknown) => retentionPolicySchema.safeParse(classes).success;
    expect(parse([{ name: "a", days: 1 }])).toBe(true);
    expect(parse([{ name: "a", days: 0 }])).toBe(false);
    expect(parse([{ name: "A b", days: 1 }])).toBe(false);
    expect(parse([{ name: "a", days: 1, outcome: "open" }])).toBe(false);
    const twice = [
      { name: "a", days: 1 },
      { name: "a", days: 2 },
    ];
    expect(parse(twice)).toBe(false);
  });
});

describe("a selector", () => {
  const conversation = {
    key: "k",
    organizationId: "o",
    agentId: "a",
    startedAt: 100,
    lastAt: 200,
    appearances: [
      { environment: "production", version: "1" },
      { environment: "staging", version: "2" },
    ],
    // oxlint-disable-next-line require-yield -- it is known
    *hasCustomer(customer: string): Steps<boolean> {
      return customer === "c";
    },
  };
  it.each<[Selector, boolean]>([
    [{}, true],
    [{ organization: "o", agent: "a", conversation: "k", customer: "c" }, true],
    [{ organization: "p" }, false],
    [{ customer: "d" }, false],
    [{ environment: "production", version: "1" }, true],
    // Of one event.
    [{ environment: "production", version: "2" }, false],
    [{ from: 200, to: 300 }, true],
    [{ from: 201 }, false],
    [{ to: 100 }, true],
    [{ to: 99 }, false],
  ])("means what is all true of a conversation: %j", (selector, expected) => {
    expect(runSteps(matchesSelector(selector, conversation))).toBe(expected);
  });
});

describe("the time that retention goes by", () => {
  const DAY = 86_400_000;

  function createClock() {
    const clock = { wall: 1_800_000_000_000, elapsed: 0 };
    const steady = createSteadyTime({ now: () => clock.wall, monotonic: () => clock.elapsed });
    return {
      clock,
      steady,
      pass: (millis: number): number => {
        clock.wall += millis;
        clock.elapsed += millis;
        return steady();
      },
    };
  }

  it("goes with the clock, back with it at once, and forward with it after a day", () => {
    const { clock, steady, pass } = createClock();
    const start = steady();
    expect(pass(1000)).toBe(start + 1000);
    clock.wall += 400 * DAY;
    expect(steady()).toBe(start + 1000);
    const hour = DAY / 24;
    for (let hours = 0; hours < 23; hours++) pass(hour);
    expect(steady()).toBe(start + 1000 + 23 * hour);
    expect(pass(2 * hour)).toBe(start + 1000 + 25 * hour + 400 * DAY);
    clock.wall = start;
    expect(steady()).toBe(start);
  });

  it("is never later than the clock, whatever that does", () => {
    const steps = fc.array(
      fc.record({ passed: fc.nat(DAY), jump: fc.integer({ min: -DAY * 500, max: DAY * 500 }) }),
      { maxLength: 30 },
    );
    const shortSteps = fc.array(
      fc.record({ passed: fc.nat(2), jump: fc.integer({ min: -3, max: 3 }) }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(fc.oneof(steps, shortSteps), (list) => {
        const { clock, steady, pass } = createClock();
        steady();
        for (const { passed, jump } of list) {
          const before = steady();
          clock.wall += jump;
          // A jump alone never brings it forward.
          expect(steady()).toBeLessThanOrEqual(Math.max(before, Math.min(before, clock.wall)));
          expect(pass(passed)).toBeLessThanOrEqual(clock.wall);
        }
      }),
    );
  });
});
