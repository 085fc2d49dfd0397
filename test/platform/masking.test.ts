import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findIdentifiers } from "../../src/identifiers/index.ts";
import { maskJson, maskJsonSteps, maskText } from "../../src/platform/masking.ts";
import { runSteps, type Steps } from "../../src/platform/turns.ts";

describe("maskText", () => {
  it.each([
    ["my card is 4539 5787 6362 1486, exp 12/27", "my card is **** **** **** 1486, exp 12/27"],
    ["4111111111111111", "************1111"],
    ["her SSN is 536-22-8147.", "her SSN is ***-**-8147."],
    ["account number 483920175566", "account number ********5566"],
    [
      "account number 483920175566, routing number 021000021",
      "account number ********5566, routing number *****0021",
    ],
    ["IBAN DE89 3704 0044 0532 0130 00", "IBAN DE** **** **** **** **30 00"],
    ["the key is AKIAZ7QX4M2PLN5RT6WD today", "the key is AKIA**************** today"],
    ["the CVV is 123", "the CVV is ***"],
    ["4455667788", "******7788"],
    ["It's 4455667788, thanks", "It's ******7788, thanks"],
  ])("masks %j", (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });

  it.each([
    "Your payment of $1,250.00 is due on 2026-12-01.",
    "Call (800) 555-0142 or write to help@bank.example.",
    "Your order number is 12345678.",
    "The balance is 12345678.90 dollars.",
    "The rate is 4.5 % for 360 months.",
  ])("leaves %j", (text) => {
    expect(maskText(text)).toBe(text);
  });

  it("masks in a long text, and whatever its words are cut between", () => {
    const text = "your card is 4539 5787 6362 1486, thanks, and ".repeat(2000);
    expect(maskText(text)).toBe(text.replaceAll("4539 5787 6362", "**** **** ****"));
  });

  it("keeps positions, and changes nothing the second time", () => {
    const part = fc.oneof(
      fc.constantFrom(
        "card 4539 5787 6362 1486",
        "536-22-8147",
        "account 48392017556",
        "cvv 123",
        "routing 021000021",
        "four one one one",
      ),
      fc.stringMatching(/^[\d -]{1,24}$/),
      fc.string({ unit: "binary", maxLength: 12 }),
    );
    const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(" "));
    fc.assert(
      fc.property(text, (given) => {
        const masked = maskText(given);
        expect(masked).toHaveLength(given.length);
        expect(maskText(masked)).toBe(masked);
      }),
      { numRuns: 500 },
    );
  });
});

describe("maskJson", () => {
  it("needs no search of what has few digits and no word: no detector finds anything there", () => {
    const separators = fc.stringMatching(/^[ .,:/+-]{0,3}$/);
    const digit = fc.integer({ min: 0, max: 9 });
    const parts = fc.array(fc.tuple(digit, separators), { maxLength: 8 });
    fc.assert(
      fc.property(separators, parts, (start, rest) => {
        const text = start + rest.flat().join("");
        const kinds = new Set([
          "card-number",
          "social-security-number",
          "account-number",
          "iban",
          "secret",
        ] as const);
        expect(findIdentifiers(text, kinds)).toEqual([]);
        expect(JSON.parse(maskJson(JSON.stringify({ at: text })))).toEqual({ at: text });
      }),
      { numRuns: 2000 },
    );
  });

  it("hides customers: values become pseudonyms, and what is said keeps its length", () => {
    const customers = {
      toPseudonym: () => "customer-bcdfghjkmnpq",
      // oxlint-disable-next-line require-yield -- they are known
      *find(texts: readonly string[]): Steps<Set<string>> {
        return new Set(texts.filter((text) => text === "K0815"));
      },
    };
    const given = { content: "K0815", reference: "K0815", note: "of K0815.", userId: 4, count: 4 };
    expect(JSON.parse(runSteps(maskJsonSteps(JSON.stringify(given), customers)))).toEqual({
      content: "*****",
      reference: "customer-bcdfghjkmnpq",
      note: "of *****.",
      userId: "customer-bcdfghjkmnpq",
      count: 4,
    });
  });

  it("masks texts and numbers, and what their names tell of", () => {
    const given = {
      eventId: "0198c7f2-4111-7111-9111-111111111111",
      timestamp: 1795183200000,
      content: "4111 1111 1111 1111",
      toolParameters: {
        accountNumber: "48392017",
        card: 4111111111111111,
        amount: 12345678,
        pin: 1234,
      },
      arguments: '{"ssn":"536228147","note":"ok"}',
      cards: ["4111111111111111"],
      beneficiaryAccount: "12345678",
    };
    expect(JSON.parse(maskJson(JSON.stringify(given, undefined, 2)))).toEqual({
      ...given,
      content: "**** **** **** 1111",
      toolParameters: {
        accountNumber: "****2017",
        card: "************1111",
        amount: 12345678,
        pin: "****",
      },
      arguments: '{"ssn":"*****8147","note":"ok"}',
      cards: ["************1111"],
      beneficiaryAccount: "****5678",
    });
  });

  it("returns JSON of the same shape, and changes nothing the second time", () => {
    const shapeOf = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shapeOf);
      if (typeof value !== "object" || value === null) return null;
      return Object.fromEntries(
        Object.entries(value).map(([key, member]) => [key, shapeOf(member)]),
      );
    };
    const name = fc.constantFrom(
      "card",
      "ssn",
      "accountNumber",
      "content",
      "id",
      "pin",
      "x",
      'a"\\b',
    );
    const leaf = fc.oneof(
      fc.constantFrom(
        "4111 1111 1111 1111",
        "536-22-8147",
        '{"card":"4111111111111111"}',
        '"',
        "\\",
      ),
      fc.string({ unit: "binary" }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -1e15, max: 1e15 }),
      fc.boolean(),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(name, tie("value")),
      ),
    }));
    fc.assert(
      fc.property(value, (given) => {
        const masked = maskJson(JSON.stringify(given));
        expect(shapeOf(JSON.parse(masked))).toEqual(shapeOf(JSON.parse(JSON.stringify(given))));
        expect(maskJson(masked)).toBe(masked);
      }),
      { numRuns: 500 },
    );
  });
});
