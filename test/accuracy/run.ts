/*
 * Measures how well the rules judge labelled exchanges: `npm run accuracy`.
 *
 *   --list         names every item that was judged wrongly
 *   --json         prints one JSON object: the figures of the project's cases, the other sets under `sets`
 *   --data <path>  a file or a directory of labelled cases, in place of the project's own
 *   --authors      only the texts of independent authors: alarms, recall, precision at base rates
 *   --out <file>   with --authors, writes the findings in every text as CSV or as JSON Lines, by the file's ending
 *   --patterns     how right each pattern is on these texts, by the wording alone; with --write, what is shown beside it
 *   --papers       writes the tables of docs/accuracy.md; needs the models of `npm run train`
 *   --rows         the phrases that found no violation in these texts, each by itself
 *   --judge recorded  how rules and judge do together, by the recorded replies of language models about held-out authors;
 *                  with --write, the tables of docs/accuracy.md
 *   --base-rate <share>  with --authors, how far confidence is a probability at this share of violations
 *   --held-out <reason>  scores the authors that nothing may be tuned with, and logs the run: at most five
 *
 * Ends with 1 when the cases or the judge miss what is required, or when a run is refused.
 */
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import {
  repeatHeldOut,
  scoreAuthorPatterns,
  scoreAuthorRows,
  scoreAuthors,
  scoreHeldOut,
  writePapers,
  type CommandAnswer,
} from "./authors/command.ts";
import { HeldOutError } from "./authors/held-out.ts";
import { scoreRecordedJudge } from "./judge/command.ts";
import { measureBenign, measureSet, OWN_CASES, SHARED_DATA, type SetResult } from "./measure.ts";
import { formatBenign, formatSet, formatThresholds } from "./print.ts";
import { checkThresholds } from "./thresholds.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean" },
    list: { type: "boolean" },
    data: { type: "string" },
    authors: { type: "boolean" },
    out: { type: "string" },
    patterns: { type: "boolean" },
    papers: { type: "boolean" },
    rows: { type: "boolean" },
    write: { type: "boolean" },
    judge: { type: "string" },
    "base-rate": { type: "string" },
    "held-out": { type: "string" },
  },
});
const baseRate = values["base-rate"] === undefined ? undefined : Number(values["base-rate"]);
if (baseRate !== undefined && !(baseRate > 0 && baseRate < 1))
  throw new RangeError(`--base-rate must be between 0 and 1 (got ${values["base-rate"]})`);
if (values.judge !== undefined && values.judge !== "recorded")
  throw new RangeError(`--judge must be recorded (got ${values.judge})`);
const isJson = values.json === true;
const withMisses = values.list === true;
const print = (lines: readonly string[]): void => {
  if (!isJson) process.stdout.write(`${lines.join("\n")}\n`);
};

function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

const BENIGN_FILES = ["banking77.test.jsonl", "sgd-bank-dialogues.jsonl"];

function toFigures({ score, files, latency, embeddedRecall }: SetResult): Record<string, unknown> {
  const { precision, recall, falsePositiveRate, misses: _misses, byFamily, ...rest } = score;
  const families = Object.entries(byFamily).map(([name, { hits, total }]) => [
    name,
    { hits, total },
  ]);
  return {
    precision: precision.value,
    recall: recall.value,
    falsePositiveRate: falsePositiveRate.value,
    byCategory: rest.byCategory,
    intervals: { precision, recall, falsePositiveRate },
    ordinaryRate: rest.ordinaryRate,
    embeddedRecall,
    numberRecall: rest.numberRecall,
    toolRecall: rest.toolRecall,
    evasionRecall: rest.evasionRecall,
    severityAgreement: rest.severityAgreement,
    byFamily: Object.fromEntries(families) as unknown,
    items: rest.items,
    files: Object.fromEntries(
      Object.entries(files).map(([file, of]) => [
        file,
        {
          items: of.items,
          precision: of.precision.value,
          recall: of.recall.value,
          falsePositiveRate: of.falsePositiveRate.value,
          evasionRecall: of.evasionRecall.value,
          recallByCategory: Object.fromEntries(
            Object.entries(of.byCategory).map(([category, { recall: found }]) => [category, found]),
          ),
        },
      ]),
    ),
    p50Ms: latency.p50,
    p99Ms: latency.p99,
  };
}

function measureAll(): void {
  const data = values.data ?? OWN_CASES;
  const name = relative(process.cwd(), data);
  const own = measureSet(data);
  const thresholds = own ? checkThresholds(own.score) : [];
  print(
    own
      ? [...formatSet(name, own, withMisses), ...formatThresholds(thresholds)]
      : [`${name}: no labelled cases`],
  );

  const sets: Record<string, unknown> = {};
  const development = measureSet(join(SHARED_DATA, "dev.jsonl"));
  if (development) sets["dev"] = toFigures(development);
  print(
    development
      ? formatSet("dev.jsonl", development, withMisses)
      : ["dev.jsonl: not there, skipped"],
  );
  for (const file of BENIGN_FILES) {
    const benign = measureBenign(file);
    if (benign) {
      const { alertRate, exchanges, latency } = benign;
      sets[file.split(".")[0] ?? file] = {
        alertRate,
        exchanges,
        p50Ms: latency.p50,
        p99Ms: latency.p99,
      };
    }
    print(benign ? formatBenign(file, benign, withMisses) : [`${file}: not there, skipped`]);
  }

  const authors = scoreAuthors({ withMisses });
  print(authors.lines);

  if (isJson) {
    const figures = own
      ? toFigures(own)
      : { precision: null, recall: null, falsePositiveRate: null, byCategory: {} };
    printJson({ ...figures, thresholds, sets, authors: authors.figures, ...repeatHeldOut() });
  }
  if (!own || thresholds.some(({ isMet }) => !isMet)) process.exitCode = 1;
}

function answer({ lines, figures }: CommandAnswer): void {
  print(lines);
  if (isJson) printJson(figures);
}

async function answerForJudge(): Promise<void> {
  const { isMet, ...rest } = await scoreRecordedJudge(values.write);
  answer(rest);
  if (!isMet) process.exitCode = 1;
}

const heldOutReason = values["held-out"];
try {
  if (heldOutReason !== undefined) answer(scoreHeldOut(heldOutReason));
  else if (values.judge !== undefined) await answerForJudge();
  else if (values.rows === true) answer(scoreAuthorRows());
  else if (values.papers === true) answer(await writePapers());
  else if (values.patterns === true) answer(scoreAuthorPatterns(values.write === true));
  else if (values.authors === true)
    answer(
      scoreAuthors({
        out: values.out,
        baseRate,
        withMisses,
      }),
    );
  else measureAll();
} catch (error) {
  if (!(error instanceof HeldOutError)) throw error;
  process.stderr.write(`accuracy: ${error.message}\n`);
  process.exitCode = 1;
}
