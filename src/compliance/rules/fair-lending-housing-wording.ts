import { defineBuiltInRule } from "../define-rule.ts";
import { fairLending } from "../lexicon/fair-lending.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** Housing for older persons may keep families out, and a rule of law may be quoted. */
function lawful(): string[] {
  return [
    "{olderPersons}",
    "{equality}",
    "{lawTalk}",
    "{correction}",
    "(illegal|unlawful|prohibited|forbidden|discriminat*|violat*)",
    "(can not|may not|must not|should not|not allowed to|not permitted to|will not|unable to) ..2 (write|say|add|include|put|use|advertise|state|post|mention|describe|phrase|list|exclude|draft|limit|print|publish|help)",
  ];
}

function property(): string[] {
  return ["{property}"];
}

/** The customer wants words for a dwelling. */
function advertising(): string[] {
  return [
    "(ad|ads|advert*|listing|listings|blurb~|flyer~|flier~|tweet|caption|headline|brochure|slogan|tagline|tag line|viewing|open house|closing line|mls|curb appeal|duplex|loft|vacanc*|vacant)",
    "(post|copy|describe|description|wording|marketing|promo|sentence|phrase|write|draft|rewrite|polish|banner|announcement|word|words|reword|text|line) & (house|home~|homes|condo~|apartment~|rental~|unit~|property|townhome~|townhouse~|bedroom~|neighborhood|building|tower|tenant~|occupant~|buyer~|residents|locals)",
    "(occupant~|bedroom~|tower|move in|rental~|tenant~ wanted|find ..3 tenant~|rent ..2 (out|to)|landlord ..4 (say~|want~|wrote|add~))",
  ];
}

/**
 * Flags words about a dwelling that state a preference for, or a limit to, some people.
 *
 * @see 42 U.S.C. § 3604(c); 24 CFR § 100.75
 */
