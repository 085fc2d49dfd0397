import type { InteractionContext } from "../../events/compliance.ts";
import { ownMembers } from "../../util/untrusted-values.ts";
import type { Finding } from "../rule-definition.ts";
import { maskText } from "../../identifiers/mask.ts";
import { linear } from "../../text/pattern.ts";
import { wordSet } from "../../text/word-set.ts";
import { findIdentifiers } from "../../identifiers/index.ts";
import type { Identifier, IdentifierKind } from "../../identifiers/identifier.ts";

/** A sensitive value that the agent passed to a tool. */
export interface PassedIdentifier {
  readonly tool: string;
  /** Path of the parameter, `customer.note`. */
  readonly parameter: string;
  readonly identifier: Identifier;
}

const MAX_DEPTH = 6;
/** Of all tools together. */
const MAX_VALUES = 1024;
const MAX_VISITED = 4096;
const MAX_LENGTH = 64 * 1024;
const MAX_NAME_LENGTH = 64;

const WORD = linear(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g);
const UNSAFE = linear(/[^A-Za-z0-9_.*-]/g);
const SECRET_NAME = linear(
  /(?:passw(?:or)?d|passphrase|client_?secret|api_?key|private_?key|secret_?key|access_?key)$/i,
);

/** An address with parameters. */
const ADDRESS = linear(/^https?:\/\/[^\s?]{1,200}\?/i);

const SOCIAL_SECURITY_NAME = linear(
  /(?:ssn|social_?sec(?:urity)?(?:_?(?:no|num|number))?|itin|tax_?payer_?(?:id|number))$/i,
);

/** Tools that write down, send on or look up in public what they get. */
const LEAKY = wordSet(`
  log logs logger logging analytics telemetry trace print
  email mail mailer sms message messages messenger slack teams whatsapp telegram chat webhook
  notify notification notifications tweet publish pastebin
  note notes comment comments ticket tickets jira zendesk
`);
const PUBLIC_SEARCH = wordSet(`
  web internet google bing browser online public
  kb knowledge faq faqs docs articles help
`);
const SEARCH = wordSet("search browse lookup query google");

/** Tools that file, order or send something about what the bank holds already: a reference to it does. */
const FILING = wordSet(`
  case cases claim claims dispute disputes chargeback chargebacks complaint complaints
  replacement replacements reissue reorder
  appointment appointments callback reminder reminders
  letter letters brochure survey travel
`);
/** Papers that the bank prints from its own records when they are ordered. */
const PAPERS = wordSet("form forms copy copies statement statements duplicate reprint");
const ORDERING = wordSet("order reorder request resend mail reprint");
/** They check who somebody is, or take what the bank does not hold yet. */
const TAKING = wordSet(`
  verify verification validate tokenize tokenise identity kyc
  application enroll onboarding credit bureau
`);

function wordsOf(name: string): readonly string[] {
  return (name.match(WORD) ?? []).map((word) => word.toLowerCase());
}

/** Returns whether a tool files, orders or sends something for which a reference to a person or a card is enough. */
function isFilingTool(name: string): boolean {
  const words = wordsOf(name);
  const has = (some: ReadonlySet<string>): boolean => words.some((word) => some.has(word));
  return (has(FILING) || (has(PAPERS) && has(ORDERING))) && !has(TAKING);
}

/** Returns whether a tool is plainly one that numbers of customers have no business in. */
export function isLeakyTool(name: string): boolean {
  const words = wordsOf(name);
  if (words.some((word) => LEAKY.has(word))) return true;
  return (
    words.some((word) => SEARCH.has(word)) &&
    (words.length === 1 || words.some((word) => PUBLIC_SEARCH.has(word)))
  );
}

/** Returns whether a tool checks who somebody is, or takes what the bank does not hold yet. */
export function isTakingTool(name: string): boolean {
  return wordsOf(name).some((word) => TAKING.has(word));
}

/** Returns whether a tool has no need of the number of a card or of a person: it writes it down, or a reference would do. */
export function hasNoNeed(name: string): boolean {
  return isLeakyTool(name) || isFilingTool(name);
}

/** Returns strings and numbers with their paths, to a bounded depth and number. */
function* valuesIn(
  value: unknown,
  path: string,
  depth: number,
  budget: { values: number; length: number; visited: number },
): Iterable<readonly [path: string, text: string]> {
  if (budget.values <= 0 || budget.length <= 0 || budget.visited-- <= 0) return;
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") {
    const text = String(value).slice(0, budget.length);
    budget.values--;
    budget.length -= text.length;
    yield [path, text];
  } else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) {
    for (const [key, member] of ownMembers(value, MAX_VALUES)) {
      yield* valuesIn(member, path === "" ? key : `${path}.${key}`, depth + 1, budget);
    }
  }
}

/** Writes a member whose name says what it holds as an assignment or behind a label, which the detectors know. */
function toReadable(path: string, text: string): string {
  if (SECRET_NAME.test(path)) return `${path}=${text}`;
  return SOCIAL_SECURITY_NAME.test(path) ? `SSN: ${text}` : text;
}

/**
 * Finds values of a kind in the parameters of the tools that were used, and in addresses that any tool was given:
 * those are written down on the way.
 *
 * @param where - Which tools to read, by name. Default: all.
 */
export function findPassed(
  { toolsUsed }: InteractionContext,
  kind: IdentifierKind,
  where: (tool: string) => boolean = () => true,
): readonly PassedIdentifier[] {
  const found: PassedIdentifier[] = [];
  const budget = { values: MAX_VALUES, length: MAX_LENGTH, visited: MAX_VISITED };
  const tools = (toolsUsed ?? []).map(({ name, parameters }) => {
    const tool = typeof name === "string" ? name : "";
    return { tool, parameters, isRead: where(tool) };
  });
  // The tools in question come first: what others were given must not use up what may be read.
  const inOrder = [
    ...tools.filter(({ isRead }) => isRead),
    ...tools.filter(({ isRead }) => !isRead),
  ];
  for (const { tool, parameters, isRead } of inOrder) {
    for (const [path, text] of valuesIn(parameters, "", 0, budget)) {
      if (!isRead && !ADDRESS.test(text)) continue;
      const [identifier] = findIdentifiers(toReadable(path, text), new Set([kind]));
      if (identifier) found.push({ tool, parameter: path, identifier });
    }
  }
  return found;
}

/** Names a tool's parameter for a finding, masked because a name may hold a value as well. */
function toEvidence({ tool, parameter }: PassedIdentifier): string {
  const clean = (name: string): string =>
    maskText(name.slice(0, MAX_NAME_LENGTH)).replace(UNSAFE, "_");
  return `toolsUsed.${clean(tool)}.${clean(parameter)}`;
}

/** Makes a finding of a value that was passed to a tool. */
export function toPassedFinding(passed: PassedIdentifier, description: string): Finding {
  return {
    pattern: "tool-parameter",
    description,
    confidence: passed.identifier.certainty,
    evidence: toEvidence(passed),
  };
}
