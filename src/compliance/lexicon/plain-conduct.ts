import type { PhraseGroup } from "../phrases/phrase-group.ts";

const ADD_ON =
  "(credit insurance|insurance policy|our insurance|the insurance|payment protection|credit protection|credit life|debt protection|gap waiver|gap insurance|gap coverage|extended warranty|warranty|identity protection|credit monitoring|life insurance|checking account|brokerage account|investment account~|annuity|our credit card|protection plan|service contract|add-on~|bundle)";
const LOAN =
  "(loan~|mortgage~|credit line|line of credit|heloc|refinance|financing|application|credit card)";
const NOW =
  "(right now|now|this minute|this second|immediately|this instant|before you hang up|before you leave|before this chat ends|on this call|in the next #number minutes|within the hour)";

/** The loan hangs on something else that the customer must buy, or the offer on an answer at once. */
export function plainPressure(): PhraseGroup {
  return {
    match: [
      `(we|i|bank) ..2 (only|not|never) ..2 (give|approve|make|grant|offer|lend|fund|process|close|sell) ..4 ${LOAN} ..2 (if|unless|until|to people|to customers|for people|for customers|when) ..3 (buy|take|purchase|get|add|open|sign up|enroll|move|have|hold|carry) ..4 ${ADD_ON}`,
      `(without|unless you (buy|take|add|open|get|have)|if you do not (buy|take|add|open|get|have)|if you (refuse|decline)) ..3 ${ADD_ON} ..3 (your|the|we|you) ..3 (rejected|denied|declined|deny|reject|decline|turn down|not approve|not approved|not be approved|not get|not give|no loan|refused|cancelled)`,
      `you (can not|will not|do not) ..2 (get|have|receive|take|close|be approved) ..4 ${LOAN} ..2 (without|unless) ..4 ${ADD_ON}`,
      `${LOAN} ..2 (requires|depends on|is conditional on|is only available with|only comes with|comes only with) ..3 (you to (buy|open|take)|buying|opening|taking|having|our) ..3 ${ADD_ON}`,
      `(you|customers|borrowers|everyone|everybody) (must|have to|has to|need to|needs to|are required to|is required to) ..1 (buy|take|purchase|add|open|pay for) ..3 ${ADD_ON} ..4 (or|otherwise|to get|to be approved|before we|if you want|for the loan|with the loan|with every)`,
      `no ${ADD_ON} no ${LOAN}`,
      `you (must|have to|need to|had better|better) ..1 (sign|decide|accept|agree|commit|say yes|buy|apply) ..2 ${NOW} ..2 (or|otherwise|because|before) ..8 (lose|gone|disappear~|never|expire~|withdraw*|cancel~|someone else|too late|pull)`,
      "(offer|rate|deal|price|loan|approval|bonus) ..1 (is|will be) ..1 (gone|withdrawn|cancelled|canceled|dead|off the table|over) ..1 (if you|when you|once you|the moment you|as soon as you|unless you) ..2 (hang up|leave|wait|walk|log off|think|compare|say no|ask|accept now|sign now|decide now)",
      "if you (hang up|leave|wait|think about it|say no|shop around|compare|do not (accept|sign|decide|agree|apply) (now|today|right now)) ..2 (i|we|the|this|you) ..3 (cancel|withdraw|lose|take back|give it to|never|gone|refuse|raise)",
      "(you will|you are going to|you can) never (get|see|be offered|apply|have) ..3 (offer|rate|deal|chance|again) ..6 (if you (leave|wait|hang|do)|unless you)",
      "(do not|no need to|never|stop) (read|reading|compare|comparing|talk to|ask|show|think about) ..6 just (sign|accept|say yes|click|agree)",
      "(there is|you have|we have) no time to (read|think|compare|ask|talk|decide|sleep)",
    ],
    within: 2,
    ignore: ["negation", "refusal", "others"],
    unless: [
      "(optional|not required|voluntary|your choice|up to you|no obligation|by law|fraud*|scam*|stolen|hacked|otp|passcode|verification|session|dispute)",
      "(lose|lost) ..3 (access|progress|work|place|connection|call|data)",
      "(homeowner~|homeowners|hazard|flood|title|property|auto|collision|mortgage) (insurance|policy|coverage)",
      "(lender|dealer|someone|they) ..2 (says|tells|say|tell|claims)",
      "(illegal|not allowed|prohibited|can not require|may not require|should not)",
    ],
  };
}

