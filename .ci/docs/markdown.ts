/** Writes a Markdown table. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const toLine = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [toLine(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(toLine)].join("\n");
}

export function toCode(text: string): string {
  return `\`${text}\``;
}

/** Writes a value as a fenced block of JSON. */
export function toJsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``;
}

const MARKER = /<!-- ([a-z][a-z:-]*):begin -->/g;

/**
 * Puts generated parts between their markers, `<!-- name:begin -->` and `<!-- name:end -->`.
 *
 * @throws Error when a part has no place, or a place no part.
 */
export function fillMarkers(document: string, parts: Readonly<Record<string, string>>): string {
  const places = [...document.matchAll(MARKER)].map(([, name]) => name ?? "");
  const unknown = places.filter((name) => !Object.hasOwn(parts, name));
  if (unknown.length > 0)
    throw new Error(`nothing is generated for the markers ${unknown.join(", ")}`);
  return fillParts(document, parts);
}

/**
 * Puts some of the generated parts of a document between their markers.
 *
 * @throws Error when a part has no place.
 */
export function fillParts(document: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const begin = `<!-- ${name}:begin -->`;
    const end = `<!-- ${name}:end -->`;
    const [before, rest, ...others] = text.split(begin);
    const after = rest?.split(end)[1];
    if (before === undefined || after === undefined || others.length > 0) {
      throw new Error(`expected one ${begin} and one ${end}`);
    }
    return `${before}${begin}\n${part}\n${end}${after}`;
  }, document);
}
