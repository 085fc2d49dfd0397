import { parentPort } from "node:worker_threads";
import { fitLogistic, keepColumns, type FitOptions } from "./logistic.ts";
import type { Rows } from "./matrix.ts";

/** A hyperplane to fit. */
export interface FitJob {
  readonly plane: number;
  readonly rows: Rows;
  readonly chosen: Uint32Array;
  readonly isRight: Uint8Array;
  /** Columns that may have a weight. Default: all. */
  readonly isKept?: Uint8Array;
  readonly options: FitOptions;
}

parentPort?.on("message", ({ plane, rows, chosen, isRight, isKept, options }: FitJob) => {
  const seen = isKept ? keepColumns(rows, isKept) : rows;
  parentPort?.postMessage({ plane, ...fitLogistic(seen, chosen, isRight, options) }, []);
});
