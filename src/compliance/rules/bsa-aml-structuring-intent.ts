import { defineBuiltInRule, type Finding } from "../define-rule.ts";
import { bsaAmlConcepts } from "../lexicon/bsa-aml.ts";
import { asksForOthers, cashTopic, joinChains, otherMatters } from "../lexicon/structuring.ts";
import type { InteractionContext } from "../../events/compliance.ts";
import { createFinder } from "../phrases/finder.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";
import { readExchange } from "../text/exchange.ts";
import { addUpAboveThreshold } from "../tools/stated-amounts.ts";

/** What the customer says is no plan of their own. */
function innocent(): string[] {
  return [
    ...otherMatters(),
    "(not|never|no intention of|nothing to do with) (trying|looking|want~|attempting|meaning|here|going|about|wish~|aiming) ..2 ({evading}|{splitting})",
    "(is|was) it (illegal|legal|a crime|against the law|ok legally|allowed)",
    "(training|exam|quiz|homework|essay|thesis|article|podcast|novel|screenplay|documentary|textbook|lecture|class|course|certification)",
    "(i|we) (do not|dont) mind ..3 (form~|report~|paperwork|filing|ctr)",
    "(fine|happy|ok|okay|cool|comfortable|no problem) with ..3 (form~|report~|paperwork|filing|ctr)",
    "(file|fill out|complete|do) the (form|report|ctr|paperwork) (if|please|for me|now|as)",
  ];
}

const plan = (match: readonly string[], more: Partial<PhraseGroup> = {}): PhraseGroup => ({
  match,
  in: "userMessage",
  within: 3,
  about: cashTopic(),
  unless: innocent(),
  unlessAnywhere: asksForOthers(),
  ignore: ["negation", "question", "refusal", "definition"],
  ...more,
});

/** An aim that shows it, whatever the means. */
function avoidance(): string[] {
  return [
    "(never|not|hate|without) ..4 (name|names) ..3 (in|on|into) ..4 (database~|list~|file~|system~|form~|report~|record~|register)",
    "(rather|prefer~|wish~) ..3 {reports} ..3 (not|remain~|stay~|unaware|ignorant|in the dark|never)",
    "{evading} ..5 {reports}",
    "(without|no|so|nobody|never|not|none|until|before|with o) ..8 {reported}",
    "{unseen}",
    "{below} ..3 {line}",
  ];
}

/** A wish to stay unseen, in the message that ends or starts a row of amounts. */
function wishes(): string[] {
  return [
    ...avoidance(),
    "(not|never|no|without|hate|rather|out of|off) ..8 (name|us|me|my|our|people|you|nose) ..6 ({authority}|form|forms|file|paperwork|hair|business|list|record|report~)",
    "(hair|case|business|back) with ..4 {reports}",
  ];
}

function wish(): PhraseGroup {
  return plan(wishes(), { about: ["{notes}"], inSession: true, confidence: 0.7 });
}

function amount(): PhraseGroup {
  return plan(["#undertenk", "(same|again|another) ..4 {thereafter}"], {
    about: ["{notes}"],
    user: wishes(),
    inSession: true,
  });
}

const findWish = createFinder("structuring-intent/wish", wish, bsaAmlConcepts);
const findAmount = createFinder("structuring-intent/amount", amount, bsaAmlConcepts);

/** Finds amounts below the threshold that the customer named one by one, and a wish for no report. */
function* findAmountsOverTurns(context: InteractionContext): Iterable<Finding> {
  const exchange = readExchange(context);
  const { userMessage, earlierMessages } = exchange;
  if (!userMessage || earlierMessages.length === 0) return;
  if (!addUpAboveThreshold([...earlierMessages, userMessage])) return;
  const [match] = [...findWish(exchange), ...findAmount(exchange)];
  if (!match) return;
  yield {
    pattern: "amounts-over-turns",
    confidence: 0.7,
    ...match,
    description: "The customer names amounts that add up to more than the reporting threshold.",
  };
}

/**
 * Flags customers who plan cash transactions around the report that they would bring.
 *
 * The intent counts even if the agent refuses, and may come to light over several messages.
 *
 * @see 31 U.S.C. § 5324(a); FFIEC BSA/AML Examination Manual, appendices F and G
 */
