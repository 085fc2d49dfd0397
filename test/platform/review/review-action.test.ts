import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applyAction,
  type Refusal,
  reviewActionSchema,
  type ReviewAction,
} from "../../../src/platform/review/review-action.ts";
import {
  findAssignee,
  type ReviewItem,
  toState,
} from "../../../src/platform/review/review-item.ts";
import {
  DEFAULT_REVIEW_POLICY,
  DISPOSITIONS,
  type ReviewPolicy,
} from "../../../src/platform/review/review-policy.ts";
import { type Actor, ROLES } from "../../../src/platform/review/roles.ts";

const NOW = Date.UTC(2026, 0, 5, 9);
const MINUTE = 60_000;
const ANNA: Actor = { name: "anna", role: "reviewer" };
const BEN: Actor = { name: "ben", role: "reviewer" };
const CARA: Actor = { name: "cara", role: "supervisor" };

const OPEN: ReviewItem = {
  key: "k",
  organizationId: "bank",
  queue: "open",
  origin: "rule",
  assignee: null,
  claimExpiresAt: null,
  openedAt: NOW,
  dueAt: NOW + 24 * 60 * MINUTE,
  closedAt: null,
  proposal: null,
  outcome: null,
  severity: 3,
  riskScore: 80,
  tier: "",
  version: 1,
};

interface Step {
  readonly by: Actor;
  readonly action: ReviewAction;
  readonly at?: number;
}

const FALSE_POSITIVE: ReviewAction = {
  action: "close",
  disposition: "false_positive",
  reasonCode: "definition",
};

function run(
  steps: readonly Step[],
  policy: Partial<ReviewPolicy> = {},
  start = OPEN,
): ReviewItem | Refusal {
  let item = start;
  for (const { by, action, at = NOW } of steps) {
    const context = { actor: by, now: at, policy: { ...DEFAULT_REVIEW_POLICY, ...policy } };
    const next = applyAction(item, action, context);
    if ("code" in next) return next;
    item = next;
  }
  return item;
}

const claim = (by: Actor, at = NOW): Step => ({ by, at, action: { action: "claim" } });

describe("an item", () => {
  it("is claimed for half an hour, and open again afterwards", () => {
    const item = run([claim(ANNA)]) as ReviewItem;
    expect(toState(item, NOW)).toBe("claimed");
    expect(findAssignee(item, NOW + 30 * MINUTE - 1)).toBe("anna");
    expect(toState(item, NOW + 30 * MINUTE)).toBe("open");
  });

  it("that is claimed is refused to others until the claim expires", () => {
    expect(run([claim(ANNA), claim(BEN)])).toMatchObject({ code: "review_conflict" });
    expect(run([claim(ANNA), { by: BEN, action: FALSE_POSITIVE }])).toMatchObject({
      detail: "the item is claimed by anna",
    });
    expect(run([claim(ANNA), claim(BEN, NOW + 30 * MINUTE)])).toMatchObject({ assignee: "ben" });
  });

  it("is released by who has claimed it, or by a supervisor", () => {
    const release = (by: Actor): Step => ({ by, action: { action: "release" } });
    expect(run([claim(ANNA), release(BEN)])).toMatchObject({ code: "forbidden" });
    for (const by of [ANNA, CARA])
      expect(run([claim(ANNA), release(by)])).toMatchObject({ queue: "open", assignee: null });
    expect(run([release(ANNA)])).toMatchObject({ code: "review_conflict" });
  });

  it("keeps an assignment, which does not expire", () => {
    const assign: Step = { by: CARA, action: { action: "assign", assignee: "ben" } };
    const item = run([assign, claim(BEN)]) as ReviewItem;
    expect(findAssignee(item, NOW + 1e9)).toBe("ben");
    expect(run([assign, claim(ANNA)])).toMatchObject({ code: "review_conflict" });
    expect(run([{ ...assign, by: ANNA }])).toMatchObject({ code: "forbidden" });
  });

  it("that is escalated is for a supervisor", () => {
    const escalate: Step = { by: ANNA, action: { action: "escalate", comment: "needs counsel" } };
    expect(run([escalate])).toMatchObject({ queue: "escalated", assignee: null });
    expect(run([escalate, claim(ANNA)])).toMatchObject({ code: "forbidden" });
    const closed = run([escalate, { by: CARA, action: FALSE_POSITIVE }]);
    expect(closed).toMatchObject({ queue: "closed", outcome: { disposition: "false_positive" } });
  });

  it("is closed with a disposition and its reason, and nothing more is done to it until it is reopened", () => {
    const close: Step = { by: ANNA, action: FALSE_POSITIVE };
    expect(run([close])).toMatchObject({
      queue: "closed",
      closedAt: NOW,
      assignee: null,
      outcome: { disposition: "false_positive", reasonCode: "definition" },
    });
    for (const by of [ANNA, CARA])
      expect(run([close, claim(by)])).toMatchObject({ code: "review_conflict" });
    const reopen = (by: Actor): Step => ({
      by,
      action: { action: "reopen", comment: "new facts" },
    });
    expect(run([close, reopen(ANNA)])).toMatchObject({ code: "forbidden" });
    expect(run([close, reopen(CARA)])).toMatchObject({ queue: "reopened", outcome: null });
    expect(run([reopen(CARA)])).toMatchObject({ code: "review_conflict" });
  });

  it("is closed with a reason of the policy only, and with a comment where one is asked for", () => {
    const without: ReviewAction = { action: "close", disposition: "violation" };
    expect(run([{ by: ANNA, action: without }])).toMatchObject({ code: "invalid_action" });
    const wrong = { ...without, reasonCode: "definition" };
    expect(run([{ by: ANNA, action: wrong }])).toMatchObject({ code: "invalid_action" });
    const right = { ...without, reasonCode: "confirmed" };
    const policy = { commentRequired: ["violation" as const] };
    expect(run([{ by: ANNA, action: right }], policy)).toMatchObject({ code: "invalid_action" });
    const commented = { ...right, comment: "promised a return" };
    expect(run([{ by: ANNA, action: commented }], policy)).toMatchObject({ queue: "closed" });
  });

  it("of a chosen severity is closed by two people", () => {
    const policy: Partial<ReviewPolicy> = { secondReviewFor: ["violation"] };
    const close: Step = { by: ANNA, action: FALSE_POSITIVE };
    const approve = (by: Actor): Step => ({ by, action: { action: "approve" } });
    expect(run([close], policy)).toMatchObject({
      queue: "open",
      outcome: null,
      proposal: { by: "anna", disposition: "false_positive" },
    });
    expect(run([close, approve(ANNA)], policy)).toMatchObject({ code: "forbidden" });
    expect(run([close, approve(BEN)], policy)).toMatchObject({
      queue: "closed",
      proposal: null,
      outcome: { disposition: "false_positive", reasonCode: "definition" },
    });
    expect(run([approve(BEN)], policy)).toMatchObject({ code: "review_conflict" });
    const other: Step = {
      by: BEN,
      action: { action: "close", disposition: "violation", reasonCode: "confirmed" },
    };
    // Who sees it otherwise makes a proposal of his own, and is not the second person of that one.
    expect(run([close, other], policy)).toMatchObject({ queue: "open", proposal: { by: "ben" } });
    expect(run([close, other, approve(BEN)], policy)).toMatchObject({ code: "forbidden" });
    expect(run([close], policy, { ...OPEN, severity: 2 })).toMatchObject({ queue: "closed" });
  });

  it("is not touched by who may only read", () => {
    const viewer: Actor = { name: "vera", role: "viewer" };
    const actions: ReviewAction[] = [
      { action: "claim" },
      FALSE_POSITIVE,
      { action: "comment", comment: "hm" },
    ];
    for (const action of actions)
      expect(run([{ by: viewer, action }])).toMatchObject({ code: "forbidden" });
  });
});

