import * as z from "zod";
import { lazySchema } from "../events/lazy-schema.ts";

const TOKENS_PER_RATE = 1_000_000;
/** Above this a rate is a mistake: most likely of the unit. */
const MAX_RATE = 1_000_000;
const ANY = "*";
/** Suffixes that providers append to a model's name for one release: `-2024-08-06`, `-20250514`, `@20250514`. */
const RELEASE = /^[-@]\d{4}-?\d{2}-?\d{2}$/;

const rateSchema = lazySchema(() => z.number().min(0).max(MAX_RATE));

export const tokenRatesSchema = lazySchema(() =>
  z.strictObject({
    input: rateSchema.describe("Tokens of the input that came from no cache and went to none."),
    output: rateSchema.describe("Tokens of the answer."),
    cacheRead: rateSchema.optional().describe("Tokens of the input that came from a cache."),
    cacheWrite: rateSchema.optional().describe("Tokens of the input that were written to a cache."),
  }),
);
/** Rates of a model, in USD per million tokens. */
export type TokenRates = z.infer<typeof tokenRatesSchema>;

export const priceTableSchema = lazySchema(() =>
  z.record(z.string().min(1), z.record(z.string().min(1), tokenRatesSchema)),
);
/**
 * Prices of models: rates by provider, then by model.
 *
 * A provider stands for those named below it as well, `openai` for `openai.responses`; `*` for all that have no entry. A
 * model stands for its dated releases as well, `gpt-4o` for `gpt-4o-2024-08-06` but not for `gpt-4o-mini`; a name that
 * ends in `*` for all that begin so. The longest name counts. Upper and lower case are the same.
 */
export type PriceTable = z.infer<typeof priceTableSchema>;

/** Tokens of one call. */
export interface CountedTokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
  /** Whether `input` leaves the cached tokens out, as Anthropic and Bedrock count. @defaultValue false */
  readonly isCacheApart?: boolean | undefined;
}

/** One call with its model and tokens. */
export interface PricedCall {
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly tokens: CountedTokens;
}

/** Returns the cost of a call in USD; `undefined` where that is not known, which differs from 0. */
export type ToCost = (call: PricedCall) => number | undefined;

interface Entry<T> {
  readonly name: string;
  readonly isPrefix: boolean;
  readonly value: T;
}

/** Sorts the longest name first; of two equal ones the more specific. */
function toEntries<T>(record: Readonly<Record<string, T>>): Entry<T>[] {
  return Object.entries(record)
    .map(([key, value]) => {
      const isPrefix = key.endsWith(ANY);
      const name = (isPrefix ? key.slice(0, -ANY.length) : key).toLowerCase();
      return { name, isPrefix, value };
    })
    .toSorted(
      (one, other) =>
        other.name.length - one.name.length || Number(one.isPrefix) - Number(other.isPrefix),
    );
}

function find<T>(
  entries: readonly Entry<T>[],
  given: string,
  isBelow: (rest: string) => boolean,
): T | undefined {
  const text = given.toLowerCase();
  return entries.find(({ name, isPrefix }) => {
    if (!text.startsWith(name)) return false;
    const rest = text.slice(name.length);
    return rest === "" || isPrefix || isBelow(rest);
  })?.value;
}

function toTotal(tokens: CountedTokens, rates: TokenRates): number | undefined {
  const { input, output, cacheRead = 0, cacheWrite = 0, isCacheApart = false } = tokens;
  const uncached = isCacheApart ? input : input - cacheRead - cacheWrite;
  const parts = [
    { count: uncached, rate: rates.input },
    { count: output, rate: rates.output },
    { count: cacheRead, rate: rates.cacheRead },
    { count: cacheWrite, rate: rates.cacheWrite },
  ];
  let total = 0;
  for (const { count, rate } of parts) {
    // Tokens of a class without a rate have no known price, and no tokens cost nothing.
    if (!Number.isFinite(count) || count < 0 || (count > 0 && rate === undefined)) return undefined;
    total += count * (rate ?? 0);
  }
  return total / TOKENS_PER_RATE;
}

/**
 * Creates a function that prices calls with the caller's rates.
 *
 * A model that is not in the table, counts that contradict each other, and cached tokens without a rate of their own
 * have no known price.
 */
export function createToCost(table: PriceTable): ToCost {
  const providers = toEntries(table).map((entry) => ({ ...entry, value: toEntries(entry.value) }));
  return ({ provider, model, tokens }) => {
    if (model === undefined || model === "") return undefined;
    // Without a provider only the entry `*` can apply.
    const models = find(providers, provider ?? "", (rest) => rest.startsWith("."));
    const rates = models && find(models, model, (rest) => RELEASE.test(rest));
    return rates && toTotal(tokens, rates);
  };
}
