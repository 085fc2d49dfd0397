import {
  type AliasableExpression,
  type CompiledQuery,
  createQueryId,
  type Expression,
  expressionBuilder,
  type FunctionNode,
  type LimitNode,
  PostgresQueryCompiler,
  type RootOperationNode,
  SqliteQueryCompiler,
  ValueNode,
} from "kysely";
import type { Dialect } from "./sql-database.ts";

/** How databases write what they don't have in common; `$1` is the first operand, `$*` are all of them, by commas. */
const FUNCTIONS = {
  greatest_of: {
    sqlite: "max($1, $2)",
    postgres: "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE greatest($1, $2) END",
  },
  least_of: {
    sqlite: "min($1, $2)",
    postgres: "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE least($1, $2) END",
  },
  text_of: { sqlite: "cast($1 as text)", postgres: "convert_from($1, 'UTF8')" },
  bytes_of: { sqlite: "cast($1 as blob)", postgres: "convert_to($1, 'UTF8')" },
  lines_of: {
    sqlite: "group_concat($1, char(10))",
    postgres: "string_agg($1, chr(10))",
  },
  json_line: { sqlite: "json_array($*)", postgres: "json_build_array($*)::text" },
  without_index: { sqlite: "+$1", postgres: "$1" },
  has_words: { sqlite: "message match $1", postgres: "message.text @@ to_tsquery('simple', $2)" },
  row_has_words: {
    sqlite: "message match $1",
    // What is put together is in no index: PostgreSQL would look for all messages with the words.
    postgres: "(message.text || ''::tsvector) @@ to_tsquery('simple', $2)",
  },
  words_of: { sqlite: "cast($1 as text)", postgres: "to_tsvector('simple', $1::text)" },
  texts_of: {
    sqlite: "(select value from json_each($1))",
    postgres: "(select json_array_elements_text($1::json) as value)",
  },
  numbers_of: {
    sqlite: "(select value from json_each($1))",
    postgres: "(select value::bigint as value from json_array_elements_text($1::json) as value)",
  },
  database_size: {
    sqlite: "(select page_count * page_size from pragma_page_count(), pragma_page_size())",
    postgres: "pg_database_size(current_database())",
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Dialect, string>>>>;

type FunctionName = keyof typeof FUNCTIONS;

/** Calls a function that each database writes in its way. */
export function call<Result>(
  name: FunctionName,
  ...operands: readonly Expression<unknown>[]
): AliasableExpression<Result> {
  return expressionBuilder<never>().fn<Result>(name, operands as never);
}

const isKnown = (name: string): name is FunctionName => Object.hasOwn(FUNCTIONS, name);

/** Writes a function. @param visit - Writes an operand. */
function writeFunction(
  { func, arguments: operands }: FunctionNode,
  dialect: Dialect,
  append: (sql: string) => void,
  visit: (node: FunctionNode["arguments"][number]) => void,
): boolean {
  if (!isKnown(func)) return false;
  for (const part of FUNCTIONS[func][dialect].split(/(\$[*\d])/)) {
    const operand = part.startsWith("$") ? operands[Number(part.slice(1)) - 1] : undefined;
    if (part === "$*")
      for (const [index, node] of operands.entries()) {
        if (index > 0) append(", ");
        visit(node);
      }
    else if (operand) visit(operand);
    else append(part);
  }
  return true;
}

class SqliteWriter extends SqliteQueryCompiler {
  /** Writes a number as it is: a statement with a bound limit is prepared anew by SQLite whenever it runs. */
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node;
    if (ValueNode.is(limit) && Number.isSafeInteger(limit.value))
      this.append(`limit ${String(limit.value)}`);
    else super.visitLimit(node);
  }

  protected override visitFunction(node: FunctionNode): void {
    const append = (text: string): void => this.append(text);
    if (!writeFunction(node, "sqlite", append, (operand) => this.visitNode(operand)))
      super.visitFunction(node);
  }
}

class PostgresWriter extends PostgresQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    const append = (text: string): void => this.append(text);
    if (!writeFunction(node, "postgres", append, (operand) => this.visitNode(operand)))
      super.visitFunction(node);
  }
}

const SQLITE = new SqliteWriter();
const WRITERS = { sqlite: SQLITE, postgres: new PostgresWriter() };

/** Writer of the queries' own `compile`. */
export const DEFAULT_WRITER = SQLITE;

/** Writes a query as a database reads it. */
export function compileFor(dialect: Dialect, query: RootOperationNode): CompiledQuery {
  return WRITERS[dialect].compileQuery(query, createQueryId());
}
