import { sql, type SqlBool } from "kysely";
import { call } from "./compile-query.ts";
import { readWords } from "./words.ts";

const MAX_WORDS = 32;
/** What the index takes as part of a word. */
const WORD_PART = /[\p{L}\p{N}\p{Co}]/u;
// The drivers end a text at NUL.
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const CONTROLS = /[\u0000-\u001f\u007f]/g;

/** Words that have to stand in one message: each a phrase of one or more, the last word of which may be a beginning. */
export interface SearchTerm {
  readonly phrase: string;
  readonly isPrefix: boolean;
}

/**
 * Reads what a person has typed: words, `"a phrase"`, and `begin*`. Whatever is typed, it is text and no operator.
 *
 * @returns At most 32 terms; none where no word is in it.
 */
export function readSearch(text: string): SearchTerm[] {
  const parts = text.replaceAll(CONTROLS, " ").matchAll(/"([^"]*)"?(\*?)|([^\s"]+)/g);
  return [...parts]
    .map(([, quoted, star, word = ""]) => ({
      phrase: quoted ?? word.replace(/\*+$/, ""),
      isPrefix: quoted === undefined ? word.endsWith("*") : star === "*",
    }))
    .filter(({ phrase }) => WORD_PART.test(phrase))
    .slice(0, MAX_WORDS);
}

/** Terms as the index takes them. */
export interface SearchWords {
  /** As SQLite reads them. */
  readonly text: string;
  /** As PostgreSQL reads them. */
  readonly query: string;
  /** Whether any of them is a beginning: at each search the index puts together all words that begin so. */
  readonly hasPrefix: boolean;
  /** Whether it is one word, and no phrase: databases know how many messages have it. */
  readonly isOneWord: boolean;
}

/** Writes a term for PostgreSQL: its words behind each other. */
function toQuery({ phrase, isPrefix }: SearchTerm): string {
  const parts = readWords(phrase).map(({ folded }) => `'${folded}'`);
  return `(${parts.join(" <-> ")}${isPrefix ? ":*" : ""})`;
}

/**
 * Writes terms for the index: all of them in one message.
 *
 * @see https://sqlite.org/fts5.html#full_text_query_syntax
 * @see https://www.postgresql.org/docs/current/datatype-textsearch.html#DATATYPE-TSQUERY
 */
export function toSearchWords(terms: readonly SearchTerm[]): SearchWords {
  const written = terms.map(
    ({ phrase, isPrefix }) => `"${phrase.replaceAll('"', '""')}"${isPrefix ? "*" : ""}`,
  );
  return {
    text: written.join(" AND "),
    query: terms.map(toQuery).join(" & "),
    hasPrefix: terms.some(({ isPrefix }) => isPrefix),
    isOneWord: terms.flatMap(({ phrase }) => readWords(phrase)).length === 1,
  };
}

/** Matches rows of the index of messages that are found by something else. */
export const rowHasWords = ({ text, query }: Pick<SearchWords, "query" | "text">) =>
  call<SqlBool>("row_has_words", sql`${text}`, sql`${query}`);

/** Matches rows of the index of messages. */
export const hasWords = ({ text, query }: Pick<SearchWords, "query" | "text">) =>
  call<SqlBool>("has_words", sql`${text}`, sql`${query}`);
