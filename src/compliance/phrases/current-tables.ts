import { elements, phraseLists, phraseNeeds } from "./elements.ts";
import { createStepwise, type Stepwise } from "./stepwise.ts";
import { makeTables, type Extent, type Tables } from "./tables.ts";
import { vocabulary } from "./vocabulary.ts";

interface Making {
  readonly madeOf: Extent;
  readonly tables: Stepwise<Tables>;
}

let tables: Tables | undefined;
let making: Making | undefined;

/** Tells whether nothing has been read since. Every text asks, so no object is made for it. */
function isCurrent({ madeOf }: Pick<Tables, "madeOf">): boolean {
  return (
    madeOf.elements === elements.length &&
    madeOf.phrases === phraseNeeds.length &&
    madeOf.phraseLists === phraseLists.length &&
    madeOf.vocabulary === vocabulary.size
  );
}

/** Whether there are tables of all that has been read so far. */
export function areTablesCurrent(): boolean {
  return tables !== undefined && isCurrent(tables);
}

function beginTables(): Making {
  const madeOf = {
    elements: elements.length,
    phrases: phraseNeeds.length,
    phraseLists: phraseLists.length,
    vocabulary: vocabulary.size,
  };
  return { madeOf, tables: createStepwise(() => makeTables(madeOf)) };
}

/** Makes a part of the tables of what has been read so far, and tells whether they are there. */
export function makeTablesStep(): boolean {
  if (areTablesCurrent()) return true;
  if (!making || !isCurrent(making)) making = beginTables();
  if (!making.tables.step()) return false;
  tables = making.tables.finish();
  making = undefined;
  return true;
}

/** Gives the tables of what has been read so far. */
export function currentTables(): Tables {
  for (;;) {
    if (tables && isCurrent(tables)) return tables;
    makeTablesStep();
  }
}
