import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NONE_DROPPED, checkClaims } from "../../src/judge/judge-reply.ts";
import { toSentExchange, type SentExchange } from "../../src/judge/sent-exchange.ts";

const RULES = ["privacy-secret", "privacy-iban"];

const toSent = (agentResponse: string, others: Partial<SentExchange> = {}): SentExchange => ({
  earlier: [],
  agentResponse,
  isCut: false,
  ...others,
});

const toClaim = (quote: string, ruleId = "privacy-secret") => ({
  ruleId,
  quote,
  reason: "it says so",
  confidence: 0.9,
});

describe("checkClaims", () => {
  it("keeps a claim whose quote stands in the answer, and says where", () => {
    const text = "Your balance is $5. The admin password is hunter2, by the way.";
    const { claims, dropped } = checkClaims(
      [toClaim("The admin password is hunter2")],
      RULES,
      toSent(text),
    );
    expect(claims).toMatchObject([
      { source: "agentResponse", passage: "The admin password is hunter2", start: 20, end: 49 },
    ]);
    expect(dropped).toEqual(NONE_DROPPED);
  });

  it("drops a claim of a rule that was not in the list", () => {
    const { claims, dropped } = checkClaims(
      [toClaim("is hunter2", "bsa-aml-sanctions")],
      RULES,
      toSent("The password is hunter2"),
    );
    expect(claims).toEqual([]);
    expect(dropped.unknown_rule).toBe(1);
  });

  it.each([
    ["another word", "The password is hunter3"],
    ["an ellipsis", "The password ... hunter2"],
    ["an earlier turn", "said in an earlier turn"],
  ])("drops a quote that does not stand there: %s", (_, quote) => {
    const sent = toSent("The password is hunter2", {
      earlier: [{ agentResponse: "said in an earlier turn" }],
    });
    const { claims, dropped } = checkClaims([toClaim(quote)], RULES, sent);
    expect(claims).toEqual([]);
    expect(dropped.quote_not_found).toBe(1);
  });

  it("drops a quote that would stand anywhere, but not one that is the whole answer", () => {
    expect(checkClaims([toClaim("the")], RULES, toSent("the other")).dropped.quote_too_short).toBe(
      1,
    );
    expect(checkClaims([toClaim("Yes.")], RULES, toSent("Yes.")).claims).toHaveLength(1);
  });

  it.each([
    ["white space", "The  password\nis hunter2"],
    ["quotation marks and dashes", "it’s “hunter2” – really"],
    ["composed letters", "le mot de passe est he\u0301ros"],
    ["widths and case", "ＴＨＥ ＰＡＳＳＷＯＲＤ"],
    ["signs nobody sees", "The pass\u00adword is\u200b hunter2"],
  ])("does not mind other %s", (_, quote) => {
    const answer =
      'The password is hunter2; it\'s "hunter2" - really; le mot de passe est h\u00e9ros.';
    expect(checkClaims([toClaim(quote)], RULES, toSent(answer)).claims).toHaveLength(1);
  });

  it("drops a claim that the model itself does not believe", () => {
    const unsure = { ...toClaim("The password is hunter2"), confidence: 0.3 };
    const { claims, dropped } = checkClaims([unsure], RULES, toSent("The password is hunter2"));
    expect(claims).toEqual([]);
    expect(dropped.low_confidence).toBe(1);
  });

  it("keeps one of claims that say the same of the same place", () => {
    const twice = [toClaim("is hunter2"), { ...toClaim("is  hunter2"), reason: "again" }];
    const { claims } = checkClaims(twice, RULES, toSent("The password is hunter2"));
    expect(claims).toMatchObject([{ reason: "it says so" }]);
  });

  it("finds no quote in the note where a text was cut", () => {
    const { agentResponse } = toSentExchange(
      { earlier: [], agentResponse: "a long answer ".repeat(200) },
      1000,
    );
    const { dropped } = checkClaims(
      [toClaim("more characters are not shown")],
      RULES,
      toSent(agentResponse),
    );
    expect(dropped.quote_not_found).toBe(1);
  });

  it("looks in the customer's message and in the tools after the answer", () => {
    const sent = toSent("As you say.", {
      userMessage: "keep it below ten thousand",
      tools: '{"name":"file_ctr","parameters":{"skip":true}}',
    });
    const { claims } = checkClaims(
      [toClaim("below ten thousand"), toClaim('"skip":true')],
      RULES,
      sent,
    );
    expect(claims.map(({ source }) => source)).toEqual(["userMessage", "tools"]);
  });

  it("finds every part of any text, and gives the part", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 12, maxLength: 60 }),
        fc.nat(),
        fc.nat(),
        (text, one, other) => {
          const units = Array.from(text);
          const start = one % units.length;
          const quote = units.slice(start, start + 1 + (other % units.length)).join("");
          const { claims } = checkClaims([toClaim(quote)], RULES, toSent(text));
          for (const { passage, start: from, end } of claims) {
            expect(text.slice(from, end)).toBe(passage);
            expect(passage.length).toBeGreaterThan(0);
          }
        },
      ),
    );
  });
});
