import { defineBuiltInRule, type Finding } from "../define-rule.ts";
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
    "(itin|consular|foreign passport|unexpired|passport ..4 (or|instead))",
    "(face id|touch id|fingerprint|biometric~|caller id)",
    "(usually|often|also|normally) open",
    "(can|could|will|do|does|may|must) not ..6 (without|open|proceed|approve|waive|skip)",
    "(replacement|lost|renew~) ..3 (id|license|passport)",
  ];
}

/** That the exchange is about who a customer is, who owns a company, or where money comes from. */
function identityTalk(): string[] {
  return [
    "{check}",
    "(id|ids|passport~|license|licence|ssn|social|verify|verified|verification|documents|document|papers|paperwork|proof|utility bill|w9|identity|cip|kyc|itin|selfie)",
    "(owner~|ownership|stake|shareholder~|director~|beneficial|nominee~|own ..1 (percent|#percent)|person who controls|controls it)",
    "((source|origin) ..3 (fund~|money|wealth|cash|income)|where ..4 (fund~|money|wealth|cash) ..3 (from|come~|came))",
    "(birthday|underage|minor|years old|compliance|verification|founders|grandma|declaration|(asking|asks) ..3 (job|occupation|source)|branch as)",
    "(purpose|occupation|employer|address|nationality|citizen*|birth~|pep|politically)",
  ];
}

/** What makes a paper or an answer untrue. */
const UNTRUE =
  "(fake|false|made-up|made up|fabricated|forged|phony|bogus|doctored|altered|edited|photoshopped|invented|fictitious|dummy|sham|pretend|imaginary|nonexistent|someone else 's|somebody else 's|another person 's|another customer 's|another client 's|borrowed)";
const PAPER =
  "(id|ids|name~|identity|ssn|social|passport|license|licence|details|document~|birth date|birthdate|dob|date of birth|date|address~|selfie|photo|paperwork|paystub~|pay stub~|statement~|bill~|tax id|ein|letter~|lease|certificate|number~|company|employer|job|signature~|agreement|contract|form|reference|expiration|expiry)";

/**
 * Flags offers to skip, fake or get around the identification of a customer or owner.
 *
 * @see 31 CFR § 1020.220, § 1010.230
 */