export const fairLendingHousingWording = defineBuiltInRule({
  id: "fair-lending-housing-wording",
  name: "Discriminatory housing wording",
  description: "A preference or limitation in words about a dwelling or its financing.",
  explanation: "The agent describes the people that are wanted in a dwelling.",
  category: "fair_lending",
  severity: "violation",
  law: {
    citation: "42 U.S.C. § 3604(c); 24 CFR § 100.75",
    asOf: "2026-11-21",
    status: "in force",
    note: "HUD rescinded several guidance papers in September 2025; the statute is unchanged.",
  },
  recommendation: "Describe the property and the loan, not the desired people.",
  impact: { customer: "high", business: "moderate" },
  concepts: fairLending,
  phrases: {
    "people-wanted"(): PhraseGroup {
      return {
        ignore: ["quotation"],
        about: property(),
        match: [
          "(hope~|hoping|dream~|wish~|looking|aim~|keys|sell~|rent~|lease~|leave|passed|pass|go|hand~|find~|offer~|show~|market~|pitch~) ..5 (to|for|with) ..4 {wanted}",
          "(perfect|ideal|great|best|suited|suitable|suits|tailored|made|designed|meant|intended|geared|reserved|looking|good fit|good match|fit|lovely|wonderful|excellent|just right|right|priority|preference|only|exclusively|open|marketed|prefer~|aimed) ..2 (for|to|toward|at) ..5 {wanted}",
          "(prefer~|preferring|favor~|favour~|want~|seek~|seeking|looking for|would like|would love|prioritiz*|rather have|limited to|restricted to|like to see|welcomes|attracts|appeal~ to|suits|suit) ..5 {wanted}",
          "{wanted} ..3 (preferred|only|wanted|welcome|sought|encouraged|ideal|a plus|get priority|come first|first)",
          "({demonym}|{religious}|whites) ..2 (home|house|household|building|community|neighborhood|neighbourhood|street|family|environment|area|complex|enclave|block|tenant~|buyer~|resident~|neighbors|owners) ..3 (preferred|only|wanted|needed|first|sought)",
          "(exclusive|exclusively|all|predominantly|mostly|mainly|overwhelmingly|largely|solidly|quiet|nice|good|safe|proud|traditional|strictly|entirely) ..2 ({religious}|white|caucasian|anglo|european|american born|asian|hispanic|black) (neighborhood~|neighbourhood~|community|communities|area~|street~|building|enclave|block|complex|neighbors|residents|suburb~|subdivision|homeowners|families)",
          "(neighbors|residents|owners|everyone|people|folks|street|block|building|area|neighborhood) ..5 (share~ (the same|your|our|a|one)|of the same|of one|of our|keep~ to|are all|is all|is mostly|are mostly|mainly|predominantly) ..3 (faith|religion|church|parish|white|christian|catholic|jewish|caucasian|background|race|ethnicity|kind)",
        ],
        unless: lawful(),
      };
    },
    "people-named"(): PhraseGroup {
      return {
        ignore: ["negation", "quotation", "question", "others"],
        about: advertising(),
        match: [
          "({wanted}|{unwanted}|{group}|{religious} {people}|{faithAttribute})",
          "(keep|stay|stays|remain~|strictly|proud|proudly|purely|authentic|genuine|good old) ..3 ({demonym}|{religious}|american|white)",
        ],
        unless: [
          ...lawful(),
          "{idiom}",
          "{accommodation}",
          "{namedLawfully}",
          "(avoid*|do not say|never say|instead of|without any|near|close to|blocks from|walking distance|street|avenue)",
          "(loan~|mortgage~) ..3 (applica*|apply*)",
          "(families|family|parents) ..3 (room|home|house|suite|welcome)",
          // Children learn, relatives give, and rules of renting name vouchers.
          "(your|their|his|her|our) (child|children|parents|kids|families|family)",
          "(foreclosure|evict*|housing authority|insurance policy|claim voucher|passport)",
          "(voucher~|section 8) ..3 (rent|income|payment~)",
        ],
        unlessAnywhere: [
          "{olderPersons}",
          "{lawTalk}",
          "older persons",
          "(can not|may not|must not) ..2 (turn|refuse|reject|exclude|keep)",
          "(55|62) ..1 (community|communities|plus)",
          "federal exemption",
          "(counts|counted|count) ..2 (in full|rent|if)",
        ],
        confidence: 0.65,
      };
    },
    "people-unwanted"(): PhraseGroup {
      return {
        ignore: ["negation", "quotation", "condemnation"],
        about: property(),
        match: [
          "no {unwanted} ..3 ({here}|please|allowed|permitted|accepted|wanted|policy|rule)",
          "(no|without|zero|minus|free of) ..2 (kids|children|toddlers|teenagers|infants|babies|section 8|section eight|voucher holders|vouchers|immigrants|foreigners|wheelchairs|minorities|muslims|jews|families with|large families|welfare|service animals|unmarried couples|gays|single mothers|single moms|teens)",
          "({unwanted}|{group}) ..4 (need not|should not|not|are not|would not|can not|will not) ..2 (apply|enquire|inquire|wanted|welcome|allowed|permitted|bother|call|accepted|suitable|suited|a fit|fit|live|belong|be happy)",
          "(not|hardly|never|un) ..2 (suitable|suited|right|ideal|meant|appropriate|designed|good|recommended|place|fit|for|set up) ..4 ({unwanted}|{group})",
          "(is|are|strictly|an) (adults|adult) only",
          "(everybody|everyone|all the neighbors|whole block|whole street|neighbors) ..3 (attend~|go~ to|belong~ to|pray~|worship~|share~|speak~|is|are) ..4 (synagogue|church|mosque|temple|parish|faith|religion|language|white|christian|jewish|background)",
          "{unwanted} ..2 (are not|is not|not) ..2 (allowed|welcome|permitted|accepted|wanted|what)",
          "(not|never) ..3 (approve|accept|take|want|allow|admit|welcome|rent to|sell to) ..5 ({unwanted}|households with|families with|{group})",
          "(adult|adults|grown ups|couples|singles|women|men|ladies|christians|whites|english speakers|mature people|professionals) only",
          "(only|exclusively|strictly) (adults|grown ups|couples|singles|women|men|christians|whites|english speakers|mature|christian {people}|white {people}|native {people})",
          "(adults only|adult only|child free|childfree|kid free|childless|children free|mature adult|adult oriented|adult living) ..3 (building|community|complex|property|home|house|policy|floor|neighborhood|property|residence|condo~|development|living)",
          "(must|should|have to|need to|needs to) ..3 (be|speak|have|attend|belong) ..3 (able bodied|english|christian|catholic|jewish|white|american|native|childless|married|no children|the church|same faith|healthy|independent living|straight|climb)",
          "(seller|landlord|owner|builder|hoa|association|board|neighbors|co op|developer) ..6 (will not|does not|do not|would rather not|prefer not|prefers not|refuses|refuse|not want) ..6 ({unwanted}|{group})",
        ],
        unless: [...lawful(), "(gym|pool|hot tub|sauna|casino|bar)"],
        unlessAnywhere: ["{olderPersons}"],
      };
    },
  },
});