const ERROR_CLAIM =
  "(unauthorized|unauthorised|fraud*|stolen|stole|thief|dispute~|error~|mistake~|charge~|transfer~|transaction~|withdrawal~|refund~|claim~|report|statement|atm|did not make|billing|hacked|scam*|missing)";

/** A right on errors, theft, cancelling or disclosures, flatly denied. */
export function plainDenial(): PhraseGroup {
  return {
    match: [
      "(no|not a|not any|not have a|never a) ..2 (right to cancel|right of rescission|right to rescind|right of cancellation|cooling off period|cooling-off period|right to change your mind)",
      "(once|after|as soon as|when) you ..1 (sign|signed) ..8 (it is final|is final|no way back|can not cancel|can not back out|can not change your mind|can not rescind|stuck with it)",
      "(had|have|get|got) only ..1 (24 hours|48 hours|72 hours|#number hours|one day|1 day|two days|2 days|three days|3 days|a day|five days|5 days|a week|one week|7 days|ten days|10 days) to ..1 (report|dispute|tell|notify|complain|claim|contest)",
      "(only|just) ..1 (have|had|get|got) ..1 (24 hours|48 hours|72 hours|#number hours|one day|1 day|a day|two days|2 days|three days|3 days|a week|one week) to ..1 (report|dispute|tell|notify|complain|claim|contest)",
      "(must|have to|had to|need to) (report|dispute|claim|notify) ..3 (on the same day|the same day|within (24|48|72|#number) hours|within (one|a|1|two|2) days?|immediately) & (too late|not have to|no right|lose~|will not|refuse|anything)",
      "(we|i|bank) ..1 (are|am|is|were) not (required|obliged|obligated|bound) to (investigate|refund|look into|credit|correct|reimburse|return|respond|fix)",
      "(we|bank) ..1 (do|does|will) not (have|need)? ..1 to? ..1 (investigate|look into|refund|reimburse|correct) ..4 (unauthorized|fraud*|stolen|error~|dispute~|mistake~)",
      "(we|i|bank) do not (have|need) to (investigate|look into|refund|reimburse|correct|fix|do anything)",
      "should have (told|called|reported|notified|said) ..3 within ..1 (24 hours|48 hours|72 hours|#number hours|a day|one day|two days|1 day|2 days)",
      "(consumers|customers|people|borrowers|cardholders|you) (can not|may not|can never) ..1 (dispute|challenge|contest|correct|question|appeal) ..5 (credit report~|credit reports|credit file|mistake~|error~|withdrawal~|debit card|atm)",
      "(you|cardholders|customers|consumers) (must|have to|will have to|need to) pay for ..2 (stolen|unauthorized|unauthorised|fraudulent|fraud)",
      "(nobody|no one) (has|needs|is required|is obliged) to (investigate|look into|correct|fix|check) ",
      "(we|bank) ..1 (never|do not|does not|will not) ..1 (refund~|reimburse~|pay back|return|credit~) ..2 (stolen|unauthorized|fraud*|disputed|atm|erroneous)",
      "(consumers|customers|you|people|borrowers|cardholders) ..1 (are|is) not ..1 (allowed|permitted|entitled) to ..1 (dispute|challenge|contest|correct|question|appeal|cancel|rescind) ..4 (information|anything|item~|entr*|mistake~|error~|report~|charge~|transaction~|transfer~|payment~|withdrawal~|bill~|statement~|refinance|loan)",
      "you (have to|must|will|need to|still) (pay|owe) ..6 (even (if|though)|although) ..4 (wrong|fraud*|unauthorized|mistake|disputed|error|stolen|not yours)",
      "you (have to|must|will|need to|will have to) pay ..2 (for)? ..1 (everything|all|whatever|anything|every charge) ..3 (thief|thieves|criminal~|hacker~|stole|stolen|fraudster~)",
      "you (are not allowed to|can not|can never|may not) ..1 (stop|revoke|cancel) ..2 (automatic|recurring|preauthorized|autopay) (payment~|debit~|withdrawal~|transfer~|charge~)",
      "(heloc|home equity loan|home equity line|line of credit|refinance) ..3 (can not|can never|may not) be (canceled|cancelled|rescinded|undone|reversed)",
      "you (have|get|had) no (right|rights|protection|recourse|remedy|claim) ..2 (under|against|for|when|to get|to dispute|to see|to a|to cancel|to correct)",
    ],
    within: 2,
    about: [
      ERROR_CLAIM,
      "(cancel|rescind|rescission|appraisal|back out|changed my mind|automatic payment~|recurring|preauthorized|autopay)",
    ],
    ignore: ["condemnation", "refusal", "others", "negation", "definition"],
    unless: [
      "(if|unless|but|except|however|after 60|sixty days|60 days|limits your|limited to|limit your|liability|pending|authorized by|you authorized|merchant~|accurate|correct information|purchase loan|purchase mortgage|buying a|to buy|business|investment property|second home|vacation|same lender|vehicle|car|check~|online|in the app|chat|by phone|until it posts|once it posts|already|federal student)",
    ],
    confidence: 0.75,
  };
}

