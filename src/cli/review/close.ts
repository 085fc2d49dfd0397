import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline/promises";
import { IDEMPOTENCY_HEADER } from "../../events/wire.ts";
import { DISPOSITIONS } from "../../platform/review/review-policy.ts";
import { countNoun } from "../../util/count-noun.ts";
import { isRecord, type JsonRecord } from "../../util/values.ts";
import { type CallPlatform, PlatformCallError } from "../call-platform.ts";
import { parseArguments, parseChoice, toHint, UsageError } from "../parse-arguments.ts";
import { createProgress } from "../progress.ts";
import {
  COMMON_REVIEW_OPTIONS,
  FILTER_OPTIONS,
  openReview,
  readFilter,
  splitTarget,
  toItemPath,
} from "./arguments.ts";
import { formatItems, listItems } from "./items.ts";

/** Items that are closed at once: more is nothing that one has looked at. */
const MAX_ITEMS = 500;

// Here it is what is decided; what was decided before is no reason to close something.
const { disposition: _disposition, ...FILTER } = FILTER_OPTIONS;

const PARSE_OPTIONS = {
  ...FILTER,
  ...COMMON_REVIEW_OPTIONS,
  disposition: { type: "string" },
  "reason-code": { type: "string" },
  comment: { type: "string" },
  yes: { type: "boolean" },
} as const;

function parseCloseArguments(args: readonly string[]) {
  const { values, positionals } = parseArguments(args, PARSE_OPTIONS);
  const { url, keys } = splitTarget(positionals);
  const { disposition, ...rest } = values;
  if (disposition === undefined)
    throw new UsageError(`review close needs --disposition ${DISPOSITIONS.join("|")}`);
  const query = readFilter(rest);
  const hasFilter = Object.keys(query).length > 0;
  if (keys.length > 0 === hasFilter)
    throw new UsageError("review close needs the keys of items, or a filter, not both");
  if (keys.length > MAX_ITEMS) throw new UsageError(`at most ${MAX_ITEMS} items at once`);
  return {
    url,
    keys: [...new Set(keys)],
    query,
    values,
    outcome: {
      disposition: parseChoice("disposition", DISPOSITIONS, disposition),
      reasonCode: values["reason-code"],
      comment: values.comment,
    },
    isConfirmed: values.yes === true,
    isJson: values.json === true,
  };
}

type CloseArguments = ReturnType<typeof parseCloseArguments>;

/** Checks the reason against the platform's rules, before anything is closed. @throws UsageError */
async function verifyOutcome(
  call: CallPlatform,
  { outcome: { disposition, reasonCode, comment } }: CloseArguments,
): Promise<void> {
  const { review } = await call({ path: "/api/me" });
  const { reasonCodes, commentRequired } = isRecord(review) ? review : {};
  const listed = isRecord(reasonCodes) ? reasonCodes[disposition] : undefined;
  const codes = Array.isArray(listed) ? listed.map(String) : [];
  if (codes.length > 0 && !codes.includes(reasonCode ?? "")) {
    const hint = reasonCode === undefined ? "" : toHint(reasonCode, codes);
    throw new UsageError(`--reason-code of ${disposition} must be ${codes.join(", ")}${hint}`);
  }
  const needsComment = Array.isArray(commentRequired) && commentRequired.includes(disposition);
  if (needsComment && comment === undefined)
    throw new UsageError(`${disposition} needs a --comment`);
}

async function findItems(
  call: CallPlatform,
  { keys, query }: CloseArguments,
): Promise<readonly JsonRecord[]> {
  if (keys.length === 0) {
    const items = await listItems(call, query, MAX_ITEMS + 1);
    if (items.length <= MAX_ITEMS) return items.filter(({ state }) => state !== "closed");
    throw new UsageError(`more than ${MAX_ITEMS} items match: narrow the filter`);
  }
  const items: JsonRecord[] = [];
  for (const key of keys) {
    const { item } = await call({ path: toItemPath(key) });
    if (isRecord(item)) items.push(item);
  }
  return items;
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}

/** What became of an item. */
interface Closing {
  readonly key: string;
  readonly status: "closed" | "proposed" | "refused";
  readonly detail?: string;
}

async function closeItem(
  call: CallPlatform,
  { key, version }: JsonRecord,
  outcome: CloseArguments["outcome"],
): Promise<Closing> {
  const headers = {
    // What was shown is closed, or nothing: somebody may have decided meanwhile.
    "if-match": `"${String(version)}"`,
    [IDEMPOTENCY_HEADER]: randomUUID(),
  };
  const path = `${toItemPath(String(key))}/actions`;
  try {
    const { item } = await call({ path, body: { action: "close", ...outcome }, headers });
    const isClosed = isRecord(item) && item["state"] === "closed";
    return { key: String(key), status: isClosed ? "closed" : "proposed" };
  } catch (error) {
    const isRefused = error instanceof PlatformCallError && !error.isTemporary;
    if (!isRefused) throw error;
    return { key: String(key), status: "refused", detail: error.message };
  }
}

function report(results: readonly Closing[], isJson: boolean): void {
  if (isJson) {
    process.stdout.write(`${JSON.stringify({ results }, null, 2)}\n`);
    return;
  }
  for (const { key, status, detail } of results)
    if (status === "refused") process.stdout.write(`${key}: refused, ${detail ?? ""}\n`);
  const count = (wanted: Closing["status"]): number =>
    results.filter(({ status }) => status === wanted).length;
  const waiting = count("proposed");
  const more = waiting > 0 ? `, ${waiting} wait for a second person` : "";
  process.stdout.write(
    `${count("closed")} of ${countNoun(results.length, "item")} closed${more}\n`,
  );
}

/** Closes items, each in the version that was shown. */
export async function closeReviews(args: readonly string[]): Promise<number> {
  const given = parseCloseArguments(args);
  const { url, values, outcome, isConfirmed, isJson } = given;
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY;
  if (!isConfirmed && !isTerminal)
    throw new UsageError("review close needs --yes where nobody can be asked");
  const call = openReview(url, values);
  await verifyOutcome(call, given);
  const items = await findItems(call, given);
  if (!isJson && items.length > 0) process.stderr.write(formatItems(items, Date.now()));
  const question = `Close ${countNoun(items.length, "item")} as ${outcome.disposition}? [y/N] `;
  if (items.length > 0 && !isConfirmed && !(await ask(question))) {
    process.stderr.write("nothing was closed\n");
    return 1;
  }
  const progress = createProgress(isJson);
  const results: Closing[] = [];
  try {
    for (const item of items) {
      results.push(await closeItem(call, item, outcome));
      progress.show("items", results.length, items.length);
    }
  } finally {
    progress.end();
    report(results, isJson);
  }
  return results.some(({ status }) => status === "refused") ? 1 : 0;
}
