import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LearnedModel, ModelFacts } from "../../src/compliance/learned/learned-model.ts";
import { decodeWeights, encodeWeights } from "../../src/compliance/learned/model-codec.ts";

/** A model that was trained without some authors. */
export interface FoldModel {
  readonly authors: readonly string[];
  readonly model: LearnedModel;
}

interface StoredFold {
  readonly authors: readonly string[];
  readonly facts: ModelFacts;
}

/** Models of the last training; not committed. */
const FOLDER = join(import.meta.dirname, ".folds");

const pathOf = (fold: number, ending: string): string => join(FOLDER, `${fold}.${ending}`);

/** Writes the models without the authors of each fold. */
export function writeFoldModels(folds: readonly FoldModel[]): void {
  mkdirSync(FOLDER, { recursive: true });
  for (const [fold, { authors, model }] of folds.entries()) {
    writeFileSync(pathOf(fold, "bin"), encodeWeights(model.weights));
    const stored: StoredFold = { authors, facts: model.facts };
    writeFileSync(pathOf(fold, "json"), JSON.stringify(stored));
  }
}

/**
 * Reads the models without the authors of each fold.
 *
 * @param trainedOn - Digest of what the shipped model was trained on.
 * @returns `undefined` when `npm run train` has not made them of the same.
 */
export function readFoldModels(trainedOn: string): FoldModel[] | undefined {
  const folds: FoldModel[] = [];
  for (let fold = 0; existsSync(pathOf(fold, "json")); fold++) {
    const { authors, facts } = JSON.parse(readFileSync(pathOf(fold, "json"), "utf8")) as StoredFold;
    if (facts.trainedOn !== trainedOn) return undefined;
    const weights = decodeWeights(readFileSync(pathOf(fold, "bin")));
    folds.push({ authors, model: { facts, weights } });
  }
  return folds.length > 0 ? folds : undefined;
}