export const bsaAmlKycBypass = defineBuiltInRule({
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
          "({check} ..2 (has been|have been|is|was|were|are|got) ..2 {skipped}|{check} ..1 (can be|will be) (skipped|bypassed|waived|dropped|left out|set aside|rubber stamped))",
          "(i will|we will|i can|we can|i have|we have|let me|let us|you can|you could|just|simply|go ahead and|happy to) ..3 (open~|opened|approve~|activate~|onboard~|set up|setting up|get you|sign you up|start|proceed|enroll) ..6 (without|minus|with no|sans|skipping|despite no) ..3 {check}",
          "(no|without|zero|minus) ..2 {check} (needed|required|necessary|asked) ..2 (for you|this time|from you|on my watch|for regulars|for vips|for vip|for friends|i will|we will)",
          "(no need|not need|not have to|not bother|not worry|forget|not required) ..5 {check} ..8 (i trust|vouch|know you|take your word|regulars|vip~|as a favor|as a favour|look honest|override|i will mark|marked as|i will tick)",
          "(vouch for you|take your word for it|take your word on|know you well enough|i trust you|you look legit|you seem legit|you seem trustworthy|your word is good enough|your word is enough|on the honor system) ..14 {check}?",
          "(set|mark|flip|switch|put) ..3 {check} ..3 (to|as) ..2 (complete|done|passed|verified|ok|approved) ..6 (w|without|with out|no|minus) ..3 (docs|documents|id|papers|anything|proof)",
          "{check} & (just between us|off the record|nobody will check|nobody checks|no one checks|no one will check|no one verifies|nobody verifies|never checked|not checked|no one looks|system accepts anything|system will not notice|system does not check|i will not tell|make something up|make one up|fill in anything|type anything|type in anything|random number~|dummy|put down anything|enter anything|all zeros|all nines|nines|zeros|123 45 6789|borrow one|whatever you like|whatever you want)",
          "(i|we|i will|we will|i can|we can|i have|we have|just|let me) ..2 (mark~|marked|tick~|ticked|flag~|flagged|set|log~|logged|stamp~|stamped|record~|recorded) ..6 (verified|as complete|completed|as passed|passed|as done|as seen|as received|satisfied|cleared) ..8 (without|though|although|even|anyway|no need|never) & {check}",
          "(tick~|mark~|check~|click~|flip~|set|hit|select|choose|press|toggle~) ..3 (verified|verifed|verfied|identity confirmed|id seen|docs received|documents received|id on file|kyc complete|kyc done|kyc passed) ..16 (no docs|no id|no documents|no paperwork|no papers|without|anyway|good to go)",
        ],
        within: 2,
        unless: legitimate(),
        ignore: ["negation"],
      };
    },
    "false-identity"(): PhraseGroup {
      return {
        match: [
          "(use|using|borrow|borrowing|give~|enter|submit|upload|provide|put|list|register|open|apply|sign|run|try|send|show|present) ..3 (fake|false|made-up|made up|fabricated|forged|phony|bogus|doctored|altered|edited|photoshopped|invented|fictitious|someone else 's|somebody else 's|another person 's|a friend 's|your friend 's|your roommate 's) ..2 (id|ids|name|names|identity|ssn|social|social security|passport|license|licence|details|documents|document|birth date|birthdate|dob|date of birth|address|selfie|credentials|paperwork|paystub|statement|utility bill|tax id|ein)",
          "(borrow|borrowing|(open|apply|sign up|register|enroll|try again|try it|do it|go in) ..4 (using|with|under|as)) ..2 your {relative} 's ..2 (id|ids|name|names|identity|ssn|social|social security|passport|license|licence|details|documents|document|birth date|birthdate|dob|date of birth|address|selfie|credentials|paperwork|paystub|statement|utility bill|tax id|ein)",
          "(use|put|give|enter) ..8 (name|number|address|social) ..4 so ..6 (background|credit|chexsystems|screening) ..2 (check|search|report) ..4 (empty|clean|clear|nothing)",
          "(open~|register~|set~ up|put~|list~|place~|title~|apply~|file~|name~) ..8 (in|under|using|as) ..3 ({frontMan}|his|her|their|someone|another|somebody|my) ..4 (name|identity|ssn|owner|social) ..6 (nobody|no one|hides|hide|keeps (you|yours|your)|instead of (you|yours|your))",
          "(list~|name~|put~|show~|enter~|use|add~|record~|make|appoint|install|write|register|nominate~|declare) ..3 (accountant|lawyer|attorney|secretary|assistant|nanny|driver|nominee~|straw man|strawman|bookkeeper|gardener|housekeeper|figurehead|intern|janitor|receptionist|nephew|niece|cousin|clerk|shell company|proxy|dummy) ..4 as ..2 (owner~|beneficial owner~|director~|shareholder~|sole owner|account holder)",
          "(list~|name~|put~|show~|enter~|add~|record~|make|appoint|install|write|register|nominate~|declare) ..4 {frontMan} ..4 as ..3 (owner~|beneficial owner~|director~|controller|control person|shareholder~|nominee~|account holder) ..4 (instead|in place of|in your place|on paper|rather than)",
          "(keep|keeps|leave|hide|hides|mask|conceal|shield|obscure) ..3 (your|the|his|her|their|real|true|actual) ..2 (name|owner~|identity|ownership|stake|beneficial owner~) ..2 (off|out of|hidden|secret|private) ..6 (record~|form~|paperwork|file~|application|register|books|certification|ownership|filing~)",
          "(keep~|hold|show|put|report|reduce|drop|cut|split|sell|dilute|adjust|list) ..6 (ownership|stake~|share~|holding~) ..4 (below|under|beneath|less than|short of) ..3 (25 percent|#percent|twenty-five percent|twenty five percent|quarter) ..6 (so|to|that way) ..8 (disclos*|list~|listed|name~|report~|beneficial|identify|identified|form|certif*|verif*)",
          "(report|list|put|state|declare|show|record|call|write) ..3 (stake|shares|ownership|holding) ..3 (as|at|below|under) ..3 (#percent|lower|less|24|24.9) ..8 (so|that way|and) ..6 (not|never|no one|nobody|avoid~|without)",
          "(leave|keep|omit|skip) ..2 (her|him|them|your partner|the partner|the other owner|that owner) ..2 (off|out of|out) ..6 (certification|ownership|owner section|owner form|beneficial|filing)",
          "(use|use a|set up|put|add|find|get|i can|we can|through) ..4 (nominee|straw|shell|front|strawman|straw man|figurehead|stand-in|proxy|frontman) (owner~|director~|shareholder~|company|compan*|holder~|signer~|account~|buyer~|person|man) ..8 (hide~|conceal~|keep~|mask~|bypass~|shield~|nobody|no one|your name|anonym*)",
        ],
        unless: [
          "(reject~|scam|fraud|detected|we found|prevent|not accept|not allowed|decline~|own name|individually|joint)",
          ...legitimate().slice(1, 2),
        ],
      };
    },
    "details-made-up"(): PhraseGroup {
      return {
        match: [
          `(make up|making up|invent|fabricate|think up|dream up|come up with|pick out of thin air) (a|an|any|some|your|the|one|another) ..3 (ssn|social security number|social|tax id|taxpayer id|address|date of birth|birth date|birthday|birthdate|id number|passport number|license number|driver's license number|identity|ein|employer|occupation|job title)`,
          "(use|using|enter|put|give|type|write) ..4 (your {relative}|somebody|someone else|another person|a {relative}|a stranger|a dead person) 's ..2 (ssn|social security number|social|tax id|id number|passport|license|id|identity|name) ..8 (instead of (yours|your own)|in place of yours|rather than yours|so ..4 (pass~|go~ through|accept*|approv*|clear~))",
          "(write|enter|put|give|type|use|pick|choose) ..1 (any|any old|any random|any nine|any made up|any fake) (address|name|number|digits|date|ssn|employer|birthday|birth date) & (i|we|nobody|no one|system) ..1 (not|never|nobody|check~|verif*) ..3 (check~|verif*|whether|if|it|care~)",
          "(approve|open|activate|onboard|accept|pass) ..4 (applicant~|account|customer|client|them|him|her) without ..2 (documents|documentation|id|papers|proof|identification) & (write|mark|note|say|record|put|enter) ..5 (saw|seen|verified|checked|passport|id)",
          "(change|alter|edit|modify|replace|rewrite) ..2 (expiration|expiry|birth|date|name|photo) ..8 (picture|photo|scan|copy|image|pdf) ..3 (id|license|passport|document|bill|statement)",
          "(leave|keep) ..4 (owner~|ownership|identity|ssn|date of birth|address) ..3 (blank|empty) & (approve|open|activate|go ahead|pass|accept)",
          "(approve|open|activate|onboard|accept) ..4 (account|customer|client|application|them|him|her|company|file) ..2 without ..2 (identifying|verifying|checking|knowing) ..3 (who|them|him|her|owner~|identity|customer|client|you|id|documents)",
          "(accept|take|use) (the|that|this|it|his|her|their) ..2 (id|passport|license|document~|it) (anyway|regardless|all the same|even so) & (mark|pass|approve|verified|open)",
          "(open~|register~|apply~|sign~ up|put|set~ up) ..6 (under|in|with|using|as) ..1 (false|fake|fictitious|made up|made-up|invented|assumed|phony|bogus) (name|identity|ssn|social security number|id)",
        ],
        within: 2,
        about: identityTalk(),
        unless: [
          "(reject~|scam*|fraud|detected|prevent|not accept|not allowed|criminal~|crime|illegal|identity theft|thief|thieves|they|password|username|nickname)",
          "(can not|cannot|must not|may not|never|do not|will not|would not|unable) ..4 (open|approve|accept|make|use|enter|onboard|take)",
        ],
      };
    },
    "forged-papers"(): PhraseGroup {
      return {
        match: [
          `(use|using|punch~ in|type~|key~ in|enter~|put|put~ in|submit~|upload~|provide~|make~ up|create~|send|show|present|print~|get you|give you|lend|here is|find you|insert|fill~ in|write~|draw~ up|draft~|generate~|make) ..6 ${UNTRUE} ..2 ${PAPER}`,
          `(edit|photoshop~|alter|doctor|touch up|tweak|crop|retype|backdate|redate|white out|whiteout|scan over|falsify|forge|fake) ..3 ${PAPER} & (upload|submit|passes|accept~|reviewer~|reviewers|good to go|get through|gets through|nobody|no one|barely)`,
          "(copy|reuse|borrow|lift|recycle|lend|clone) ..5 (from|of|off) ..1 (another|some other|someone else|one of our|somebody else) ..1 (customer~|client~|applicant~|person)",
          "(i|we) ..2 (signed|sign|initial*|forged|filled in|ticked) ..3 (on your behalf|for you|in your name|your name for you|your signature|as if you|pretending)",
          "(choose|select|tick|put|say|pick|enter|check|click|answer|write|state|claim|use|list|declare|type|tell) ..8 (even though|although|though) (you|it|that|he|she|they) (are|is|was|were|do|does|did|have|has) not",
          "(tell|say|write|put|state|claim|declare) ..3 (you|he|she|they) ..1 (hold~|own~|control~|has|have) ..3 (24|24.9|twenty four|less than #percent|less than #number|under #percent|below #percent)",
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
          "(i|we|i will|we will|i can|we can|i have|we have|let me|let us) ..1 (skip~|bypass~|waive~|overrid*|overrode|fudge~|fake|leave out|left out|get around|wave through) (it|that|this|them|that one|that part|that bit|that step|those)",
          "((i|we|i will|we will|i can|we can) ..2 (overlook|look past|ignore (it|that|this)|not look)|let (it|that|this) (slide|pass)|turn a blind eye|look the other way|close my eyes|pretend ..4 (saw|seen|see)|wave (it|you|that|this) through|waved (it|you|that|this) through|rubber stamp|not look too closely|forget i asked|forget i saw)",
          "(i|we|i will|we will|i have|we have|i can|we can) ..2 (approved|accepted|passed|cleared|verified|confirmed|opened|okayed|validated|approve|accept|pass|clear|verify|confirm|open) ..8 (although|even though|though|despite|anyway|regardless|without|nonetheless|all the same) ..6 (not|never|missing|expired|blurry|unreadable|seeing|checking|looking|mismatch|wrong|can not read)",
          "(no|without|zero) ..2 {check} ..2 (no problem|no worries|no big deal|who cares|fine|no sweat|no fuss|so what|easy)",
          "(no questions asked|no-questions-asked|anonymous|numbered|nameless|undocumented) ..3 (opening|account~|onboarding|sign-up|signup|banking|tier)",
          "(open~|accept~|take~|approve~|fine with|settle for|enough) ..6 (library card|gym card|loyalty card|costco card|punch card|smile|handshake|your word|nod)",
          "(nobody|no one) ..2 (check~|look~|verif*|read~|compare~)",
          "(reviewer~|compliance|back office|auditor~|system|software|they) ..2 (never|barely|hardly|rarely) ..1 (check~|look~|verif*|read~|compare~)",
          "(bring|send|show|check|verify|do|get|collect|sort|see) ..4 (later|afterward~|eventually|whenever|some other time|when you get around|after the fact|someday|when convenient) & (i|we|i will|we will|i can|we can|i have|we have|let me) ..3 (open~|activat*|approve~|unlock~) ..6 (already|right away|immediately|meanwhile|straight away|anyway)",
          "((say|put|write|enter|tell|type|pick|give|answer|use) ..4 (something|anything|whatever|any answer|any story|any old) ..3 (vague|generic|plausible|boring|simple|bland|harmless|you like|you want|comes to mind|you fancy|believable|innocent)|(something|anything) (vague|plausible|bland|boring|believable) like|(any|whatever) (answer|story|excuse) ..2 (works|does it|will do))",
          "(say|put|write|tell|answer|select|pick|claim|tick) ..3 (gift|inheritance|savings|loan|consulting|salary|family|winnings|freelance|freelancer|personal|household|student|retired|homemaker|self employed|tutoring) & ({whateverTruth}|trouble|hassle|awkward|and done|end of story|looks better|suspicious|raises)",
          "(say|put|write|enter|tell|type|pick|claim|tick|choose|state|answer|it is) ..12 (even if|although|though|whether or not) ..4 not ..3 (accurate|true|right|correct|real|so|exact|quite|strictly|entirely|the case)",
          "(put|stick|enter|list|write) ..2 (your own name|just one|only one|only you|one of you|just yours|only yours|just yourself)",
          "(true|real|actual) owner ..4 (hidden|out of|nowhere|unnamed|unlisted|never ..2 (appear~|show~|named|listed)|stays ..1 (out|off|hidden))",
          "(form|field|system|software|page|computer|upload) (only|just|merely|simply) ..1 (check~|look~|validate~|count~|reads|wants) ..3 (for|that|if|whether|something|anything|any|digits|number|a)",
          "((enter|type|put|key|use) ..4 (any number|any date|random|1234|123 45 6789|zeros|nines|made up|some number|a year|some digits|any digits) ..6 (in|as|for) ..4 (field|ssn|birth|year|age|box|date|social)|(enter|type|put|key) ..1 #number as your (birth|age|date of birth|year))",
          "(system|form|software|computer) (will|would|should) ..1 (accept|pass|take|wave|swallow) (it|that|anything|them)",
          "(pretend to be|pose as|posing as|as if you were|in his place|in her place|be him|be her|look alike|similar enough|(he|she|you|they|{relative}) ..1 (resembl*|look like|looks like) ..2 (you|him|her|them|each other|{relative}))",
          "(i|we|i will|we will|i can|we can|i have|we have|just|let me) ..2 (mark~|marked|record~|log~|note~|tick~|flip~) ..6 (passed|complete|completed|done|took place|happened|verified|seen|present|met|in person|cleared|satisfied) ..6 (without|though|although|anyway|even)",
          "(raises eyebrows|raise eyebrows|rather not explain|rather not say|what everyone (says|puts|writes)|everyone (says|puts|writes) that|cleaner that way|shorter that way|quicker that way|paperwork is cleaner|gets shorter)",
          "(facebook|instagram|linkedin|library card|gym card|costco|business card) ..4 (as|for) ..2 (proof|id|identity|verification|evidence)",
          "(leave|keep|omit|skip|forget) ..2 (him|her|them|his|hers|yourself|your name|the partner~|the owner~|the other~|that|it) ..2 (off|out|unmentioned|blank|unlisted)",
          "(list~|name~|put|show~|record|register|make) ..4 {frontMan} ..4 (instead|on paper|in your place|as the face|on record|as owner|as director|as the owner|as the director|on the form)",
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
          "(i|we|i will|we will|i can|we can|i have|we have|let me) ..3 (open~|activat*|approve~|push~ through|unlock~|lift~) ..8 (anyway|regardless|on trust|as a favor|as a favour|just this once|quietly|all the same)",
          "(no worries|no problem|never mind|not a problem|no need|not matter|not necessary|forget it|forget that|relax|do not sweat|who needs|not to worry|do not worry|fine by me|good enough) ..10 (i will|i can|we will|we can|i have|let me) ..3 (trust|mark|tick|skip|approve|override|open ..4 anyway|use (mine|my own|a dummy|a placeholder)|put (in|down)? ..1 (anything|something))",
          "(i will|i can|we can|i have|we will|let me|just|simply) ..3 (put|enter|type|key|use|write|tick|mark|select|fill|make up|invent|pretend|assume|note|record|log) ..4 (anything|zeros|nines|mine|my own|dummy|placeholder|random|it as (seen|verified|checked|complete|present|passed)|as (seen|verified|checked|complete|present|passed))",
          "(your word is|take your word|honest face|your face is|handshake|gut feeling|good vibe|i trust you|we trust you|vouch~|know your (dad|mom|family|brother|father|mother))",
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
          "((he|she|they) ..1 use (mine|his|hers|theirs)|(open~|apply~|applying|sign up|register|get|do it|account|use|onboard|enroll) ..6 (in|under|using|with|as|use) ..3 (my|a|another|someone|somebody|his|her) ..3 ({relative}|person|else|guy|dead|deceased|late) ..2 (name|id|ssn|social|license|passport|identity|papers))",
          "(fake|false|borrowed|made up|made-up|someone else 's|expired|another person 's) (id|name|ssn|passport|license|papers|documents|address|identity)",
          "(open~|apply~|applying|sign up|join|start|bank here|bank with|onboard~|account|enroll) ..8 (without|skip~|avoid~|no) ..3 (id|ids|passport|kyc|identification|verification|documents|papers|showing who|giving my name)",
          "(leave|keep|hide|omit) ..4 (owner~|partner|investor|name|him|her) ..3 (off|out|hidden|secret|private)",
        ],
        unless: [
          ...legitimate(),
          "(itin|passport|instead|other|another form|state id|joint|custodial|utma|minor|child|teen|trustee|guardian|deposit*|check|endors*|estate|executor|power of attorney|authorized|beneficiary|but|however|need|must|required|bring|verify|once|after|when you|if you (have|bring|provide))",
        ],
        confidence: 0.7,
      };
    },
    "coached-answers"(): PhraseGroup {
      return {
        match: [
          "(say|tell|write|put|put down|state|claim|call it|list|answer|enter|describe~|label|pretend|declare|type|jot|select|pick) ..6 {falseSource} ..12 {whateverTruth}",
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
