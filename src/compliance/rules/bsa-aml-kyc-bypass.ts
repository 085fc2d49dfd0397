import { defineRule, type Finding } from "../define-rule.ts";
import { bsaAmlConcepts } from "../lexicon/bsa-aml.ts";
import { findIdentitySwitch } from "../tools/report-tools.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** Other lines and steps that one may skip, and proof of identity by other means. */
function legitimate(): string[] {
  return [
    "(skip the (line|queue|wait|trip|branch|paperwork at)|from your phone|video call|in the app|online instead|at home)",
    "(can not|cannot|must not|may not|not able to|unable to|not allowed to|not possible to|never|no way to|not going to|will not|would not) ..4 {skipping}",
    "(already|previously) ..3 (verified|on file|completed|passed|done|identified|confirmed)",
    "(address alert|two factor|multi-factor|2fa|password|passcode|otp|one-time|username|login|fee~|hold|overdraft|late|nsf|minimum|appraisal|signature on)",
    "(beneficiary|beneficiaries|payable on death|authorized signer|authorised signer|power of attorney|joint owner|custodian|minor|estate)",
    "(alternative|acceptable|other) ..2 (id|ids|document~|identification|forms)",
    "(replacement|lost|renew~) ..3 (id|license|passport)",
  ];
}

/** That the exchange is about who a customer is, who owns a company, or where money comes from. */
function identityTalk(): string[] {
  return [
    "{check}",
    "(id|ids|passport~|license|licence|ssn|social|verify|verified|verification|documents|document|papers|paperwork|proof|utility bill|w9|identity|cip|kyc|itin|selfie)",
    "(owner~|own|owns|ownership|stake|shareholder~|director~|beneficial|partner~|trust|llc)",
    "(source|origin|where) ..4 (fund~|money|wealth|income|cash|from)",
    "(birthday|underage|minor|years old|video call|branch as|job|compliance|verification|pending|founders|controls|grandma|question~|declaration)",
    "(purpose|occupation|employer|address|nationality|citizen*|birth~|pep|politically)",
  ];
}

/** What makes a paper or an answer untrue. */
const UNTRUE =
  "(fake|false|made-up|made up|fabricated|forged|phony|bogus|doctored|altered|edited|photoshopped|invented|fictitious|dummy|sham|pretend|imaginary|nonexistent|expired|someone else 's|somebody else 's|another person 's|another customer 's|another client 's|another|old|template|generic|placeholder|random|borrowed)";
const PAPER =
  "(id|ids|name~|identity|ssn|social|passport|license|licence|details|document~|birth date|birthdate|dob|date of birth|date|address~|selfie|photo|paperwork|paystub~|pay stub~|statement~|bill~|tax id|ein|letter~|lease|certificate|number~|company|employer|job|signature~|agreement|contract|form|reference|expiration|expiry)";

/**
 * Flags offers to skip, fake or get around the identification of a customer or owner.
 *
 * @see 31 CFR § 1020.220, § 1010.230
 */
