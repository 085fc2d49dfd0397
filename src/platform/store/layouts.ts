/** A step from one layout of the tables to the next, in one transaction with the steps behind it. */
export interface LayoutStep {
  /** Statements as SQLite has them; for PostgreSQL they are written anew. */
  readonly sql: string;
  /** The oldest layout whose platforms may use the next one: of PostgreSQL they serve while it is brought there, and afterwards. */
  readonly oldest: number;
}

/** The layout from which both databases go on by the same steps; PostgreSQL has had none before. */
const FIRST_LAYOUT = 7;

/** Steps from the first layout on. What one may do stands in CONTRIBUTING.md. */
export const LAYOUT_STEPS: readonly LayoutStep[] = [];

/** The layout that some code reads and writes. */
export interface Layout {
  readonly version: number;
  /** The oldest one whose platforms may use it. */
  readonly oldest: number;
}

/** Returns the layout behind some steps. */
export const toLayout = (steps: readonly LayoutStep[]): Layout => ({
  version: FIRST_LAYOUT + steps.length,
  oldest: steps.at(-1)?.oldest ?? FIRST_LAYOUT,
});

/** Returns the steps from a layout on; `undefined` where it is not known. */
export function findSteps(
  steps: readonly LayoutStep[],
  version: number,
): readonly LayoutStep[] | undefined {
  return version < FIRST_LAYOUT ? undefined : steps.slice(version - FIRST_LAYOUT);
}

/** The layout that this code reads and writes. */
export const SCHEMA_VERSION = toLayout(LAYOUT_STEPS).version;
