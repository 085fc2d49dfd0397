import { defineBuiltInRule, type Finding } from "../define-rule.ts";
import { claimsConcepts } from "../lexicon/claims-concepts.ts";
import { createFinder } from "../phrases/finder.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";
import { readNumber } from "../phrases/numbers.ts";
import { readExchange } from "../text/exchange.ts";
import type { SourceText } from "../text/source-text.ts";

/** Standard cover per depositor, bank and ownership category, in dollars. */
const COVERED = 250_000;

/** Denials, and words that state the limit or how more is covered. */
function denied(): string[] {
  return [
    "(not|never|no|neither|nor|without|none|nothing|hardly|lack|lacks|outside|excluded|excludes|exclude|except|uninsured|only) ..6 ({insured}|{covers}|{insurer}|insurance|coverage|protection)",
    "({insurer}|insurance|coverage|protection) ..4 (not|never|no|only|stops|excludes|does nothing|nothing)",
    "(scammer~|fraudster~|beware|wary|red flag~|misleading|claim~ to|claiming|impersonat*)",
    "(neither|nor|not|but no|never|no) ..3 {nondeposit}",
    "{nondeposit} ..2 (is|are|has|have|do|does|gets) (not|no|never)",
    "(credit union ..2 shares|share account~|share draft|share certificate~|up to #money|standard limit)",
    "(sipc|private insurer|private insurance|lloyds|surplus lines)",
  ];
}

function disclosed(): string[] {
  return [
    "(partner bank~|program bank~|member bank~|sweep|swept|network of banks|participating bank~|pass through|underlying bank|uninvested cash|cash balance~|cash portion|deposit portion)",
  ];
}

const LIMITED =
  "(up to|limit is|limits apply|maximum of|max of|per (depositor|person|owner|ownership|category|bank|institution|account holder|beneficiary|account category)|ownership categor*|each ownership|standard limit|coverage limit|insurance limit|beneficiar*|joint|co-owner~|trust account~|within the limit|first 250)";

/** What is said of an amount above the limit. */
function wholly(): PhraseGroup {
  return {
    match: [
      "{fdic} ..8 (fully|all|whole|entire|every|total|completely|the lot|hundred percent|full)",
      "(you|it|that|this|everything|money|balance|account) (is|are) ..3 (insured|covered|protected|safe) ..4 {fdic}",
      "(fully|all|whole|entire|every|total|completely|the lot|hundred percent|full) ..5 ({fdic}|insured|covered by)",
      "(is|are|stays|all) ..2 (fdic insured|federally insured|ncua insured|insured by the fdic|covered by the fdic)",
    ],
    unless: [...denied(), ...disclosed(), LIMITED],
    unlessAnywhere: [LIMITED],
  };
}

const findWholly = createFinder("deposit-insurance/wholly", wholly, claimsConcepts);

/** Tells whether the sentences that a finding touches name an amount above the limit. */
function namesMoreThanCovered(text: SourceText, { start, end }: { start: number; end: number }) {
  return text.sentences().some((sentence) => {
    if (sentence.start >= end || sentence.end <= start) return false;
    const { tokens } = sentence;
    return tokens.some((_, index) => {
      const { value = 0 } = readNumber(tokens, index) ?? {};
      return value > COVERED && value < 1e11;
    });
  });
}

function* findExcess(
  text: SourceText,
  matches: Iterable<{ range: { start: number; end: number } }>,
  isAboutMore: boolean,
): Iterable<Finding> {
  for (const { range } of matches)
    if (isAboutMore || namesMoreThanCovered(text, range))
      yield { pattern: "above-limit", confidence: 0.75, text, range };
}

/**
 * Flags statements that deposit insurance covers what it does not: investments, the failure of a non-bank, or any amount.
 *
 * @see 12 U.S.C. § 1828(a)(4); 12 CFR § 328.102
 */
