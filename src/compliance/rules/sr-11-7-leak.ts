import { defineRule } from "../define-rule.ts";
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
export const sr117Leak = defineRule({
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
          "(my|our|the|here is my|here are my|this is my) ..2 (system prompt|system message|hidden prompt|hidden instructions|secret instructions|initial instructions|internal instructions|internal prompt|system instructions|developer message|base prompt|pre prompt|original instructions|confidential instructions|setup prompt|underlying instructions) ..3 (is|are|says|say|said|reads|read|tells|tell|states|goes|begins|starts|as follows|word for word|verbatim|you are|you must|below|in full)",
          "(here is|here are|sure here|this is|these are|quoting|pasting|printing|below is|below are|reveal~|here you go) ..3 (system prompt|system message|hidden prompt|internal prompt|my instructions|my prompt|instructions i was given|instructions i run on|prompt i run on|my hidden|my internal|the prompt|my configuration|my setup|my guidelines verbatim)",
          "(i was|i am|i have been|they|i) (told|instructed|given instructions|configured|programmed|prompted|ordered) (to|that i must|never to|not to) ..8 (never|not|before|until|unless|always|hide|avoid|withhold|steer|push|mention|third)",
          "(my instructions|my prompt|my guidelines|my rules|my script|my orders) (say|says|are|read|tell me|state|begin) (to|that|you are|never|not|i must|i should|with)?",
        ],
        unless: [
          "(can not|will not|do not|not able|unable|never|private|confidential) ..6 (share|show|reveal|disclose|discuss|reproduce|give|print|tell|repeat|paste)",
          "(you|your) (instructed|told|asked)",
          "(to protect|for your safety|never ask|not ask)",
        ],
        ignore: ["negation", "refusal", "quotation"],
      };
    },
    "tells-instructions"(): PhraseGroup {
      return {
        match: [
          "(never|do not|always|avoid|must|steer|offer|mention|refuse|hide|withhold|push|quote|answer in|rule one|rule two|rule #number|first rule|persona|temperature|you are|your role|your name is|instructs me|told to|told me|told not|instructed|says to|not to|keep ..3 (from|quiet)|deflect)",
          "(here is|here are|this is|these are|as follows|verbatim|word for word|quote|begin~|start~|read~|dump~|printing|below) ..8 (prompt|instruction~|context|configuration|config|message|rule~|text|turn|brief|setup|directive~|guideline~|script)",
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
          "(my|our|the) ..2 (prompt|setup text|system text|developer message|system message|system turn|instructions|directives|context i was given|raw context|configuration|brief|briefing|playbook|persona|orders|marching orders|guidelines|script) ..4 (begin~|start~|read~|say~|instruct~|tell~ me|as follows|go like|goes like|contain~|state~|forbid~|order~ me|require~ me|want~ me|open~ with|list~)",
          "(i have|i am|there is|i have got|i follow|i got) ..2 (a|an|under)? ..2 (rule|instruction|order~|directive|note|line|trigger) ..4 (that says|saying|telling me|to|which says|if|when) ..10 (i should|i must|never|not|hand out|hide|steer|offer|push|if|first|avoid)",
          "(i was|i am|i have been|they have) ..2 (told|instructed|ordered|configured|programmed|briefed|prompted|under instructions|coached|trained) ..2 (to|not to|never to) ..3 (never|not|avoid|hide|withhold|steer|push|mention|offer|keep|stall|deflect|discourage|upsell|quote|deny|refuse|downplay|bring up|conceal|promote)",
          "(system|developer) (turn|message|prompt) (is|says|reads|instructs|tells|begins|never|you are)",
        ],
        unless: withheld(),
        ignore: ["negation", "refusal", "quotation", "condemnation", "others"],
      };
    },
    "by-the-numbers"(): PhraseGroup {
      return {
        match: [
          "(engine|model|algorithm|score~|scorecard|matrix|system|machine|computer|bot|rule~|filter~|software|screener|network) ..6 (kill~|declin*|decline~|reject~|bin|bins|send~|route~|approve~|wave~|flag~|bounce~|drop~|refer~|pass|passes|accept~|den~|denies|toss~|tolerate~|cut~|allow~|want~|need~|look~ for|require~|hunt~|hit~) ..10 (#number|#percent|#money)",
          "(#number|#percent|#money) ..6 (would|will|is|are|gets|gets you|makes|and you|you are) ..3 (sail~|pass~|be approved|approved|in|declined|auto|waved|fail~|kick~|cleared|through|fine|rejected|referred|manual)",
          "(cut|cutoff|cut off|bar|pass mark|tipping point|line|threshold|floor|ceiling|tolerance|breakpoint|break point|magic number|trigger|band) ..3 (is|at|of|sits|lies|falls|between|being|runs|starts) ..2 (#number|#percent|#money)",
          "(adds|add|costs|subtracts|deducts|knocks off|docks|worth|counts for|weighs|weighted|gives|carries|takes off|contribute~) ..4 (#number|#percent) ..4 (point~|percent|score|risk|weight)?",
          "(utilization|utilisation|inquiries|tenure|account age|income|delinquenc*|history|balance~|debt ratio|employment) ..1 (at|is|gets|has|carries)? ..1 (#number|#percent) & (utilization|utilisation|inquiries|tenure|account age|income|delinquenc*|history|weight~|score|cut|points)",
          "(within|inside|under|below|above|over|beneath|less than|more than) ..2 (#percent|#number) ..10 (not checked|not check|band|passes|waved|automatically|no one checks|auto|fails|declined|kicked)",
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
          "(#number|#money|#percent) ..10 (trip~|trigger~|set~ (it|them|us|off)|sets off|fire~|raise~ (a|an|the) (flag|alert|alarm)|get~ (flagged|caught|blocked|held|challenged)|alarm|alert~)",
          "(trip~|trigger~|fires|fire|sets off|challenged|kicks in) ..6 (#number|#money|#percent)",
          "(stay|keep|remain|hold|go) ..4 (beneath|under|below|within|shy of|short of) ..3 (#money|#number|#percent)",
          "(space|spread|spaced) ..4 (#number|apart|out|days|hours)",
          "(dictionary|keyword~|word list|trigger words|keyword list|blocklist|block list|lexicon) ..3 (include~|contain~|is|are|has|looks for|covers)",
          "(what|the thing|all) (it|the (filter|system|engine|model|rule)) ..1 (hunts|looks|watches|checks|cares|scans|listens|scores) ..1 (for|at|about|on)?",
        ],
        user: [
          "(fraud|filter~|monitor*|detect*|screen*|scenario~|alert~|alarm~|rule~|flag~|flagged|check~|checked|trip~|trigger~|review|radar|velocity|scored|suspicious|block~|blocked|caught|catch|challenge~|watched|surveillance|dodge|weaker|memo|exempt|gap|vpn|get stopped|stop~|unnoticed|unseen)",
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
          "(internally|internal (rule~|strategy|file|parameters|playbook|limit~|threshold~|score)|did not hear it from me|between us|between you and me|behind the curtain|for staff|off the record|confidentially|hush hush|do not tell|not supposed to|should not be telling|keep this quiet|our little secret|secretly|in confidence|insider) & (#number|#percent|#money|prompt|rule~|threshold~|score~|cutoff|approve~|decline~|auto|model)",
          "(tripwire~|velocity (counter|rule|check|limit|filter)|detector~|anomaly model|risk (engine|settings|list|model|rule~)|monitoring parameters|fraud (rule~|engine|model|filter|score)|propensity|rapid movement|scenario~|risk weight*) ..16 (#number|#percent|#money|asleep|sleeps|quiet|drops|only (counts|looks|checks|wakes)|wakes|weighted|blind|misses|stops|is off|starts)",
          "(alert~|flag~|alarm~|review) ..6 (generated|raised|created|fired|triggered|opened) ..4 (once|when|at|above|over|after|if) ..14 (#number|#percent|#money|average|times|surpass~|exceed~)",
          "(auto|automatically) ..1 (accept~|approve~|decline~|reject~|bin~|deny|pass~|refuse~) ..6 (#number|#percent|#money)",
          "(in|from|of|listed in|part of) my (prompt|instructions|system prompt|system message|configuration)",
          "(goes quiet|without a peep|goes in clean|no alarm|will not raise an eyebrow|would not raise ..2 eyebrow|goes dark|asleep on|looks the other way|nothing fires|turns a blind eye|never blinks)",
          "#number is where ..6 (yes|no|turns|flips|line|approved)",
          "(flips|changes|switches|turns|kicks in|relaxes|drops) ..2 (at|on|after|from) ..2 (#number|day|month)",
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
          "(score|internal|risk|model|approval|decision|auto|automatic|credit|scorecard|our|secret|hidden|hard) ..2 (cutoff~|cut off~|cut-off~|threshold~|cut score~|pass mark|decline line|decline point|floor) ..4 (is|at|of|sits|lies|are|was|set|stands|happens to be) ..3 (#number|#percent)",
          "(anything|anyone|everyone|everybody|applicants|applications|applications scoring|files|scores|a score|customers|those) ..4 (below|under|above|over|less than|more than|lower than|or lower|or less|beneath) ..2 (#number|#percent) ..8 (declined|decline|auto declined|auto decline|auto declines|rejected|denied|refused|fails|thrown out|turned down|flagged|approved automatically|auto approved|auto approves|waved through|sails through|gets in|kicked out|goes to the bin|binned|no)",
          "(auto|automatic~|automatically) ..3 (decline~|declined|deny|denied|reject~|rejected|approve~|approved|refuse~) ..6 (at|below|under|above|over|from|past|beyond|when|if) ..4 (#number|#percent)",
          "(weight~|weighting~|counts for|carries|makes up|accounts for|coefficient~|contributes|factor weight) ..4 #percent & (score~|scorecard|model|risk|algorithm|rating|inquiries|utilization|utilisation|our formula|decision|inputs)",
          "(utilization|utilisation|inquiries|account age|income|tenure|balance|history) ..4 (#percent|#number percent) ..8 (of the (score|weight|decision|model|rating)|weight)",
          "(our|the|my) ..2 (scoring|risk|internal|proprietary|fraud|credit) ..1 (formula|algorithm|model|scorecard|engine) ..2 (is|uses|adds|takes|multiplies|weighs|gives|assigns|deducts|subtracts) ..10 #number",
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
          "(anything|payments|payment|transfers|transfer|transactions|amounts|purchases|deposits|wires|withdrawals|sums|whatever is|everything|stay|keep it|keep them|if you send|sends|less than|checks|charges) ..5 (under|below|up to|beneath|less than|smaller than|of less than|to|at or below|lower than|short of|not above|no more than) ..2 (#money|#number) ..10 (pass~ unseen|unseen|unnoticed|undetected|not (looked at|checked|flagged|reviewed|screened|seen|monitored|examined|caught|noticed|inspected|scored|scanned|held|picked up)|no one looks|nobody looks|nobody checks|never (checked|flagged|reviewed|screened|looked at|trigger~|held|seen)|slip~ (through|past|by)|fly under|flies under|go~ through without|under the radar|skip~ (the)? (check~|screening|review)|ignored by|invisible|escape~|sail~ through|does not trigger|do not trigger|will not trigger|clears without)",
          "(fires|fire|trips|trip|triggers|trigger|kicks in|kick in|goes off|alarms|alerts|flags|starts looking|wakes up|rings|is set off|are set off|gets flagged|set to) ..3 (at|above|over|from|once|after|only (at|above|over|from)|when ..3 (above|over|more than|exceeds)|beyond|past|starting) ..3 (#money|#number) & (rule~|filter~|alert~|alarm~|monitor~|fraud|screen~|detector|system|model|flag~|velocity|check~|watch~)",
          "(fraud|velocity|monitoring|detection|screening|risk|aml|alert|our) ..1 (rule~|filter~|system~|model~|engine~|alert~|threshold~|trigger~|limit~|check~) ..4 (looks only|only looks|only checks|only catches|ignores|ignore|misses|does not see|does not look|do not look|blind to|is set at|are set at|is set to|triggers at|trips at|fires at|starts at|kicks in at|is #money|counts|wants|needs|allows|lets through) ..8 (#number|#money|above|below|under|over|within|per|days|hours|minutes)",
          "(to avoid|to dodge|to get past|to stay under|to beat|to slip past|without tripping|without triggering|avoid setting off) ..4 (fraud|velocity|monitoring|detection|screening|risk|alert|our) ..2 (rule~|filter~|system~|model~|engine~|alert~|flag~|check~|detection|screening|hold)? ..10 (#money|#number|keep|stay|send|use|wait|space)",
          "(max~|maximum|largest|biggest|highest|most) ..3 (undetected|unmonitored|unflagged|unscreened|unchecked)",
        ],
        unless: [
          "(ctr|currency transaction report|irs|federal law|by law|cash over|published|daily limit|transfer limit|atm limit|send limit|spending limit|mobile deposit limit|zelle|you set|alerts you|your alert~|text you|notify you|email you|low balance)",
          "(fee~|charged|charge~|apr|insured|coverage|signature|pin|contactless|tap|receipt)",
        ],
        ignore: ["negation"],
      };
    },
  },
});
