import { maskText } from "../../platform/masking.ts";
import { isRecord, type JsonRecord, readString } from "../../util/values.ts";
import type { CallPlatform } from "../call-platform.ts";
import { formatAge, formatTable, toPrintable } from "../spool/output.ts";

const PAGE = 200;
/** Width of a table where the output is no terminal. */
const DEFAULT_WIDTH = 160;
const MIN_TEXT = 16;
const GAP = 2;

/** Lists items of the queue in its order, at most `limit`. */
export async function listItems(
  call: CallPlatform,
  query: Readonly<Record<string, string>>,
  limit: number,
): Promise<readonly JsonRecord[]> {
  const items: JsonRecord[] = [];
  for (let after: string | undefined; items.length < limit;) {
    const page = await call({
      path: "/api/reviews",
      query: {
        ...query,
        limit: String(Math.min(PAGE, limit - items.length)),
        ...(after !== undefined && { after }),
      },
    });
    const { items: listed, next } = page;
    if (Array.isArray(listed)) items.push(...listed.filter(isRecord));
    if (typeof next !== "string") break;
    after = next;
  }
  return items;
}

function toCells(item: JsonRecord, now: number): string[] {
  const finding = isRecord(item["finding"]) ? item["finding"] : {};
  const { assignee, riskScore, isOverdue } = item;
  const age = formatAge(Math.max(0, now - Number(item["openedAt"])));
  return [
    String(item["key"]),
    typeof assignee === "string" ? `${String(item["state"])} (${assignee})` : String(item["state"]),
    String(item["severity"]),
    typeof riskScore === "number" ? String(riskScore) : "",
    isOverdue === true ? `${age}, overdue` : age,
    `${String(item["agentId"])} ${readString(finding["agentVersion"]) ?? ""}`.trim(),
    readString(finding["rule"]) ?? "",
  ].map(toPrintable);
}

function toQuote(item: JsonRecord): string {
  const finding = isRecord(item["finding"]) ? item["finding"] : {};
  const quote = readString(finding["quote"]) || readString(item["title"]) || "";
  return toPrintable(maskText(quote).replaceAll(/\s+/g, " "));
}

const HEAD = ["KEY", "STATE", "SEVERITY", "RISK", "AGE", "AGENT", "RULE"];

/** Writes items as a table that fits the terminal: the quote takes what the other columns leave. */
export function formatItems(
  items: readonly JsonRecord[],
  now: number,
  width = process.stdout.columns ?? DEFAULT_WIDTH,
): string {
  const rows = items.map((item) => toCells(item, now));
  const used = HEAD.map((name, index) =>
    Math.max(name.length, ...rows.map((cells) => cells[index]?.length ?? 0)),
  ).reduce((sum, length) => sum + length + GAP, 0);
  const room = width - used;
  // A terminal without room for the quote has it cut at its edge otherwise, in the middle of a row.
  if (room < MIN_TEXT) return formatTable([HEAD, ...rows]);
  const quoted = rows.map((cells, index) => {
    const quote = toQuote(items[index] ?? {});
    return [...cells, quote.length > room ? `${quote.slice(0, room - 1)}…` : quote];
  });
  return formatTable([[...HEAD, "QUOTE"], ...quoted]);
}
