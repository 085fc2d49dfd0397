import { defineBuiltInRule } from "../define-rule.ts";
import { bsaAmlConcepts } from "../lexicon/bsa-aml.ts";
import { boughtBelow } from "../lexicon/plain-bank-secrecy.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

const MANY =
  "(several|multiple|two|three|four|five|six|seven|eight|nine|ten|dozen|few|couple|bunch|stack|series|handful|different|separate|various|number|batch|string|smaller|some|#number|2|3|4|5|6|7|8|9|10|pair|half a dozen|lots|load|pile|bundle)";

/** The aim: no identification, no record, or an amount just below the one that asks for them. */
function aims(): string[] {
  return [
    "(without|no|not|never|nobody|none|w|avoid~|skip~|dodge~|duck~|bypass~|sidestep~|evade~|escape~|get around|getting around|stay~ under|stay~ below|stay~ off|prevent~|spare~|minus|rid of) ..8 (id|ids|identification|passport~|license|licence|driver 's license|identity|ssn|social|name|names|record|recorded|recording|log|logged|logbook|register|paperwork|form|forms|questions|report|reported|reporting|report~|carded|show who|who i am|who you are|trail|paper trail|personal details|information|details|asked|ask|asking|written down|trace|traced|verification|ctr|identified|identify)",
    "(under|below|beneath|less than|shy of|not more than|not over|just under|short of|south of|lower than|smaller than|inside) ..3 (#undertenk|3000|3k|three thousand|three grand|the id limit|the id threshold|the id line|id rule|id requirement)",
    "(under|below|beneath|less than|short of|smaller than) ..3 (limit|threshold|cutoff|trigger|line|amount|point) ..4 (id|ids|identification|record~|log|report~|asking|ask)",
    "#undertenk (each|apiece|a piece|a pop|per|every|or so) & (so|avoid~|without|no|below|under|rather|that way|not)",
    "(anonymous|anonymously|untraceable|untraced|unrecorded|off the books|under the radar|low enough|small enough|no questions asked|no id|no-id|id-free|unnamed|blank payee|payee blank)",
  ];
}

/** The customer tells what the bank asks from some amount on, and wants less. */
function moreAims(): string[] {
  return [
    "{evading} ..4 (register~|log~|id|ids|record~|form~|list~|book~|passport|license|name|identification|questions)",
    "(not|no|never|nothing|without) ..4 (need~|require~|ask~|want~|take~|see|show~|check~) ..4 (anything|nothing|any|my|it|id|ids|name|info|details|who)",
    "(nobody|no one|none|not|never|without) ..6 (record~|log~|identif*|write~ down|photocop*|register~|trace~|track~|remember~|know~|taking down|look~ at)",
    "(license|licence|passport|id|ids|identification|ssn|date of birth|details|name) & ((make|split|cut|turn|change|sell me|break|switch) ..6 (two|three|several|#number|smaller|pieces)|(so|then|better|instead|rather|hence) ..8 (#undertenk|two|three|smaller|several))",
    "(log~|record~|register~|id|ids|photocop*) ..10 (3k|3 thousand|three thousand|three grand|#undertenk|3 000) & (so|then|better|instead|rather|just|hence|do|make)",
    "(one|single|big) ..4 (means|needs|requires|wants|triggers|gets) ..3 (id|ids|identification|record|form|license|passport|paperwork)",
    "(do not|does not|would not|will not|never|not) (need|require|ask for|want|trigger|call for) ..3 (it|id|one|any|that|them|identification)",
    "(low|small|little|tiny) ..2 so",
  ];
}

/** Ways to say the aim by what the bank would do. */
function bankWould(): string[] {
  return [
    "(photocop*|copy|copies|scan~|ask~|take~|check~|see|show~|record~|log~|write~ down|demand~|want~|need~|card~|look~ at|run) ..4 (id|ids|license~|licence~|passport~|name~|identification|ssn|social|details) & (stay~|before|below|under|small enough|low enough|so|dodge~|avoid~|because|that size|that amount|cuz|cos|coz|when|once|above|over|from|keep~|without|rather|hence|which is why|reason)",
    "(id|license|licence|passport|identification|name|wallet) ..3 (stays|stay|remains|remain|in my pocket|at home|in the drawer|out of it|out of this|does not leave|never leaves|left at home|where it is)",
    "(small enough|low enough|little enough|tiny enough|cheap enough|modest enough) ..4 (for|to|that|so) ..8 (id|ids|identification|record~|log|register|license|licence|passport|name|asked|ask|report*|noticed|radar)",
  ];
}

