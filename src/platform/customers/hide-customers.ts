import type { Steps } from "../turns.ts";
import { isPseudonym, type Pseudonyms } from "./pseudonyms.ts";

/** How the ids of customers are hidden. */
export interface CustomerMask extends Pick<Pseudonyms, "toPseudonym"> {
  /** Returns whether a text is the id of a customer who has been seen. */
  readonly isCustomer: (text: string) => boolean;
}

/** Members that hold an id, as events and the spans of other instrumentations call them. */
const ID_NAME = /(?:user|customer|caller)[._]?id$/i;
/** Member of a selection of conversations; who makes one may have given the pseudonym. */
const SELECTED_NAME = "customer";

/** Returns the pseudonym of a value whose member says that it is a customer; `undefined` for another one. */
export function hideNamed(
  value: string,
  name: string | undefined,
  mask: CustomerMask | undefined,
): string | undefined {
  if (!mask) return undefined;
  const { toPseudonym } = mask;
  if (name === SELECTED_NAME) return isPseudonym(value) ? value : toPseudonym(value);
  return name !== undefined && ID_NAME.test(name) ? toPseudonym(value) : undefined;
}

/** Hides the customer of a selection of conversations, where customers have pseudonyms. */
export function hideSelected<Selector extends { readonly customer?: string | undefined }>(
  selector: Selector,
  pseudonyms: Pick<Pseudonyms, "toPseudonym"> | undefined,
): Selector {
  const { customer } = selector;
  if (customer === undefined || !pseudonyms) return selector;
  return { ...selector, customer: pseudonyms.toPseudonym(customer) };
}

/** Shortest and longest id that is looked for where nothing says that one stands there. */
const MIN_LENGTH = 4;
const MAX_LENGTH = 256;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}._@+-]*[\p{L}\p{N}]/gu;
/** What an id has, and a word of the language has not. */
const MARK = /[\p{N}._@]/u;

function isKnown(text: string, { isCustomer }: CustomerMask): boolean {
  const { length } = text;
  return length >= MIN_LENGTH && length <= MAX_LENGTH && MARK.test(text) && isCustomer(text);
}

/** Hides the ids of known customers in what somebody has said: words become asterisks, so that positions hold. */
export function hideInText(text: string, mask: CustomerMask | undefined): string {
  if (!mask) return text;
  return text.replaceAll(WORD, (word) => (isKnown(word, mask) ? "*".repeat(word.length) : word));
}

/** Hides them in a value that may be anything: one that is an id becomes its pseudonym. */
export function hideInValue(value: string, mask: CustomerMask | undefined): string {
  return mask && isKnown(value, mask) ? mask.toPseudonym(value) : hideInText(value, mask);
}

/** Customers who have been seen. */
export interface KnownCustomers extends Pick<Pseudonyms, "toPseudonym"> {
  /** Finds which texts are ids of theirs. */
  readonly find: (texts: readonly string[]) => Steps<ReadonlySet<string>>;
}

/**
 * Hides customers in an answer: once it is known which of its texts are their ids, it is masked again where any is.
 *
 * @param mask - Masks the answer; it asks about the same texts each time.
 */
export function* hideCustomers<Result>(
  customers: KnownCustomers | undefined,
  mask: (customers: CustomerMask | undefined) => Steps<Result>,
): Steps<Result> {
  if (!customers) return yield* mask(undefined);
  const { toPseudonym } = customers;
  const asked = new Set<string>();
  const isCustomer = (text: string): boolean => {
    asked.add(text);
    return false;
  };
  const masked = yield* mask({ toPseudonym, isCustomer });
  const known = yield* customers.find([...asked]);
  if (known.size === 0) return masked;
  return yield* mask({ toPseudonym, isCustomer: (text) => known.has(text) });
}
