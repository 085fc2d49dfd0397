import { maskJson, maskText } from "../../platform/masking.ts";
import { isRecord, type JsonRecord, parseJson, readString } from "../../util/values.ts";
import { parseArguments, takeOnly } from "../parse-arguments.ts";
import { formatTime, joinParts, toPrintableLines } from "../spool/output.ts";
import { COMMON_REVIEW_OPTIONS, openReview, splitTarget, toItemPath } from "./arguments.ts";
import { formatItems } from "./items.ts";

function readRecords(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function formatFinding(finding: JsonRecord): string[] {
  const { severity, rule, tier, quote, description, decision } = finding;
  const decided = isRecord(decision)
    ? `  decided: ${String(decision["disposition"])}, ${String(decision["actor"])}`
    : "  not decided";
  return toPrintableLines([
    `${String(severity)} ${String(rule)}${typeof tier === "string" && tier !== "" ? `, ${tier} by the judge` : ""}`,
    quote ? `  > ${maskText(readString(quote) ?? "")}` : undefined,
    `  ${maskText(readString(description) ?? "")}`,
    decided,
  ]);
}

function formatRecord(record: JsonRecord): string {
  const detail = parseJson(readString(record["detail"]) ?? "");
  const { disposition, reasonCode, comment } = isRecord(detail) ? detail : {};
  const [line = ""] = toPrintableLines([
    joinParts(
      [
        formatTime(Number(record["at"])),
        String(record["actor"]),
        String(record["action"]),
        readString(disposition),
        readString(reasonCode),
        maskText(readString(comment) ?? "") || undefined,
      ],
      "  ",
    ),
  ]);
  return line;
}

/** Shows an item with its findings and its history. */
export async function showReview(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, COMMON_REVIEW_OPTIONS);
  const { url, keys } = splitTarget(positionals);
  const key = takeOnly(keys, "review show needs the key of one item");
  const answer = await openReview(url, values)({ path: toItemPath(key) });
  const item = isRecord(answer["item"]) ? answer["item"] : {};
  const lines = [
    ...readRecords(answer["findings"]).flatMap(formatFinding),
    "",
    ...readRecords(answer["history"]).toReversed().map(formatRecord),
  ];
  process.stdout.write(
    values.json
      ? `${maskJson(JSON.stringify(answer, null, 2))}\n`
      : `${formatItems([item], Date.now())}\n${lines.join("\n")}\n`,
  );
  return 0;
}
