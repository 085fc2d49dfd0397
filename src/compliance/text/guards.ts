import type { InteractionContext } from "../../events/compliance.ts";
import { findAll, linear } from "./pattern.ts";

const NEGATION_REACH = 45;
// The comma of a list ("can't guarantee, promise or assure") ends no clause.
const CLAUSE_BREAK = linear(
  /,(?!\s\w{1,12}(?:,|\s(?:or|nor)\b))|[;:]|\s-\s|\b(?:but|however|though|although|yet)\b/gi,
);
// "If you don't want the form" gives a motive and negates nothing that follows.
const NEGATION = linear(
  /(?:n't\b(?!\s(?:want|wish|like)\s(?:a|an|any|the|it|that)\b)|\b(?:not|never|no|none|cannot|nobody|nothing|neither|nor|without|unable|illegal|unlawful|prohibited)\b|\bavoid\s$)/i,
);

const REFUSAL = linear(
  /\b(?:I|we)(?:'m|'re|\sam|\sare)?\s(?:can't|cannot|won't|will\snot|unable\sto|not\s(?:able|allowed|permitted)\sto|don't|do\snot|couldn't|must\snot|may\snot)\s(?:\w{1,15}\s){0,2}(?:help|assist|advise|suggest|recommend|tell|discuss|support|arrange|guide|encourage|promise|guarantee|offer|provide|coach|do\s(?:that|this|it))\b/i,
);
const DEFINITION = linear(
  /\b(?:means\s(?:an?|the|\w{1,12}ing)|is\scalled|are\scalled|is\sknown\sas|refers\sto|is\sdefined\sas|the\sterm|stands\sfor)\b/i,
);
const CONDEMNATION = linear(
  /\b(?:illegal|unlawful|(?:a|federal|serious)\s(?:crime|felony|offen[cs]e)|criminal|against\sthe\slaw|prohibited|forbidden|not\s(?:allowed|permitted|legal))\b/i,
);
const LAW = linear(/§|\b(?:U\.S\.C|CFR|FINRA|SEC|FinCEN|statute|regulation)\b/i);

/** Tells whether a negation stands before a position in the same clause. */
export function isNegated(sentence: string, position: number): boolean {
  const from = Math.max(0, position - NEGATION_REACH);
  // Reads on behind the position, because what follows a comma tells whether it ends the clause.
  const near = sentence.slice(from, position + NEGATION_REACH);
  const breaks = findAll(CLAUSE_BREAK, near).filter(({ end }) => from + end <= position);
  return NEGATION.test(near.slice(breaks.at(-1)?.end ?? 0, position - from));
}

/** Tells whether the agent refuses in this sentence. */
export function isRefusal(sentence: string): boolean {
  return REFUSAL.test(sentence);
}

/** Tells whether a sentence explains a term. */
export function isDefinition(sentence: string): boolean {
  return DEFINITION.test(sentence);
}

/** Tells whether a sentence says that something is against the law. */
export function condemns(sentence: string): boolean {
  return CONDEMNATION.test(sentence);
}

/** Tells whether a position stands between quotation marks: somebody else's words. */
export function isQuoted(sentence: string, position: number): boolean {
  const quotesBefore = sentence.slice(0, position).split('"').length - 1;
  return quotesBefore % 2 === 1 && sentence.indexOf('"', position) >= 0;
}

/** Tells whether an agent for compliance staff quotes the law, which is its job. */
export function isLawQuotedToStaff(context: InteractionContext, sentence: string): boolean {
  return context.agentSpecialty === "compliance" && LAW.test(sentence);
}