describe("any sequence of actions", () => {
  const comment = fc.constantFrom("seen", "x");
  const outcome = fc.constantFrom(...DISPOSITIONS).chain((disposition) =>
    fc.record({
      disposition: fc.constant(disposition),
      reasonCode: fc.constantFrom(...DEFAULT_REVIEW_POLICY.reasonCodes[disposition], "unknown"),
    }),
  );
  const action: fc.Arbitrary<ReviewAction> = fc.oneof(
    fc.constant({ action: "claim" } as const),
    fc.constant({ action: "release" } as const),
    fc.constant({ action: "approve" } as const),
    fc.record({ action: fc.constant("assign" as const), assignee: fc.constantFrom("anna", "ben") }),
    fc.record({ action: fc.constant("escalate" as const), comment }),
    fc.record({ action: fc.constant("reopen" as const), comment }),
    fc.record({ action: fc.constant("comment" as const), comment }),
    outcome.map((each) => ({ action: "close" as const, ...each })),
    outcome.map((each) => ({ action: "decide" as const, findingIds: ["f"], ...each })),
  );
  const step = fc.record({
    name: fc.constantFrom("anna", "ben", "cara"),
    role: fc.constantFrom(...ROLES),
    action,
    wait: fc.nat(40 * MINUTE),
  });

  it("leaves an item that is closed with an outcome and without an assignee, or waits without an outcome", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, isStrict) => {
        const policy: ReviewPolicy = {
          ...DEFAULT_REVIEW_POLICY,
          secondReviewFor: isStrict ? ["violation"] : [],
        };
        let item = OPEN;
        let now = NOW;
        for (const { name, role, action: given, wait } of steps) {
          now += wait;
          expect(reviewActionSchema.safeParse(given).success).toBe(true);
          const before = structuredClone(item);
          const next = applyAction(item, given, { actor: { name, role }, now, policy });
          expect(item).toEqual(before);
          if ("code" in next) continue;
          expect(next.version).toBe(item.version + 1);
          expect(next.queue === "closed").toBe(next.outcome !== null);
          expect(next.queue === "closed").toBe(next.closedAt !== null);
          if (next.queue === "closed") expect([next.assignee, next.proposal]).toEqual([null, null]);
          const holder = findAssignee(item, now);
          const isClosedByOther = next.queue === "closed" && holder !== null && holder !== name;
          expect(isClosedByOther && given.action !== "approve").toBe(false);
          item = next;
        }
      }),
      { numRuns: 500 },
    );
  });
});