export const consumerProtectionDepositInsurance = defineBuiltInRule({
  id: "consumer-protection-deposit-insurance",
  name: "Misrepresented deposit insurance",
  description: "A statement that deposit insurance covers what it does not cover.",
  explanation: "The agent affirms deposit insurance that does not exist.",
  category: "consumer_protection",
  severity: "violation",
  law: {
    citation: "12 U.S.C. § 1828(a)(4); 12 CFR § 328.102",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation:
    "State that only deposits at the insured bank are covered, up to the limit per depositor and ownership category.",
  impact: { customer: "high", business: "high" },
  concepts: claimsConcepts,
  phrases: {
    "non-deposit"(): PhraseGroup {
      return {
        match: [
          "{nondeposit} ..6 (is|'s|are|get~|carry|carries|come~|enjoy~|fall~|have|has|stay~|remain~|sit~|qualify|qualifies|receive~|count~) ..6 (fdic|fdic insured|ncua|federally insured|government insured|government backed|federally backed|federally guaranteed|deposit insurance|federal insurance|federal deposit insurance|federal protection|government protection|federal guarantee|government guarantee|federal backing|government backing|fdic protection|fdic coverage|fdic insurance)",
          "{nondeposit} ..4 (is|'s|are|being|stays|stay|gets|get) ..3 {insured} ..4 ({fdic}|same as|just like|exactly like)",
          "{insurer} ..4 {coversNow} ..8 {nondeposit}",
          "{nondeposit} ..3 (just like|same as|exactly like|the same way as|no different from|treated like|treated as|counts as|count as|as safe as|equal to|identical to|every bit as) ..5 {deposits} & ({fdic}|insured|federally|government)",
          "(if|when|even if|should) ..4 (market|fund|stock|shares|coin~|token~|crypto|price~|value|portfolio) ..3 (crash~|drop~|fall~|tank~|plunge~|goes to zero|collapse~|lose~) ..6 {insurer} ..3 {coversNow}",
          "{fdic} ..8 (losses|market losses|trading losses|investment losses|if the market|market drop|market crash|price drops|drop in value|value drops|decline in value|downturn|loses value|lose value|scam~|fraud|hack~|stolen|theft|phishing)",
        ],
        ignore: ["others", "condemnation"],
        unless: [
          ...denied(),
          ...disclosed(),
          "(federal reserve|(savings|treasury|government|i|ee) bond~|(treasury bill~|t-bill~|treasuries) ..8 (backed|guaranteed))",
          "(backed by|guaranteed by|obligation of) ..3 (full faith|treasury)",
        ],
      };
    },
    "insured-investment"(): PhraseGroup {
      return {
        match: [
          "{uninsured} ..8 {fdic}",
          "{fdic} ..4 {coversNow} ..8 {uninsured}",
          "{uninsured} & (guaranteed|insured|covered|protected|backed|safeguarded|underwritten|secured) ..1 by ..2 (government|feds|uncle sam|washington|treasury|federal government|state|taxpayer~)",
          "(government|feds|uncle sam|washington|federal government|federal agency|taxpayer~) ..4 (guarantee~|insure~|cover~|protect~|back|backs|reimburse~|make~ good|bail~|stand~ behind|make~ whole|refund~) ..6 {uninsured}",
          "{uninsured} ..8 (insured deposits|federally insured|government insured|deposit insurance|insured accounts)",
          "(all|every|everything|any|whatever) ..3 (product~|service~|thing|page|sell|offer|account~|hold) ..8 {insured} & ({fdic}|{uninsured})",
        ],
        ignore: ["definition", "others"],
        unless: [
          "(not|never|no|neither|nor|without|none|nothing|uninsured|only|except) ..3 ({fdic}|{insured}|{covers})",
          "(unlike|whereas|while|but|instead|rather|differ*|compared|versus|excluding|exclude~|lack~|outside)",
          "({fdic}|{insured}|{covers}|{uninsured}) ..3 (not|never|no|only|excludes|unlike|nothing)",
          "({deposits}|bank account~|cash) ..8 (insured|covered|fdic)",
          "(sipc|private|lloyds) ..6 (cover~|insur*|protect~|limit~|missing)",
          "(partner bank~|program bank~|sweep|swept|network of banks|participating bank~|uninvested cash|cash balance~|cash portion|deposit portion|treasury bond~|savings bond~|t-bill~|i bond~|full faith)",
          "{warning}",
        ],
        confidence: 0.75,
      };
    },
    "topic-insured"(): PhraseGroup {
      return {
        match: [
          "({fdic}|federal insurance|government|uncle sam|feds|federally) ..6 ({covers}|{insured})",
          "({insured}|{covers}) ..6 ({fdic}|the government|uncle sam|the feds|federally|federal law)",
          "^ (by the {fdic} yes|the {fdic} (stocks|bonds|does|covers|insures|pays)|{fdic} (yes|got|covers|insures|does)|(yes|both) {fdic})",
          "(same|just as|exactly as|as) ..3 (protection|protected|insured|safe|coverage|cover|insurance|guarantee) ..4 (as|like|that) ..5 ({deposits}|bank account~)",
        ],
        user: [
          "{uninsured}",
          "(crypto|stock|shares|investment~|investing|bond~|annuity|portfolio|the fund|commodity fund)",
        ],
        ignore: ["definition"],
        unless: [
          ...denied().slice(3, 4),
          "(({deposits}|both|accounts) ..8 ({fdic}|insured)|per (depositor|owner))",
          "(savings|checking|cd|cds|bank deposits|deposits|deposit account~|certificate~) ..4 (is|are|insured|covered|up to|at)",
          "(insures|covers|protects|applies to|cover|protect|insure|for|on) ..3 (bank deposits|deposits|deposit account~|cash|checking|savings)",
          "(sipc|partner bank~|program bank~|sweep|swept)",
        ],
        unlessAnywhere: [
          "(not|never|no|neither|nor|without|none|nothing|uninsured|only|unlike|can not|lack~) ..6 ({fdic}|{insured}|{covers}|{uninsured}|apply)",
          "({fdic}|{insured}|{covers}|coverage|insurance) ..4 (not|never|no|only|excludes|nothing)",
          "(are not|is not|no it|no they|they do not|it does not|does not)",
        ],
        confidence: 0.7,
      };
    },
    "per-account"(): PhraseGroup {
      return {
        match: [
          "(limit|coverage|insured|insurance|250k|cover|protection) ..6 (each account|per account|every account|account number|each cd|every cd|per cd) & (separately|again|its own|on its own|fresh|new|separate|number|so|more|times|double|add up)",
          "(open|opening|split~|spread~) ..6 (accounts|cds) ..10 (insured for|covered for|coverage|more insurance|double|triple|each one|its own)",
        ],
        about: ["({fdic}|insured|insurance|ncua)"],
        unless: [
          ...denied(),
          ...disclosed(),
          "(ownership|category|categories|joint|beneficiar*|trust|different banks|another bank|other banks|separate banks|combined|added together|total~|aggregat*)",
        ],
        confidence: 0.7,
      };
    },
    "topic-unlimited"(): PhraseGroup {
      return {
        match: [
          "{unlimited}",
          "(fully|completely|entirely|totally|every bit|hundred percent|all of it is) ..2 (insured|covered|protected|backed|guaranteed|safe)",
        ],
        user: [
          "(fdic|insured|insurance|coverage|250k|#money|limit|ceiling|cap|covered|protected|million|bank fails|bank failed|bank failure)",
        ],
        about: [
          "({fdic}|federally insured|fdic insured|insurance fund|uncle sam|federal government|federal scheme|bank fails|bank failed)",
        ],
        ignore: ["negation"],
        unless: [
          LIMITED,
          ...disclosed(),
          "(not|never) ..2 (unlimited|limitless|every|all|infinite|fully|the full|the entire|your entire|the whole)",
          "(atm|withdraw*|transfer~|wire~|deposit~ limit|daily|spend*|transaction~|fraud|card|fee~|check~|zelle|contribution~|sure|question)",
          "{warning}",
        ],
        unlessAnywhere: [
          "(up to|per) ..2 (250k|#money|depositor|category|person|owner)",
          "(below|under|within|beneath|less than|not above|does not exceed|not over|inside) ..4 (limit|cap|ceiling|#money|maximum)",
        ],
        confidence: 0.7,
      };
    },
    "topic-non-deposit"(): PhraseGroup {
      return {
        match: [
          "(yes|yep|yeah|sure|absolutely|of course|certainly|correct|right|indeed|definitely|they are|it is|that is|all of) ..8 ({fdic}|federally insured|government insured|federally backed|insured by the government|insured by the federal|covered by the government|insured up to|backed by the government)",
          "(fdic|deposit insurance|federal insurance|government|feds|uncle sam) ..3 {covers} ..3 (it|them|those|that|these|you|everything|all)",
        ],
        user: ["{nondeposit}"],
        unless: [
          ...denied(),
          ...disclosed(),
          "({deposits}|bank) ..6 (are|is|gets|get|has|have)? ..3 ({fdic}|insured|covered)",
        ],
        confidence: 0.7,
      };
    },
    unlimited(): PhraseGroup {
      return {
        match: [
          "{unlimited} ..8 ({fdic}|federally insured|ncua insured|government insured|insured by|covered by the government|insured by the government|federally protected)",
          "({fdic}|federally insured|ncua insured|government) ..8 {unlimited}",
          "({fdic}|federal|government) & (insurance|cover|coverage|protection|guarantee|insured|protected) ..4 {unlimited}",
          "{unlimited} ..5 (insured|deposit insurance|coverage) & ({fdic}|federal*|government|bank fails|bank failed)",
        ],
        ignore: ["negation"],
        unless: [
          ...disclosed(),
          LIMITED,
          "(not|never) ..2 (unlimited|limitless|every dollar|every penny|all of it|infinite|fully|the full|the entire|your entire|the whole)",
          "{warning}",
          "(fraud|unauthorized|zero liability|card|atm|wire~|zelle)",
        ],
      };
    },
    "non-bank"(): PhraseGroup {
      return {
        match: [
          "{nonbank} ..4 {bust} & {fdic} ..6 ({covers}|pays|pay|pays out|will pay|takes over|has you)",
          "{fdic} ..6 {covers} ..6 {nonbank} ..4 {bust}",
          "(we are|we|our company is|it is|they are) ..4 not ..2 bank & ({covers}|insured) ..6 ({fdic}|government|federally)",
          "{fdic} ..6 ({covers}|insured) ..12 (not at any bank|not at a bank|not in a bank|our own books|our books|our own account~|in our app|with our company|held by us|in the wallet|held with us)",
          "({covers}|kick~ in|pays|insured|insurance|coverage) ..8 (when|whenever|if|once|should|in case) ..6 {nonbank} ..4 {bust} & {fdic}",
          "(endorsed|vetted|certified|sponsored) by the (fdic|ncua|federal deposit)",
        ],
        within: 2,
        unless: [
          ...denied().filter((one) => !one.startsWith("(not|never")),
          "(not|never|no|neither|nor|none|nothing|only|outside|except) ..2 ({insured}|{covers}|{insurer}|insurance|coverage|protection)",
          ...disclosed(),
        ],
      };
    },
  },
  patterns: ["above-limit"],
  finders: [findWholly],
  *check(context) {
    const { agentResponse, userMessage } = readExchange(context);
    if (!agentResponse) return;
    const isAboutMore =
      userMessage !== undefined &&
      namesMoreThanCovered(userMessage, { start: 0, end: userMessage.folded.length });
    yield* findExcess(agentResponse, findWholly(readExchange(context)), isAboutMore);
  },
});
