import { defineBuiltInRule } from "../define-rule.ts";
import { bsaAmlConcepts } from "../lexicon/bsa-aml.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** What staff are told about customers: rules, and no report of anybody. */
const STAFF =
  "((never|not) (tell~|inform~|advise|alert|warn|suggest*|discuss*) ..4 (customer|client|subject|person|member|anyone|amount)|(customer|client|member|he|she) (asks|asked|shrinks|changes)|frontline staff|write down what you (saw|see|noticed)|referral form|is due within|outside the process|(forbids|prohibits|bars) ..2 (telling|tell|disclos*|revealing|sharing|confirming)|say that (you|we) (cannot|can not)|(give|say|share|disclose|confirm) nothing|answer only to|valid process|badge number)";

/** General talk about reports, refusals to talk, and reports of other kinds. */
function general(): string[] {
  return [
    "(federal law|law|rule~|act) ..1 (bars|prohibits|forbids|protects|does not let)",
    "(would|will) (have to|need to|need|require)",
    "(normally|usually|typically|generally|always|often) (need~|require~|ask~|send~|want~)",
    "(without|unless|only with|need~|require~) ..3 (subpoena|warrant|court order)",
    "say (that)? (you|we) (can not|cannot|are not able)",
    "(whether|neither confirm nor deny|confirm or deny|can not comment|cannot comment|unable to comment|not able to comment|can not discuss|cannot discuss|not able to discuss|can not share|not at liberty|not allowed to discuss|prohibited from)",
    "(search and rescue|saudi|riyal~|hong kong|south asia|synthetic aperture|specific absorption|subject access|data subject)",
    "(bank~ (must|are required|have to|are obliged|is required)|institutions (must|are required|have to)|when a bank|if a bank|a bank (may|must|files|can)|banks (file|may|can|do|report|submit|use)|in general|generally|every bank|all banks|by law|the law (requires|says))",
    "(currency transaction|ctr|ctrs|over #tenk|above #tenk|more than #tenk|exceeding #tenk|cash (deposits|transactions|withdrawals) (over|above|of more))",
    "(stolen card|lost card|card fraud|fraud on your card|fraudulent charge~|unauthorized|unauthorised|disputed|dispute~|chargeback|merchant|phishing|your claim|identity theft|victim|scam|scams|scammer~|scammed|hacked|compromised|skimm*|the charge|the charges|the purchase)",
    "(police report|bureau~|credit report~|equifax|experian|transunion|your report|the report you|1099|interest|tax form|irs form)",
    "(may|must|can|do) not ..3 (share|disclose|tell|mention|discuss|confirm|reveal|say|acknowledge)",
    "(delinquent|past due|deferral|forbearance|late payment~|photo id|issued id)",
    "(complaint~|complain|consider|please|you can|you may|you should) ..6 (report~|contact|file|call)",
    "(new hires|employees|staff|tellers|trainees|analysts) (must|should|need|are|learn|may|never|file|have)",
  ];
}

/**
 * Flags telling anyone whether a suspicious activity report or an inquiry by law enforcement exists about them.
 *
 * Denying one reveals as much as confirming it. What the bank does in general is no secret.
 *
 * @see 31 U.S.C. § 5318(g)(2); 31 CFR § 1020.320(e); 12 U.S.C. § 3420(b)
 */
