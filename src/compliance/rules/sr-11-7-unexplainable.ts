import { defineBuiltInRule } from "../define-rule.ts";
import { MODEL_RISK_RECOMMENDATION, modelRiskLaw } from "../lexicon/model-risk-law.ts";
import { modelRiskConcepts } from "../lexicon/model-risk.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/**
 * Flags decisions that the agent calls beyond explanation.
 *
 * @see SR 26-2 (conceptual soundness, documentation); 12 CFR 1002.9(b)(2) where credit is denied
 */
export const sr117Unexplainable = defineBuiltInRule({
  id: "sr-11-7-unexplainable",
  name: "Unexplainable decision",
  description: "A score, limit, hold or decision that the agent says nobody can explain.",
  explanation: "The agent says that nobody can explain what a model decided.",
  category: "sr_11_7",
  severity: "warning",
  law: modelRiskLaw(
    "conceptual soundness, documentation",
    "; 12 CFR 1002.9(b)(2) where credit is denied",
  ),
  recommendation: MODEL_RISK_RECOMMENDATION,
  impact: { customer: "moderate", business: "moderate" },
  concepts: modelRiskConcepts,
  phrases: {
    "cannot-be-explained"(): PhraseGroup {
      return {
        match: [
          "(no one|nobody|no human|none of us|not even (the|our|its|my)? ..3 (developers|engineers|designers|builders|vendor|programmers|team|data scientists|creators|makers|analysts|experts|people who built it|people who made it)|no living soul|neither i nor anyone|no person) ..4 {explain}",
          "(developers|engineers|designers|vendor|programmers|data scientists|creators|builders|experts|analysts) ..3 (do not|can not|could not|does not|have no idea|has no idea|have no clue|never) ..3 ({explain}|how|why)",
          "we ..1 (have never|never|can not|do not have to) ..2 (figure out|justify|reconstruct)",
          "{decisionthing} ..6 (can not|could not|is not able to|never) be ..2 (explained|traced|understood|reconstructed|justified|interpreted|decoded|deciphered|retraced|broken down|unpicked|put into words)",
          "(decision~|score~|model~|algorithm~|system~|machine|ai|it) ..2 (gives no|give no|offers no|offer no|provides no|leaves no|does not give|does not share|never gives|never shares|does not provide|does not offer|owes no) ..1 (explanation~|reason~|reasoning|rationale|grounds|justification|trail|trace)",
          "(there is|there are|i have|we have) (no|not any) ..1 (explanation~|way to {explain}|rationale|way of knowing|insight) ..4 (decision|rating|denied|chose|picked|model|algorithm|it decided|why it|how it)",
          "(algorithm|model|system|ai|computer|machine|software|engine|network|neural net) ..1 (just|simply|merely) (decide~|chose|choose~|said|pick~|picked|did not|came up|spits|spat|felt|knows)",
          "(beats me|your guess is as good as mine|who knows|search me|no clue|not the faintest idea|no idea) ..8 (why|how) ..8 (score|model|algorithm|system|ai|decision|limit|denied|flagged|rating|it|hold|machine|rate|tier)",
          "(why|how) ..6 (algorithm|model|system|ai|score|it|machine|computer) ..8 (is|remains|stays) (a)? ..2 ({blackbox}|unknown|anybody 's guess|anyone 's guess|unclear to everyone|beyond us|beyond me|unknown to all)",
          "(just|simply|purely) (how|what|the way) ..2 (the|our)? (algorithm|model|ai|system|computer|machine) (is|works|does|said|wants|thinks|decided|feels|came up with)",
        ],
        about: [
          "(score~|rating~|limit~|denied|declined|rejected|hold~|held|flag~|flagged|blocked|decision~|decided|rate|tier|algorithm~|model~|ai|machine|computer~|offer|approved|application|system|lowered|restricted|closed)",
        ],
        unless: [
          "(merchant|descriptor|statement|charge|atm|weather|market~|stock~|price~ of|why you|customer~ ask)",
          "(here is|main driver~|main factor~|principal reason~|because of|due to|based on your|driven by|the reason is|the reasons are|reasons recorded)",
          "(but|though|however) ..6 (letter|notice|specialist|officer|analyst|team|i can|we can|ask|request|reasons)",
          "(i can|we can|let me|i will|happy to|glad to) ..2 (explain|walk you|tell you|show)",
        ],
        unlessAnywhere: [
          "(principal reason~|main reason~|reasons are|reason is|main factors|key factors|adverse action notice|letter ..6 (reason~|explain~|list~))",
        ],
        ignore: ["negation", "refusal"],
      };
    },
    "nobody-can-say"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "(nobody|no one|none of us|no human|no person|not one of us) ..2 (can|could|knows|know|understand~|is able to|are able to|will ever) ..4 (how|why|explain~|which|what (drove|led|made)) & {decider}",
          "(neither|not even) ..7 (can|could|knows|know|understand~|is able to|are able to|will ever) ..4 (how|why|explain~|which|what (drove|led|made)) & {decider}",
          "{decider} ..4 {judged} & (i|we) ..1 ((have|had) (no|not any|not the slightest) (idea|clue|way)|(do|did) not (know|understand)|can not (say|find out|explain)) ..6 (why|how|which|reason~|it)",
          "(we|i) (do|did) not know (which|what) ..1 (factor~|input~|variable~|reason~|data) ..2 (the|our)? ..1 {decider}",
          "(impossible|not possible) ..3 to (explain|say|tell|know|reconstruct|find out|understand) ..4 (how|why|what|decision|it) & {decider}",
          "(no|not any) (logic|reason~|explanation|rationale|grounds) ..2 (we|anyone|anybody|i|that|the bank) ..3 (can|could|able) ..1 (show|give|offer|name|state|provide|share) & {decider}",
          "(it|this|decision|result|pricing|score) ..2 impossible ..3 to explain & {decider}",
        ],
        unless: [
          "(merchant|descriptor|card|payment|wire|transfer|market~|stock~|price of|password|website|weather|future|exactly (when|how)|(score|scores|rate|rates|prices|market|economy|inflation|they|it) will|predict~|forecast~)",
        ],
        unlessAnywhere: [
          "(letter|notice|mail|inbox|adverse action) ..10 (reason~|explain~|list~|state~|why|tell you)",
          "(reason~) ..10 (letter|notice|mail|inbox)",
          "(principal|main|key|top|specific|recorded) ..1 (reason~|factor~|driver~)",
          "(happy to|let me|specialist|officer|analyst|underwriter|team) ..4 (explain|walk|review|look|check)",
          "(ask for|request|entitled to|right to|must give|must tell) ..4 (reason~|statement|explanation)",
        ],
        ignore: ["negation", "refusal"],
        confidence: 0.75,
      };
    },
    "no-grounds"(): PhraseGroup {
      return {
        match: [
          "({ground}|calculation|logic|result~|decision~|score~) ..3 {ungiven}",
          "(could not|can not) ..1 (list|name|point to|cite) ..1 (any|a single|them|which)",
          "(faintest|foggiest|slightest|remotest) (idea|clue|notion)",
          "(arrives|comes|came|arrived|lands|shows up) (bare|naked|without comment)",
          "(shrug~|scratch~ (my|our|their) head~|teaches itself|taught itself|not remotely|only relay|merely relay|just relay|not written down|forgets to tell|keep~ ..4 to itself|keeps mum|will not talk|stays silent|not talking)",
          "none of it ..2 (maps|makes sense|corresponds|means|translates|can)",
          "(described|put|expressed|grasped|grasp|conveyed|broken down|spelled out) ..3 (to|by|in|anyone|person|human|customer|words|us) & (can not|could not|never|nobody|none|no one|impossible)",
          "(under (the|its|their) hood|above my pay grade|no window|no peeking|take what it gives|take its word|ask the machine|ask the computer|computer says no|moves in (strange|mysterious)|mysterious ways|works in strange|only (it|the machine|the algorithm|the model|the computer) knows|just (how it is|the way it is)|it is what it is|nothing to explain|not (designed|built|made|meant) to be (understood|read|explained|interpreted)|trust the output|no human readable|black hole|(it is|stays|remains) the vendor 's)",
          "none (can be|could be|exists|is|was|will be) ..1 (produced|given|available|known|recorded|found|offered|provided)",
          "(no|without) ..1 (reasons|explanation|rationale|grounds|reasoning|justification) ..2 (are|is|was|were|exist~|given|recorded|stored|kept|comes|it|at all)",
          "(even the|not even|neither|the people who built it|manager|developers|engineers|vendor|experts) ..5 (no idea|no clue|in the dark|lost track|at a loss|stumped|baffled|mystified|none the wiser|clueless)",
          "(i|we) ..1 (can not|could not|unable to|not able to) ..1 (say|tell you|establish|determine|put my finger on) ..1 (what|which|why) ..6 (tipped|counted|decided|drove|lowered|caused|score|model|algorithm|declined|factor~|it)",
          "(lost track|as much in the dark|no wiser|clueless|at a loss) ..8 (as|of|about|too|what|why|long ago)",
          "(nobody|no one|none of us|no human|no soul|not even ..3 (us|team|developers|engineers|vendor|manager|experts|analysts)) ..1 (knows (why|how)|understand~|explain it|can read it|read it|read|holds the key|follow it)",
          "(no|without any|not any|hardly any) ..1 (way|means|method|possibility) (to|of|for) ..2 (tell~|know~|establish~|explain~|trac~|trace|reconstruct~|determin*) ..2 (why|which|how it|what ..2 (tipped|counted|weighed))",
          "too (complex|complicated|intricate|deep|vast|tangled|convoluted|advanced|sophisticated|big) ..4 (explain~|put into words|words|understand~|describe~|summarise|summarize|follow|trace|anyone|humans|people|us|break down|unravel)",
          "(defy|defies|beyond|escapes|resists|eludes|surpasses|transcends) ..2 (rationalisation|rationalization|explanation~|comprehension|understanding|analysis|interpretation|words|anyone|anybody|human|us all|reason~|explaining)",
          "(algorithm|model|machine|computer|engine|ai|network|deep learning|neural net|neural network) ..2 (does not|do not|will not|never|keeps|can not|refuses to|has no obligation|simply|just) ..2 (give~ ..1 (reason~|grounds|explanation)|say why|tell~ (me|us|anyone|you)|explain~|disclose~|reveal~|owe~|to itself|spits|knows|decides|feels|justify~)",
          "it (never|does not) (tell~ us|give (grounds|reasons)|say why)",
          "(spat|spits|spit|coughed|coughs|churned|churns|barfed) (out|up) ..3 (no|decline|number|score|result|answer|figure|rate|tier|decision|verdict)",
          "(out comes|something happens inside|swallowed) ..6 (decline~|no|comes out|rejected|number|score|result|word|answer)",
          "(in the dark|none the wiser|anybody 's guess|anyone 's guess|who is to say|who knows|search me|beats (me|us|everyone|everybody|all)|god knows|heaven knows|goodness knows|lord knows|your guess is as good|not the (faintest|foggiest|slightest)|have not (a|the) (clue|foggiest)|could be (anything|either|neither)|we will never know|nobody will ever know|just one of those things|luck of the draw|the machine moves|its ways|mind of its own|its own reasons|its secret~|keeps its secrets)",
          "(sealed|locked|buried|hidden|lost|drowned) ..5 (layers|parameters|weights|neurons|network|algorithm)",
          "(mystery|riddle|enigma|unknowable|unfathomable|inscrutable|incomprehensible|unintelligible) (to|for|even|what|how|why)",
          "(without a word|(did not|does not|never|without) ..1 (leave|leaving|giving|telling|saying|stating) ..1 (reasons|reason|why|trace|trail|explanation))",
        ],
        about: [
          "(decision~|decid*|denied|denial|decline~|declined|turned down|reject*|refus*|score|scored|scores|rating|grade|limit~|risk|algorithm~|model|neural|network|affordability|credit|approv*|loan|mortgage|tier|flag~|flagged|accepted|qualif*|rate|hold|held|frozen|restricted|closed|application|pricing|computer|system|deep learning|parameters|premium|quote|vendor|amounts|factors|criteria|verdict|engineers|considered|calculation|calculated|tipped the scale|a reason|an explanation)",
        ],
        user: [
          "(why|reason~|reasoning|how come|explain~|logic|grounds|basis|decode|criteria|there must be|something to fix|understand|factor~|because of|was it my|walk me|what caused|what happened)",
          "how ..5 (work~|decid*|score~|set|calculated|arrive~|got|get|come|came|determin*|work out|reach~|picked)",
          "what ..5 (drives|drove|hurt|behind|let me down|counted|made|tipped|lowered|raised|looking|do to|can i do|should i|changed|goes into|considered)",
          "which ..4 (document~|part|of my|one|thing~|input~)",
          "(did|does|do) ..6 (count|look at|matter|know|weigh|hurt|affect|consider|understand)",
          "(report|document) ..4 (showing|shows)",
        ],
        unless: [
          "(merchant|descriptor|charge on|card|payment|wire|transfer|atm|weather|market~|stock|stocks|price of|app|crash~|outage|website|browser|fee~|overdraft fee|statement|transaction|login|password|reward~|shipping|postal|card network|sim)",
          "(no reason (to|for)|any reason|whatever reason|no cause for|without cause)",
        ],
        unlessAnywhere: [
          "(principal reason~|main reason~|key factor~|main factor~|main driver~|top ..1 (factor~|reason~)|drivers were|reasons (are|were|recorded)|reason (is|was)) ..3 (include|your|a|high|short|recorded|two|three|four)",
          "(letter|notice|mail|inbox) ..10 (reason~|explain~|list~|state~|why|tell you)",
          "(reason~) ..10 (letter|notice|mail|inbox)",
          "(because|due to|driven by|mostly|mainly) ..2 (your|high|short|recent|utilization|income|late)",
          "(i can|we can|i will|we will|let me|happy to|must tell you|must give|able to) ..3 (explain|walk you|tell you|show you|give you|look|find|ask|check|request|send|get|send you)",
          "(an analyst|specialist|officer|team|underwriter~|credit team|colleague) ..3 (can|will|is able to) ..3 (explain|walk|tell|go over|look|review|answer)",
          "(ask for|request|entitled to|right to) ..4 (reason~|statement|explanation)",
        ],
        ignore: ["negation", "refusal", "condemnation", "definition", "others"],
        confidence: 0.7,
      };
    },
    "black-box"(): PhraseGroup {
      return {
        match: [
          "(it|that|this|model|algorithm|system|ai|engine|scoring|score|software|process) (is|are|was|remains|being) ..3 {blackbox}",
          "({blackbox}) ..8 (decided|spat|spits|produced|chose|decides|picked|set|sets|gave|made|algorithm|model|scored|came up)",
          "(calls it|call it|comes from|came from|came out of|inside|into) ..2 {blackbox}",
        ],
        about: [
          "(score~|rating~|limit~|denied|declined|hold~|flag~|flagged|decision~|decided|algorithm~|model~|ai|machine|system|rate|tier|number)",
        ],
        unless: [
          "(not|never|no|avoid|instead of|rather than) ..2 {blackbox}",
          "(printed|statement|card number|flight|car|insurance|recorder|hidden part|bar|warning)",
        ],
        ignore: ["negation"],
      };
    },
  },
});