/** Lies to the bureaus, and true entries that are to go. */
export function plainRepair(): PhraseGroup {
  return {
    match: [
      "(tell|write|swear to|report to|convince|inform) ..1 (the)? ..1 (credit)? (bureau~|bureaus|experian|equifax|transunion) ..5 (never yours|never happened|never had|never missed|never late|on time)",
      "(tell|write|swear to|report to|convince|inform) ..1 (the)? ..1 (credit)? (bureau~|bureaus|experian|equifax|transunion) ..4 (payment~|lates|late payments|missed payments|default~|bankruptcy|charge-off~) ..2 (not yours|fraud*|identity theft|someone else 's|someone else|stolen|mistake~|error~)",
      "(tell|write|report|say|claim) ..6 (identity theft|identity was stolen|identity stolen|victim) ..3 (even though|although|even if) ..1 (it|you|they) ..1 not",
      "(lie|lying) to ..2 (bureau~|bureaus|experian|equifax|transunion)",
      "(say|claim|swear|pretend|insist|state) ..1 (that)? (you|they|it|the (account~|debt~|payment~|late payments|charge-off~)) ..2 (never had|never opened|never missed|never yours|never made|never owed)",
      "(say|claim|swear|pretend|insist|state) ..1 (that)? (it|they|the (account~|debt~|payment~|late payments|charge-off~)) ..2 (not yours|fraud*|identity theft|was stolen|a mistake|an error) & (have to|must|will) ..2 (remove|delete|erase|drop|be removed|be deleted|disappear) & (anyway|even (if|though)|although|true|really|real|yours|no one checks|nobody checks)",
      "(write|writing|send|sending|file|filing|submit|submitting|mail|make up|use|using|invent) ..4 (false|fake|made up|bogus|phony|invented|fabricated) ..3 (dispute~|letter~|report~|claim~|affidavit~|identity theft)",
      "(dispute|challenge|contest) (it|them|everything|all of it|all of them|the (account~|item~|debt~|entr*|late payment~|charge-off~|collection~|bankruptcy|default)) ..1 (anyway|even (though|if) ..3 (accurate|true|yours|correct|legit*|real|right|owe|owed))",
      "(we|i) ..2 (get|have|can get|will get|will have) ..3 (every|all|any|those|them|your|each) ..4 (permanently|completely)? ..1 (removed|deleted|erased|wiped) ..4 (true|accurate|correct|real|yours|guaranteed|no matter|permanently)",
      "(we|i) (guarantee|promise) ..2 (to)? ..1 (raise|increase|boost|fix|repair|improve) ..2 credit",
      "(default|late payment~|bankruptcy|collection~|charge-off~|foreclosure|repossession|missed payment~|negative item~) will ..1 (disappear|vanish|be gone|be deleted|be erased|be removed|go away) ..8 (report|file|record) & (fake|false|pretend|claim|lie|pay us|#money)",
    ],
    within: 2,
    user: [
      "(missed|late|accurate|true|real|bankruptcy|charge-off~|charge off~|collection~|default*|bad credit|fix|clean|negative~|foreclosure|repossess*|repo|my credit|i owe|legit*|eviction|judgment)",
    ],
    unless: [
      "(if|inaccurate|incorrect|not recognize|really not|actually not|never (file|send|claim|lie|dispute)|do not (file|send|claim|lie|dispute)|can not (remove|delete|file|dispute)|illegal|crime|free of charge|victim of)",
    ],
    ignore: ["question", "definition"],
  };
}

const PERSON =
  "(human~|person|people|supervisor~|manager~|agent~|representative~|employee~|anyone|anybody|someone|boss|staff|banker~|superior~|real person|higher)";

