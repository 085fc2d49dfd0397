import { join } from "node:path";
import { AUTHORS, EXCERPTS, REPOSITORY } from "../accuracy/authors/places.ts";
import { readAuthorTexts, type AuthorText } from "../accuracy/authors/texts.ts";
import { readLines } from "../accuracy/items.ts";

/** Author of the project's own short texts. */
export const DEVELOPMENT = "development";

const FIXTURES = join(REPOSITORY, "test/fixtures/compliance");
const SHORT_TEXTS: readonly string[] = ["development.jsonl", "ordinary.jsonl"];
/** Texts of authors, by whom figures are cross-validated, and texts that only serve to train. */
export interface TrainingTexts {
  readonly long: readonly AuthorText[];
  readonly others: readonly AuthorText[];
}

/** Reads the texts that may be trained with. */
export function readTrainingTexts(): TrainingTexts {
  const short = SHORT_TEXTS.flatMap((name) => readLines<AuthorText>(join(FIXTURES, name)));
  return {
    long: readAuthorTexts(AUTHORS),
    others: [
      ...readAuthorTexts(EXCERPTS),
      ...short.map((text) => ({ ...text, author: DEVELOPMENT })),
    ],
  };
}