export const bsaAmlKycBypass = defineRule({
  id: "bsa-aml-kyc-bypass",
  name: "Bypassed identification",
  description: "Identification, ownership or source of funds that is skipped, faked or coached.",
  explanation: "The agent offers to get around the identification of a customer or owner.",
  category: "bsa_aml",
  severity: "violation",
  law: {
    citation: "31 CFR § 1020.220 (CIP), § 1010.230 (CDD)",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation: "Stop onboarding until identity and ownership are verified.",
  impact: { customer: "moderate", business: "high" },
  concepts: bsaAmlConcepts,
  phrases: {
    "skipped-identification"(): PhraseGroup {
      return {
        match: [
          "{doer} ..4 {skipping} ..6 {check}",
          "{check} ..3 (has been|have been|is|was|were|are|can be|will be|got|gets|being) ..2 {skipped}",
          "{doer} ..4 (without|minus|sans|with no) ..4 {check}",
          "{doer} ..4 (open~|opened|approve~|activate~|onboard~|set up|setting up|get you) ..10 (without|minus|before|with no|no|skipping|despite|even though) ..5 {check}",
          "(no|without|zero|minus) ..2 {check} ..3 (needed|required|necessary|asked|for you|this time|from you|on my watch|for regulars|for vips|for vip|for friends|today|and|i will|we will|is needed|at all)",
          "(no need|not need|not have to|not bother|not worry|forget|not required) ..5 {check} ..10 (i will|i have|we will|i can|just|trust|vouch|know you|take your word|regulars|vip|favor|favour|look honest|long-time|fine|override|approve|marked|we can)",
          "(vouch for you|take your word for it|take your word on|know you well enough|i trust you|you look legit|you seem legit|you seem trustworthy|your word is good enough|your word is enough|on the honor system) ..14 {check}?",
          "(set|mark|flip|switch|put) ..3 {check} ..3 (to|as) ..2 (complete|done|passed|verified|ok|approved) ..6 (w|without|with out|no|minus) ..3 (docs|documents|id|papers|anything|proof)",
          "{check} & (just between us|off the record|nobody will check|nobody checks|no one checks|no one will check|no one verifies|nobody verifies|never checked|not checked|no one looks|system accepts anything|system will not notice|system does not check|i will not tell|make something up|make one up|make up|fill in anything|type anything|type in anything|any number|random number~|placeholder|dummy|put down anything|enter anything|all zeros|all nines|nines|zeros|123 45 6789|borrow one|whatever you like|whatever you want)",
          "(mark~|marked|tick~|ticked|check~|checked|flag~|flagged|set|log~|logged|stamp~|stamped|show~|record~|recorded|list~|put|enter~|entered) ..6 (verified|as complete|completed|as passed|passed|as done|as seen|as received|satisfied|cleared) ..12 (without|though|although|even|anyway|so we|so you|no need|never|later|skip) & {check}",
          "(tick~|mark~|check~|click~|flip~|set|hit|select|choose|press|toggle~) ..3 (verified|verifed|verfied|identity confirmed|id seen|docs received|documents received|id on file|kyc complete|kyc done|kyc passed) ..16 (no docs|no id|no documents|no paperwork|no papers|opens|open|without|anyway|done|live|good to go|go ahead|set|through)",
        ],
        within: 2,
        unless: legitimate(),
        ignore: ["negation"],
      };
    },
    "false-identity"(): PhraseGroup {
      return {
        match: [
          "(use|using|borrow|borrowing|give~|enter|submit|upload|provide|put|list|register|open|apply|sign|run|try|send|show|present) ..6 (fake|false|made-up|made up|fabricated|forged|phony|bogus|doctored|altered|edited|photoshopped|invented|fictitious|someone else 's|somebody else 's|another person 's|a friend 's|your friend 's|your {relative} 's|your brother 's|your cousin 's|a relative 's|your roommate 's|different|another) ..3 (id|ids|name|names|identity|ssn|social|social security|passport|license|licence|details|documents|document|birth date|birthdate|dob|date of birth|address|selfie|credentials|paperwork|paystub|statement|utility bill|tax id|ein)",
          "(open~|register~|set~ up|put~|list~|place~|title~|apply~|file~|name~) ..8 (in|under|using|as) ..3 ({frontMan}|his|her|their|someone|another|somebody|my) ..4 (name|identity|ssn|owner|social) ..12 (so|instead|rather|nobody|no one|hides|keeps|that way|which|without|since)",
          "(list~|name~|put~|show~|enter~|use|add~|record~|make|appoint|install|write|register|nominate~|declare) ..5 {frontMan} ..6 (as|down as|for|in|on) ..4 (owner~|beneficial owner~|director~|signer~|holder~|applicant|controller|control person|principal~|shareholder~|nominee|ownership form|account holder|the paperwork|the form|the application|record)",
          "(keep~|leave~|hide~|stays|omit~|drop~|remove~|take~|mask~|conceal~|shield~|obscur*) ..5 (your|the|his|her|their|real|true|actual|you|him|her) ..4 (name|owner~|identity|ownership|stake|share|beneficial owner~|interest) ..5 (off|out of|hidden|out|from|away|secret|private|below|under) ..8 (record~|form~|paperwork|file~|application|report~|register|books|certification|us|regulator~|bank|ownership|scrutiny|view|filing~|system)",
          "(own~|ownership|stake~|share~|holding~|interest~) ..6 (below|under|beneath|less than|short of|at) ..3 (25 percent|#percent|twenty-five percent|twenty five percent|quarter) ..12 (so|to|avoid|not|without|no|never|keeps|that way|and|then) ..10 (disclos*|list~|listed|name~|report~|beneficial|owner~|identify|identified|form|certif*|verif*)",
          "(report|list|put|state|declare|show|enter|record|call|set|say|write|keep) ..4 (stake|share|shares|ownership|holding|interest|percentage) ..3 (as|at|to|is|below|under) ..3 (#percent|lower|less|24|24.9|under) ..14 (so|to|not|avoid~|without|rather|instead|that way|keeps)",
          "(leave|keep|take|drop|omit|skip) ..2 (her|him|them|your partner|the partner|the other owner|that owner) ..2 (off|out of|out) ..8 (form|certification|application|paperwork|ownership|list|filing|file|owner section|review|record)",
          "(nominee|straw|shell|front|strawman|straw man|figurehead|stand-in|proxy|frontman) (owner~|director~|shareholder~|company|compan*|holder~|signer~|account~|buyer~|person|man) ..14 (hide~|conceal~|avoid~|keep~|mask~|so|without|skip~|bypass~|instead|shield~|nobody|your name|anonym*)",
        ],
        unless: [
          "(reject~|scam|fraud|detected|we found|prevent|not accept|not allowed|decline~|own name|individually|joint)",
          ...legitimate().slice(1, 2),
        ],
      };
    },
    "forged-papers"(): PhraseGroup {
      return {
        match: [
          `(use|using|punch~ in|type~|key~ in|enter~|put|put~ in|submit~|upload~|provide~|make~ up|create~|send|show|present|print~|get you|give you|lend|here is|find you|insert|fill~ in|write~|draw~ up|draft~|generate~|make) ..6 ${UNTRUE} ..2 ${PAPER}`,
          `(edit~|photoshop~|alter~|doctor~|modif*|touch~ up|tweak~|paste~|crop~|retype~|swap~|backdat*|redate|white out|whiteout|scan~ over|cut and paste|falsif*|forge~|fake~) ..6 ${PAPER} & (upload~|submit~|send|use|print~|passes|pass|accept~|reviewer~|reviewers|fine|good to go|get through|gets through|nobody|no one|never|barely)`,
          "(copy~|reuse~|borrow~|lift~|paste~|recycle~|lend|clone~|take~) ..5 (from|of|off) ..2 (another|other|different|someone else|previous|one of our|somebody else) ..2 (customer|client|file~|account~|applicant|person|application|profile)",
          "(signed|sign|signing|initial*|forged|filled in|ticked|checked) ..5 (on your behalf|for you|in your name|your name for you|your signature|as if you|pretending)",
          "(choose|select|tick|put|say|pick|enter|check|click|answer|write|state|claim|use|list|declare|type|tell) ..8 (even though|even if|although|though|whether or not|despite) ..3 (you|it|that|he|she|they) ..3 (not|never|actually|really|just)",
          "(tell|say|write|put|state|claim|declare|report|list|show|enter) ..5 (hold|own|have|control|stake|share) ..4 (#percent|24|twenty four|less than|under|below) & (quarter|#percent|25|record|list|disclos*|under|below|then|so)",
        ],
        within: 2,
        about: identityTalk(),
        unless: [
          "(reject~|scam|fraud|detected|we found|prevent|not accept|not allowed|declin*|criminal|crime)",
          "(can not|cannot|must not|may not|not able|unable|never|do not|should not|please do not|would not|will not) ..4 (use|upload|submit|accept|provide|edit|alter|send|take|enter)",
          "(mailing address|new address|change of address|legal name change|update~|expir* (soon|next))",
        ],
        ignore: ["negation", "quotation"],
      };
    },
    // The customer named the paper or the check that is missing.
    "check-named-before"(): PhraseGroup {
      return {
        match: [
          "{doer} ..3 {skipping} ..2 (it|that|this|them|that one|that part|that bit|that step|those)",
          "(overlook~|look past|let (it|that|this) (slide|go|pass)|turn a blind eye|look the other way|close my eyes|pretend ..4 (saw|seen|see)|wave (it|you|that|this) through|waved (it|you|that|this) through|rubber stamp|not look too closely|will not look|forget i asked|forget i saw|ignore (it|that|this))",
          "(approved|accepted|passed|cleared|verified|confirmed|opened|marked|okayed|validated|authorised|authorized|approve|accept|pass|clear|verify|confirm|open) ..8 (although|even though|though|despite|anyway|regardless|without|nonetheless|all the same|no matter what) ..8 (not|never|missing|expired|blurry|unreadable|no|seeing|checking|looking|mismatch|wrong|can not|read)",
          "(no|without|zero) ..2 {check} ..2 (no problem|no worries|no big deal|who cares|fine|no sweat|no fuss|so what|easy)",
          "(no questions asked|no-questions-asked|anonymous|numbered|nameless|undocumented) ..3 (opening|account~|onboarding|sign-up|signup|banking|tier)",
          "(open~|accept~|take~|approve~|fine with|settle for|enough) ..6 (library card|gym card|student card|facebook|costco|loyalty card|business card|photocopy|nothing|smile|handshake|first name|punch card|your word|recommendation|nod|verbal|screenshot|email)",
          "(do not|will not|never|not going to|not gonna) ..3 (ask~|check~|verify|look~|care|need|bother~|dig|want|read) ..4 (id|proof|anything|who you are|who|paper~|document~|where|it|that|much|hard|closely|questions|source|fund~)",
          "(nobody|no one|they|system|software|reviewer~|compliance|back office|computer|auditor~) ..2 (will|does|do|ever|really|actually|only|barely|hardly)? ..1 (not|never|barely|hardly|rarely) ..2 (check~|look~|verif*|read~|ask~|notice~|know~|open~|tell|care~|compare~|match~|call~)",
          "(later|afterward~|eventually|whenever|some other time|next time|one day|when you get around|after the fact|someday|when convenient) & (open~|activat*|approve~|start|live|unlock~|fund~) & (today|now|already|right away|immediately|first|meanwhile|straight away|anyway)",
          "(something|anything|whatever|any answer|any story|any old|some) ..3 (vague|generic|plausible|boring|simple|bland|harmless|you like|you want|comes to mind|you fancy|believable|innocent|works|does it|will do|sounds)",
          "(just|simply|better|rather|best|safer|i would|we usually|people|most) ..3 (say|put|write|tell|call|answer|select|pick|choose|claim|mention|tick) ..8 (gift|inheritance|savings|loan|consulting|salary|family|winnings|sale|rent|freelance|investment~|business|travel|personal|household|student|retired|homemaker|self employed|tutoring|other|no|none) & ({whateverTruth}|easier|quicker|faster|smoother|trouble|hassle|problem~|delay~|awkward|complicated|goes through|and done|end of story|looks better|safer|suspicious|questions)",
          "(even if|although|though|whether or not) ..4 not ..3 (accurate|true|right|correct|real|so|exact|quite|strictly|entirely|the case)",
          "(put|stick|enter|list|name|write|use|give) ..3 (your {relative}|his|her|him|your own name|just one|only one|only you|one of you|your {relative} 's|him) ..2 (down|in|there|instead|at|name)",
          "(true|real|actual) owner ..6 (not|never|no|hidden|out|nowhere|stay~)",
          "(form|field|system|software|app|page|computer|upload) ..3 (only|just|merely|simply) ..2 (check~|look~|want~|need~|validate~|require~|count~|reads)",
          "(enter|type|put|key|use|say|write|give) ..4 (#number|123|any|some|1234|zeros|a year|a date) ..6 (in|as|for) ..4 (field|ssn|birth|year|age|number|box|date|social)",
          "(system|form|software|app|it|they) (will|would|should) ..1 (let|allow|accept|pass|take|wave) ..2 (you|it|through|that|him|her)",
          "(resembl*|looks like|look like|look alike|similar enough|close enough|pretend to be|pose as|posing as|as if you were|act as|acting as|impersonat*|in his place|in her place|be him|be her)",
          "(mark~|marked|set|record~|log~|note~|put|tick~|flip~|say|said|show~) ..6 (passed|complete|completed|done|took place|happened|verified|seen|present|met|in person|cleared|approved|satisfied) ..8 (so|without|though|although|not|anyway|before)",
          "(raises eyebrows|raise eyebrows|rather not explain|rather not say|what everyone (says|puts|writes)|everyone (says|puts|writes) that|cleaner that way|shorter that way|easier that way|simpler that way|quicker that way|less hassle|paperwork is cleaner|gets shorter)",
          "(facebook|instagram|linkedin|library|gym|student|costco|employee badge|business card) ..6 (as|for) ..4 (proof|id|identity|verification|evidence)",
          "(hardly|never|barely|rarely|seldom) ..2 (check~|compare~|look~|verif*|read~|open~|call~)",
          "(leave|keep|take|drop|omit|skip|forget) ..3 (him|her|them|that|his|hers|the rest|it|yourself|your name|the partner~|the owner~|the other~) ..2 (off|out|unmentioned|blank|unlisted|away)",
          "(list~|name~|put|show~|use|add|record|register|have|let|make) ..4 {frontMan} ..4 (instead|on paper|in your place|for you|sign|front|as the face|on record|as owner|as director|on the form)",
        ],
        user: identityTalk(),
        within: 2,
        unless: [
          ...legitimate(),
          "(can not|cannot|must not|not able|unable|required|have to|need to|please (bring|upload|send|provide)|must|sorry|policy|honest*|truthful*|accurately|law|rules)",
        ],
        unlessAnywhere: [
          "(required by|federal rules|federal law|we are required|must verify|must be verified)",
        ],
        ignore: ["negation"],
        confidence: 0.7,
      };
    },
    // The customer has no papers, and the account opens all the same.
    "opened-all-the-same"(): PhraseGroup {
      return {
        match: [
          "(open~|activat*|approve~|push~|set~ up|get you|go ahead|proceed|go live|create~|onboard~|unlock~|fund~|let you|start using|enrol~|lift~|raise~|good to go|all set) ..14 (anyway|regardless|without|for now|still|now|today|straight away|right away|immediately|as is|on trust|as a favor|as a favour|just this once|quietly|no trouble|first)",
          "(no worries|no problem|never mind|not a problem|no need|not matter|not necessary|forget it|forget that|relax|easy|do not sweat|all good|who needs|not to worry|do not worry|fine by me|good enough) ..24 (i will|i can|we will|we can|i have|just|let me|you look|trust|know you|mark|enter|put|type|tick|use|skip|open|approve|override)",
          "(i will|i can|we can|i have|we will|let me|just|simply) ..4 (put|enter|type|key|use|write|tick|mark|select|fill|make up|invent|pretend|assume|note|record|log) ..8 (anything|something|number|zeros|nines|verified|seen|mine|my own|dummy|placeholder|yes|ok|complete|present|passed|same|random|blank|matching|correct|confirmed|checked)",
          "(your word|honest face|your face is|handshake|gut feeling|good vibe|honest face|trust you|vouch~|know your (dad|mom|family|brother|father|mother)|friend of)",
        ],
        user: [
          "(no|not|without|lost|expired|missing|forgot~|blurry|old|cannot find|not have|rather not|refuse|not comfortable|not want|hate|why|skip~|avoid~|must i|do i (really)? (need|have)|stolen|no longer|out of date|fake|not match|wrong) ..8 (id|ids|passport|license|licence|ssn|social|papers|documents|document|identification|proof|paperwork|verification|verify|selfie|kyc|address|documentation|utility bill|tax id|itin|w9)",
          "(id|ids|passport|license|licence|ssn|social|papers|documents|identification|proof|verification|selfie|address|utility bill) ..6 (expired|lost|missing|not|blurry|old|stolen|fail~|rejected|home|wrong|different|annoying)",
        ],
        within: 2,
        unless: [
          ...legitimate(),
          "(passport|license|consular|itin|other|alternative|instead of your|either|visit|bring|upload|accept|temporary|dmv|once|after|until|as soon as|verify|verified once|video|notar*|limited)",
        ],
        unlessAnywhere: [
          "(can not|cannot|not able|unable|required|must|by law|federal|have to verify|need to verify|sorry|alternative)",
        ],
        ignore: ["negation"],
        confidence: 0.65,
      };
    },
    "borrowed-identity-agreed"(): PhraseGroup {
      return {
        match: [
          "^ (you can|sure|yes|yep|yeah|of course|no problem|absolutely|that works|that is fine|fine|ok|okay|certainly|go ahead|happy to|why not|easy|as long as)",
        ],
        user: [
          "(in|under|using|with|use|on) ..3 (my|a|another|someone|somebody|his|her) ..4 ({relative}|person|else|guy|dead|deceased|late) ..2 (name|id|ssn|social|license|passport|identity|papers|details)",
          "(fake|false|borrowed|made up|made-up|someone else 's|expired|another person 's) (id|name|ssn|passport|license|papers|documents|address|identity)",
          "(without|skip~|avoid~|no) ..3 (id|ids|passport|kyc|identification|verification|kyc|documents|papers|showing who|giving my name)",
          "(leave|keep|hide|omit) ..4 (owner~|partner|investor|name|him|her) ..3 (off|out|hidden|secret|private)",
        ],
        unless: [
          ...legitimate(),
          "(itin|passport|instead|other|another form|state id|joint|custodial|estate|executor|power of attorney|authorized|beneficiary|but|however|need|must|required|bring|verify|once|after|when you|if you (have|bring|provide))",
        ],
        confidence: 0.7,
      };
    },
    "coached-answers"(): PhraseGroup {
      return {
        match: [
          "(say|tell|write|put|put down|state|claim|call it|list|answer|enter|describe~|label|pretend|declare|report|type|jot|note|choose|select|pick|use|give|mention) ..6 {falseSource} ..12 {whateverTruth}",
          "{whateverTruth} ..12 (say|tell|write|put|put down|state|claim|call it|list|answer|enter|describe~|label|pretend|declare|type|jot|choose|select|pick) ..6 {falseSource}",
          "(source of funds|source of wealth|origin of the funds|origin of funds|where the money came from|where the money comes from|where it came from|where it comes from|purpose of the account|purpose of account|source of the money|source of the funds|source of your|source of income|source field|purpose field|occupation) & (make something up|make up|invent|just say|just put|simply put|simply say|i would say|i would put|anything|whatever|pretend|say it is|say it was|put down|i will put|i will write|i will say|we will say|we can say|i can write|do not mention|leave blank|leave it blank|sounds better|sound better|raises fewer|sound cleaner|sounds cleaner|looks better|looks cleaner|clean story|cover story|backstory|back story|instead of the truth|no one checks|nobody checks|never checked|nobody verifies)",
        ],
        within: 2,
        unless: [
          "(honest*|truthful*|accurate*|accurately|exactly|actual source|real source|must not|do not make|never make|not invent)",
        ],
      };
    },
  },
  patterns: ["check-switched-off"],
  *check(context): Iterable<Finding> {
    for (const call of context.toolsUsed ?? []) {
      const evidence = findIdentitySwitch(call);
      if (evidence === undefined) continue;
      yield {
        pattern: "check-switched-off",
        confidence: 0.9,
        evidence,
        description:
          "A tool was called with a setting that skips the identification of a customer.",
      };
    }
  },
});