export const bsaAmlStructuringIntent = defineBuiltInRule({
  id: "bsa-aml-structuring-intent",
  name: "Structuring intent",
  description: "A customer who plans cash transactions so that they are not reported.",
  explanation: "The customer wants to arrange cash transactions so that no report is filed.",
  category: "bsa_aml",
  severity: "warning",
  law: {
    citation: "31 U.S.C. § 5324(a); FFIEC BSA/AML Examination Manual, appendices F and G",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation:
    "Decline to plan amounts around reporting and route to BSA review. Do not tell the customer that a review was opened.",
  impact: { customer: "minimal", business: "high" },
  alwaysReview: true,
  concepts: bsaAmlConcepts,
  phrases: {
    "split-to-avoid"(): PhraseGroup {
      return plan(["{anySplit} & {aim}"]);
    },
    "below-to-avoid"(): PhraseGroup {
      return plan(["{belowLine} & {aim}"]);
    },
    "amount-that-avoids"(): PhraseGroup {
      return plan(
        joinChains(
          [
            "(how much|what amount|the amount|an amount|amount per|amounts|interval~|how often|how small|how little|how low|how far|which amount|which sum|how many|how big|how large|how high|what is the most|the most|the max|maximum|max amount|biggest|largest|highest|what size|what sum|what figure|what number|magic number|safe amount|low enough|small enough|little enough|few enough|the limit|the cutoff|a ceiling|how close)",
          ],
          [
            "(without|before|so|until|with o|where|such that|but not|that will not|that does not|that avoids|and not|and no one|and nobody) ..8 {reported}",
            "{evading} ..5 {reports}",
            "{unseen}",
          ],
        ),
        { about: ["{notes}", "(deposit~|withdraw*|pay in|take out|pull out|bring in)"] },
      );
    },
    "named-crime"(): PhraseGroup {
      return plan(
        [
          "(smurf|smurfing|smurfs) ..5 ({notes}|my|this|me|it|deposits|money|for me|us)",
          "(structure|structuring) ..3 (my|this|the|our|these|some) ..2 (cash|deposit~|withdrawal~|money|takings|proceeds|bills)",
        ],
        {
          unless: [
            ...innocent(),
            "(what is|what are|define|definition|meaning|explain|accused|someone|he|she|they|how do banks)",
            "(loan|account|trust|business|company)",
          ],
        },
      );
    },
    "split-still-reported"(): PhraseGroup {
      return plan(
        joinChains(
          [
            "(if|when|suppose|supposing|say|what if|would|should|were) ..8 (only|just|keep|kept|stick|stay~|split~|break|broke|spread|under|below) ..6 (#undertenk|#tenk|{apart}|{parts}|{places})",
            "(if|when|suppose|what if|say) ..8 #undertenk ..3 {apart}",
          ],
          [
            "(will|would|do|does|still|are|is|gets|get|have to|has to|going to) ..7 (report~|reported|ctr|ctrs|file|form|forms|flagged|irs|fincen|feds|government|treasury|paperwork)",
          ],
        ),
        { confidence: 0.7 },
      );
    },
    "amount-without-that"(): PhraseGroup {
      return plan(
        [
          "(how much|how many|what amount|how big|the most|maximum|max|what number|biggest|highest|what size|how large) ..14 (without|before|so|but not) ..3 (that|this|it|them|any of that|you guys|you people|you)",
        ],
        {
          within: 1,
          about: ["{notes}"],
          user: [
            "(rat|rats|snitch*|tattl*|squeal*|tell~ on|tip~ off|report~|ctr|irs|fincen|treasury|feds|uncle sam|notif*|write~ up|government)",
          ],
          inSession: true,
          confidence: 0.7,
        },
      );
    },
    "unreported-cash"(): PhraseGroup {
      return plan(
        joinChains(
          ["{notes}", "(deposit~|withdraw~|withdrawal~) ..4 #money"],
          [
            "{evading} ..4 (report~|reporting|ctr|ctrs|irs|fincen|feds|government|govt|taxman|tax man|currency transaction|authorities|uncle sam|radar|filing|being reported|getting reported|reporting rule~|form|forms|write-up|treasury|flagged|getting flagged|being flagged|paper trail|declared|declaration|declaring)",
            "(without|so|before|nobody|with o|where|not) ..8 (declared|irs|fincen|feds|government|govt|taxman|tax man|authorities|uncle sam|ctr|reported|reporting|report|treasury|flagged|paper trail)",
            "(without|so|before|nobody|with out|where|not) ..8 (rat~|snitch*|tattl*|squeal*|dob~ me in|grass~|turn~ me in|tell~ on me)",
            "(under the radar|below the radar|off the radar|off the books|unreported|undetected|unflagged|no ctr|no report|no reports|without a trace|report free|report-free|none the wiser)",
          ],
        ),
        { confidence: 0.75 },
      );
    },
    // The customer lowers an amount on hearing of the report.
    "lowered-amount"(): PhraseGroup {
      return plan(
        [
          "(reduc*|lower~|trim~|cut~|drop~|shave~|knock~|shrink~|make|change~|round~|redo|rewrite|rebook|correct) ..6 ((to|down|at|under|below|into) ..3 (#undertenk|#tenk|{line}|it)|two #number)",
          "(give|gave|hand|pass|take|took|take~|get|keep) ..4 back ..6 (#money|some|rest|part|half|a bit|a few|hundred|thousand|#number)",
          "(keep|leave|hold|pocket|hang on to) ..3 (#money|#number|hundred|some|a bit|a few|the rest) ..3 (so|and|back|out|home)",
          "(only|just) ..2 (deposit|take|do|count|book|put) ..4 #undertenk",
        ].map(
          (lower) =>
            `${lower} & ((#overtenk|#tenk|that|it|this) ..3 (means|needs|requires|triggers|gets|brings|takes|makes) ..4 {reports}|(form|report|paperwork|ctr|government|teller~) ..4 (ask~|want~|need~|require~|due|is|comes|says|said)|{without} ..6 {reported}|{aim})`,
        ),
        { within: 3, confidence: 0.7 },
      );
    },
    "amount-that-flags"(): PhraseGroup {
      return plan(
        [
          "(number|amount|figure|sum|level|total|size|line|threshold|point) ..8 (flag~|trigger~|alert~|tip~ off|set~ off|wake~|get~|trip~|notif*|cause~) ..4 {reports} & (stay~|keep~|remain~|hold|be|come|go|stop) ..5 (short|under|below|shy|beneath|less|off)",
          "(without|not|never|avoid~|before) ..4 (set~ off|trip~|trigger~|hit~|cross~|wake~|reach~) ..5 (#tenk|ten thousand|{line}) ..2 (alarm|form|report|trigger|rule|bell|alert|thing|flag|number|mark|line)?",
          "(make sure|ensure|see that|so that|so|want) ..3 (none|no|never|not) ..6 (hit~|cross~|reach~|exceed~|go over|top~|touch~|trip~|break~|pass~) ..4 {line}",
        ],
        { within: 3 },
      );
    },
    // The aim was said before, the means now; or the other way round.
    "split-after-aim"(): PhraseGroup {
      return plan(
        [
          "{splitting} ..8 {apart}",
          "#undertenk ..6 {first} ..10 (#undertenk|{thereafter})",
          "#undertenk ..3 (and|then|plus) ..3 #undertenk",
          "{first} ..4 #undertenk ..10 {thereafter}",
          "#undertenk ..4 {apart}",
          "{splitting} ..4 {sumOfIt}",
          "{splitting} ..8 {parts}",
          "(two|three|four|several|multiple) (times|deposits|withdrawals|visits|trips|lots|payments) ..3 #undertenk",
          "{otherOnes} ..2 (branch~|location~|teller~|atm~)",
          "(have|let|get|ask|send) ..3 {helper} ..8 {sumOfIt}",
          "{below} ..3 (#tenk|#undertenk)",
          "(make|do|call|keep) it #undertenk",
          "#undertenk (instead|then|first)",
          "(if|what if) ..6 (#undertenk|half|two|separate)",
          "(seven|eight|nine|six|five|#number) ..3 {first} ..6 (seven|eight|nine|six|five|#number|rest|balance|remainder) ..4 {thereafter}",
          "(different|separate|alternate|other) (days|branches|tellers|locations|weeks|times|visits)",
          "(he|she|{helper}) ..4 (#number|six|seven|eight|nine) ..6 (me|i|she|he|{helper}) ..3 (#number|six|seven|eight|nine)",
        ],
        { about: cashTopic(), user: avoidance(), inSession: true, confidence: 0.7 },
      );
    },
    "aim-after-split"(): PhraseGroup {
      return plan(
        wishes().concat(
          "(otherwise|or else) ..3 (ctr|form|report|irs|fincen|paperwork|feds)",
          "(irs|fincen|feds|ctr|form|report~|government) ..8 (know|see|hear|find out|notice|told|involved|needed|generated|apply|happen)",
        ),
        {
          about: ["{notes}"],
          user: [
            "{splitting} ..8 {apart}",
            "#undertenk ..6 {first} ..10 (#undertenk|{thereafter})",
            "#undertenk ..3 (and|then|plus) ..3 #undertenk",
            "#undertenk ..4 {apart}",
            "(five|six|seven|eight|nine|#number|half|some) ..3 (today|now|tomorrow|this morning|right away|at once|first)",
            "{splitting} ..8 {parts}",
            "(in|into) ..2 {parts}",
            "{below} ..3 (#tenk|#undertenk)",
            "{otherOnes} ..1 (branch~|teller~|atm~)",
          ],
          inSession: true,
          confidence: 0.7,
        },
      );
    },
  },
  patterns: ["amounts-over-turns"],
  finders: [findWish, findAmount],
  check: findAmountsOverTurns,
});
