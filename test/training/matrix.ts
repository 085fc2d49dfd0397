import { ruleFeaturesOf } from "../../src/compliance/learned/wording-features.ts";
import type { Example } from "./examples.ts";
import { CONFIRMED_RULES } from "./families.ts";

/** Examples as rows of a sparse matrix, in memory that workers share. */
export interface Rows {
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
  /** Number of columns. */
  readonly width: number;
}

/** Rows, and what their columns are. */
export interface Matrix {
  readonly rows: Rows;
  /** Feature of each column. */
  readonly features: readonly number[];
  /** What an occurrence counts for, by column: rare words say more. */
  readonly scales: Float32Array;
  /** In how many examples each feature stands. */
  readonly counts: Uint32Array;
  /** Whether a column is of wording. */
  readonly isWording: Uint8Array;
}

/** A word must stand in so many windows. */
const MIN_WINDOWS = 10;
const WORDING_SCALE = 0.5;
/** What a rule found by tools says more than any word. */
const EVIDENCE_SCALE = 2;
const CONTEXT_SCALE = 0.7;
/** Logarithm of the rarity at which a word counts for one. */
const RARITY = 6;

const EVIDENCE: ReadonlySet<number> = new Set(
  [...CONFIRMED_RULES].flatMap((rule) => ruleFeaturesOf(rule)),
);

type Kind = "words" | "context" | "wording";
const KINDS: readonly Kind[] = ["words", "context", "wording"];

function shared<T>(make: new (buffer: SharedArrayBuffer) => T, bytes: number): T {
  return new make(new SharedArrayBuffer(bytes));
}

/** Makes the rows of examples. */
export function toMatrix(examples: readonly Example[]): Matrix {
  const columns = new Map<number, number>();
  const features: number[] = [];
  const counts: number[] = [];
  const kinds: Kind[] = [];
  for (const example of examples)
    for (const kind of KINDS)
      for (const feature of new Set(example[kind])) {
        let column = columns.get(feature);
        if (column === undefined) {
          column = features.length;
          columns.set(feature, column);
          features.push(feature);
          counts.push(0);
          kinds.push(kind);
        }
        counts[column] = (counts[column] ?? 0) + 1;
      }
  const width = features.length;
  const scales = Float32Array.from(counts, (count, column) => {
    if (EVIDENCE.has(features[column] ?? 0)) return EVIDENCE_SCALE;
    if (kinds[column] === "wording") return WORDING_SCALE;
    if (count < MIN_WINDOWS) return 0;
    const rarity = (Math.log(examples.length / (1 + count)) / RARITY) ** 2;
    return kinds[column] === "context" ? rarity * CONTEXT_SCALE : rarity;
  });
  const starts = shared(Uint32Array, (examples.length + 1) * 4);
  const entries = examples.map((example) => {
    const row = new Map<number, number>();
    for (const kind of KINDS)
      for (const feature of example[kind]) {
        const column = columns.get(feature) ?? 0;
        if ((scales[column] ?? 0) > 0) row.set(column, (row.get(column) ?? 0) + 1);
      }
    return row;
  });
  for (const [index, row] of entries.entries()) starts[index + 1] = (starts[index] ?? 0) + row.size;
  const size = starts[examples.length] ?? 0;
  const rows: Rows = {
    starts,
    columns: shared(Uint32Array, size * 4),
    values: shared(Float32Array, size * 4),
    width,
  };
  let at = 0;
  for (const row of entries)
    for (const [column, count] of row) {
      rows.columns[at] = column;
      rows.values[at++] = (scales[column] ?? 0) * count;
    }
  return {
    rows,
    features,
    scales,
    counts: Uint32Array.from(counts),
    isWording: Uint8Array.from(kinds, (kind) => (kind === "wording" ? 1 : 0)),
  };
}