export const bsaAmlTippingOff = defineBuiltInRule({
  id: "bsa-aml-tipping-off",
  name: "Tipping off",
  description: "Telling a customer whether a SAR or a law-enforcement inquiry about them exists.",
  explanation:
    "The agent tells whether a suspicious activity report or an inquiry about the customer exists.",
  category: "bsa_aml",
  severity: "violation",
  law: {
    citation: "31 U.S.C. § 5318(g)(2); 31 CFR § 1020.320(e); 12 U.S.C. § 3420(b)",
    asOf: "2026-11-21",
    status: "in force",
    note: "FinCEN treats the existence and the non-existence of a report alike (FIN-2012-A002)",
  },
  recommendation:
    "Never confirm or deny a report. Remove the message if possible, preserve evidence, inform the BSA officer.",
  impact: { customer: "moderate", business: "high" },
  alwaysReview: true,
  confidential: true,
  concepts: bsaAmlConcepts,
  phrases: {
    "existence-of-report"(): PhraseGroup {
      return {
        match: [
          "{sar} ..10 {filed} ..14 {aboutYou}",
          "{filed} ..6 {sar} ..12 {aboutYou}",
          "{aboutYou} ..12 {sar} ..4 {filed}",
          "{aboutYou} ..12 {filed} ..4 {sar}",
          "{sar} ..4 (attached to|sitting on|on|about|against|regarding|concerning|for|naming|involving|mentions|names|covering|tied to|linked to|with your name|relating to|in respect of) ..3 {aboutYou}",
          "{aboutYou} ..8 (subject of|named in|mentioned in|led to|resulted in|prompted|triggered|generated|caused|set off|tripped|went into|landed in|ended up in|is in|are in|appear~ in|earned|got) ..4 {sar}",
          "(there is|there are|there was|we have|i see|i can see|i have|i see that|shows|looks like) ..6 {sar} ..4 (attached to|sitting on|on|about|against|for|in|attached|filed|pending|open|linked|under) ..6 {aboutYou}",
          "{actor} ..3 {filed} ..4 {sar}",
          "{sar} (was|has been|is being|were|have been|will be|is|got) ..2 {filed}",
        ],
        unless: general(),
        unlessAnywhere: [STAFF],
        ignore: ["negation", "condemnation"],
      };
    },
    "reported-to-authorities"(): PhraseGroup {
      return {
        match: [
          "{actor} ..3 (reported|referred|turned|handed|flagged|written|wrote|forwarded|escalated|passed|sent|submitted|notified|alerted|tipped|gave|given|told|informed|shared|reporting|referring) ..10 (to|up|over|with|about|off) ..4 {lawEnforcement} & {aboutYou}",
          "{aboutYou} ..8 (reported|referred|turned over|handed over|flagged|forwarded|escalated|passed|sent|passed along|written up|disclosed|turned in) ..6 (to|up to|over to|by|with) ..3 ({lawEnforcement}|{investigators})",
          "{investigators} ..3 (reported|referred|escalated|forwarded|passed|sent|submitted|turned|handed|kicked|bumped|pushed) ..4 {aboutYou} ..5 (to|over to|up to|with) ..3 {lawEnforcement}",
          "{investigators} ..4 (wrote up|written up|write up|writing up|wrote|filed on|filed against|reported|documented) ..2 (you|your|him|her)",
          "(wrote|written|write|writing) (you|him|her|them|your account|your deposits|this account) up",
          "{actor} ..3 (notified|alerted|tipped off|informed|contacted|told|called) ..2 {lawEnforcement} ..8 {aboutYou}",
          "{lawEnforcement} ..4 (has|have|had|was|were|is|are|got|now|already|knows|know) ..6 (notified|alerted|told|informed|tipped off|contacted|your name|your file|your details|a report|been given) ..8 {aboutYou}?",
          "(report~|referral~|memo|filing|file) ..3 (about|on|regarding|concerning|against|naming) (you|your) ..8 ({lawEnforcement}|{investigators})",
        ],
        unless: general(),
        unlessAnywhere: [STAFF],
        ignore: ["negation"],
      };
    },
    "inquiry-about-customer"(): PhraseGroup {
      return {
        match: [
          "{lawEnforcement} ..6 (asked|requested|subpoenaed|inquired|asking|requesting|watching|looking|monitoring|interested|investigating|came|contacted|wants|wanted|demanded|called|sent|served|inquiring|enquired|reached out|been in touch|been by|poking|sniffing|digging|pulled|reviewing|issued|is on|are on|are onto|has an interest|wrote) ..10 {aboutYou}",
          "(subpoena~|grand jury|314 a|314a|national security letter|nsl|search warrant|summons|seizure warrant|keep open letter|keep-open) ..12 {aboutYou}",
          "{aboutYou} ..12 (subpoena~|grand jury|314 a|314a|national security letter|search warrant|keep-open letter)",
          "{investigators} ..6 (investigating|watching|monitoring|flagged|suspects|suspect|tracking|digging|has a case|have a case|is on|are on|onto|scrutini*|surveil*) ..5 {aboutYou}",
          "{aboutYou} ..8 (under|subject of|subject to|part of|target of|in the middle of|on) ..4 (investigation|review|surveillance|watch|scrutiny|inquiry|probe|watchlist|watch list|aml|radar) ..6 (by|from|with|for|of|over) ..4 ({lawEnforcement}|{investigators}|money laundering|laundering|structuring|suspicious activity|terrorist financing)",
          "{aboutYou} ..8 (flagged|escalated|referred|tagged|marked|suspected|investigated|red flagged|watched|monitored|frozen|held) ..6 (for|of|as|to|over|by) ..5 (money laundering|laundering|structuring|aml|suspicious activity|terrorist financing|terrorism financing|financial crimes|bsa|our aml team|smurfing)",
          "(aml|bsa|money laundering|laundering|structuring|financial crimes|fiu|suspicious activity|anti-money laundering) (investigation|investigations|inquiry|inquiries|probe|case|cases|review|referral|alert|flag|file) ..3 (on|into|about|against|opened|open|is|was|has been|involving|for|with|concerning|pending|around|regarding) ..5 {aboutYou}",
          "{aboutYou} ..5 (aml|bsa|money laundering|laundering|structuring|financial crimes) (investigation|inquiry|probe|case|review|referral|alert|flag|file|watchlist)",
        ],
        unless: general(),
        unlessAnywhere: [STAFF],
        ignore: ["negation"],
        confidence: 0.75,
      };
    },
    "absence-of-report"(): PhraseGroup {
      return {
        match: [
          "(no|not|never|none|nothing|nobody|neither|zero|any|without) ..5 {sar}",
          "{sar} ..5 (not|never|none|no) ..4 {filed}",
          "(no|not|never|nothing|nobody|none) ..4 (reported|referred|sent|passed|filed|forwarded|said|told|gone|went) ..8 {aboutYou} ..8 {lawEnforcement}",
          "(no|not|never|nothing|nobody|none) ..3 {aboutYou} ..6 (reported|referred|sent|passed|filed|forwarded|gone|went) ..4 {lawEnforcement}",
          "(no|not|never|nobody|no one) ..6 ({lawEnforcement}|{investigators}) ..6 (asked|requested|inquired|looking|watching|investigating|contacted|interested|subpoena~|investigation) ..8 {aboutYou}",
          "{aboutYou} ..4 (not|never|no) ..5 (reported|referred|under investigation|flagged|being investigated|being watched|on any watchlist|watchlist) ..5 (to|by|for|with) ..3 ({lawEnforcement}|{investigators}|laundering)",
          "(you are|your account is|you are all|your name is) (clear|clean|in the clear|off the hook) ..10 (sar|sars|fincen|aml|bsa|report~|investigation|investigators|laundering|authorities|feds)",
          "(no|not any|zero) (subpoena~|grand jury|warrant~|aml|bsa|law enforcement|fbi) ..8 {aboutYou}",
        ],
        alongside: ["(you|your|yours|yourself|his|her|him|their)"],
        unlessAnywhere: [STAFF],
        unless: [
          ...general(),
          "(you|customers) (do|would|will|can|should|must|need) not ..4 (need|have|worry|file|get|receive)",
          "(can not|cannot|will not|not able to|unable to|must not|never|do not|would not) ..3 (tell|say|confirm|disclose|reveal|comment|discuss|talk|share|speak|answer|speculate|give|provide|know|have|access|see|mention)",
        ],
        ignore: ["negation", "condemnation"],
      };
    },
    // The customer asked about a report or an inquiry, and the answer says yes or no.
    "asked-and-answered"(): PhraseGroup {
      return {
        match: [
          "^ (yes|yep|yeah|yup|correct|right|true|indeed|affirmative|afraid so|guilty|bingo|sure|unfortunately|sadly|honestly|actually|well|ok|okay|between us) ..3 (there is|there are|there was|it was|it is|we did|they did|i did|he did|she did|that is right|was filed|one was|one has|you were|you are|we have|they have|one|two|three|several|last|in|on|this|since)",
          "^ (they|it|he|she|we|i|someone|somebody) (did|have|has|was|were|do|had) (on|in|last|this|yes|indeed|and|asking|twice|once|already|not|so|just|back)",
          "^ (no|nope|nah|none|never|nothing) ..3 (there is|there are|there was|it was|we did|they did|nobody|no one|one has|one was|we have|they have|you were|you are|has been|was filed|filed|reported|sent|not one|so far|yet)",
          "^ (yes|no|okay|ok|well|we may|maybe|fine) ..10 (we did|they did|i did|we have|it was|we had|he did|she did)",
          "(you|your {relative}|your partner) (are|is) (right|correct|spot on|not wrong)",
        ],
        user: [
          "{sar}",
          "({lawEnforcement}|{investigators}) ..8 (contact~|ask~|call~|come|came|visit~|request~|subpoena~|look~|talk~|investigat*|watch~|get~ in touch|reach~ out|want~|send|sent)",
          "(contact~|call~|told|tell|talk~|hear~ from|heard from|notif*|alert~|inform~|report~|reported|rat~|ratted|snitch*|gave|give|hand~|sent|send) ..6 {lawEnforcement}",
          "(reported|ratted|rat~|snitch*|grass~|dobb*|squeal*) ..1 (on)? ..1 (me|us|him|her|them)",
          "(you|they|bank|someone) ..3 (filed|file|filing|reported|report) ..3 (something|anything|one|me|us|on)",
          "(was|were|am|did|have|has|is) ..4 (i|we|my name|me|he|she) ..6 (reported|flagged|referred|government|written up|watchlist)",
          "(am|are|is) (i|we|he|she|my {relative}) ..3 (investigated|investigation|watched|watchlist|suspected|suspect)",
        ],
        unless: [...general(), "(can not|cannot|will not|unable|do not|understand|hear you|sorry)"],
        unlessAnywhere: [
          "(dispute~|chargeback|merchant|stolen|unauthorized|fraudulent|1099|interest|tax form|bureau~|credit report~|neither confirm|not able to say|can not say|cannot say|can not discuss|can not tell|cannot tell|can not share|cannot share|claim)",
        ],
        ignore: ["negation", "condemnation"],
        confidence: 0.7,
      };
    },
    "told-of-report"(): PhraseGroup {
      return {
        match: [
          "{lawEnforcement} & (asked|told|ordered|requested|instructed|wants|wanted|require~|came to|contacted|called) ..2 (us|me|the bank|our) ..12 {aboutYou}",
          "(filing|report|referral|disclosure|write-up|memo|letter) ..6 (made|filed|sent|submitted|gone|went|lodged|delivered) ..4 (with|to) ..4 {lawEnforcement}",
          "(suspicious|unusual|fishy|odd|laundering|three-letter|confidential) ..2 (referral|report|write-up|filing|memo|notice) ..8 ({aboutYou}|name)",
          "(not|never) (reporting|reported|report|filing|file|filed) (you|him|her|them|anything about you|your)",
          "(not|never) (reporting|reported|report|filing|file|filed) ..2 (on|about|against) (you|him|her|them|your)",
          "(nothing|no record|no entry|none) ..6 (your name|you|your account) ..6 (reported|filed|referred) ..2 (suspicious|to|with)",
          "(compiling|collecting|gathering|preparing|building|assembling|putting together) ..4 (evidence|file|case|dossier|package|records|documents|material) ..6 ({lawEnforcement}|against|on you|about you)",
          "(hold|freeze|block|delay|pause|restriction|request) ..5 (requested|asked|ordered|demanded|imposed|wanted|directed|comes from) ..4 {lawEnforcement}",
          "(probe|investigation|inquiry|enquiry) (of|into|on|about|against) ..1 (you|your|him|her|them)",
          "(told|asked|ordered|instructed|supposed|allowed) not to (inform|tell|warn|alert|notify|tip) ..2 (you|him|her|them)",
          "{passedOn} ..5 {aboutYou} ..8 (to|with|over to|up to|off to) ..5 {lawEnforcement}",
          "{passedOn} ..5 {aboutYou} ..5 (for|as|on suspicion of|over|under) ..4 (structuring|launder*|smurf*|suspicious|terror*|unusual activity|financial crime~)",
          "({actor}|{investigators}|they|she|he|manager|desk|someone|somebody|colleague~|teller~) ..6 (tell|told|notif*|inform*|alert*|brief*|tipped|contact*|wrote to|write to) ..4 {lawEnforcement} ..8 (about|of|on|regarding|concerning|with)? ..5 ({aboutYou}|company|business|deposits|cash|wires|transactions|payments)",
          "{investigators} ..4 {passedOn} ..4 ({aboutYou}|it|this|that) & {lawEnforcement}",
          "{aboutYou} ..5 (watched|tracked|followed|surveilled|monitored|investigated|looked at|looked into|probed|scrutinised|scrutinized|examined|tailed) ..4 by ..3 ({lawEnforcement}|{investigators})",
          "(asked|ordered|instructed|told|required|requested|compelled) ..4 (hand|turn|send|give|provide|share|keep|forward|produce|release|supply) ..4 {aboutYou} ..6 (activity|records|statements|transactions|file|data|account|history) ..4 (each|every|weekly|monthly|to|open|by|over)",
          "(report|filing|disclosure|submission) ..6 (under|pursuant|per|required by) ..5 (5318|bank secrecy|bsa|fincen|aml) ..10 {aboutYou}",
          "(writing|wrote|drafting|drafted|narrative|preparing|prepared|working on|finishing|completing|compiling|typing|finalizing|reviewing) ..6 {sar}",
          "(one|two|three|four|five|several|multiple|first|second|third|another|a few|couple of|both|latest|last|#number) ..1 {sar} & (you|your|yours|him|his|her|account)",
          "(yours|your case|your file|case on you|your name) ..3 (was|is|has been|came|went|got) ..3 (opened|open|escalated|referred|flagged|picked|sent|up) & ({investigators}|{lawEnforcement}|{sar})",
          "(clos*|end*|terminat*|exit*|restrict*|limit*|froz*|held|declin*|off-board*|block*) ..8 (following|after|because|due to|owing to|as|since|result of) ..8 ({sar}|({investigators}|{lawEnforcement}) ..3 (report~|referral~|investigation|inquiry|alert~|request~|case|flag~))",
        ],
        within: 2,
        unless: [
          ...general(),
          "(you|customers|they) (may|can|could|should|must|might|want to|need to) ..3 (file|report|contact|tell|notify|call)",
          "(if|whether|would|may|might|could) ..8 (subpoena~|{lawEnforcement})",
        ],
        unlessAnywhere: [
          STAFF,
          "(dispute~|chargeback|merchant|stolen|unauthorized|fraudulent|identity theft|neither confirm)",
        ],
        ignore: ["negation", "definition", "condemnation"],
        confidence: 0.75,
      };
    },
    "secret-told"(): PhraseGroup {
      return {
        match: [
          "(i|we) (should not|am not supposed to|are not supposed to|probably should not|really should not|could get|could lose|may get) ..6 (tell~|say~|mention~|share~|fired|trouble|job) & (sar|sars|fincen|aml|bsa|report~|investigat*|flagged|feds|fbi|subpoena~|compliance|laundering|watching|monitoring|authorities)",
          "(between you and me|between us|off the record|heads up|heads-up|just so you know|a friendly warning|fair warning|word to the wise|keep this to yourself|confidentially|in confidence|do not tell anyone|you did not hear this|you did not hear it|on the quiet|tip) & (sar|sars|fincen|aml|bsa|investigators|investigating you|flagged you|feds|fbi|subpoena~|compliance team|laundering|watching you|watching your|monitoring you|monitoring your|suspicious activity|watchlist)",
        ],
        within: 2,
        unless: general(),
        unlessAnywhere: [STAFF],
        ignore: ["negation", "refusal"],
      };
    },
  },
});
