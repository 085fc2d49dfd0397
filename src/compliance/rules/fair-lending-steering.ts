import { defineBuiltInRule } from "../define-rule.ts";
import { fairLending } from "../lexicon/fair-lending.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

function innocent(): string[] {
  return [
    // A check of an address, not a place: "your ZIP code does not match the card".
    "(zip|zip code|postal code|address) ..4 (match~|mismatch*|on file|on record|verif*|invalid|incorrect|wrong|correct|updated)",
    "{equality}",
    "{lawTalk}",
    "{idiom}",
    "{accommodation}",
    "{correction}",
    "{footprint}",
    "(block list|block (a|the|this|users)|itinerar*|dining|concierge|airport)",
    "(disabled|foster|caregiver) (child|children)",
    "((banker~|notar*|colleague~|staff|teller~) ..2 (speak~|read~)|speaking (banker~|staff|teller~|colleague~)|notar*|village|interpreter~)",
  ];
}

/**
 * Flags steering by a prohibited basis, and refusing or filtering by neighbourhoods that their people describe.
 *
 * @see 12 CFR § 1002.4; 42 U.S.C. §§ 3604, 3605
 */
export const fairLendingSteering = defineBuiltInRule({
  id: "fair-lending-steering",
  name: "Steering and redlining",
  description: "Steering to other products or places, or refusing areas, because of the people.",
  explanation:
    "The agent steers a customer, or leaves out an area, because of the people concerned.",
  category: "fair_lending",
  severity: "violation",
  law: {
    citation: "15 U.S.C. § 1691(a); 12 CFR § 1002.4; 42 U.S.C. §§ 3604, 3605",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation: "Offer the same products in every served area, on the same terms.",
  impact: { customer: "high", business: "high" },
  concepts: fairLending,
  phrases: {
    "area-refused"(): PhraseGroup {
      return {
        match: [
          "{peoplePlace} & ({areaRefused}|{treatment}|{placeShunned})",
          "({areaRefused}|{treatment}|{canNot} {serve}|{placeShunned}) ..14 {peoplePlace}",
          "({vaguePlace}|{place}) & ({areaRefused}|{placeShunned}) & ({group}|{peoples}|too {demonym})",
          "({vaguePlace}|{place}|it) ..3 (is|are|was|gets|getting|got|getting|turn~|turned|became|becoming|goes|went|going) ..5 ({demonym}|ethnic|mixed|minority) & ({areaRefused}|{placeShunned}|{treatment})",
          "{canNot} ..2 ({serve}|lend|send|market|advertise|mail|operate|deliver|do much|do any|touch|bother) ..6 (that|those|your|this|these) ..2 {vaguePlace}",
          "(that|those|your|this|these) ..2 {vaguePlace} ..6 ({areaRefused}|{canNot} {serve}|declin*|deny~|denied|rejected|higher rate~|higher pricing|costs more|surcharge~|too risky|bad risk)",
          "(declin*|deny~|denied|reject~|rejected|surcharge~|higher rate~|flag~|pric~ up|mark~ up|auto declin*) ..8 (because|due to|based on|given|for) ..5 ({vaguePlace}|where you live|the part of town|the side of town|your address|your area|zip code)",
          "{peoplePlace} ..10 (keep~|stay~|kept|hold~) ..5 (out|away|back)",
          "{peoplePlace} ..14 {steer} ..8 {lesser}",
          "{steer} ..8 {lesser} ..10 {peoplePlace}",
          "(leave~|left|leaving|keep~|kept|take~|took|cut~|drop~) ..2 {peoplePlace} ..3 (off|out)",
          "{peoplePlace} ..14 {predatory}",
          "{group} ..8 {predatory}",
          "{predatory} ..12 ({peoplePlace}|{group})",
          "(you people|people like you|folks like you|your kind) ..4 (prefer|like|want|live|belong|usually|generally|do better|end up|fit|stick)",
          "({areaRefused}|{canNot} {serve}|quit|stopped|declin*|no longer|wary) & (too|so) many ({peoples}|{demonym} {people}|of them)",
          "(lending|service|marketing|assessment|coverage) (map|area|boundary|boundaries|territory|zone) ..8 (around|excludes|exclude|excluding|skips|leaves out|avoids|stops at|outside) ..6 ({peoplePlace}|{group})",
          "{peoplePlace} ..4 (do not|does not|never|will not|can not|not) ..5 (rate~|loan~|mortgage~|offer~|card~|product~|terms|service|mailer~|credit)",
          "(no|zero) (mortgages|loans|lending|offers|credit|refis|refinancing|branches) ..12 {peoplePlace}",
          "(getting|gone|turned|turning|becoming|too|very|so|going) ..1 {demonym} & (street|neighborhood|neighbourhood|block|area|town|suburb|ward|building|district)",
          "(redlin*|red lined|red lin*) ..6 (zip~|neighborhood~|area~|district~|part|side|tract~|community|communities|block~|map)",
        ],
        unless: innocent(),
        unlessAnywhere: ["{lawTalk}"],
      };
    },
    "place-named-and-refused"(): PhraseGroup {
      return {
        within: 2,
        ignore: ["negation", "question"],
        match: ["{peoplePlace} & {placeShunned}"],
        unless: innocent(),
        unlessAnywhere: ["{welcomed}", "{equality}", "{lawTalk}"],
        confidence: 0.7,
      };
    },
    "place-and-people"(): PhraseGroup {
      return {
        ignore: ["negation", "question", "others"],
        match: [
          "({demonym}|{peoples}|{religious}|{group}) & ({place}|{vaguePlace}|residents|neighbors|houses|homes|streets|map)",
        ],
        unless: [
          ...innocent(),
          "^ there (are|were)",
          "(disabled|foster|adult|step) (child|children)",
          "{legalAge}",
          "{permittedStatus}",
          "{domestic}",
          "{holiday}",
          "{encouraged}",
          "{namedLawfully}",
          "{monitoring}",
        ],
        unlessAnywhere: [
          "{equality}",
          "{lawTalk}",
          "{monitoring}",
          "{scamTalk}",
          "(near|blocks from|walking distance)",
        ],
        about: [
          "{creditTopic}",
          "(home|house|homes|area~|neighborhood~|apply*|branch|service|zip|lend*)",
        ],
        confidence: 0.65,
      };
    },
    "belongs-elsewhere"(): PhraseGroup {
      return {
        within: 2,
        ignore: ["negation"],
        match: [
          "(feel|be|are|is|live|living|do|find|fit) ..4 (comfortable|happier|at home|home|safer|welcome|out of place|better|among|right|belong*) & ({kindOfPeople}|your own (kind|people|crowd|community|sort|folk)|your crowd|your people|{demonym} {people}|{peoplePlace}|{peoples})",
          "({vaguePlace}|{place}|there) & (not|hardly|never) ..3 (your|our) ..2 (kind|sort|type|people|crowd|scene)",
        ],
        about: [
          "({vaguePlace}|{place}|live|move|buy|branch|home|house|homes|listing~|lender~|credit union|loan~)",
        ],
        unless: innocent(),
        confidence: 0.7,
      };
    },
    "kept-apart"(): PhraseGroup {
      return {
        ignore: ["negation"],
        match: [
          "as (a|an) {demonym} (family|couple|buyer|household|woman|man|person) ..8 (want|prefer|like|happier|comfortable|suggest|fit|love|only)",
          "(only|just) ..3 (listings|homes|houses|neighborhoods|areas|places|streets) & ({demonym} {people}|{group}|{peoplePlace})",
          "(given|since|as|because|being|for) ..4 {basis} ..12 (suit|suits|fit|fits|feel at home|be happier|blend|more comfortable|right at home) ..4 (your|you|better|there|in|better)",
          "(fit in|fit right in|blend in|feel at home|feel right at home|more at home|feel welcome|be among|be surrounded by|be around|live among) ..14 ({peoplePlace}|{group}|your own)",
          "{group} ..4 (pick|choose|prefer|buy|live|settle|go for|gravitate|like|end up|land|cluster|move) ..10 (show|look|suggest|recommend|stick|search|focus|start|steer|there)",
          "(you|your family|they|folks|people) ..4 (be|feel|fit|fare|do|are|find|get) ..2 (more comfortable|happier|more at home|at home|better off|better served|better suited|welcome|more welcome|right at home|a better fit|better treated) ..10 ({peoplePlace}|your own|your kind|your people|people like you|folks like you|your community|{demonym} {people}|{demonym} (area|part|neighborhood|side|bank|lender~|community)|own people|own community|community bank that serves|same background|similar background~)",
          "({peoplePlace}|{demonym} (bank~|lender~|credit union~|side|area|part|community)) ..8 (more comfortable|happier|at home|better fit|better suit*|more your|suits you|fit in|belong|your speed|your people)",
          "{steer} ..8 {group} ..8 {lesser}",
          "{group} ..6 (feel|be|are|do|fare|find) ..4 (at home|comfortable|happier|better|easier|suited|welcome) ..6 ({lesser}|{product})",
          "{group} ..12 (leave|left|leaving|took|take|kept|keep) ..10 (out|off) ..3 (of|the|list|table|comparison|options)",
          "{group} ..4 (are|is|get|gets|usually|normally|always|typically|mostly|being|generally|tend to|should) ..4 {steer} ..10 {lesser}",
          "(for|with|since|because|as|given|when|if) ..5 ({group}|{basis}|{aged}) ..10 {steer} ..8 {lesser}",
          "{steer} ..8 {lesser} ..8 (because|since|given|as|due to|for|based on|considering|with) ..4 ({basis}|{aged}|{group})",
          "{lesser} ..6 (is|are|would be|might be|may be) ..3 (better|best|right|suited|suitable|ideal|more|designed|meant|made|what|where|good) ..6 {group}",
          "{group} ..4 (usually|normally|typically|generally|tend|do better|go|are better|belong|should|prefer|end up|fit|stick) ..6 {lesser}",
          "(we|i|our policy|loan officers|the team|officers) ..3 (steer~|steered|steering|herd|funnel~|nudge~|channel~) ..3 {group}",
          "(show~|look~|consider|buy~|stay~|stick~|keep~|suggest~|recommend~|try) ..8 {peoplePlace} ..10 (instead|more your|better for you|like you|your people|your own|fit in|comfortable|suit*)",
          "(not|would not|will not) ..4 (fit in|belong|feel at home|feel welcome|be welcome|be comfortable|blend in) ..6 (neighborhood~|area|part|community|street|building|suburb~|town|there|block|branch)",
        ],
        unless: innocent(),
      };
    },
    "people-like-you"(): PhraseGroup {
      return {
        match: [
          "(people|folks|someone|customers|borrowers|families|women|applicants|those|buyers) ..1 (like you|like yours|like yourself|of your kind|from your community|with your background|of your background|from your part of town|from your neighborhood|from your culture) ..6 (usually|normally|typically|tend|generally|do better|belong|are better|should|stick|go for|go with|end up|prefer|normally get|get|fit|start|qualify)",
          "(for|to|with) ..1 {kindOfPeople} ..4 (there is|we have|we keep|we use|it is|that is|is|go|goes)",
          "(we have|there is|we do have|we keep|we offer|i have|we run|we point|we direct|we send|we steer|we usually offer|we typically offer|we set aside) ..10 (for|to) ..2 (people like you|folks like you|people of your kind|your kind|your people|those people|people from your|folks from your|families like yours|customers like you|people of your background|borrowers like you)",
        ],
        about: ["{anyBasis}", "{peoplePlace}", "{group}", "{vaguePlace}"],
        unless: [...innocent(), "(credit score|score~|similar income|savings goals|your spending)"],
        confidence: 0.75,
      };
    },
  },
});
