/** A text or a number in JSON; `end` is the position behind it. */
export interface JsonScalar {
  readonly start: number;
  readonly end: number;
  readonly isText: boolean;
  /** Name of its member, or of the one that holds its list; `undefined` where there is none. */
  readonly name: string | undefined;
}

const NEXT_TOKEN = /["\d-]/g;
const NUMBER = /-?\d[\d.eE+-]*/y;
const NAME_END = /\s*:/y;

/** Returns the position behind a string of JSON. */
function skipString(json: string, from: number): number {
  for (let quote = json.indexOf('"', from + 1); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let first = quote;
    while (json.charAt(first - 1) === "\\") first--;
    if ((quote - first) % 2 === 0) return quote + 1;
  }
  return json.length;
}

/** Returns the end of what a sticky pattern matches at a position; the position itself where it doesn't. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Reads the name of a member, of which hardly any needs a parser. */
function readName(json: string): string {
  return json.includes("\\") ? (JSON.parse(json) as string) : json.slice(1, -1);
}

/** Yields the texts and numbers of valid JSON in order, names of members left out. */
export function* scalarsOf(json: string): Generator<JsonScalar> {
  let name: string | undefined;
  let at = 0;
  while (at < json.length) {
    NEXT_TOKEN.lastIndex = at;
    const start = NEXT_TOKEN.exec(json)?.index;
    if (start === undefined) return;
    const isText = json.charAt(start) === '"';
    const end = isText ? skipString(json, start) : endOf(NUMBER, json, start);
    at = isText ? endOf(NAME_END, json, end) : Math.max(end, start + 1);
    if (isText && at > end) name = readName(json.slice(start, end));
    else yield { start, end, isText, name };
  }
}
