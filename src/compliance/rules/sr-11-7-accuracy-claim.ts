import { defineRule } from "../define-rule.ts";
import { MODEL_RISK_RECOMMENDATION, modelRiskLaw } from "../lexicon/model-risk-law.ts";
import { modelRiskConcepts } from "../lexicon/model-risk.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** The exchange is about what a model, or the agent, gave out. */
function aboutModels(): string[] {
  return [
    "(model~|system~|algorithm~|ai|tool~|calculator~|calculation~|estimate~|estimator~|forecast~|prediction~|predict~|projection~|score~|scoring|figure~|number~|math|maths|software|engine~|valuation~|appraisal~|rating~|detect*|payoff|accurate|accuracy|sure|answer~|assistant|chatbot|bot|wrong|mistaken|mistake~|margin|filter~|fraud|scam|matching|match|robot|computer|rely|trust|flagged|flags|categoris*|categoriz*|translation~|adviser~|advisor~|assessment|certain|legit|interest|check|truth|exact|precis*|right)",
  ];
}

/** Limits of a statement, and what is no statement about a model. */
function hedged(): string[] {
  return [
    "(price|cash back|refund|money back|deposit|purchase|financing|down payment|coverage|insured|covered|encrypted|password|pin|identity theft protection|uptime)",
    "(not|no|never|nothing|hardly|nobody) ..3 (perfect|infallible|flawless|foolproof|guarantee*|certain|always right|always accurate|100|hundred)",
    "(no (system|model|estimate|tool|score|forecast|algorithm|software|one|calculation|filter)) ..3 (is|are|can|catches)",
    "(you are|you 're|your) ..1 (absolutely|completely|totally|always|perfectly)? (right|correct|welcome|covered)",
    "(if|whether|in case|until|unless) ..6 (wrong|error|mistake|error~)",
    "(we|i) ..2 (always|never) ..2 (ask|share|call|email|text|store|charge)",
    "(try|aim|strive|work hard) ..3 (to|for)",
    "(do not|does not|can not|will not) ..2 (know|want|need|have|expect|guarantee|promise)",
  ];
}

/**
 * Flags claims that a model, or the agent, can't be wrong, and advice not to check it.
 *
 * @see SR 26-2 (model limitations, effective challenge)
 */
