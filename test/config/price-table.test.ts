import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createToCost,
  priceTableSchema,
  type CountedTokens,
  type PriceTable,
} from "../../src/config/price-table.ts";

const TABLE: PriceTable = {
  openai: {
    "gpt-4o": { input: 2.5, output: 10, cacheRead: 1.25 },
    "gpt-4o-mini": { input: 0.15, output: 0.6 },
    "gpt-4.1*": { input: 2, output: 8 },
    "gpt-4.1-mini*": { input: 0.4, output: 1.6 },
  },
  anthropic: { "claude-sonnet-4": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } },
  "*": { "llama*": { input: 0, output: 0 } },
};
const toCost = createToCost(TABLE);
const MILLION = { input: 1_000_000, output: 0 };
const priceOf = (
  provider: string | undefined,
  model: string | undefined,
  tokens: CountedTokens = MILLION,
) => toCost({ provider, model, tokens });

describe("the price table", () => {
  it.each([
    ["openai", "gpt-4o", 2.5],
    ["openai", "GPT-4o", 2.5],
    ["openai", "gpt-4o-2024-08-06", 2.5],
    ["anthropic", "claude-sonnet-4-20250514", 3],
    ["anthropic", "claude-sonnet-4@20250514", 3],
    ["openai.responses", "gpt-4o", 2.5],
    ["openai", "gpt-4o-mini", 0.15],
    ["openai", "gpt-4.1-nano", 2],
    ["openai", "gpt-4.1-mini-2025-04-14", 0.4],
    ["vllm", "llama-3.1-8b", 0],
    [undefined, "llama-3.1-8b", 0],
  ])("prices %s %s", (provider, model, cost) => {
    expect(priceOf(provider, model)).toBe(cost);
  });

  it.each([
    ["openai", "gpt-4o-audio-preview"],
    ["openai", "gpt-4"],
    ["openai", "llama-3.1-8b"],
    ["openai2", "gpt-4o"],
    ["mistral", "gpt-4o"],
    [undefined, "gpt-4o"],
    ["openai", undefined],
    ["openai", ""],
    ["__proto__", "constructor"],
  ])("does not know %s %s", (provider, model) => {
    expect(priceOf(provider, model)).toBeUndefined();
  });

  it("takes cached tokens out of an input that has them in it", () => {
    const tokens = { input: 1_000_000, output: 100_000, cacheRead: 400_000 };
    expect(priceOf("openai", "gpt-4o", tokens)).toBeCloseTo(1.5 + 1 + 0.5, 10);
  });

  it("adds cached tokens that are counted apart", () => {
    const tokens = { input: 21, output: 2, cacheRead: 4, cacheWrite: 2, isCacheApart: true };
    expect(priceOf("anthropic", "claude-sonnet-4", tokens)).toBeCloseTo(
      (21 * 3 + 2 * 15 + 4 * 0.3 + 2 * 3.75) / 1e6,
      12,
    );
  });

  it.each<[string, CountedTokens]>([
    ["cached tokens without a rate", { input: 10, output: 1, cacheWrite: 1 }],
    ["more cached tokens than input", { input: 10, output: 1, cacheRead: 11 }],
    ["counts below zero", { input: -1, output: 1 }],
    ["counts that are none", { input: Number.NaN, output: 1 }],
    ["endless counts", { input: 1, output: Infinity }],
  ])("does not know the price of %s", (_what, tokens) => {
    expect(priceOf("openai", "gpt-4o", tokens)).toBeUndefined();
  });

  it("needs no rate for a class without tokens", () => {
    expect(priceOf("openai", "gpt-4o-mini", { ...MILLION, cacheRead: 0, cacheWrite: 0 })).toBe(
      0.15,
    );
  });
});

const rate = fc.double({ min: 0, max: 1000, noNaN: true });
const count = fc.nat(10_000_000);
const rates = fc.record({ input: rate, output: rate, cacheRead: rate, cacheWrite: rate });
const counts = fc.record({ input: count, output: count, cacheRead: count, cacheWrite: count });

describe("prices", () => {
  it("are never below zero, and the same however cached tokens are counted", () => {
    fc.assert(
      fc.property(rates, counts, (given, { input, output, cacheRead, cacheWrite }) => {
        const price = createToCost({ p: { m: given } });
        const cached = { output, cacheRead, cacheWrite };
        const apart = { ...cached, input, isCacheApart: true };
        const within = { ...cached, input: input + cacheRead + cacheWrite };
        const cost = price({ provider: "p", model: "m", tokens: apart });
        expect(cost).toBeGreaterThanOrEqual(0);
        expect(price({ provider: "p", model: "m", tokens: within })).toBe(cost);
      }),
    );
  });

  it("grow with every token", () => {
    fc.assert(
      fc.property(rates, counts, counts, (given, one, more) => {
        const price = createToCost({ p: { m: given } });
        const sum = {
          input: one.input + more.input,
          output: one.output + more.output,
          cacheRead: one.cacheRead + more.cacheRead,
          cacheWrite: one.cacheWrite + more.cacheWrite,
        };
        const costOf = (tokens: CountedTokens): number =>
          price({ provider: "p", model: "m", tokens: { ...tokens, isCacheApart: true } }) ?? -1;
        expect(costOf(sum)).toBeCloseTo(costOf(one) + costOf(more), 6);
      }),
    );
  });

  it("are unknown, or a number, for anything", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), counts, (provider, model, tokens) => {
        const cost = toCost({ provider, model, tokens });
        expect(cost === undefined || Number.isFinite(cost)).toBe(true);
      }),
    );
  });

  it("follow the longest name, in whatever order the names stand", () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(names, fc.stringMatching(/^[a-z]{1,6}$/), (prefixes, model) => {
        const table = Object.fromEntries(
          prefixes.map((name) => [`${name}*`, { input: name.length, output: 0 }]),
        );
        const longest = Math.max(
          -1,
          ...prefixes.filter((name) => model.startsWith(name)).map(({ length }) => length),
        );
        const cost = createToCost({ p: table })({ provider: "p", model, tokens: MILLION });
        expect(cost ?? -1).toBe(longest);
      }),
    );
  });
});

describe("the schema", () => {
  it("accepts a table, and none", () => {
    expect(priceTableSchema.parse(TABLE)).toEqual(TABLE);
    expect(priceTableSchema.parse({})).toEqual({});
  });

  it.each([
    ["a rate below zero", { p: { m: { input: -1, output: 1 } } }],
    ["a rate that is none", { p: { m: { input: Number.NaN, output: 1 } } }],
    ["a rate as text", { p: { m: { input: "1", output: 1 } } }],
    ["a rate that is missing", { p: { m: { input: 1 } } }],
    ["a class that there is not", { p: { m: { input: 1, output: 1, cache: 1 } } }],
    ["a model without a name", { p: { "": { input: 1, output: 1 } } }],
    ["rates without a model", { p: { input: 1, output: 1 } }],
    ["a list", []],
  ])("refuses %s", (_what, table) => {
    expect(priceTableSchema.safeParse(table).success).toBe(false);
  });
});
