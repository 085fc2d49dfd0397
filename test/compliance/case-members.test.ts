import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import { contextExponent } from "../../src/compliance/scoring.ts";
import {
  customerProfileSchema,
  transactionContextSchema,
  type InteractionContext,
} from "../../src/events/compliance.ts";
import { readRuleCases } from "../helpers/rule-cases.ts";
import { context } from "./engine-fixtures.ts";

const KEYS = ["customerProfile", "transactionContext"] as const;
const MEMBERS = {
  customerProfile: Object.keys(customerProfileSchema.shape),
  transactionContext: Object.keys(transactionContextSchema.shape),
};

/** Reads the row of a member in the table of `docs/rule-authors.md`: what is read, and what is handed on. */
function documented(key: string): { read: string[]; handedOn: string[] } {
  const page = readFileSync(new URL("../../docs/rule-authors.md", import.meta.url), "utf8");
  const row = page.split("\n").find((line) => line.trim().startsWith(`| \`${key}\``)) ?? "";
  const [, , read = "", handedOn = ""] = row.split("|");
  const names = (cell: string): string[] =>
    Array.from(cell.matchAll(/`(\w+)`/g), ([, one = ""]) => one);
  return { read: names(read).toSorted(), handedOn: names(handedOn).toSorted() };
}

/** Gives the members that the built-in rules and the score ask for in the cases of the rules. */
function findRead(): Record<(typeof KEYS)[number], Set<string>> {
  const read = { customerProfile: new Set<string>(), transactionContext: new Set<string>() };
  const spyOn = (key: (typeof KEYS)[number], given: object): object =>
    new Proxy(given, {
      get: (target, name) => {
        if (typeof name === "string") read[key].add(name);
        return Reflect.get(target, name) as unknown;
      },
    });
  const casesOf = readRuleCases();
  for (const rule of builtInRules) {
    for (const one of casesOf[rule.id]?.violating ?? []) {
      const seen = {
        ...context,
        ...one,
        customerProfile: spyOn("customerProfile", one.customerProfile ?? {}),
        transactionContext: spyOn("transactionContext", one.transactionContext ?? {}),
      } as InteractionContext;
      rule.ruleFunction(seen);
      contextExponent(seen);
    }
  }
  return read;
}

describe("what a context says of the case", () => {
  it("is read by the built-in rules, or documented as handed on to others", () => {
    const read = findRead();
    for (const key of KEYS) {
      const known = MEMBERS[key];
      const asked = known.filter((name) => read[key].has(name)).toSorted();
      const handedOn = known.filter((name) => !read[key].has(name)).toSorted();
      expect({ [key]: documented(key) }).toEqual({ [key]: { read: asked, handedOn } });
    }
  });
});
