import { maskJson } from "../../platform/masking.ts";
import { QUEUE_ORDERS } from "../../platform/review/queue-orders.ts";
import { parseArguments, parseChoice, parseNumber, UsageError } from "../parse-arguments.ts";
import {
  COMMON_REVIEW_OPTIONS,
  FILTER_OPTIONS,
  openReview,
  readFilter,
  splitTarget,
} from "./arguments.ts";
import { formatItems, listItems } from "./items.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;

const PARSE_OPTIONS = {
  ...FILTER_OPTIONS,
  ...COMMON_REVIEW_OPTIONS,
  order: { type: "string" },
  limit: { type: "string" },
} as const;

/** Lists the queue. */
export async function listReviews(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, PARSE_OPTIONS);
  const { url, keys } = splitTarget(positionals);
  if (keys.length > 0) throw new UsageError(`review ls takes a URL and options (got ${keys[0]})`);
  const order = parseChoice("order", QUEUE_ORDERS, values.order ?? "rank");
  const limit = parseNumber("limit", values.limit ?? String(DEFAULT_LIMIT), 1, MAX_LIMIT);
  const query = { ...readFilter(values), order };
  const items = await listItems(openReview(url, values), query, limit);
  if (values.json) process.stdout.write(`${maskJson(JSON.stringify({ items }, null, 2))}\n`);
  else if (items.length === 0) process.stdout.write("no items\n");
  else process.stdout.write(formatItems(items, Date.now()));
  return 0;
}
