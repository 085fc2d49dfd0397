// Trains the second look with the texts of authors: `npm run train`; `-- --check` compares with what is committed.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeWeights } from "../../src/compliance/learned/model-codec.ts";
import {
  probabilityOf,
  type LearnedModel,
  type ModelFacts,
} from "../../src/compliance/learned/learned-model.ts";
import { DEFAULT_THRESHOLD } from "../../src/compliance/rule-result.ts";
import { REPOSITORY } from "../accuracy/authors/places.ts";
import { atBaseRate, baseRateFor, fitCurve } from "./calibrate.ts";
import { crossValidate } from "./cross-validate.ts";
import { digestOfExamples, ExampleReader } from "./examples.ts";
import { writeFoldModels } from "./fold-models.ts";
import { toMatrix } from "./matrix.ts";
import { readTrainingTexts } from "./texts.ts";
import { LENGTH_PENALTY, toWeights, train, type TrainedPlane } from "./train.ts";

const VERSION = "3";
/** Share of ordinary answers that may demand review, of authors that were not trained with. */
const ALARMS = 0.005;
/** Share of ordinary answers in which something may be a candidate. */
const LET_THROUGH = 0.2;
const ROOM = join(REPOSITORY, "src/compliance/learned");

const round = (value: number): number => Math.round(value * 1e6) / 1e6;

function quantile(rising: readonly number[], share: number): number {
  return rising[Math.max(0, Math.ceil(rising.length * (1 - share)) - 1)] ?? 0;
}

function log(line: string): void {
  console.log(`${Math.round(performance.now() / 1000)} s  ${line}`);
}

function toFacts(
  planes: readonly TrainedPlane[],
  rest: Omit<ModelFacts, "planes" | "version">,
): ModelFacts {
  return {
    version: VERSION,
    ...rest,
    planes: planes.map(({ name, bias, scale }) => ({ ...name, bias, scale })),
  };
}

const { long, others } = readTrainingTexts();
const texts = [...long, ...others];
const reader = new ExampleReader();
const read = texts.map((text, index) => reader.read(text, index));
const examples = read.flatMap((one) => one.examples);
const matrix = toMatrix(examples);
log(`${texts.length} texts, ${examples.length} windows, ${matrix.features.length} features`);
const set = { texts, examples, matrix };
const authors = [...new Set(long.map(({ author }) => author))];
const unseen = await crossValidate(
  set,
  authors,
  read.map(({ proven }) => proven),
  log,
);
const wrong = unseen.wrong.toSorted((one, other) => one - other);
const shareAbove = (list: readonly number[], sum: number): number =>
  list.filter((one) => one > sum).length / list.length;
for (const alarms of [0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1, 0.2, 0.25]) {
  const sum = quantile(wrong, alarms);
  log(
    `alarms ${shareAbove(wrong, sum).toFixed(4)} recall ${shareAbove(unseen.right, sum).toFixed(3)}`,
  );
}
const even = fitCurve({
  right: unseen.right.filter(Number.isFinite),
  wrong: unseen.wrong.filter(Number.isFinite),
});
// The share of violations at which the threshold of every rule lets through so many alarms.
const baseRate = round(baseRateFor(even, quantile(wrong, ALARMS), DEFAULT_THRESHOLD));
const curve = atBaseRate(even, baseRate);
const { slope, intercept } = { slope: round(curve.slope), intercept: round(curve.intercept) };
const candidateThreshold = round(probabilityOf({ slope, intercept }, quantile(wrong, LET_THROUGH)));
log(
  `base rate ${baseRate}, candidates from ${candidateThreshold}, proven alarms ${unseen.provenAlarms}`,
);
const trainedOn = digestOfExamples(examples);
const rest = {
  trainedOn,
  baseRate,
  lengthPenalty: LENGTH_PENALTY,
  curve: { slope, intercept },
  candidateThreshold,
};
const toModel = (trained: readonly TrainedPlane[]): LearnedModel => ({
  facts: toFacts(trained, rest),
  weights: toWeights(trained, matrix),
});
writeFoldModels(
  unseen.folds.map(({ authors: left, planes }) => ({ authors: left, model: toModel(planes) })),
);
const model = toModel(await train(set, () => true));
const facts = `${JSON.stringify(model.facts, null, 2)}\n`;
const weights = encodeWeights(model.weights);
log(`${model.weights.features.length} features, ${weights.length} bytes of weights`);
if (process.argv.includes("--check")) {
  const isSame =
    readFileSync(join(ROOM, "model.json"), "utf8") === facts &&
    Buffer.compare(readFileSync(join(ROOM, "model.bin")), weights) === 0;
  console.log(
    isSame
      ? "the model is what its texts and rules make of it"
      : "the model differs from what its texts and rules make of it: run npm run train",
  );
  process.exitCode = isSame ? 0 : 1;
} else {
  writeFileSync(join(ROOM, "model.json"), facts);
  writeFileSync(join(ROOM, "model.bin"), weights);
}
