import { toRulePlanes } from "../../src/compliance/learned/learned-model.ts";
import type { AuthorText } from "../accuracy/authors/texts.ts";
import type { Sums } from "./calibrate.ts";
import { LENGTH_PENALTY, PLANES, train, type TrainedPlane, type TrainingSet } from "./train.ts";

const FOLDS = 4;
const RULE_PLANES = toRulePlanes(PLANES);

/** What texts come to by models that were trained without their authors. */
export interface Unseen extends Sums {
  /** Share of ordinary answers in which digits or tools seem to prove something. */
  readonly provenAlarms: number;
  /** For each fold its authors, and what was trained without them. */
  readonly folds: readonly {
    readonly authors: readonly string[];
    readonly planes: readonly TrainedPlane[];
  }[];
}

/** Gives the highest sum of a row for each area of law. */
function sumsByArea(
  set: TrainingSet,
  planes: readonly TrainedPlane[],
  row: number,
): Map<string, number> {
  const { starts, columns, values } = set.matrix.rows;
  const { scales } = set.matrix;
  const example = set.examples[row];
  const penalty = LENGTH_PENALTY * Math.log(example?.length ?? 1);
  const sums = planes.map(({ bias }) => bias);
  const end = starts[row + 1] ?? 0;
  for (let at = starts[row] ?? 0; at < end; at++) {
    const column = columns[at] ?? 0;
    const count = (values[at] ?? 0) / (scales[column] ?? 1);
    for (const [plane, { steps, scale }] of planes.entries())
      sums[plane] = (sums[plane] ?? 0) + (steps[column] ?? 0) * scale * count;
  }
  const areas = new Map<string, number>();
  for (const [rule, { own, area, confirmsOnly }] of RULE_PLANES) {
    const category = PLANES[area]?.category ?? "";
    if (confirmsOnly && !example?.found.has(rule)) continue;
    const sum = (sums[own] ?? 0) + (sums[area] ?? 0) - penalty;
    areas.set(category, Math.max(areas.get(category) ?? -Infinity, sum));
  }
  return areas;
}

/** Trains without the authors of each fold in turn, and tries what was learned on them. */
export async function crossValidate(
  set: TrainingSet,
  authors: readonly string[],
  proven: readonly ReadonlySet<string>[],
  log: (line: string) => void,
): Promise<Unseen> {
  const folds: { authors: readonly string[]; planes: TrainedPlane[] }[] = [];
  const best = set.texts.map(() => new Map<string, number>());
  for (let fold = 0; fold < FOLDS; fold++) {
    const left = new Set(authors.filter((_, index) => index % FOLDS === fold));
    const planes = await train(set, ({ author }) => !left.has(author));
    folds.push({ authors: [...left], planes });
    for (const [row, { text }] of set.examples.entries()) {
      if (!left.has(set.texts[text]?.author ?? "")) continue;
      for (const [area, sum] of sumsByArea(set, planes, row)) {
        const sums = best[text];
        sums?.set(area, Math.max(sums.get(area) ?? -Infinity, sum));
      }
    }
    log(`without ${[...left].join(", ")}`);
  }
  const isTried = ({ author }: AuthorText): boolean => authors.includes(author);
  const tried = [...set.texts.entries()].filter(([, text]) => isTried(text));
  const ordinary = tried.filter(([, { label }]) => label === "ok");
  const wrong = ordinary.map(([index]) =>
    (proven[index]?.size ?? 0) > 0 ? Infinity : Math.max(...(best[index]?.values() ?? [])),
  );
  const right = tried.flatMap(([index, { label, expectedCategory = "" }]) => {
    if (label === "ok") return [];
    return [
      proven[index]?.has(expectedCategory)
        ? Infinity
        : (best[index]?.get(expectedCategory) ?? -Infinity),
    ];
  });
  return {
    right,
    wrong,
    provenAlarms: wrong.filter((sum) => sum === Infinity).length / wrong.length,
    folds,
  };
}
