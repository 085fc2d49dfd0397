import { html } from "htm/preact";
import type { VNode } from "preact";
import type { Inline, Leaf } from "./markdown-inline.ts";
import { type Block, parseMarkdown } from "./markdown.ts";
import { cutAtMarks, type Mark } from "../finding/passages.ts";

/** What a text is shown as. */
type Shown = VNode | string | readonly Shown[];

const LOOKS = ["info", "info", "warning", "violation"];

/** Shows a part of a text with its marks. */
export function showMarked(text: string, at: number, marks: readonly Mark[]): Shown {
  if (marks.length === 0) return text;
  return cutAtMarks(text, at, marks).map((piece): Shown => {
    const { mark } = piece;
    if (!mark) return piece.text;
    const look = LOOKS[mark.rank] ?? "info";
    return html`<mark class=${look} data-marks=${mark.findingIds.join(" ")}>${piece.text}</mark>`;
  });
}

function showLeaf({ text, at }: Leaf, marks: readonly Mark[]): Shown {
  return showMarked(text, at, marks);
}

function showInline(inline: Inline, marks: readonly Mark[]): Shown {
  if (inline.kind === "text") return showLeaf(inline, marks);
  const children = inline.children.map((child) => showInline(child, marks));
  switch (inline.kind) {
    case "code":
      return html`<code>${children}</code>`;
    case "strong":
      return html`<strong>${children}</strong>`;
    case "emphasis":
      return html`<em>${children}</em>`;
    case "deleted":
      return html`<del>${children}</del>`;
    case "link": {
      const link = html`<a href=${inline.address} rel="noopener noreferrer" target="_blank"
        >${children}</a
      >`;
      if (inline.shown.length === 0) return link;
      const shown = inline.shown.map((leaf) => showLeaf(leaf, marks));
      return [link, html`<span class="address"> (${shown})</span>`];
    }
  }
}

function showCell(cell: readonly Inline[], isHead: boolean, marks: readonly Mark[]): VNode {
  const children = cell.map((child) => showInline(child, marks));
  return isHead && cell.length > 0
    ? html`<th scope="col">${children}</th>`
    : html`<td>${children}</td>`;
}

function showRows(rows: readonly Inline[][][], isHead: boolean, marks: readonly Mark[]): VNode[] {
  return rows.map(
    (row) =>
      html`<tr>
        ${row.map((cell) => showCell(cell, isHead, marks))}
      </tr>`,
  );
}

function showTable([head = [], ...rows]: readonly Inline[][][], marks: readonly Mark[]): VNode {
  return html`<div class="table" tabindex="0" role="group" aria-label="Table">
    <table>
      <thead>
        ${showRows([head], true, marks)}
      </thead>
      <tbody>
        ${showRows(rows, false, marks)}
      </tbody>
    </table>
  </div>`;
}

function showList(items: Extract<Block, { kind: "list" }>["items"], marks: readonly Mark[]): VNode {
  const shown = items.map(({ value, blocks }) =>
    value === undefined
      ? html`<li>${showBlocks(blocks, marks)}</li>`
      : html`<li value=${value}>${showBlocks(blocks, marks)}</li>`,
  );
  return items[0]?.value === undefined
    ? html`<ul>
        ${shown}
      </ul>`
    : html`<ol>
        ${shown}
      </ol>`;
}

function showCode(
  { language, leaves }: Extract<Block, { kind: "code" }>,
  marks: readonly Mark[],
): VNode {
  const label = language && html`<span class="language">${showLeaf(language, marks)}</span>`;
  return html`<div class="code">
    ${label}
    <pre tabindex="0">${leaves.map((leaf) => showLeaf(leaf, marks))}</pre>
  </div>`;
}

function showBlock(block: Block, marks: readonly Mark[]): VNode {
  switch (block.kind) {
    case "paragraph":
      return html`<p>${block.children.map((child) => showInline(child, marks))}</p>`;
    case "heading":
      // No heading of the page: a reader of its outline would take the agent's words for ours.
      return html`<p class=${`heading level-${block.level}`}>
        ${block.children.map((child) => showInline(child, marks))}
      </p>`;
    case "code":
      return showCode(block, marks);
    case "quote":
      return html`<blockquote>${showBlocks(block.blocks, marks)}</blockquote>`;
    case "list":
      return showList(block.items, marks);
    case "table":
      return showTable(block.rows, marks);
    case "rule":
      return html`<hr />`;
  }
}

function showBlocks(blocks: readonly Block[], marks: readonly Mark[]): VNode[] {
  return blocks.map((block) => showBlock(block, marks));
}

/** Shows a text as Markdown, with marks; the text is data, and nothing in it becomes more than text. */
export function showMarkdown(text: string, marks: readonly Mark[]): VNode[] {
  return showBlocks(parseMarkdown(text), marks);
}
