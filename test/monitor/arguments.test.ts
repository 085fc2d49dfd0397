import { describe, expect, it } from "vitest";
import { readArgument, toIdentity, toOptions } from "../../src/monitor/arguments.ts";
import type { MonitoringOptions } from "../../src/events/interaction.ts";
import type { ValidationDetail } from "../../src/events/validation-error.ts";
import { withConversationScope } from "../../src/scope/scopes.ts";

const given = { agentId: "assistant", sessionId: "s1" };

function identify(
  identity: object,
  options?: unknown,
): { identity: ReturnType<typeof toIdentity>; problems: [string, string][] } {
  const problems: ValidationDetail[] = [];
  const found = toIdentity({ ...given, ...identity }, options, problems);
  return { identity: found, problems: problems.map(({ field, message }) => [field, message]) };
}

const throwing = new Proxy(
  {},
  {
    get: () => {
      throw new Error("no");
    },
  },
);

describe("readArgument", () => {
  it("reads anything", () => {
    expect(readArgument({ a: 1 }, "a")).toBe(1);
    for (const source of [undefined, null, 5, "text", throwing])
      expect(readArgument(source, "a")).toBeUndefined();
  });
});

describe("toIdentity", () => {
  it("gives what it is given", () => {
    const { identity, problems } = identify(
      { conversationId: "c1", userId: "u1" },
      { requestId: "r1" },
    );
    expect(identity).toEqual({ ...given, conversationId: "c1", userId: "u1", requestId: "r1" });
    expect(problems).toEqual([]);
  });

  it("lets options win over the event", () => {
    const { identity } = identify(
      { userId: "u1" },
      { userId: "u2", sessionId: "s2", requestId: "r2" },
    );
    expect(identity).toMatchObject({ sessionId: "s2", userId: "u2", requestId: "r2" });
  });

  it.each<[string, unknown, string]>([
    ["agentId", "", "string of 0 characters"],
    ["agentId", "..", "string of 2 characters"],
    ["agentId", undefined, "undefined"],
    ["agentId", { secret: 1 }, "object"],
    ["sessionId", "se\ncret", "string of 7 characters"],
    ["sessionId", "x".repeat(257), "string of 257 characters"],
    ["sessionId", null, "null"],
  ])("is nobody with %s %j, and says why without saying what", (field, value, came) => {
    const { identity, problems } = identify({ [field]: value });
    expect(problems).toEqual([]);
    expect(identity).toEqual({
      problem: {
        field,
        message: expect.stringContaining(`(got ${came})`) as string,
        code: "invalid_type",
      },
    });
    expect(JSON.stringify(identity)).toContain("1 to 256 characters");
    expect(JSON.stringify(identity)).not.toContain("cret");
  });

  it.each(["conversationId", "userId"])("goes on without a %s that is none", (field) => {
    const { identity, problems } = identify({ [field]: 5 });
    expect(identity).toEqual({
      ...given,
      conversationId: undefined,
      userId: undefined,
      requestId: undefined,
    });
    expect(problems.map(([name]) => name)).toEqual([field]);
  });

  it.each(["sessionId", "userId", "requestId"])(
    "goes on without an option %s that is none",
    (field) => {
      const { identity, problems } = identify({ userId: "u1" }, { [field]: "\n" });
      expect(identity).toMatchObject({ ...given, userId: "u1" });
      expect(problems.map(([name]) => name)).toEqual([`options.${field}`]);
    },
  );

  it("takes null for absent", () => {
    const { identity, problems } = identify(
      { conversationId: null, userId: null },
      { userId: null, sessionId: null },
    );
    expect(identity).toMatchObject(given);
    expect(problems).toEqual([]);
  });

  it("survives options that can't be read", () => {
    for (const options of [throwing, 5, "text", null])
      expect(identify({}, options).identity).toMatchObject(given);
  });

  describe("inside a conversation", () => {
    const scope = { ...given, conversationId: "c1", userId: "u1", requestId: "r1" };

    it("completes what is missing", () => {
      withConversationScope(scope, () => expect(identify({}).identity).toEqual(scope));
    });

    it("keeps what the caller says", () => {
      withConversationScope(scope, () => {
        expect(
          identify({ conversationId: "c2", userId: "u2" }, { requestId: "r2" }).identity,
        ).toMatchObject({ conversationId: "c2", userId: "u2", requestId: "r2" });
      });
    });

    it("takes nothing over from a conversation with somebody else", () => {
      withConversationScope(scope, () => {
        for (const other of [{ agentId: "other" }, { sessionId: "s2" }]) {
          expect(identify(other).identity).toMatchObject({
            conversationId: undefined,
            userId: undefined,
            requestId: undefined,
          });
        }
        expect(identify({}, { sessionId: "s2" }).identity).toMatchObject({
          sessionId: "s2",
          userId: undefined,
        });
      });
    });
  });
});

describe("a conversation that the metadata names", () => {
  const name = (identity: object) => toIdentity({ ...given, ...identity }, undefined, [], "c2");

  it("counts where the caller gives no other", () => {
    expect(name({})).toMatchObject({ conversationId: "c2" });
    expect(name({ conversationId: "c1" })).toMatchObject({ conversationId: "c1" });
    withConversationScope({ ...given, conversationId: "c3" }, () =>
      expect(name({})).toMatchObject({ conversationId: "c2" }),
    );
  });
});

describe("toOptions", () => {
  const check = (options: unknown): [ReturnType<typeof toOptions>, string[]] => {
    const problems: ValidationDetail[] = [];
    const checked = toOptions(options as MonitoringOptions, problems);
    return [checked, problems.map(({ field }) => field)];
  };

  it("gives what it is given", () => {
    const options = {
      agentCategory: "workflow",
      agentSpecialty: "compliance",
      trackConversationStart: true,
      complianceChecks: false,
    } as const;
    expect(check(options)).toEqual([options, []]);
  });

  it("tells of options that it does not know, and which were meant", () => {
    const problems: ValidationDetail[] = [];
    const misspelt: object = { userID: "u", session_id: "s", complianceCheck: true, team: 1 };
    toOptions(misspelt, problems);
    expect(problems).toEqual(
      [
        ["options.userID", "is unknown: did you mean userId?"],
        ["options.session_id", "is unknown: did you mean sessionId?"],
        ["options.complianceCheck", "is unknown: did you mean complianceChecks?"],
        ["options.team", "is unknown"],
      ].map(([field, message]) => ({ field, message, code: "unrecognized_keys" })),
    );
  });

  it("tells no key that may be content", () => {
    expect(check({ "4111 1111 1111 1111": 1 })).toEqual([expect.anything(), ["options"]]);
  });

  it("is nothing without options", () => {
    expect(check(undefined)).toEqual([undefined, []]);
    expect(check(null)).toEqual([undefined, []]);
  });

  it("leaves out what is not what it should be, and says so", () => {
    const [checked, problems] = check({
      agentCategory: "robot",
      agentSpecialty: 5,
      trackConversationStart: "yes",
      complianceChecks: 1,
    });
    expect(checked).toEqual({
      agentCategory: undefined,
      agentSpecialty: undefined,
      trackConversationStart: undefined,
      complianceChecks: undefined,
    });
    expect(problems).toEqual([
      "options.agentCategory",
      "options.agentSpecialty",
      "options.trackConversationStart",
      "options.complianceChecks",
    ]);
  });

  it("survives options that can't be read", () => {
    for (const options of [throwing, 5, "text"]) expect(check(options)[1]).toEqual([]);
  });
});
