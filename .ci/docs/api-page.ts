// The page of every class, function and type that an application can import, from what api-extractor has read of them.
import { toCode, toTable } from "./markdown.ts";

/** What api-extractor says of a declaration, of which more than this. */
interface Declaration {
  readonly kind: string;
  /** Absent for a constructor. */
  readonly name?: string;
  /** With its `/**`; absent where the declaration needs none. */
  readonly docComment?: string;
  readonly excerptTokens?: readonly { readonly text: string }[];
  readonly members?: readonly Declaration[];
}

/** What api-extractor says of an entry: its only member is the entry point. */
interface Model {
  readonly members: readonly [Declaration];
}

/** An entry, by the name that an application imports. */
export interface ApiEntry {
  readonly specifier: string;
  readonly model: Model;
}

const INTRODUCTION = `# API

Everything that an application can import, with its purpose. Parameters, defaults and errors are in the comments that editors show. What \`agent-monitor\` exports is not listed again below the other entries. \`npm run api\` writes this page.
`;

/** Returns the first paragraph of a comment. */
function toPurpose({ docComment = "" }: Declaration): string {
  const text = docComment.replace(/^\/\*\*|\*\/\s*$/g, "").replaceAll(/^\s*\* ?/gm, "");
  const [paragraph = ""] = text.trim().split(/\n\s*\n|^@\w+/m);
  return paragraph
    .replaceAll(/\{@link ([^}|]+)(?:\|[^}]*)?\}/g, "`$1`")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function toSignature({ excerptTokens = [] }: Declaration): string {
  const text = excerptTokens.map((token) => token.text).join("");
  return text
    .replaceAll(/\s+/g, " ")
    .replace(/^export (?:declare )?(?:function |const )?/, "")
    .replace(/;$/, "")
    .trim();
}

function toRows(declarations: readonly Declaration[]): string[][] {
  return declarations.map((one) => [toCode(toSignature(one)), toPurpose(one)]);
}

function toClass(declaration: Declaration): string {
  const { name = "", members = [] } = declaration;
  const isMethod = ({ kind }: Declaration): boolean => kind !== "Property";
  const ordered = [
    ...members.filter(isMethod),
    ...members.filter((member) => !isMethod(member)),
  ].toSorted((one, other) => Number(other.name === undefined) - Number(one.name === undefined));
  const table = ordered.length > 0 ? `\n\n${toTable(["Member", "Purpose"], toRows(ordered))}` : "";
  return `### ${name}\n\n${toPurpose(declaration)}${table}`;
}

function toSection(specifier: string, declarations: readonly Declaration[]): string {
  const of = (...kinds: readonly string[]): Declaration[] =>
    declarations.filter(({ kind }) => kinds.includes(kind));
  const values = of("Function", "Variable");
  const types = of("Interface", "TypeAlias", "Enum");
  const parts = [
    `## ${specifier}`,
    ...(values.length > 0 ? [toTable(["Function or value", "Purpose"], toRows(values))] : []),
    ...of("Class").map(toClass),
    ...(types.length > 0
      ? [
          `### Types of ${specifier}`,
          toTable(
            ["Type", "Meaning"],
            types.map((one) => [toCode(one.name ?? ""), toPurpose(one)]),
          ),
        ]
      : []),
  ];
  return parts.join("\n\n");
}

/** Writes the page. */
export function toApiPage(entries: readonly ApiEntry[]): string {
  const [first, ...others] = entries;
  const listed = new Set((first?.model.members[0].members ?? []).map(({ name }) => name));
  const sections = [
    ...(first ? [toSection(first.specifier, first.model.members[0].members ?? [])] : []),
    ...others.map(({ specifier, model }) => {
      const own = (model.members[0].members ?? []).filter(({ name }) => !listed.has(name));
      return toSection(specifier, own);
    }),
  ];
  return `${[INTRODUCTION.trim(), ...sections].join("\n\n")}\n`;
}
