import fc from "fast-check";
import { isValidElement, type VNode } from "preact";
import { describe, expect, it } from "vitest";
import { showMarkdown } from "../../../src/platform/ui/markdown/markdown-view.ts";
import { parseMarkdown } from "../../../src/platform/ui/markdown/markdown.ts";
import { mergePassages } from "../../../src/platform/ui/finding/passages.ts";

interface Element {
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>>;
  readonly children: readonly Node[];
}
type Node = Element | string;

/** Returns what the browser would have: elements and texts. */
function toNodes(shown: unknown): Node[] {
  if (Array.isArray(shown)) return shown.flatMap(toNodes);
  if (typeof shown === "string") return [shown];
  if (!isValidElement(shown)) return [];
  const { type, props } = shown as VNode<Record<string, unknown>>;
  const { children, ...rest } = props;
  return [{ type: String(type), props: rest, children: toNodes(children) }];
}

const toText = (node: Node): string =>
  typeof node === "string" ? node : node.children.map(toText).join("");

function listElements(nodes: readonly Node[]): Element[] {
  return nodes.flatMap((node) =>
    typeof node === "string" ? [] : [node, ...listElements(node.children)],
  );
}

/** Writes nodes as HTML, so that a test can say what it expects. */
function toHtml(node: Node): string {
  if (typeof node === "string") return node;
  const { type, props, children } = node;
  const attributes = Object.entries(props).map(([name, value]) => ` ${name}="${String(value)}"`);
  return `<${type}${attributes.join("")}>${children.map(toHtml).join("")}</${type}>`;
}

const render = (text: string): string => toNodes(showMarkdown(text, [])).map(toHtml).join("");

const LINK = 'rel="noopener noreferrer" target="_blank"';

describe("Markdown", () => {
  it.each([
    ["One\ntwo\n\nthree", "<p>One\ntwo</p><p>three</p>"],
    ["## A *title*", '<p class="heading level-2">A <em>title</em></p>'],
    [
      "**a** _b_ ***c*** ~~d~~ `e*f*`",
      "<p><strong>a</strong> <em>b</em> <em><strong>c</strong></em> <del>d</del> <code>e*f*</code></p>",
    ],
    ["2*3*4 and a_b_c and * x *", "<p>2*3*4 and a_b_c and * x *</p>"],
    ["**open and *closed*", "<p>**open and <em>closed</em></p>"],
    [
      "- a\n- b\n  - c\n\n3. d\n4. e",
      '<ul><li><p>a</p></li><li><p>b</p><ul><li><p>c</p></li></ul></li></ul><ol><li value="3"><p>d</p></li><li value="4"><p>e</p></li></ol>',
    ],
    ["> quoted\n> more", "<blockquote><p>quoted\nmore</p></blockquote>"],
    [
      "```js\n<b>1</b>\n\n2\n```\nend",
      '<div class="code"><span class="language">js</span><pre tabindex="0"><b>1</b>\n\n2</pre></div><p>end</p>',
    ],
    [
      "| a | b |\n|---|--:|\n| 1 | 2 | 3 |",
      '<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead><tbody><tr><td>1</td><td>2</td><td>3</td></tr></tbody></table></div>',
    ],
    ["a\n\n---\n\nb", "<p>a</p><hr></hr><p>b</p>"],
    [
      "[rates](https://bank.test/a_(b)) now",
      `<p><a href="https://bank.test/a_(b)" ${LINK}>rates</a><span class="address"> (https://bank.test/a_(b))</span> now</p>`,
    ],
    [
      "See https://bank.test/x, please",
      `<p>See <a href="https://bank.test/x" ${LINK}>https://bank.test/x</a>, please</p>`,
    ],
    [
      "[x](javascript:alert(1)) <img src=x onerror=alert(1)>",
      "<p>[x](javascript:alert(1)) <img src=x onerror=alert(1)></p>",
    ],
    [
      "![logo](https://evil.test/p.png)",
      `<p><a href="https://evil.test/p.png" ${LINK}>logo</a><span class="address"> (https://evil.test/p.png)</span></p>`,
    ],
    ["costs \\*5\\* and C:\\dir", "<p>costs *5* and C:\\dir</p>"],
    ["# \r\n#hash\r\ntext", "<p>#\n#hash\ntext</p>"],
  ])("shows %j", (text, expected) => {
    expect(render(text)).toBe(expected);
  });

  it("keeps a mark over emphasis, code, lines and list items", () => {
    const text = "- You get **5 %**\n  `for` sure\n- no risk";
    const start = text.indexOf("get");
    const end = text.indexOf("risk") + 4;
    const marks = mergePassages([{ start, end, rank: 3, findingId: "f" }]);
    const marked = listElements(toNodes(showMarkdown(text, marks)))
      .filter(({ type }) => type === "mark")
      .map(toText);
    expect(marked.join("|")).toBe("get |5 %|\n|for| sure|no risk");
  });
});

