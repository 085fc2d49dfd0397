import type { Steps } from "../../turns.ts";
import { SCHEMA } from "../create-tables.ts";
import type { SqlValue } from "../sql-database.ts";
import { readColumnTypes, toPostgresTables } from "./postgres-tables.ts";
import { toPostgresValue } from "./postgres-value.ts";

const INSERTION =
  /^(insert into "(\w+)" \((.*?)\)) values \((.*?)\)((?: on conflict| returning).*)?$/s;
const UPDATE = /^(update "(\w+)" set .*?)( where .*)$/s;
const PLACEHOLDER = /\$(\d+)/;

let columnTypes: ReturnType<typeof readColumnTypes> | undefined;

/** Returns the type of a column; JSON has no bytes, which are written as text. */
function findType(table: string, column: string): string {
  columnTypes ??= readColumnTypes(toPostgresTables(SCHEMA));
  const type = columnTypes.get(table)?.get(column);
  if (type === undefined) throw new Error(`expected a column of a table, got ${table}.${column}`);
  return type;
}

/** The columns of the rows that are given, by the number of their placeholder; an operand of a function is a text. */
type Given = Map<string, string>;

/** Writes what stands for a value of a column. */
function writeValue(given: Given, table: string, column: string, value: string): string {
  const number = /^\$(\d+)$/.exec(value)?.[1];
  if (number === undefined)
    return value.replaceAll(/\$(\d+)/g, (_match, each: string) => {
      given.set(each, "text");
      return `given.v${each}`;
    });
  const type = findType(table, column);
  given.set(number, type === "BYTEA" ? "text" : type);
  return type === "BYTEA" ? `decode(given.v${number}, 'base64')` : `given.v${number}`;
}

/** Splits at commas that stand in no brackets. */
const splitValues = (list: string): string[] => list.split(/, (?![^()]*\))/);

function writeGiven(given: Given): string {
  const columns = Array.from(given, ([number, type]) => `v${number} ${type}`);
  return `from json_to_recordset($1::json) as given(${columns.join(", ")})`;
}

function writeInsertion([
  ,
  head = "",
  table = "",
  names = "",
  row = "",
  tail = "",
]: readonly string[]) {
  const given: Given = new Map();
  const columns = [...names.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name);
  const values = splitValues(row).map((value, index) =>
    writeValue(given, table, columns[index] ?? "", value),
  );
  return `${head} select ${values.join(", ")} ${writeGiven(given)}${tail}`;
}

function writeUpdate([, head = "", table = "", condition = ""]: readonly string[]): string {
  const given: Given = new Map();
  const write = (part: string): string =>
    part.replaceAll(
      /"(\w+)" = (\$\d+)/g,
      (_match, column: string, value: string) =>
        `"${column}" = ${writeValue(given, table, column, value)}`,
    );
  const [changed, sought] = [write(head), write(condition)];
  return `${changed} ${writeGiven(given)}${sought}`;
}

const texts = new Map<string, string>();

/**
 * Writes a statement for one row as one for many: an insertion, or an update of columns by columns. Its only value is what
 * `writeRows` returns, so that there is one statement for every number of rows.
 */
export function toManyRows(sql: string): string {
  const known = texts.get(sql);
  if (known !== undefined) return known;
  const [insertion, update] = [INSERTION.exec(sql), UPDATE.exec(sql)];
  const text = insertion ? writeInsertion(insertion) : update && writeUpdate(update);
  // A value that stands anywhere else has kept its placeholder.
  if (!text || PLACEHOLDER.test(text.replace("$1::json", "")))
    throw new Error("expected an insertion of one row or an update, without a value elsewhere");
  texts.set(sql, text);
  return text;
}

const toJsonValue = (value: SqlValue): SqlValue =>
  value instanceof Uint8Array ? Buffer.from(value).toString("base64") : toPostgresValue(value);

/** Writes rows as JSON. @param toValues - Returns the values of a row, in the order of their placeholders. */
export function* writeRows<Row>(
  rows: readonly Row[],
  toValues: (row: Row) => readonly SqlValue[],
): Steps<string> {
  const written: Record<string, SqlValue>[] = [];
  for (const row of rows) {
    yield;
    const members: Record<string, SqlValue> = {};
    for (const [index, value] of toValues(row).entries())
      members[`v${index + 1}`] = toJsonValue(value);
    written.push(members);
  }
  return JSON.stringify(written);
}
