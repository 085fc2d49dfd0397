import { warn } from "../check/open-check.ts";
import { EXIT_CODES } from "../check/summary.ts";
import { formatCount, openOutput } from "../spool/output.ts";
import { parseExportArguments } from "./arguments.ts";
import { readExchanges } from "./judge-cases.ts";
import { toRequestLine } from "./request-line.ts";
import { openCases } from "./run.ts";

/** Writes the requests of cases, one per line, equal ones once. */
export async function exportRequests(args: readonly string[]): Promise<number> {
  const parsed = parseExportArguments(args);
  const { out, options } = parsed;
  const { check, questions } = await openCases(parsed, options);
  const { checker, source } = check;
  const output = await openOutput(out);
  const written = new Set<string>();
  let [answers, sent] = [0, 0];
  for await (const exchange of readExchanges(checker, source)) {
    const asked = questions.toAsked(exchange);
    answers++;
    if (asked.length > 0) sent++;
    for (const question of asked) {
      if (written.has(question.request.id)) continue;
      written.add(question.request.id);
      const line = toRequestLine(question, exchange.place, options);
      await output.write(Buffer.from(JSON.stringify(line)));
    }
  }
  await output.close();
  warn(`${formatCount(written.size, "request")} of ${sent} of ${formatCount(answers, "answer")}`);
  const { errors, ruleErrors } = checker.summary;
  const isWhole = errors === 0 && Object.keys(ruleErrors).length === 0;
  return isWhole ? EXIT_CODES.passed : EXIT_CODES.incomplete;
}