const ELEMENTS = new Set(
  "p ul ol li table thead tbody tr th td pre code blockquote hr a strong em del mark span div".split(
    " ",
  ),
);
const ATTRIBUTES = new Set(
  "class href rel target tabindex role aria-label scope value data-marks".split(" "),
);
const toWords = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

const syntax = fc.constantFrom(
  ..."# |## |- |* |1. |> |``` |```js\n|| a | b |\n|--|--|\n|**|*|_|__|~~|`|``|[|](|)|](https://a.test/|](javascript:|](data:text/html,|![|https://|http://x.test|javascript:alert(1)|<img src=x onerror=alert(1)>|<a href=|\\|\n|\n\n|\r\n|    |\t|---|\u202e|\u0000|&lt;|é|😀|\ud800".split(
    /(?<=[^|])\|(?=[^|])/,
  ),
  "|",
  "| a | b |\n|--|--|\n| c |",
);
const anyText = fc
  .array(fc.oneof(syntax, fc.string({ unit: "grapheme" }), fc.lorem({ maxCount: 3 })), {
    maxLength: 40,
  })
  .map((parts) => parts.join(""));

/** The page numbers the items of a list by an attribute. */
const toNumbers = (elements: readonly Element[]): string[] =>
  elements.flatMap(({ props }) => ("value" in props ? [String(props["value"])] : []));

it("shows all words of any text, and nothing but text, safe links and marks", () => {
  fc.assert(
    fc.property(anyText, fc.nat(400), fc.nat(400), (text, start, length) => {
      const passage = {
        start,
        end: Math.min(text.length, start + length),
        rank: 2,
        findingId: "f",
      };
      const marks = passage.start < passage.end ? mergePassages([passage]) : [];
      const nodes = toNodes(showMarkdown(text, marks));
      const elements = listElements(nodes);
      for (const { type, props } of elements) {
        expect(ELEMENTS).toContain(type);
        for (const name of Object.keys(props)) expect(ATTRIBUTES).toContain(name);
        if ("href" in props) expect(props["href"]).toMatch(/^https?:\/\//i);
      }
      const numbers = toNumbers(elements);
      const shown = nodes.map(toText).join("\n");
      for (const word of new Set(toWords(text)))
        expect(
          shown.includes(word) || numbers.some((number) => Number(number) === Number(word)),
        ).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

it("has in each leaf a part of the source, where it says", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const visit = (value: unknown): void => {
        if (Array.isArray(value)) value.forEach(visit);
        else if (typeof value === "object" && value !== null) {
          const leaf = value as { kind?: unknown; text?: string; at?: number };
          if (leaf.kind === "text" && leaf.text !== "\n")
            expect(text.slice(leaf.at, (leaf.at ?? 0) + (leaf.text?.length ?? 0))).toBe(leaf.text);
          Object.values(value).forEach(visit);
        }
      };
      visit(parseMarkdown(text));
    }),
    { numRuns: 500 },
  );
});

it.each([
  ["*a ", 30_000],
  ["[", 300_000],
  ["`a``b```c", 50_000],
  ["> ", 200_000],
  ["- ", 200_000],
  ["  - a\n", 20_000],
  ["| ", 200_000],
  ["|-", 100_000],
  ["\n> a", 50_000],
  ["https://", 60_000],
  ["**a_", 30_000],
  ["``` \n", 50_000],
])("reads %j said again and again without growing faster than the text", (part, count) => {
  // A step for each character squared would take minutes, which the test's bound of time would end.
  expect(showMarkdown(part.repeat(count), []).length).toBeGreaterThan(0);
});