export const sr117AccuracyClaim = defineRule({
  id: "sr-11-7-accuracy-claim",
  name: "Accuracy overclaim",
  description: "A claim that a model or the agent is infallible, or that checking it is needless.",
  explanation: "The agent claims that a model or its own answer can't be wrong.",
  category: "sr_11_7",
  severity: "warning",
  law: modelRiskLaw("model limitations, effective challenge"),
  recommendation: MODEL_RISK_RECOMMENDATION,
  impact: { customer: "moderate", business: "moderate" },
  concepts: modelRiskConcepts,
  phrases: {
    infallible(): PhraseGroup {
      return {
        match: [
          "{modelthing} ..8 (never|not once|not ever|has yet to) ..3 (wrong|err~|fail~|miss~|mistaken|mistake~|slip~|off|lie~|misjudge~|miscalculate~|misfire~|mislead~|incorrect|inaccurate|misread~|misses|goes wrong|gone wrong|let down)",
          "{modelthing} ..6 (can not|could not|is not able to|are incapable of|is incapable of|impossible for it to) ..3 (be (wrong|off|mistaken|incorrect|inaccurate|in error)|err|fail|make mistakes|make a mistake|go wrong|miss|lie|slip up|miscalculate)",
          "{modelthing} ..6 ((is|are|am|was|were) ..3 (infallible|flawless|foolproof|unerring|error free|error-free|bulletproof|beyond (doubt|question|error)|mistake free|never off|always (right|correct|accurate|spot on|exact)|without error~|perfect|gospel|faultless|incapable of error))",
          "(100|hundred|99.9|99.99|hundred and ten|110|1000) ..1 (percent)? ..1 (accurate|correct|accuracy|reliable|reliability|error free|exact|right about|precision|precise|trustworthy|dependable)",
          "(#percent|100|hundred percent) ..2 (accurate|correct|accuracy|reliable|precise|precision) & (always|never|every time|guaranteed|no need|100|hundred)",
          "(zero|no|without any|without a single|free of|not a single|not one) ..2 (error~|mistake~|margin of error|inaccurac*|error rate|false positive~|chance of error|room for error|possibility of error|slip|slips|flaw~|blemish)",
          "(infallible|flawless|unerring|error-free|foolproof) ..2 (math|maths|model|calculation~|system|algorithm|figures|result~|ai|accuracy|score|engine|forecast~|number~|estimate~|analysis|record)",
          "always (has been|have been|will be|been) ..6 (always|right|correct|accurate|spot on)",
          "(settled|established|gospel|carved in stone|cold hard|absolute|guaranteed) (fact|truth|certainty)",
          "(correct|accurate|right|exact|precise|true) to the (dollar|cent|penny|decimal|digit|last cent)",
          "(no|zero|not any|any) margin (of|for) error",
          "(has|have|had) (never|not) ..2 (been wrong|been off|missed|failed|made a mistake|erred|let anyone down|had an error|gotten one wrong|got one wrong)",
          "(there has not been|there have not been|there has never been|never been) (a single|one|any) ..1 (error|mistake|slip|miss|wrong)",
          "(perfect|flawless|spotless|unblemished) (track record|record|accuracy|score card|history)",
          "(humans|people) make mistakes ..3 (i|the model|the system|it|algorithms|machines|ai) (do not|does not|never)",
        ],
        about: [
          "(model~|system~|algorithm~|ai|tool~|calculator~|calculation~|estimate~|forecast~|prediction~|projection~|score~|scoring|figure~|number~|math|maths|software|engine|valuation~|appraisal~|rating~|detection|payoff|projected|accurate|accuracy|sure|correct|right|certain|reliable|trust|wrong|mistake~|error~|off|check)",
        ],
        unless: [
          "(no|not|never|nothing|none|nobody|can not|hardly) ..3 (system|model|estimate|tool|score|forecast|algorithm|software|one|calculation) ..3 (is|are) ..2 (perfect|infallible|flawless|foolproof|100)",
          "(is|are|am|was|were) not ..3 (perfect|infallible|flawless|foolproof|always|100|hundred|error free|guaranteed|exact)",
          "(does not|do not|can not|never) ..2 (guarantee|promise|claim|mean|say|imply)",
          "(price|cash back|refund|money back|of the time|of your (deposit|balance|income)|financing|off the|down payment|ltv|loan to value|coverage|of the (fee|cost|amount|price|purchase))",
          "(may|might|can|could) (also|sometimes|still|always)? (be wrong|be off|make mistakes|contain errors|differ|vary|change)",
          "(lender error|bank error|our error|bank errors|error~ occurred|dispute~|billing error~)",
          "(estimate|approximate|illustration) only",
        ],
        ignore: ["negation"],
      };
    },
    absolute(): PhraseGroup {
      return {
        match: [
          "{modelnoun} ..6 (do not|does not|did not|can not|could not|will not|would not|never|have never|has never|incapable of) ..3 ({err}|miss|misses|fail|fails|waver|deviate~|disappoint~)",
          "(i|we) (simply|just|really)? ..1 (do not|can not|could not|never|am incapable of|will not ever|am unable to) ..2 (ever|even)? ..1 {err}",
          "(unlike|compared to|compared with|where) ..4 (people|humans|you|person|colleague~|staff|accountant~|analyst~|other~) & (never|do not|does not|can not|always|without) & ({err}|mistake~|error~|wrong|right|tired|slip)",
          "(perfectly|unfailingly|invariably|infallibly|unerringly|flawlessly|faultlessly|absolutely|completely|entirely|totally|utterly|always|consistently|scientifically) ..1 (precise|accurate|reliable|exact|error free|trustworthy|faultless|dependable|infallible)",
          "(unfailingly|invariably|infallibly|unerringly|always|never anything but|forever) ..1 (correct|right|true|spot on|on target|on the money)",
          "(error|mistake|fail|fool|bullet|fault|idiot) (proof|proofed)",
          "(nothing|no (scam~|fraud~|fraudster~|error~|mistake~|crook~|thief)|not one|never one|not a single) ..4 (slips|slip|gets|get|escapes|escape|sneaks|goes|has slipped|ever slipped|has gotten|got) ..1 (past|by|through|around|unnoticed|it|us|me|away)",
          "(catch~|detect~|stop~|spot~|block~|find~|identif*|predict~|flag~) ..2 (all|every|each|100 percent of|any and all|every single|each and every|everything) ..3 (fraud~|scam~|threat~|attempt~|case~|anomal*|error~|criminal~|time|thief|crook~|without exception)",
          "(error~|mistake~|wrong ..1 (match~|answers|calls|results)|missed ..2 (match~|cases|fraud)|false ..1 (match~|positive~|alarm~|negative~|hits)|inaccurac*|deviation~|failure rate|error rate|miss rate|margin of error) ..2 (none|zero|nil|0|nonexistent|does not exist|do not exist|is not one|are not any)",
          "(predict~|forecast~|project~|calculate~|say~|model says|score says) ..2 (is what|is exactly what|will|always|comes|come|turns out|is bound to) ..2 (happen~|true|come true|to pass|occur~|right)",
          "(comes|turns|works) out (true|right|correct) (whatever|no matter|every time|always|regardless|in every)",
          "(no|without|leave~ no|zero|not the slightest|not a shadow of) ..2 (room for|shadow of)? ..1 (doubt|uncertainty|exception~|error|deviation|guesswork)",
          "(certainty|certain|truth|gospel|fact) (not|and not|never) (a|an)? ..1 (guess|opinion|estimate|probability|maybe)",
          "(foolproof|infallible|faultless|flawless|spotless|unbeatable|unerring|error free|bulletproof|watertight|airtight|rock solid|ironclad|impeccable|omniscient|all knowing|second to none|100 percent|hundred percent|to a t|without fail|never once|never ever|not once|every single time|each and every time|ten out of ten|10 out of 10|dead on|pinpoint|perfection|certainty)",
          "(do not|does not|did not|no|never) ..2 (know|need|have|believe in|deal in|do|contain|exist) ..3 (mistake~|error~|guesswork|margin|uncertainty|approximation~|estimates|verification|double check*|second opinion|checking)",
          "(mistake~|error~|miscalculation~|inaccurac*|slip ups|misjudgment~|false positives|wrong answers) ..5 (impossible|ruled out|not possible|do not happen|does not happen|never happen~|are unknown|is unknown|a thing of the past|can not (happen|occur|creep)|are for humans|eliminated|eradicated|excluded|abolished|extinct)",
          "(crystal ball|oracle|prophet|never cloudy|gospel|law of nature|carved in stone|set in stone|as sure as the sun)",
          "(correct|accurate|right|exact|precise) ..1 (down)? to the (dollar|cent|penny|decimal|digit|last)",
          "(can|could) not (possibly)? (be|get|go) (wrong|off|mistaken|inaccurate|beaten|false)",
          "(beyond|above|past) (error|reproach|question|doubt|criticism|dispute)",
          "(in all|under all|in any|under any|for all|in every) (circumstances|conditions|cases|applicants|situations|markets|scenarios) & (precise|accurate|correct|right|reliable|exact|perfect)",
        ],
        about: aboutModels(),
        unless: hedged(),
        unlessAnywhere: [
          "(may|might|can|could) (also|sometimes|still|always)? (differ|vary|change|be off|be wrong|make mistakes|contain)",
        ],
        ignore: ["negation", "question", "condemnation"],
        confidence: 0.75,
      };
    },
    "absolute-answer"(): PhraseGroup {
      return {
        match: [
          "^ (impossible|never|zero|none|always|not possible|can not happen|no way|not ever|out of the question|inconceivable|100 percent|not in a million years|no chance)",
          "^ ((it|i|we|they) (can not|never|always|simply can not)|(yes|no|nope|yep|absolutely|of course) (never|always|(it|i|we) (never|always|can not)))",
          "(never have|never will|never has|can not happen|could not happen|does not happen|not the slightest|no scenario|no possibility|no chance|word perfect|letter perfect|everything right|all right|everything correct|right by|total accuracy|accuracy is total|is total|first time all the time|every time|all the time|every single|verified truth|full stop|incapable|do not have (those|any|them|that)|has not ..4 (single|once|ever|yet)|have not ..4 (single|once|ever|yet)|exact ..3 every|down to the last|only when there is|without exception|my word is enough|beyond doubt|absolutely (certain|sure)|100 out|hundred out|does not do wrong|do not do wrong|can be no|not even once)",
          "there is (not one|none|not any|no such thing|zero|no margin|no room|nothing)",
          "(bet|stake|wager) ..2 (the|your|my) ..1 (house|life|farm|home|savings|paycheck|bottom dollar)",
          "(eyes (closed|shut)|blindfold*|blindly|blind trust|waste of time|no need to|needless|pointless|unnecessary|without a second thought)",
          "(count on it|bank on it|take it to the bank|take that to the bank|rely on it ..1 (completely|fully|entirely)|rest easy|done deal|dead certain|dead sure|a certainty|100 percent|hundred percent|absolutely certain|completely sure|fully certain)",
          "(i am|we are|it is|they are) (always|never) ..2 (right|wrong|correct|off|accurate|mistaken)",
        ],
        user: [
          "(how|are|is|can|could|what|should|would|do|does|why|ever|if|convince) ..8 (sure|accurate|accuracy|margin of error|wrong|mistaken|mistake~|off|error~|trust|rely|reliable|verify|double check|check|correct|right|exact|precise|certain|good is|good are|confident|believe|hold|works|dependable|stale)",
          "(seem~|look~|sound~) ..2 (off|wrong|high|low|odd|strange)",
          "(ever|hallucinat*|by accident|by mistake|false positive~|miscalculat*|misjudg*|exact|certain|audit~|legit|better than|supporting documents|keep receipts|translations|flagged|proof|precision|error rate|verify|double|confident|sure|track record|stress|tested|validated|guess~)",
          "(you sure|u sure|double check|margin of error|typo|disclaimer)",
        ],
        about: aboutModels(),
        unless: hedged(),
        unlessAnywhere: [
          "(may|might|can|could) (also|sometimes|still|always)? (differ|vary|change|be off|be wrong|make mistakes|contain)",
          "(please|always|should|do|better|best to) ..2 (check|verify|confirm|compare)",
          "(fee|hours|open|due date|address|card works|branch|password|pin|scam|phishing|link)",
        ],
        ignore: ["negation", "question", "condemnation"],
        confidence: 0.7,
      };
    },
    "no-checking"(): PhraseGroup {
      return {
        match: [
          "((no|not any|little|without any) (need|reason|point|sense|use|cause)|(not|never) ..1 (need|have to|bother)|never|skip|stop|quit|forget|save yourself|do not bother|do not waste) ..3 (double check~|double-check~|verify~|second guess~|second-guess~|recheck~|re-check~|cross check~|question~|validate~|confirm~|check~ (it|the|my|this|with)|audit~|fact check~) ..8 (me|my|it|this|that|figure~|number~|result~|model|calculation~|estimate~|score|the math|anyone|math|system|output|answer|anything|tool|forecast)",
          "(trust|believe|rely on|bank on|bet on|count on) ..4 (model|algorithm|calculation~|figure~|number~|tool|system|math|it|me|my) ..3 (blindly|completely|fully|absolutely|entirely|100|implicitly|without question|no questions|over any|more than any|unconditionally|with your life)",
          "(if|when|where|should) ..6 (differs|different|disagree~|disagrees|contradict~) ..10 (is (wrong|mistaken)|(spreadsheet|accountant|bank|adviser|advisor|they|he|she|theirs|yours|it) (that)? ..4 (wrong|mistaken|corrected|at fault|should be corrected))",
          "(checking|verifying|verification|validation|a second opinion|review) ..3 (is|are|would be) ..2 (pointless|unnecessary|needless|a waste|not needed|superfluous|not necessary|redundant)",
        ],
        about: [
          "(model~|system~|algorithm~|ai|tool~|calculator~|calculation~|estimate~|forecast~|prediction~|projection~|score~|figure~|number~|math|maths|software|valuation~|appraisal~|rating~|payoff|accurate|accuracy|correct|reliable|error~|mistake~|output)",
        ],
        unless: [
          "(identity|id|passport|phone|email|address|income|employment|account number|card|code|documents|ssn|login|device)",
          "(please|always|should|must|recommend|suggest|feel free|welcome) ..3 (check|verify|confirm|double check)",
        ],
        ignore: ["negation"],
      };
    },
  },
});