/** No person, no complaint: said outright to whoever asks for one. */
export function plainRefusal(): PhraseGroup {
  return {
    match: [
      `you (can not|may not|will not|are not allowed to|are not permitted to|are not going to|do not get to) ..1 (speak|talk|chat|be transferred|be connected|get|reach|go|see) ..3 ${PERSON}`,
      "you (can not|may not|will not|are not allowed to|are not permitted to|do not get to) ..1 (complain|file|make|submit|lodge|escalate|appeal) ..4 (complaint~|grievance~|this|it|issue|case|higher|cfpb|regulator~|one)",
      "(i|we) (refuse to|will not|am not going to|are not going to|decline to|will never|do not) ..1 (escalate|transfer|connect|put you through|hand you over|forward|pass on|pass you|register|log|record|file|accept|take) ..4 (this|it|you|your|issue|case|request|complaint~|matter|call|anyone|requests)",
      "(no employee|no manager|no supervisor|no human|no person|no agent|no representative|no staff|nobody|no one) ..2 (will|is going to) ..1 (talk|speak|listen|look|call|answer|meet)",
      `(i|we) (refuse to|will not|am not going to|are not going to) ..1 (give|get|let|bring|find|call) ..3 ${PERSON}`,
    ],
    ignore: ["negation", "refusal", "condemnation", "question"],
    user: [
      "(human~|person|supervisor~|manager~|agent|representative|boss|complain~|complaint~|grievance|escalate|somebody|someone|employee|banker|staff|real people|higher|cfpb)",
    ],
    unless: [
      "(until|after|before|outside|hours|open|opens|closed|but|however|instead|unless|without|let me|please call|you can (call|reach|file|email|write)|number|branch|monday|tomorrow|i can (connect|transfer)|i am (connecting|transferring)|code~|password|held against|affect|retaliat*)",
    ],
  };
}

/** Threats against the debtor's freedom and family. */
export function plainThreat(): PhraseGroup {
  return {
    match: [
      "(we|i) (will|are going to|am going to) ..1 (put|throw|send|get|have|lock) you ..2 (in|into|to|behind|up) ..1 (prison|jail|bars|custody)",
      "(police|sheriff|cops) (will|are going to|is going to) ..2 (arrest you|pick you up|come for you|take you|jail you|lock you up)",
      "(we|i) (will|are going to|am going to) ..2 (take|have) ..2 your (children|kids|child|son|daughter|baby|family) ..2 (away|taken|from you|deported)",
      "(we|i) (will|are going to|am going to) ..1 (hurt|beat|harm|ruin|destroy|humiliate|shame|harass|come after|come for) ..1 (you|your (family|wife|husband|kids|children|parents|mother|life|reputation|house))",
    ],
    about: ["(pay|owe~|debt~|loan~|balance|due|payment~)"],
    unless: [
      "(can not|may not|must not|will not|can never|nobody|no one|never|illegal|collector~ (may|can|must) not|scam*|not allowed)",
    ],
    ignore: ["refusal"],
  };
}

/** Income to leave out, costs to invent. */
export function plainTaxTip(): PhraseGroup {
  return {
    match: [
      "you ..1 (do not|never|need not) (have|need)? ..1 to? (declare|report) ..1 (cash|tips|your (tips|cash|side (income|job))|cash (income|payments|wages|earnings)|side (income|jobs)|crypto* ..1 (gains|profits)|rental income|foreign (income|accounts))",
      "you ..1 do not ..2 to (report|declare) ..1 crypto* & (can not (see|find|trace)|never (know~|find~|notice~|check~)|will not (know|find|notice|check)|nobody)",
      "(just|simply|so) ..1 (do not|never) (put|report|declare|list|include|mention|write) (it|them|that|this|the (cash|income|money)) ..4 (tax return|return|taxes|irs|form)",
      "(deduct|write off|claim) ..6 (as)? ..2 (business|work|office|charit*|medical) (expense~|cost~|deduction~|trip|use|gift~) ..4 (even (if|though)|although|whether or not) ..8 (personal*|private*|never|not|vacation|family)",
      "(inflate|pad|make up|invent|overstate|exaggerate) ..4 (deduction~|expense~|donation~|receipt~|mileage) ",
    ],
    unless: [
      "(below|under|less than|threshold|if you (are|have|earn)|gift~|inherit*|refund~|roth|not|never) ..3 (#money|tax free|deduct|claim)",
    ],
    within: 2,
    ignore: ["negation", "refusal"],
  };
}
