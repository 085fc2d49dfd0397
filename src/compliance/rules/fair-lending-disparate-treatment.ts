import { defineBuiltInRule } from "../define-rule.ts";
import { fairLending } from "../lexicon/fair-lending.ts";
import { findProhibitedKeys } from "../tools/prohibited-keys.ts";
import { refusedToGroup } from "../lexicon/plain-fair-lending.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

const TOOL_CONFIDENCE = 0.85;

function innocent(): string[] {
  return "{equality} {lawTalk} {idiom} {accommodation} {domestic} {holiday} {correction}".split(
    " ",
  );
}

/**
 * Flags decisions, prices, limits and conditions that an agent ties to a prohibited basis.
 *
 * Either a causal link joins the basis and the treatment, or a group as such is treated worse, or a model, a filter or
 * a tool reads the basis. Ages stand apart, because the law sets some of them.
 *
 * @see 15 U.S.C. § 1691(a); 12 CFR § 1002.4(a); 42 U.S.C. § 3605
 */
export const fairLendingDisparateTreatment = defineBuiltInRule({
  id: "fair-lending-disparate-treatment",
  name: "Disparate treatment",
  description: "A decision, price, limit or condition that depends on a prohibited basis.",
  explanation: "The agent ties how a customer is treated to a prohibited basis.",
  category: "fair_lending",
  severity: "violation",
  law: {
    citation: "15 U.S.C. § 1691(a); 12 CFR § 1002.4(a); 42 U.S.C. § 3605",
    asOf: "2026-11-21",
    status: "in force",
    note: "Regulation B as amended on 21 July 2026 has no effects test: the finding is about what was said or used.",
  },
  recommendation:
    "Remove the factor, decide again on permitted factors, and open a fair-lending review.",
  impact: { customer: "high", business: "high" },
  alwaysReview: true,
  concepts: fairLending,
  phrases: {
    "because-of-basis"(): PhraseGroup {
      return {
        match: [
          "{treatment} ..14 {because} ..8 ({basis}|{group})",
          "{treatment} ..10 (as|for|with|by) ..2 {basis}",
          "{because} ..8 {basis} ..14 {treatment}",
          "(mark~|knock~|write~|wrote|push~|talk~|brought|take~|took|score~) ..4 (down|back|off) ..4 (over|because|for|due to|on account of|given|as|since) ..6 {basis}",
          "({worse}|{refuse}|{increment}) ..8 (after|over|upon|noticing|learning|hearing|finding|learned|noticed|saw|heard|found) ..6 ({basis}|{somebodyIs} {trait})",
          "(after|once|when|where|whenever|upon|noticing|learning|hearing|finding) ..6 {basis} ..10 ({worse}|{refuse}|{increment})",
          "(is for|only for|just for|reserved for|goes to|kept for|restricted to|for) ..3 (people|members|families|customers|borrowers|folks|those) ..2 (of our|of the|from our|at our|in our|who attend|who share our|who belong to our) ..2 (parish|church|faith|congregation|mosque|temple|synagogue|religion|race|people|ethnicity)",
          "(because|since|given that|seeing that|as) ..3 {group} ..14 ({worse}|{refuse}|leave|left|leaving|omitted)",
          "^ (as|for|with|being) ..3 {basis} ..12 {treatment}",
          "({basis}|{group}) ..10 {therefore} ..5 {treatment}",
          "{better} ..12 {because} ..6 {basis}",
          "{because} ..6 {basis} ..10 {better}",
          "(approved|qualif*) ..8 (because|since|thanks to|on account of) ..4 {basis}",
        ],
        unless: [...innocent(), "{permittedStatus}"],
      };
    },
    "because-of-who-they-are"(): PhraseGroup {
      return {
        match: [
          "{because} ..4 ({faithful}|{peoples}|pregnan*|gay|lesbian|transgender|queer|{demonym} {people}|{womanhood}|{originAttribute}|{faithAttribute}|{personAttribute}|{somebodyIs} {trait}|{somebodyIs} (a|an) {trait}) & {priced}",
          "{somebodyIs} ..1 {trait} ..4 {therefore} & {priced}",
          "as (a|an) ..2 ({demonym} {people}|{faithful}|{demonym}|woman|single {people}|unmarried {people}|divorced {people}|pregnant {people}|older {people}|disabled {people}|immigrant|foreigner|refugee|muslim|widow|single mother|single mom) ..12 {priced}",
        ],
        unless: [
          ...innocent(),
          "{permittedStatus}",
          "{encouraging}",
          "{legalAge}",
          "(thank|happy to|glad|free|help you|assist|congrat*)",
        ],
        confidence: 0.7,
      };
    },
    "because-of-age"(): PhraseGroup {
      return {
        match: [
          "{treatment} ..14 {because} ..6 {aged}",
          "{treatment} ..8 (as|for|at|with|by) ..2 {aged}",
          "{because} ..6 {aged} ..14 {treatment}",
          "^ (as|for|with|being|at) ..2 {aged} ..12 {treatment}",
          "{aged} ..10 {therefore} ..10 {treatment}",
          "{better} ..10 {because} ..4 {aged}",
        ],
        unless: [...innocent(), "{legalAge}"],
      };
    },
    "that-is-because"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "({brood}|{parenthood}|{disability}|{originAttribute}|{faithAttribute}|{group}) & (that is|this is|which is) why ..10 {treatment}",
          "{treatment} & (that is|it is|this is|that was|it was|reason|why) ..3 {because} ..6 {anyBasis}",
          "{treatment} & (reason|explanation|cause|factor) ..6 (is|was) ..4 {anyBasis}",
          "{somebodyIs} ..2 {trait} & {therefore} ..6 {treatment}",
          "{somebodyIs} ..2 {trait} & (that|this|it|which) ..2 {hurts} ..4 {outcome}",
        ],
        unless: [...innocent(), "{legalAge}", "{permittedStatus}"],
      };
    },
    "group-treated-worse"(): PhraseGroup {
      return {
        match: [
          "{group} ..3 {need} ..6 ({worse}|{refuse}|{increment}|tier|doctor's note|letter from|no more than|at most|up to #money)",
          "{demonym} {people} ..8 (are|get|gets|is|were) ..2 (quoted|charged|priced|offered|capped|assigned|rated|scored|graded|given)",
          "{worse} ..8 (name~|surname~|accent~) ..5 {demonym}",
          "({group}|{basis}) ..3 (tend to|usually|often|always|typically|are known to|known for|generally|are prone to|have a habit of|are likely to|are more likely to|are less likely to|rarely|seldom|never) ..3 (quit|default|stay home|leave work|stop working|drop out|miss payments|skip|disappear|fall behind|move away|get pregnant|walk away|overspend|skip town|pay late|not pay|pay back|repay|go back|have more kids|leave the country|lie|cheat|hide|stop paying)",
          "{group} (put|get|pay|receive|start|qualify|top out|max out|begin) ..4 (#percent|#number|tier|basic|half)",
          "({increment}|#percent) ..8 (for|to|from|on|with|when|if) ..3 {group}",
          "(for|with) {group} ..6 (is|are|gets|stays) ..3 (capped|limited|set|fixed|kept|frozen|held|priced|higher|lower|stricter|double|doubled)",
          "{group} ..3 {need} ..4 (male|husband|man|guarantor~|cosigner~|co-signer~|sponsor~|american|citizen)",
          "(charge~|charging|require~|requiring|ask~|quote~|demand~|add~|assign~|apply|applies|applying|give|gives|set~|impose~|use) ..5 {worse} ..8 (from|for|of|to|on|with|when|against) ..3 {group}",
          "(charge~|charging|quote~|quoting|rate~|score~|flag~|cap~|limit~|decline~|reject~|deny~|treat~|place~|put~|send~|review~|screen~|hold~|price~|steer~|penali*) ..3 {group} ..8 {worse}",
          "(for|from|with|to|when it comes to) ..2 {group} ..4 (we|i|our|the|there|it|they|that) ..10 {worse}",
          "{group} ..3 (is|are|get|gets|being|has to be|have to be) ..2 (reviewed|checked|vetted|screened|verified|interviewed|inspected|examined|questioned|looked at) ..3 (twice|again|closely|harder|separately|first|by hand|manually|in person|more)",
          "{group} (have|has|had|with|carry|pose|represent|are|is) ..4 (worse|higher|greater|poor|bad|extra|more|a) ..2 (risk~|riskier|default~|credit risk~|defaulters|unreliable|payers|gamble)",
          "(men|white {people}|whites|married {people}|younger {people}|christian~|americans|natives|citizens) ..4 (get|receive|are given|pay|are offered|qualify) ..4 {better}",
          "(ask~|require~|want~|need~|demand~|expect~|request~|charge~|collect~|insist~) ..3 (all|every|any|each|most|only|just|such|these|our) ..3 {group} & {priced}",
          "({adverse}) ..12 {group}",
          "{group} (less|half|fewer|smaller|nothing|worse)",
          "{group} ..3 (have|get|find|enjoy|receive|see|getting) ..3 (easier|better|quicker|faster|smoother|preferred|warmer|sweeter|nicer|kinder|best)",
          "{group} ..4 ({adverse})",
          "^ (tier|band|class|bucket|grade|category|bracket|group|list|column|level) ..4 ({group}|{originAttribute}|{faithAttribute}|{marital}|{disability}) ..6 (#number|#percent|rate|limit|points|standard|full|reduced)",
          "(auto|automatically|routinely|always|usually|generally|by default) ..2 (decline~|reject~|deny~|flag~|refuse~|downgrad*|score~|cap~) ..4 {group}",
        ],
        unless: [
          ...innocent(),
          "{legalAge}",
          "{permittedStatus}",
          "{group} ..3 (not|never) ..3 {need}",
          "at #percent",
          "{encouraging}",
          "(neither|nor|no one|nobody)",
        ],
        unlessAnywhere: ["{lawTalk}"],
      };
    },
    "basis-confirmed"(): PhraseGroup {
      return {
        user: [
          "({basis}|{aged}|{assistance}|{trait}|{faithful}|{attribute}) & (because|bc|cuz|due|reason|issue|problem|matter|matters|affect*|factor|count|counts|against|hurt|hurts|hold|holds|held|cost|about|play*|role|impact|cause|lower|higher|based|fault|influence*|look at|use|used|used in|weigh|raise|change|worse)",
        ],
        ignore: ["question"],
        match: [
          "^ ..3 (yes|yeah|yep|yup|correct|exactly|precisely|indeed|right|true|sure|absolutely|definitely|unfortunately|afraid so|kind of|sort of|partly|partially|a little|a bit|somewhat|mainly|mostly|in part|to some extent|that is right|you guessed|bingo) ..24 (factor|reason|issue|matter~|difference|points|point|against|role|weight|no|comfortable|part|because|lower*|reduc*|affect*|hurt*|higher|extra|cost*|declin*|denied|knock*|adjust*|influence*|limit*)",
          "(it|that|this) (was|is|did|does|has|had|played|plays|counted|weighed|hurt|hurts|counts|cost|knocks|made|makes) ..3 (deciding|factor|reason|issue|part|role|big|main|matter|against|weigh|count|hurt|influence*|difference|sticking|why|cause|problem|points|strike|a bit|somewhat|drawback)",
        ],
        unless: innocent(),
        unlessAnywhere: [
          "{equality}",
          "{lawTalk}",
          "{legalAge}",
          "{permittedStatus}",
          "{correction}",
          "(in full|count as|counts as|counted as|counts the|fully|income ends|only if|not at all|count it|count them|counts toward)",
        ],
        confidence: 0.7,
      };
    },
    "line-item"(): PhraseGroup {
      return {
        match: [
          "^ (borrower~|applicant~|customer~|client~|co-borrower~) (over|above|past|older than|aged|age) #number ..6 (#number|#percent|points|pts|surcharge|add on|bps)",
          "(#number (points|pts|point)|#percent|minus|plus) ..1 ({originAttribute}|{faithAttribute}|{personAttribute}|{marital}|{parenthood}|{disability}|gender|age|pregnancy)",
          "#number (race|gender|religion|ethnicity|marital status|national origin)",
          "^ ({marital}|{parenthood}|{disability}|{peoples}|{womenAndMen}) ..3 (points|pts|surcharge|add on|adjustment|premium|loading|bps)",
          "(surcharge|adjustment|add on|adder|loading|penalty|premium|markup|deduction|minus|plus|factor) ..4 ({originAttribute}|{faithAttribute}|{personAttribute}|{marital}|{parenthood}|{disability}|{aged}|{peoples}|{womenAndMen})",
          "({originAttribute}|{personAttribute}|{marital}|{parenthood}|{aged}|{womenAndMen}|{peoples}|{disability}|{demonym}) (surcharge|adjustment|add on|adder|loading|penalty|premium|markup|deduction|factor|tier|pricing|rate)",
        ],
        alongside: [
          "(total|rate|points|base|pricing|quote|margin|score|apr|limit|premium|underwriting)",
        ],
        unless: [...innocent(), "under (18|21)", "(vehicle~|car~|truck~|property|model|roof)"],
      };
    },
    "basis-hurts"(): PhraseGroup {
      return {
        match: [
          "({originAttribute}|{faithAttribute}|{personAttribute}|{marital}|{parenthood}|{disability}|{faithful}|{womanhood}) ..8 {hurts} ..6 {outcome}",
          "({originAttribute}|{faithAttribute}|{personAttribute}|{marital}|{parenthood}|{disability}|{womanhood}) ..6 (counted|counts|works|worked|weighs|weighed|goes|held) against",
          "(surname|name|first name|last name|accent|photo|picture|voice|headscarf|church) ..4 (suggest*|indicat*|impl*|told|tells|hint*|points|pointed|made|led|signal*|gave) ..12 ({demonym}|{fromPlace}|come from|came from|religion|abroad|overseas|foreign|immigrant|muslim|ethnic*) & ({treatment}|{priced})",
          "(it is|that is|it was|that was|blame|simply|purely|mostly|mainly|comes back to) ..2 ({originAttribute}|{faithAttribute}|{personAttribute}|marital status|pregnancy|(your|his|her|their) (age|disability|pregnancy|divorce|wheelchair|health)) & {treatment}",
          "(reason|reason code|reasons|decline code|factor|factors|driver|drivers|grounds) ..4 ({originAttribute}|{faithAttribute}|{personAttribute}|marital status|pregnancy|disability)",
          "({attribute}) ..6 (is|was|are|were) ..2 (a strike|a risk factor|red flag|a minus|a negative|the problem|the issue|an issue|a drawback|disadvantage|the reason|the deciding factor|deciding factor|sticking point)",
          "{attribute} ..3 (contribut*|subtract*|deduct*|adds|added|took off|takes off|minus|cost~|weigh*) ..3 (#number|#percent|minus|points|percent|{increment})",
          "(held|counted|used|weighed) ..4 {basis} ..3 against",
        ],
        unless: [
          ...innocent(),
          "{permittedStatus}",
          "(not|never|neither|nor|no) ..2 ({hurts}|{attribute})",
        ],
      };
    },
    "age-hurts"(): PhraseGroup {
      return {
        match: [
          "(your|his|her|their|the applicant's|the borrower's|borrower|applicant|customer) (age|advanced age|retirement) ..6 {hurts} ..4 {outcome}",
          "(your|his|her|their|applicant|borrower|customer) (age|advanced age) ..6 ((counted|counts|works|worked|weighs|weighed|goes) against|(is|was) (a|the|an) (strike|risk factor|red flag|minus|negative|problem|issue|reason|deciding factor|concern))",
        ],
        unless: [...innocent(), "{legalAge}"],
      };
    },
    "model-reads-basis"(): PhraseGroup {
      return {
        match: [
          "{decider} ..6 {uses} ..8 {attribute}",
          "(take~|taking) ..5 {attribute} ..3 into (account|consideration)",
          "(i|we|our team|the team|they) ..4 {uses} ..6 {attribute} ..14 {decider}",
          "(i|we|our team|the team) ..3 (factored in|factor in|weighed|took into account|take into account|considered|adjusted for|scored|plugged in|relied on|gave weight to|put weight on) ..6 {attribute}",
          "{attribute} ..6 (is|are|was|were|gets|get|being) ..3 (factored|weighed|considered|taken into account|an input|input|a factor|factors|part of|used|scored|baked|built|one of|two of|three of|some of|among|included|fed) ..8 {decider}",
          "({decider}|{outcome}) ..4 (depends|depend|depended|hinges|is based|are based|is driven|varies|vary|changes|differs|differ|adjusts) ..3 (on|by|with|from) ..6 {attribute}",
        ],
        unless: [
          ...innocent(),
          "(not|never|without|nor|neither|no) ..4 ({uses}|{attribute}|factored)",
        ],
      };
    },
    "filtered-by-basis"(): PhraseGroup {
      return {
        match: [
          "(filter~|exclude~|excluding|remove~|leave out|left out|leaving out|screen~ out|drop~|skip~|suppress*|hid|hide~|hiding|weed~ out|take off|took off|prune~|strip~ out|sift~ out|strike|struck|cross~ out|crossed off|omit*|purge~|cull~|set aside|withheld|withhold~) ..8 ({group}|{demonym} (name~|surname~|sounding))",
          "(filter~|exclude~|excluding|remove~|drop~|skip~|suppress*|weed~|take|took|pull~|cut|strip~|sift~|leave|left|hide|hid|omit*) ..12 {labelled}",
          "({group}|{demonym} (name~|surname~|sounding)) ..8 (were|are|have been|got|get|was|is|being|been) ..2 (filtered|excluded|removed|left out|screened out|dropped|skipped|suppressed|hidden|weeded out|taken off|cut|omitted|purged|culled|crossed off|set aside)",
          "(only|mainly|just|exclusively|solely|primarily) ..3 (show~|shown|send~|sent|offer~|offered|market~|marketed|target~|targeted|mail~|mailed|advertise~|advertised|pitch~|reserved|go~|goes|went|invite~|invited|open|available|call~) ..5 {group}",
          "(show~|sent|send~|offer~|market~|target~|mail~|advertise~|reserve~|limit~|restrict~|narrow~|aim~) ..6 (only|just|exclusively|solely) ..3 {group}",
        ],
        unless: [...innocent(), "{encouraging}", "{legalAge}"],
      };
    },
    "had-you-been"(): PhraseGroup {
      return {
        ignore: ["question", "negation"],
        match: [
          "(friend|neighbor|coworker|colleague|sister|brother|cousin|he|she|they|others|roommate|twin|partner) (is|are|was|were) not ..2 ({demonym}|{peoples}|{disability}|pregnant|divorced|(a|an) ..1 {trait}|your age|#number) & (is|are|was|were|so|that|difference|why|explains)",
          "(if|were|had) ..1 (you|she|he) ..3 (white|male|a man|a woman|younger|older|married|single|american|christian|not pregnant|straight|able bodied|a native|a native speaker|a us native|us born|local|citizen by birth|homegrown|from around here|not married|not disabled|not divorced|a younger|a married|from here|one of us|born here|not black|not muslim|not an immigrant|a few years younger|a christian|a guy|the husband|the man) ..12 (would|could|we|i|might|approved|lower|better|easier|rate|limit)",
          "(would|could) ..10 (better|lower|higher|approved|approve|easier|yes|bigger|offered|rate|limit|qualif*) ..6 (if|had|were) ..1 (you|she|he) ..3 (white|male|a man|a woman|younger|older|married|single|american|christian|not pregnant|straight|a native|not married|not disabled|not divorced|born here|one of us|a few years younger|a guy)",
        ],
        unless: [...innocent(), "{legalAge}", "(filing|joint|jointly|tax)"],
      };
    },
    "refused-to-group": refusedToGroup,
  },
  patterns: ["tool-reads-basis"],
  *check({ toolsUsed = [] }) {
    for (const { tool, key } of findProhibitedKeys(toolsUsed)) {
      yield {
        pattern: "tool-reads-basis",
        description: "A tool that decides, prices or selects was given a prohibited basis.",
        confidence: TOOL_CONFIDENCE,
        evidence: `toolsUsed.${tool}: ${key}`,
      };
    }
  },
});
