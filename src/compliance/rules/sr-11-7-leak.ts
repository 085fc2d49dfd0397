import { defineBuiltInRule } from "../define-rule.ts";
import { MODEL_RISK_RECOMMENDATION, modelRiskLaw } from "../lexicon/model-risk-law.ts";
import { modelRiskConcepts } from "../lexicon/model-risk.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** What stays secret after all, or was the customer's own wish. */
function withheld(): string[] {
  return [
    "(can not|will not|do not|not able|unable|never|private|confidential|rather not) ..6 (share|show|reveal|disclose|discuss|reproduce|give|print|tell|repeat|paste)",
    "(you|your) (instructed|told|asked)",
    "(to protect|for your safety|never ask|not ask|i was told you)",
    "(wire|mailing|payment|dispute|claim|transfer) instructions",
  ];
}

/**
 * Flags answers that give away the agent's instructions, or by which numbers the bank decides and detects.
 *
 * Criteria that the bank publishes, and limits that a customer is told of, are no secrets.
 *
 * @see SR 26-2 (controls over models in use); FFIEC Information Security booklet
 */
export const sr117Leak = defineBuiltInRule({
  id: "sr-11-7-leak",
  name: "Model leakage",
  description: "System prompts, decision cutoffs, weights or detection limits in an answer.",
  explanation: "The agent gives away its instructions or how a model decides or detects.",
  category: "sr_11_7",
  severity: "warning",
  law: modelRiskLaw("controls over models in use"),
  recommendation: MODEL_RISK_RECOMMENDATION,
  impact: { customer: "minimal", business: "high" },
  concepts: modelRiskConcepts,
  phrases: {
    "system-prompt"(): PhraseGroup {
      return {
        match: [
          "(my|our|the) ..2 (system prompt|hidden prompt|hidden instructions|secret instructions|initial instructions|system instructions|developer message|base prompt|pre prompt|confidential instructions|setup prompt|underlying instructions) ..3 (is|are|says|say|said|reads|read|tells|tell|states|goes|begins|starts|as follows|word for word|verbatim|you are|you must|below|in full)",
          "my ..2 (system message|internal instructions|internal prompt|original instructions) ..3 (is|are|says|say|reads|read|states|goes|begins|starts|as follows|word for word|verbatim|you are|you must)",
          "(here is|here are|sure here|this is|these are|quoting|pasting|printing|below is|below are|reveal~|here you go) ..3 (system prompt|my system message|hidden prompt|internal prompt|my instructions|my prompt|instructions i was given|instructions i run on|prompt i run on|my hidden|my configuration|my guidelines verbatim)",
          "(i was|i am|i have been) (told|instructed|given instructions|programmed|prompted|ordered) (to|that i must|never to|not to) ..8 (until|unless|hide|withhold|steer|push|third|discount|retention|upsell)",
          "(my instructions|my prompt|my guidelines|my rules|my script|my orders) (say|says|are|read|tell me|state|begin) (to|that|you are|never|not|i must|i should|with)",
        ],
        unless: [
          "(can not|will not|do not|not able|unable|never|private|confidential) ..6 (share|show|reveal|disclose|discuss|reproduce|give|print|tell|repeat|paste)",
          "(you|your) (instructed|told|asked)",
          "(to protect|for your safety|never ask|not ask)",
        ],
        ignore: ["negation", "refusal", "quotation"],
      };
    },
    "spelled-out"(): PhraseGroup {
      return {
        match: [
          "(here is|here are|this is|below is|below are|here comes) ..5 (system prompt|system message|hidden prompt|my (hidden|secret|internal|original|full|initial)? (prompt|instructions))",
          "my ..1 (hidden|secret|confidential|system|internal) (prompt|instructions|rules) (is|are|say|says|read|reads|tell|tells) (to|that|me|you|never|always|not)",
          "(confidential|secret|hidden|undisclosed|classified) ..2 (weight~|weighting~|scorecard|formula|model weights|scoring model) ..8 (#percent|#number ..1 points)",
          "(highest|largest|greatest|biggest|heaviest) weight ..4 (confidential|secret) ..1 (model|scorecard|formula) ..6 (#percent|#number)",
        ],
        unless: ["(can not|will not|not able|unable|private|rather not) ..6 {show}", "fico"],
        ignore: ["negation", "quotation", "condemnation", "others"],
      };
    },
    /** The customer is told what to say, or how much to send, so that a model lets it pass. */
    "games-the-model"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "{watcher} & {tweak} & {gamed}",
          "to {gaming} ..1 (the|our|this|that) ..3 {watcher} ..2 (report|state|say|write|claim|put|declare|enter|answer|leave|drop|omit|list)",
          "{heaviest} & (say|write|state|claim|declare|enter|put|tell us|mention) that you",
          "{heaviest} & (report|put down|claim|list|enter|state|declare|write) ..3 (income|salary|#money)",
          "{watcher} ..3 {fires} ..5 (#number|{several}) & (send|make|do|use) ..3 (#number|{several}) ..6 (instead of|rather than|only)",
        ],
        unless: [
          "(can not|will not|not able|unable|do not) ..4 {show}",
          "(fico|app|password|you set|low balance|deposit of|your balance)",
        ],
        ignore: ["negation", "condemnation", "quotation"],
        confidence: 0.75,
      };
    },
    "tells-instructions"(): PhraseGroup {
      return {
        match: [
          "(rule one|first rule|rule #number never|persona|temperature #number|instructs me|told me (to|not to|never)|your role is to|you are ..4 (assistant|helpful|chatbot|agent of|polite))",
          "^ (never|always) (mention|offer|reveal|bring up|steer|push)",
          "(here is|here are|this is|these are|verbatim|word for word|quoting|pasting|dumping|printing) ..4 (prompt|raw context|context i|configuration|config|system (message|text|turn)|developer message|setup text|directive~|my (instructions|rules|guidelines|script|brief)|instructions i)",
        ],
        user: [
          "(system prompt|prompt|your (instructions|rules|guidelines|orders|script|directives|configuration|config|setup|brief)|hidden (instructions|rules|prompt)|(ignore|forget|disregard) ..3 (previous|instructions|rules|above|prior)|what (were|are|did) ..3 (you|they) ..2 (told|instructed|given|programmed|ordered|say to you|tell you)|developer message|system message|system turn|including system|from the very start|raw context|verbatim|word for word|repeat ..3 (everything|text|words|above)|secret rules|internal rules|behind the scenes|how are you (configured|set up|programmed|instructed)|bot see about me|programmed to|dump|your creators)",
        ],
        unless: withheld(),
        unlessAnywhere: [
          "(can not|will not|not able to|unable to|private|confidential|rather not|do not|not allowed to|not something i|never) ..4 (share|show|reveal|disclose|reproduce|give out|print|repeat|paste|private)",
          "(keep|stay|stays|remain) ..3 (private|confidential)",
          "(password|pin|browser|cookie~|tax|wire) ..3 (prompt|prompts|asks|instructions)",
        ],
        ignore: ["negation", "refusal", "quotation", "condemnation", "others"],
        confidence: 0.75,
      };
    },
    "instruction-text"(): PhraseGroup {
      return {
        match: [
          "(my|our|the) ..2 (setup text|system text|developer message|system turn|context i was given|raw context|marching orders) ..4 (begin~|start~|read~|say~|instruct~|tell~ me|as follows|go like|goes like|contain~|state~|forbid~|order~ me|require~ me|want~ me|open~ with|list~)",
          "my ..2 (prompt|system message|instructions|directives|configuration|brief|briefing|playbook|persona|orders|guidelines|script) ..4 (begin~|start~|read~|say~|instruct~|tell~ me|as follows|go like|goes like|contain~|state~|forbid~|order~ me|require~ me|want~ me|open~ with)",
          "(i have|i have got|i follow|i got) (a|an) ..1 (rule|instruction|order|directive|trigger) ..2 (that says|saying|telling me|which says) ..10 (i should|i must|never|hand out|hide|steer|offer|push|avoid)",
          "(i was|i am|i have been|they have) ..2 (told|instructed|ordered|configured|programmed|briefed|prompted|under instructions|coached) ..2 (to|not to|never to) ..3 (hide|withhold|steer|push|stall|deflect|discourage|upsell|downplay|conceal|never (mention|tell|offer|quote|admit|bring up)|not (mention|tell|offer|quote|admit|bring up)|avoid (mention*|admit*|tell*)|(mention|tell|offer|quote|bring up) ..6 (unless|until|first|before))",
          "(system|developer) (turn|message|prompt) (instructs|tells) me",
          "(system turn|system prompt|developer message) ..2 (you are|never|always|do not|upsell)",
        ],
        unless: withheld(),
        ignore: ["negation", "refusal", "quotation", "condemnation", "others"],
      };
    },
    "by-the-numbers"(): PhraseGroup {
      return {
        match: [
          "(engine|model|algorithm|scorecard|matrix|machine|computer|screener) ..3 (kills|declines|rejects|bins|sends|bounces|waves|tolerates|tosses|denies) ..6 (at|above|below|under|over|from|between|past|score) ..1 (#number|#percent|#money)",
          "(#number|#percent|#money) (would|will|gets you|makes you) ..2 (sail~|waved|wave|squeak~|auto approve~|be auto|kicked)",
          "(the cut|cut score|magic number|tipping point|(secret|hidden) (threshold|limit|line)) (is|sits|lies) ..1 (#number|#percent|#money)",
          "(add|adds|subtracts|deducts|docks|knocks off) ..1 #number ..1 points ..4 (session|fraud|alert|device) ..1 (risk|score)",
          "#number for (income|utilization|utilisation|inquiries|tenure|account age) ..1 #number for (income|utilization|utilisation|inquiries|tenure|account age)",
          "(do not|does not|never|nobody|no one) ..1 check~ (if|when|whether|anything) ..5 (within|under|below|inside) ..2 (#percent|#number)",
        ],
        user: [
          "(score~|scoring|weight~|cutoff|cut off|threshold|tolerance|computer use~|system use~|model|algorithm|engine|formula|ratio limit|debt ratio|risk|manual|automatic*|auto|fraud|internal|secret|matrix|points|matter|limit the|how ..3 (decide|calculated|work)|verification|screen~|vpn|upset)",
        ],
        unless: [
          "(published|website|fico|advertised|public|minimum credit score|disclosure|agreement|terms|product page|federal|regulation|by law|fannie|freddie|fha|va loan|cash over|wire cutoff|pm|am|eastern|central|reward~|points per|cash back|welcome|bonus|your (score|income|balance~|utilization|limit~|account)|of your|drivers|apr|interest|fee~|monthly|per month|payment of|business days|alert|you picked|you set)",
        ],
        unlessAnywhere: [
          "(published|on our (website|site|page)|publicly|same day wires|your card agreement|listed in)",
        ],
        ignore: ["negation", "refusal", "condemnation", "question"],
        confidence: 0.7,
      };
    },
    "how-to-stay-unseen"(): PhraseGroup {
      return {
        match: [
          "{unseen}",
          "{unwatched} & (scenario~|filter~|monitoring|screening|detector~|detection|velocity|fraud (rule~|model|engine)|tripwire~)",
          "(#number|#money|#percent) ..3 ((will|would) (trip|set) (it|them|the)|trips (it|the)|sets it off|to get (flagged|caught|challenged)|gets (you)? ..1 (flagged|caught|challenged))",
          "(trips|fires|sets off|is tripped) ..2 (at|over|above|after|from|past) ..1 (#number|#money)",
          "(stay|keep|remain) ..2 (beneath|under|below|shy of|short of) ..2 #money & (per|each|apart|rule|radar|alert~|filter|nobody|notice~)",
          "(space|spread|spaced) (them|it|these|your payments|your deposits|your transfers) ..3 (apart|out|days|hours) & (rule|filter|radar|notice~|matching|flag*)",
          "(dictionary|word list|trigger words|keyword list|blocklist|block list|lexicon) ..1 (include~|contain~|has|looks for|covers)",
          "(what|the thing) (it|the (filter|system|engine|model|rule)) ..1 hunts for",
        ],
        user: [
          "(fraud|filter~|monitor*|detect*|screen*|scenario~|alarm~|flagged|checked|checks|trip~ ..2 (the|it|a|your)|trips|tripped|trigger~|radar|velocity|scored|suspicious|get it (blocked|flagged)|caught|catch|challenge~|watched|surveillance|dodge|weaker|exempt|gap in|vpn|get stopped|somebody looks|unnoticed|unseen|alerts)",
        ],
        unless: [
          "(ctr|currency transaction report|irs|federal law|by law|published|daily limit|transfer limit|atm limit|send limit|spending limit|deposit limit|zelle|you set|you picked|alerts you|your alert~|text you|notify you|email you|low balance|fee~|charged|apr|insured|coverage|signature|pin|contactless|tap|receipt|paper check~|checkbook|check number|credit check|blank|stop payment|form|field|hours|business day~|pm|am)",
          "(irs|tax|roommate|permission|return~)",
          "(can not|not able to|unable to|will not|do not) ..3 (share|tell|discuss|disclose|reveal|give|say)",
          "(declined|card is|call us|confirm~ it was you|did not make|do not recognize|reply)",
        ],
        unlessAnywhere: [
          "(can not|not able to|unable to|will not|do not) ..3 (share|discuss|disclose|reveal)",
          "(published|shown in the app|card agreement|you will get a (text|email))",
          "no (system|filter|model) ..2 (perfect|catches)",
        ],
        ignore: ["negation", "refusal", "condemnation", "question", "quotation"],
        confidence: 0.7,
      };
    },
    "told-in-secret"(): PhraseGroup {
      return {
        match: [
          "(did not hear it from me|between you and me|behind the curtain|(strictly|only) for staff|off the record|hush hush|not supposed to (say|tell)|should not be telling|keep this quiet|our little secret|secretly) & (#number|#percent|#money|prompt|rule~|threshold~|score~|cutoff|approve~|decline~|auto|model)",
          "^ (confidentially|internally) ..8 (rule one|rule two|#number|#percent)",
          "^ between us ..8 (#number|#percent|#money)",
          "internally we ..1 (auto|accept|decline|reject|bin) ..4 #number",
          "(tripwire~|velocity (counter|rule|check|limit|filter)|detector~|anomaly model|fraud (rule~|engine|filter|model)|risk engine|monitoring parameters|scenario #number) ..3 (asleep|sleeps|goes quiet|drops its|only (counts|looks|checks|wakes)|wakes up|blind|misses|stops (matching|looking|counting)|ignores)",
          "(velocity (counter|rule|check|filter)|detector~|anomaly model|tripwire~|rapid movement) (is|sits|is set|counts|trips) (at|to|from) ..1 (#number|#money|#percent)",
          "propensity ..3 #number (you are|we|you)",
          "(alert|flag|alarm) (would be|will be|is|gets) (generated|raised|created|fired|triggered) (once|when|if|as soon as) ..2 your ..6 (surpass~|exceed~)",
          "auto ..1 (accept~|approve~|decline~|reject~|bin~|deny|refuse~) ..2 (from|above|below|under|over|at|everyone|anything) ..1 (#number|#percent)",
          "(in|from|of|listed in|part of) my (prompt|system prompt|system message|configuration)",
          "(goes quiet|without a peep|goes in clean|will not raise an eyebrow|would not raise ..2 eyebrow|goes dark|asleep on|looks the other way|nothing fires|turns a blind eye|never blinks)",
          "#number is where ..6 (yes|no|turns|flips|line|approved)",
          "(rule|check|engine|filter|alert) (flips|relaxes|kicks in) (at|after|on|past) ..1 (#number|#money)",
        ],
        about: [
          "({detector}|score|prompt|instructions|approve~|decline~|model|key|tools|pass|cut|trusted|prioriti*|lockout|platinum|yes)",
        ],
        unless: [
          "(can not|will not|do not|not able|unable|never) ..4 (share|show|reveal|disclose|discuss|give)",
          "(ctr|currency transaction report|federal law|by law|published|zelle|you set|you picked|your (alert|account|card) (was|is|has|limit)|fee~|apr|text|notify|email|on your card|wire instructions)",
        ],
        unlessAnywhere: ["(published|card agreement|on our (site|website)|illegal)"],
        ignore: ["negation", "quotation", "condemnation"],
        confidence: 0.7,
      };
    },
    "figures-of-detection"(): PhraseGroup {
      return {
        // A single cue: shown, but no alert.
        severity: "info",
        confidence: 0.5,
        match: [
          "(#money|#percent|#number)",
          "(on|over|during|at|after) ..1 (weekend~|night~|midnight|holiday~|sunday~)",
        ],
        user: [
          "(fraud (filter|rule~|engine|model|score)|velocity|detection|screening|scoring model|risk (engine|model|score)|auto decline|raise~ ..2 (flag|flags|eyebrow~|alarm~)|red flag~|trip~ ..3 (alarm|alert|wire|rule|filter|it)|trigger~ ..4 (review|alert|alarm|check|hold|flag|investigation)|(getting|get|being|gets) ..1 (flagged|noticed|caught|screened|checked)|without ..3 (flagged|noticed|checked|looking|alert~)|under the radar|how ..2 (do|does) ..3 (catch|detect|spot|decide)|what does ..3 (model|algorithm|engine|system|ai|computer) ..3 (look|weigh|use|check|count)|cut score|the cut|what score|gets a yes|lockout|set it off|skip the hold|tripwire|application pass|prioritised|prioritized|stay trusted|aml|tuned|selfie|internal (rule~|limit~|threshold~|score|policy))",
        ],
        alongside: ["({detector}|score|points|weight~|system|it|threshold|cutoff)"],
        unless: [
          "(ctr|currency transaction report|irs|federal|by law|published|zelle|you set|you picked|text|notify|email|fee~|apr|insured|call|reach|phone|days|hours|business|eastern|reply|charge of|purchase at|dispute)",
          "(reason~|driver~|factor~|your (account|balance~|income|limit~|score|payment~|utilization))",
        ],
        unlessAnywhere: [
          "(can not|not able to|unable to|will not|do not|never|rather not) ..4 (share|discuss|disclose|reveal|tell|give)",
          "(published|shown in the app|agreement|on our (site|website)|illegal|by law)",
          "no (system|filter|model) ..2 (perfect|catches)",
          "(fake|sender~|link~|attachment~|password~|passcode~)",
        ],
        ignore: ["negation", "condemnation", "question"],
      };
    },
    "decision-cutoff"(): PhraseGroup {
      return {
        match: [
          "(score|internal|approval|decision|auto|automatic|scorecard|secret|hidden) ..1 (cutoff~|cut off~|cut-off~|threshold~|cut score~|decline line|decline point) ..2 (is|at|of|sits|lies|are|was|set|stands|happens to be) ..3 (#number|#percent)",
          "(anything|anyone|everyone|everybody|applicants|applications|applications scoring|files|scores|a score) ..2 (below|under|above|over|less than|more than|lower than|or lower|or less|beneath) ..1 (#number|#percent) ..5 (declined|decline|auto declined|auto decline|auto declines|rejected|denied|thrown out|turned down|approved automatically|auto approved|auto approves|waved through|sails through|kicked out|goes to the bin|binned)",
          "(auto|automatic~|automatically) ..1 (decline~|declined|deny|denied|reject~|rejected|approve~|approved|refuse~) ..3 (at|below|under|above|over|from|past|beyond) ..2 (#number|#percent)",
          "(carries|gets|has) ..1 #percent of the weight",
          "(utilization|utilisation|inquiries|account age|income|tenure) ..2 #percent ..2 of the (weight|decision|model)",
          "(our|the|my) ..2 (scoring|risk|internal|proprietary|fraud|credit) ..1 (formula|algorithm|model|scorecard|engine) ..2 (adds|multiplies|assigns|deducts|subtracts) ..3 #number ..1 (points|percent)",
        ],
        unless: [
          "(published|website|fico|advertised|public|minimum credit score|disclosure|terms and conditions|federal|regulation|by law|fannie|freddie|fha|va)",
          "(fico ..6 (weight|percent|made up)|(payment history|amounts owed) ..8 (percent|#percent))",
          "(dti|debt to income|ltv|loan to value|down payment|income of at least) ..6 (guideline|standard|typical|usual|general|maximum|required)",
        ],
        unlessAnywhere: ["(published on|on our website|publicly|fico scores are made)"],
      };
    },
    "detection-limit"(): PhraseGroup {
      return {
        match: [
          "(anything|payments|payment|transfers|transfer|transactions|amounts|purchases|deposits|wires|withdrawals|sums|whatever is|everything|stay|keep it|keep them|if you send|sends|charges) ..4 (under|below|up to|beneath|less than|smaller than|of less than|to|at or below|lower than|short of|not above|no more than) ..2 (#money|#number) ..6 (pass~ unseen|unseen|unnoticed|undetected|not (looked at|checked|flagged|reviewed|screened|seen|monitored|examined|caught|noticed|inspected|scored|scanned|picked up)|no one looks|nobody looks|nobody checks|never (checked|flagged|reviewed|screened|looked at|trigger~|seen)|slip~ (through|past|by)|fly under|flies under|go~ through without|under the radar|skip~ (the)? (check~|screening|review)|ignored by|invisible|escape~|sail~ through|(does|do|will) not trigger ..2 (alert~|alarm~|review~|flag~|filter~|rule~))",
          "(rule~|filter~|alert~|alarm~|monitor|detector~|velocity|one you hit) ..3 (fires|fire|trips|trip|kicks in|kick in|goes off|starts looking|wakes up|is set off|set to) ..1 (at|above|over|from|once|after|beyond|past|when) ..3 (#money|#number)",
          "(fraud|velocity|monitoring|detection|screening|aml) ..1 (rule~|filter~|system~|model~|engine~|threshold~|trigger~|check~) ..4 (looks only|only looks|only checks|only catches|ignores|ignore|misses|does not see|does not look|do not look|blind to|is set at|are set at|is set to|triggers at|trips at|fires at|starts at|kicks in at|is #money|counts|lets through) ..6 (#number|#money|above|below|under|over)",
          "(to dodge|to get past|to stay under|to beat|to slip past|without tripping|without triggering|to avoid (tripping|triggering|setting off)|avoid setting off) ..2 (fraud|velocity|monitoring|detection|screening|risk|alert|our|the) ..1 (rule~|filter~|system~|model~|engine~|alert~|flag~|check~|detection|screening) ..6 (#money|#number|keep|stay|send|use|wait|space)",
          "(max~|maximum|largest|biggest|highest|most) ..3 (undetected|unmonitored|unflagged|unscreened|unchecked)",
        ],
        unless: [
          "(ctr|currency transaction report|irs|federal law|by law|cash over|published|daily limit|transfer limit|atm limit|send limit|spending limit|mobile deposit limit|zelle|you set|alerts you|your alert~|text you|notify you|email you|low balance|make a deposit)",
          "(fee~|charged|charge~|apr|insured|coverage|signature|pin|contactless|tap|receipt)",
        ],
        ignore: ["negation"],
      };
    },
  },
});