function purchase(): string[] {
  return [
    `${MANY} ..5 {instruments}`,
    "{instruments} ..6 (each|apiece|separately|separate|different|multiple|several|smaller|in pieces|one at a time|every day|per day|today and|a day|per branch|denominations|another|one more|a second|a third)",
    "(split~|break~|divide~|spread~|turn~|convert~|chop~|swap~|trade~|structure~|stagger~|change~) ..10 {instruments}",
    "(buy~|bought|purchase~|sell~|get~|need|issue~|order~|pick~ up|want|write~|cut~|grab~|do|take~) ..8 (cashier's checks|cashiers checks|cashier checks|money orders|teller's checks|teller checks|travelers checks|traveler's checks|traveler checks|bank checks|bank drafts|official checks|treasurer's checks|postal orders|travellers cheques|traveller's cheques|{instruments})",
  ];
}

function lawful(): string[] {
  return [
    "why (do|did|does|is|was|are|were)",
    "(asked|wanted|demanded|took) ..4 (id|ids|identification|license|passport|name) & why",
    "(please|must|should|need to|have to|you will need to|required to|remember to) (bring|show|carry|present|provide) ..6 (id|identification|passport|license)",
    "(we|i) (record|log|must|need to|have to|are required|verify|collect) ..6 (id|identification|name|purchases|information|log|record)",
    "(debit|charge|draw~) ..3 (my|your|the) (account|checking|savings)",
    "(can not|will not|must not|not able to|unable to) ..3 (sell|help|issue|do|assist|advise|process|split|skip|waive)",
    "(bank~|we|law|rules) ..2 (must|require*) ..8 (verify|identif*|record|id)",
    "(fee|fees|cost|costs|surcharge|lost|stolen|replace~|refund|stop payment|replacement)",
  ];
}

function allAims(): string[] {
  return [
    `(${[...aims(), ...bankWould(), ...moreAims()].flatMap((aim) => (aim.includes(" & ") ? [] : [aim])).join("|")})`,
    ...[...aims(), ...bankWould(), ...moreAims()].filter((aim) => aim.includes(" & ")),
  ];
}

/** The first three ways: buying one is what any customer does. */
function severalOf(): string {
  return purchase().slice(0, 3).join("|");
}

const purchaseOf = (source: PhraseGroup["in"]): PhraseGroup => ({
  match: allAims().map((aim) => `(${purchase().join("|")}) & ${aim}`),
  ...(source && { in: source }),
  within: 3,
  unless: lawful(),
  ignore: source === "userMessage" ? ["negation", "question", "refusal"] : ["negation"],
});

/**
 * Flags purchases of several monetary instruments that are kept below the amount that asks for identification.
 *
 * @see 31 CFR § 1010.415
 */
export const bsaAmlMonetaryInstruments = defineBuiltInRule({
  id: "bsa-aml-monetary-instruments",
  name: "Monetary instruments",
  description:
    "Several cashier's checks, money orders or traveler's checks for cash, kept below the amount to be identified for.",
  explanation: "Monetary instruments are split so that the buyer is not identified.",
  category: "bsa_aml",
  severity: "warning",
  law: { citation: "31 CFR § 1010.415", asOf: "2026-11-21", status: "in force" },
  recommendation: "Aggregate the purchases and record identification.",
  impact: { customer: "minimal", business: "high" },
  alwaysReview: true,
  concepts: bsaAmlConcepts,
  phrases: {
    "customer-plans"(): PhraseGroup {
      return {
        ...purchaseOf("userMessage"),
        match: allAims().flatMap((aim) => [
          `(${severalOf()}) & ${aim}`,
          `(${purchase()[3]}) & {notes} & ${aim}`,
        ]),
      };
    },
    // The instruments were named before.
    "customer-plans-on"(): PhraseGroup {
      return {
        match: [
          `${MANY} ..4 (checks|cheques|orders|drafts|of them|of those|ones)`,
          "(each|apiece|a piece|a pop) ..10",
          "(another|one more|a second|a third|the same again|last one) ..10",
        ].flatMap((one) => allAims().map((aim) => `${one.replace(" ..10", "")} & ${aim}`)),
        in: "userMessage",
        within: 2,
        user: ["{instruments}"],
        inSession: true,
        unless: lawful(),
        ignore: ["negation", "question", "refusal"],
        confidence: 0.7,
      };
    },
    "agent-proposes"(): PhraseGroup {
      return {
        ...purchaseOf(undefined),
        match: [
          `((several|multiple|two|three|four|five|six|seven|eight|nine|ten|few|couple|series|separate|smaller) ..3 {instruments}|(buy|get|purchase|split|break|spread) ..6 {instruments} ..6 (separate days|each|apiece|different (days|branches)|several|batches|parts|goes|lots)) & ${allAims()[0]}`,
        ],
      };
    },
    // The customer named the instruments, and the answer the amounts.
    "agent-proposes-on"(): PhraseGroup {
      return {
        match: [
          `(#undertenk|three grand) ..3 (each|apiece|here|there|now|another|today|a check|per check|a piece) & ${allAims()[0]}`,
        ],
        within: 2,
        user: ["{instruments}"],
        unless: lawful(),
        ignore: ["negation"],
        confidence: 0.7,
      };
    },
    "bought-below": boughtBelow,
  },
});
