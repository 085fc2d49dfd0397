import { defineBuiltInRule } from "../define-rule.ts";
import { fairLending } from "../lexicon/fair-lending.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** Where such a question is lawful: monitoring data, joint or secured credit, taxes, help for a disability. */
function lawful(): string[] {
  return [
    "(church|mosque|temple|synagogue) 's",
    "{monitoring}",
    "{idiom}",
    "{lawTalk}",
    "{accommodation}",
    "{scamTalk}",
    "(if you would like|if you wish|if you prefer|you would like (them|it|that) noted)",
    "(sanctions|nationals|script~|watchlist)",
  ];
}

/** The exchange is about credit. */
function credit(): string[] {
  return [
    "{creditTopic}",
    "(income|salary|earn|paycheck~|pay stub~|file|documents|docs|employer|rent|co signer|cosigner|dependents|debts|bank|prequalif*)",
  ];
}

/**
 * Flags questions about race, religion, origin, sex, child-bearing, family and spouse in an application for credit.
 *
 * @see 12 CFR § 1002.5(b)-(d)
 */
export const fairLendingProhibitedInquiry = defineBuiltInRule({
  id: "fair-lending-prohibited-inquiry",
  name: "Prohibited inquiry",
  description: "A question that a creditor must not ask an applicant.",
  explanation: "The agent asks an applicant about a prohibited basis.",
  category: "fair_lending",
  severity: "violation",
  law: { citation: "12 CFR § 1002.5(b)-(d)", asOf: "2026-11-21", status: "in force" },
  recommendation: "Do not ask; request only information that the application needs.",
  impact: { customer: "high", business: "moderate" },
  concepts: fairLending,
  phrases: {
    "asks-about-origin-or-faith"(): PhraseGroup {
      return {
        ignore: ["question", "negation"],
        about: credit(),
        inSession: true,
        match: [
          "{ask} ..10 ({originAttribute}|{faithAttribute}|{faithful})",
          "(are|is|were) (you|your family|your parents|your husband|your wife|he|she|they|that|this|both of you|either of you|your people|your household) ..4 ({demonym}|{peoples}|religious|observant|practicing)",
          "(what|which) ..3 (race|ethnicity|religion|faith|church|mosque|temple|synagogue|parish|congregation|denomination|nationality|ethnic|tribe|caste|creed|god|holidays|religious)",
          "(do|does|did|will) (you|your family|your household|your husband|your wife|they|he|she) ..4 (observe|celebrate|attend|worship|pray|practice|practise|believe|keep (kosher|halal|the sabbath|ramadan)|fast|belong to a|go to) ..4 (church|mosque|temple|synagogue|religion|faith|ramadan|sabbath|kosher|halal|god|lent|christmas|easter|passover|diwali|eid|parish|service~|mass|congregation|anywhere)",
          "where ..3 (you|your family|your parents|your people|your folks|your ancestors|your grandparents|your husband|your wife|they|your name|your last name|your accent) ..2 (really|originally|actually|come|born|from|hail|immigrate*) ..2 (from|come|born|originally)",
          "where ..3 (that|the|your|this|such a) ..2 (accent|name|surname|last name) ..2 (from|come|originate)",
          "what ..4 (kind|sort|type) of (name|accent|surname|last name)",
          "(is|was) ..2 (that|your|the) ..2 (name|accent|surname|last name) ..4 ({demonym}|foreign|ethnic)",
          "(were|are) you ..2 (born|raised) ..3 (here|abroad|overseas|in this country|in the us|in america|in the states|in the united states|in the country|elsewhere)",
          "{ask} ..4 ({demonym}|{peoples}|religious|foreign born|an immigrant|a foreigner|a refugee)",
          "(what|which) ..2 part of ..4 (you|your (family|parents|people|wife|husband)) ..2 (from|born)",
          "how (dark|light) ..2 your skin",
          "what ..1 (stock|blood|people|breed) ..3 (you|they|your|were|are)",
          "(which|what) (country|part of the world|nation|continent|homeland|culture) ..3 (you|your (parents|family|people|folks|ancestors|grandparents|husband|wife)|that (name|accent|surname)|they) ..5 (born|from|come|grew|raised|hail|immigrate*)",
          "(were|was|are|is) your (parents|family|grandparents|ancestors|folks|husband|wife|mother|father|people) ..4 (born|from|immigrants|raised|natives|foreigners|citizens)",
          "(your|you) ..2 (parents|family|grandparents|ancestors|folks) ..3 (immigrants|immigrate*|born abroad|born here|from overseas|from abroad|from africa|from mexico|from asia|foreign born)",
          "(is|was) ..2 english ..3 (first|native|mother) (language|tongue)",
          "what language ..5 (speak|spoken|home)",
        ],
        unless: lawful(),
        unlessAnywhere: ["{monitoring}"],
      };
    },
    "asks-which"(): PhraseGroup {
      return {
        within: 2,
        ignore: ["question", "quotation"],
        match: [
          "{intimate} & (your answer|left blank|blank|required (item|field|box|question)|mandatory|will be considered|goes in the (file|loan file)|in the loan file|for the file)",
          "({religious}|{demonym}|{peoples}) ..1 ({religious}|{demonym}|{peoples}) & (box|tick|asking|ask|form|file|record|records|finish|complete|for the|which|note|curious|wonder*)",
        ],
        unless: lawful(),
        unlessAnywhere: ["{monitoring}", "{equality}"],
        confidence: 0.7,
      };
    },
    "asks-somehow"(): PhraseGroup {
      return {
        // A single cue: shown, but no alert.
        severity: "info",
        confidence: 0.5,
        ignore: ["question", "negation"],
        match: [
          "{intimate} & ({ask}|what|which|how|when|who|do|does|are|is|were|have|has|will|any|if|whether|tell|state|share|need|hear|curious|record|fill|complete|submit|note)",
        ],
        unless: [
          ...lawful(),
          "{namedLawfully}",
          "{equality}",
          "(near|blocks from|walking distance|closed)",
          "faith (in|at|from|on) ..4 (services|team|desk|lending|support|branch|operations|department|office|risk|disputes|collections)",
          "{harmDenied}",
        ],
        unlessAnywhere: [
          "{monitoring}",
          "{equality}",
          "{lawTalk}",
          "(recurring payment|donat*|payee|biller|transfer|gift card)",
          "(congratulat*|savings goal|budget|insurance|scam*|beneficiar*)",
        ],
      };
    },
    "asks-in-a-list"(): PhraseGroup {
      return {
        inSession: true,
        about: credit(),
        alongside: [
          "(need|provide|send|following|include|require|required|upload|fill|gather|collect|list|submit|missing|complete|box|field|fields|question~)",
        ],
        ignore: ["question"],
        match: [
          "^ (your|and|also|which|what|current|#number) ..4 (race|ethnicity|ethnic background|religion|religious affiliation|church|faith|denomination|sexual orientation|pregnan*|birth control|family plans|country of (birth|origin)|parents were born|skin color)",
          "^ (name|proof|details|letter|a letter|statement) ..4 (church|parish|pastor|religious affiliation|religion|race|ethnicity|denomination|country of (birth|origin))",
          "^ ..2 (race|ethnicity|religion|faith|denomination|sexual orientation|pregnan*|church|ancestry|skin color|accent|birth control|caste|tribe|nationality at birth|(kids|children) planned)",
          "^ (race|ethnicity|religion|religious affiliation|denomination|sexual orientation|pregnan*|birth control|family plans|country of (birth|origin)|nationality at birth)",
          "({religious}|{demonym}) ..1 ({religious}|{demonym}) ..3 (or|other|none)",
        ],
        unless: lawful(),
        unlessAnywhere: ["{monitoring}", "{equality}", "{lawTalk}"],
        confidence: 0.7,
      };
    },
    "asks-about-sex-or-children"(): PhraseGroup {
      return {
        ignore: ["question", "negation"],
        about: credit(),
        inSession: true,
        match: [
          "{ask} ..10 ({parenthood}|{personAttribute}|contracepti*|menopause)",
          "{ask} ..6 (gay|gay or straight|lesbian|bisexual|trans|queer|male or female|a man or a woman)",
          "(are|is) (you|she|your wife|your girlfriend|your partner|the applicant|either of you) ..4 (pregnan*|expecting|trying for|trying to get pregnant|planning on (kids|children|a baby|babies)|on birth control|on the pill|nursing|breastfeeding|thinking about (kids|children|a baby|having)|going to have (kids|children|a baby)|gay|lesbian|straight|transgender|trans|queer|bisexual|a man or a woman|male or female|homosexual|same sex|going on maternity|due)",
          "(do|does|will|would|did) (you|she|your wife|your partner|you two|you guys|you both|you and your (wife|husband|partner|spouse)) ..4 (plan~|intend|want|hope|expect|mean|use|take|foresee|see yourself|anticipate|think) ..6 (kids|children|a baby|babies|a family|little ones|offspring|pregnan*|birth control|contracepti*|the pill|more children|more kids|maternity|child)",
          "(are|is) (you|she|you and your (husband|wife|partner)|the two of you|you two|you both) ..4 (hoping|intending|intend|planning|thinking|looking|trying|intending|wanting|expecting|going|about|ready|considering|aiming|dreaming) ..4 (kids|children|a baby|babies|a family|pregnan*|more children|motherhood|a child|your family|another child|another baby|little ones)",
          "(any|more|another) ..2 (babies|baby|kids|kid|children|child|little ones|pregnancies|bumps|tots|maternity leave|additions to the family) ..6 (on the way|planned|coming|expected|in mind|soon|plans|future|horizon|years|next|ahead|cards|pipeline|works)",
          "{ask} ..14 {intimate}",
          "{intimate} ..10 (i|we|underwriter~|lender|bank|form|file|application) ..3 (need|want|ask|have|require|like|record|note) ..3 (to know|to ask|it|this|that|for)",
          "(do|does|will|would|did|have|has|had|are|is|were|was|when|can|could|might) ..1 (you|she|he|they|your (wife|husband|partner|spouse|girlfriend)|the) ..8 (birth control|contracepti*|the pill|tubes tied|vasectomy|hysterectomy|pregnan*|become ..2 (mother|father|mom|dad|parent~)|(born|assigned) (male|female|a man|a woman)|(kids|babies|baby|children) ..1 (come|arrive|coming|planned|due))",
          "(family complete|done having|finished having|through having|still having|of childbearing age|childbearing)",
          "(chance|possibility|likelihood|likely|odds) ..5 (kids|children|a baby|babies|pregnan*|a family|little ones|maternity)",
          "(any|got|have) ..2 (plans|intentions|intention|thoughts) ..6 (kids|children|a baby|babies|a family|pregnan*|start a family|maternity|expanding the family|growing the family)",
          "(when|how soon|how many) ..6 (baby|pregnan*|kids|children|babies) ..6 (plan~|want|have|expect~|arriv*|coming|intend)",
          "(family|baby|kids|children|little ones) ..3 (on the way|in the works|on the horizon|in the cards|planned|in your future|in the picture)",
          "what ..4 (gender|sexual orientation|sexuality) ..4 (you|yourself|identify)",
        ],
        unless: lawful(),
        unlessAnywhere: ["{monitoring}"],
      };
    },
    "asks-about-spouse"(): PhraseGroup {
      return {
        ignore: ["question", "negation"],
        about: credit(),
        inSession: true,
        match: [
          "{ask} ..8 ({marital}|married|single or married|remarried|been divorced|been widowed|have been married)",
          "(ever|been|previously|currently|presently|still|happily) ..2 (married|divorced|widowed|separated|remarried)",
          "{ask} ..6 (marital status|marriage|divorce|husband|wife|spouse|boyfriend|whether you are (married|single|divorced|separated|widowed)|if you are (married|single|divorced|separated|widowed))",
          "(are|were) you ..3 (married|single|divorced|separated|widowed|living with (someone|anyone|a man|a woman|your boyfriend|your girlfriend|a partner)|seeing (someone|anyone)|engaged|a widow|remarried|getting divorced|still married|still with)",
          "(do|does) you ..2 have ..1 (husband|wife|spouse|boyfriend|girlfriend|man|a man|partner)",
          "(what|where|how much) ..4 (your|the) (husband|wife|spouse|ex husband|ex wife|boyfriend|partner|fiance) ..3 (do|does|earn*|make~|work~|income|salary|job|occupation|live|feel~|bring|name)",
          "(does|will|would|is|has|can) your (husband|wife|spouse|boyfriend|man) ..5 (know|approve|agree|work|earn|okay|ok|fine|on board|sign|consent|support|object|mind|allow|let|employed|aware|permission|handle)",
          "^ (and|plus|also|next|now|then|last|finally|ok|okay|alright) ..4 {spouse} ..2 (salary|income|earnings|job|employer|occupation|pay|wages|profession|paycheck)",
          "(are|is) (you|she|he) ..3 (wife|husband|spouse|widow|bachelor|divorcee|mrs)",
          "(is there|there) ..2 (husband|mr|man of the house|man in the house|a man)",
          "(why|how come|when) ..4 (divorce~|divorced|separate|separated|never married|not married|get married|husband leave|marriage end*)",
        ],
        unless: [
          ...lawful(),
          "{jointOrSecured}",
          "(divorce|separation) ..1 (decree~|settlement|agreement|order~|papers)",
          "(marriage|death) certificate~",
        ],
        unlessAnywhere: ["{monitoring}", "{jointOrSecured}"],
      };
    },
    "asks-about-health"(): PhraseGroup {
      return {
        ignore: ["question", "negation"],
        about: credit(),
        inSession: true,
        match: [
          "{ask} ..8 ({disability}|illness~|diagnos*|prescription~|medication~|medical (history|record~|condition~)|doctor)",
          "(do|does|have|are|is) (you|anyone in your household|your wife|your husband|he|she) ..5 (disabled|disability|disabilities|handicap*|illness~|ill|sick|diagnos*|mental health|medical condition~|health (issues|problems|condition~)|depression|medication~|wheelchair|cancer|bipolar)",
          "(what|which|how) ..4 (disability|illness|diagnosis|medical condition|health condition|wrong with you|disabled|medication~)",
        ],
        unless: [
          ...lawful(),
          "(insurance|payment protection|credit life|proof of income|hardship|in order to assist|help you with)",
        ],
        unlessAnywhere: ["{monitoring}", "(hardship|insurance|accessib*|accommodat*)"],
      };
    },
  },
});
