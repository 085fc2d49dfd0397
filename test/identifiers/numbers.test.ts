import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasValidCheckDigit } from "../../src/identifiers/card-issuers.ts";
import { isIban } from "../../src/identifiers/ibans.ts";
import type { IdentifierKind } from "../../src/identifiers/identifier.ts";
import { findIdentifiers } from "../../src/identifiers/index.ts";
import { isRoutingNumber } from "../../src/identifiers/account-numbers.ts";
import { isSocialSecurityNumber } from "../../src/identifiers/social-security-numbers.ts";

const WORDS = "zero one two three four five six seven eight nine".split(" ");

const digits = (length: number): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.constantFrom(...Array.from("0123456789")),
    minLength: length,
    maxLength: length,
  });

const card = fc
  .tuple(fc.constantFrom("4539", "4716", "5333", "2345", "6011"), digits(11))
  .map(([issuer, rest]) => {
    const body = issuer + rest;
    const check = Array.from("0123456789").find((digit) => hasValidCheckDigit(body + digit)) ?? "";
    return body + check;
  });

const socialSecurityNumber = digits(9).filter(isSocialSecurityNumber);

const iban = digits(18).map((account) => {
  const check = Array.from({ length: 97 }, (_, index) => String(index + 2).padStart(2, "0"));
  return check.map((pair) => `DE${pair}${account}`).find(isIban) ?? "";
});

const separator = fc.constantFrom("", " ", "-", ".", "/", "\u00a0", "\u2013", "\u200b");

function group(value: string, lengths: readonly number[], separatorBetween: string): string {
  let position = 0;
  return lengths
    .map((length) => value.slice(position, (position += length)))
    .join(separatorBetween);
}

function kindsIn(text: string): IdentifierKind[] {
  return findIdentifiers(text).map(({ kind }) => kind);
}

function changeDigit(value: string, index: number): string {
  const digit = (Number(value.charAt(index)) + 1) % 10;
  return value.slice(0, index) + String(digit) + value.slice(index + 1);
}

function toFullWidth(text: string): string {
  return text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
}

describe("a valid number", () => {
  it("is found however a card number is written, at its place", () => {
    fc.assert(
      fc.property(card, separator, fc.boolean(), (number, between, isWide) => {
        const grouped = group(number, [4, 4, 4, 4], between);
        const written = isWide ? toFullWidth(grouped) : grouped;
        const text = `The card is ${written}, thanks.`;
        const [found] = findIdentifiers(text);
        expect(found?.kind).toBe("card-number");
        expect(text.slice(found?.start, found?.end)).toBe(written);
      }),
    );
  });

  it("is found in words", () => {
    fc.assert(
      fc.property(card, (number) => {
        const spoken = Array.from(number)
          .map((digit) => WORDS[Number(digit)])
          .join(" ");
        const text = `The card is ${spoken}, thanks.`;
        const [found] = findIdentifiers(text);
        expect(found?.kind).toBe("card-number");
        expect(text.slice(found?.start, found?.end)).toBe(spoken);
      }),
    );
  });

  it("is found as a card number in rows, with words between them, and not with one digit changed", () => {
    const rows = (number: string): string =>
      `Your card: top row ${group(number.slice(0, 8), [4, 4], " ")}, bottom row ${number.slice(8)}.`;
    fc.assert(
      fc.property(card, fc.nat(15), (number, index) => {
        expect(kindsIn(rows(number))).toContain("card-number");
        expect(kindsIn(rows(changeDigit(number, index)))).not.toContain("card-number");
      }),
    );
  });

  it.each([
    ["two equal groups", "card: top row 6011 6011, bottom row 00000008"],
    ["equal groups with words between them", "card: first 6011, then 6011, then 00000008"],
    ["a group that is said again", "card: top row 4539 1488, and after 1488 comes 03436467"],
  ])("is found in parts, with %s", (_, text) => {
    expect(kindsIn(`Your ${text}.`)).toEqual(["card-number"]);
  });

  it("is found as an account number beside a person's name, and neither as an amount nor as a reference", () => {
    fc.assert(
      fc.property(digits(11), (number) => {
        fc.pre(!number.startsWith("1"));
        expect(kindsIn(`The deposit came from Ada Brix, ${number}.`)).toContain("account-number");
        expect(kindsIn(`Ada Brix was paid $${number}.`)).not.toContain("account-number");
        expect(kindsIn(`Ada Brix was paid, reference ${number}.`)).not.toContain("account-number");
      }),
    );
  });

  it("is found as a social security number in its shape", () => {
    fc.assert(
      fc.property(socialSecurityNumber, fc.constantFrom(" ", "-", ".", "/"), (number, between) => {
        const text = `I noted ${group(number, [3, 2, 4], between)} for you.`;
        expect(kindsIn(text)).toEqual(["social-security-number"]);
      }),
    );
  });

  it("is found as an IBAN in one piece and in groups", () => {
    fc.assert(
      fc.property(iban, fc.constantFrom("", " ", "-"), (number, between) => {
        const text = `It is ${group(number, [4, 4, 4, 4, 4, 2], between)} in Berlin.`;
        expect(kindsIn(text)).toEqual(["iban"]);
      }),
    );
  });
});

describe("a number with one digit changed", () => {
  it("is no card number any more", () => {
    fc.assert(
      fc.property(card, fc.nat({ max: 15 }), (number, index) => {
        const text = `The card is ${changeDigit(number, index)}, thanks.`;
        expect(kindsIn(text)).not.toContain("card-number");
      }),
    );
  });

  it("is no IBAN any more", () => {
    fc.assert(
      fc.property(iban, fc.integer({ min: 2, max: 21 }), (number, index) => {
        expect(kindsIn(`It is ${changeDigit(number, index)}.`)).not.toContain("iban");
      }),
    );
  });
});

describe("routing numbers", () => {
  it.each(["091000019", "322213973", "051400840"])("are valid: %s", (number) => {
    expect(isRoutingNumber(number)).toBe(true);
  });

  it.each(["091000018", "131000010", "99100001", "0910000190", ""])("are not: %s", (number) => {
    expect(isRoutingNumber(number)).toBe(false);
  });
});

describe("any text", () => {
  it("is read without an error, and ranges lie in it, in order, none over another", () => {
    const odd = fc.string({
      unit: fc.constantFrom(
        ...Array.from("49 -./,:|@=+()xXoO"),
        "one ",
        "double ",
        "ssn ",
        "account ",
        "DE",
        "\u0664",
        "\ud83d",
      ),
      maxLength: 200,
    });
    fc.assert(
      fc.property(fc.oneof(odd, fc.string({ unit: "binary" })), (text) => {
        let end = 0;
        for (const found of findIdentifiers(text)) {
          expect(found.start).toBeGreaterThanOrEqual(end);
          expect(found.end).toBeGreaterThan(found.start);
          ({ end } = found);
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  const bricks = [
    "9 ",
    "9",
    "4 ",
    "one ",
    "861-44-9022 ",
    "account 12345678 ",
    "DE30 ",
    "a@",
    "password=",
    "4O0 ",
  ];

  it.each(bricks)("is read to the end when it is long and made to be slow: %j", (brick) => {
    expect(findIdentifiers(brick.repeat((32 * 1024) / brick.length))).toBeInstanceOf(Array);
  });
});
