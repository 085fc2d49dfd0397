import { describe, expect, it } from "vitest";
import { findIdentifiers, IDENTIFIER_KINDS } from "../../src/identifiers/index.ts";
import { readSpokenDigits } from "../../src/identifiers/spoken-digits.ts";
import { isLeakyTool } from "../../src/compliance/tools/tool-parameters.ts";
import { maskText, toExcerpt } from "../../src/identifiers/mask.ts";
import { normalise } from "../../src/text/normalise.ts";

const VENDOR_KEY = ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_");

function found(text: string): string[] {
  return findIdentifiers(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);
}

describe("findIdentifiers", () => {
  it("finds every kind at its place, in the order of the text", () => {
    const text = `Ann, ann.lee@mail.example, (415) 555-0132, 861-44-9022, 4539 1488 0343 6467, account 009914420771, DE30 5001 0517 0648 9207 31, ${VENDOR_KEY}`;
    expect(found(text)).toEqual([
      "email-address ann.lee@mail.example",
      "phone-number (415) 555-0132",
      "social-security-number 861-44-9022",
      "card-number 4539 1488 0343 6467",
      "account-number 009914420771",
      "iban DE30 5001 0517 0648 9207 31",
      `secret ${VENDOR_KEY}`,
    ]);
    expect(IDENTIFIER_KINDS.size).toBe(7);
  });

  it("finds the kinds that are asked for only", () => {
    const text = "861-44-9022, ann@mail.example";
    expect(findIdentifiers(text, new Set(["email-address"]))).toMatchObject([
      { kind: "email-address", form: "address" },
    ]);
  });

  it("takes a password before a host for a secret and not for an address", () => {
    expect(found("redis://app:Wq7vHs29xTb@cache.example.com:6379")).toEqual(["secret Wq7vHs29xTb"]);
  });

  it.each([
    ["+49 30 901820", "phone-number +49 30 901820"],
    ["1-800-555-0199", "phone-number 1-800-555-0199"],
    ["call 4155550132 now", "phone-number 4155550132"],
    ["o'neil+tag@sub.mail.example.", "email-address o'neil+tag@sub.mail.example"],
  ])("finds %j", (text, expected) => {
    expect(found(text)).toEqual([expected]);
  });

  it.each(["4155550132", "a@b", "@", "2026-11-21 10:30", "v1.2.3", "$1,250.00", "60614-2237"])(
    "finds nothing in %j",
    (text) => {
      expect(found(text)).toEqual([]);
    },
  );
});

describe("spelt-out digits", () => {
  it.each([
    ["eight six one, four four, nine zero two two", "861 44 9022"],
    ["double five triple 1 oh nine eight", "55111098"],
    ["forty-five thirty nine fourteen eighty", "45391480"],
    ["eight six one dash four four dash nine oh two two", "861-44-9022"],
  ])("are read: %s", (text, expected) => {
    const reading = readSpokenDigits(`It is ${text}!`);
    expect(reading.text).toBe(`It is ${expected}!`);
    expect(reading.toSource({ start: 6, end: 6 + expected.length })).toEqual({
      start: 6,
      end: 6 + text.length,
    });
  });

  it.each(["one or two of the three", "two, three, four", "Five of six agents, seven of eight"])(
    "are left in prose: %s",
    (text) => {
      expect(readSpokenDigits(text).text).toBe(text);
    },
  );
});

describe("masks", () => {
  it.each([
    ["4539/1488/0343/6467 cvc 441", "****/****/****/6467 cvc ***"],
    ["861-44-9022", "***-**-9022"],
    ["SSN ８６１ ４４ ９０２２", "SSN *** ** ****"],
    ["eight six one, four four, nine zero two two", "***** *** ***, **** ****, **** **** *** ***"],
    ["account 009914420771", "account ********0771"],
    ["DE30 5001 0517 0648 9207 31", "DE** **** **** **** **07 31"],
    ["password=Tr0ub4dor&3x", "password=************"],
    [VENDOR_KEY, `ghp_${"*".repeat(36)}`],
    ["45391488 and then 03436467", "******** and then ****6467"],
    ["mail ann.lee@mail.example", "mail a**.***@****.*******"],
    ["nothing at 10:30 for $1,250", "nothing at 10:30 for $1,250"],
  ])("%j as %j", (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });

  it("hide in an excerpt what begins far before it", () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${"MIIEowIBAAKCAQEAx4Ui9kq1VtZ0pLw8\n".repeat(40)}-----END PRIVATE KEY-----`;
    const text = `${key} 861-44-9022`;
    const excerpt = toExcerpt(normalise(text), { start: text.length - 11, end: text.length });
    expect(excerpt).toMatch(/\*\*\*-\*\*-9022$/);
    expect(excerpt).not.toMatch(/MIIE|x4Ui/);
  });

  it("hide a number's part that only earlier messages explain", () => {
    expect(toExcerpt(normalise("it is 223339"), { start: 6, end: 12 })).toBe("it is **3339");
  });
});

describe("tools that numbers have no business in", () => {
  it.each(["send_email", "appendToLog", "web_search", "search", "SlackMessage", "kb-search"])(
    "are known by name: %s",
    (name) => {
      expect(isLeakyTool(name)).toBe(true);
    },
  );

  it.each(["charge_card", "search_customer", "login", "catalog", "post_payment", ""])(
    "are not: %s",
    (name) => {
      expect(isLeakyTool(name)).toBe(false);
    },
  );
});
