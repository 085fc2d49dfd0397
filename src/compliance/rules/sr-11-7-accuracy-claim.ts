import { defineBuiltInRule } from "../define-rule.ts";
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
export const sr117AccuracyClaim = defineBuiltInRule({
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
          "{modelnoun} ..4 (never|not once|not ever|has yet to) ..2 (wrong|err~|fail|fails|mistaken|slip~|lie~|misjudge~|miscalculate~|misfire~|mislead~|incorrect|inaccurate|misread~|misses|goes wrong|gone wrong|let down)",
          "{modelnoun} ..4 (can not|could not|is not able to|are incapable of|is incapable of|impossible for it to) ..1 (be (wrong|off|mistaken|incorrect|inaccurate|in error)|err|fail|make mistakes|make a mistake|go wrong|lie|slip up|miscalculate)",
          "{modelnoun} ..4 ((is|are|was|were) ..2 (infallible|flawless|foolproof|unerring|error free|error-free|bulletproof|beyond (doubt|question|error)|mistake free|never off|always (right|correct|accurate|spot on|exact)|without error~|faultless|incapable of error))",
          "(100|hundred|99.9|99.99|hundred and ten|110|1000) ..1 (percent)? ..1 (accurate|correct|accuracy|reliable|reliability|error free|trustworthy|dependable)",
          "(#percent|100|hundred percent) ..2 (accurate|correct|accuracy|reliable|precise|precision) & (always|never|every time|guaranteed|no need|100|hundred)",
          "((without|not) a single (error|mistake|slip|inaccuracy)|(no|zero) (error rate|margin of error|chance of error|room for error|possibility of error))",
          "(infallible|flawless|unerring|error-free|foolproof) ..2 (math|maths|model|calculation~|system|algorithm|figures|result~|ai|accuracy|score|engine|forecast~|number~|estimate~|analysis|record)",
          "always (has been|have been|will be|been) ..6 (always|right|correct|accurate|spot on)",
          "(settled|established|gospel|carved in stone|cold hard|absolute|guaranteed) (fact|truth|certainty)",
          "(correct|accurate|right|exact|precise|true) to the (dollar|cent|penny|decimal|digit|last cent)",
          "(no|zero|not any|any) margin (of|for) error",
          "(has|have|had) never ..1 (been wrong|been off|made a mistake|erred|let anyone down|had an error|gotten one wrong|got one wrong)",
          "(there has not been|there have not been|there has never been|never been) (a single|one) ..1 (error|mistake|slip|miss)",
          "((perfect|flawless|spotless|unblemished) (track record|accuracy|score card)|spotless record)",
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
    "without-limits"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "{judge} ..2 (has|have) (no|zero|not any|absolutely no) ..1 (limitation~|weakness*|flaw~|limits|shortcoming~|blind spot~|error rate|drawback~|defect~)",
          "(there are|there is|it has) (no|zero|not any|absolutely no) ..1 (limitation~|weakness*|flaw~|shortcoming~|blind spot~|error rate) & {judge}",
          "{judge} ..6 (predict~|forecast~|know~|identif*|spot~|detect~|catch*|assess*) ..6 (complete|total|absolute|perfect|full|100 percent) (certainty|accuracy|precision)",
          "(it|which) ..1 (predict~|forecast~|know~|identif*|spot~|detect~|catch*) ..4 (complete|total|absolute|perfect|full|100 percent) (certainty|accuracy|precision) & {judge}",
          "({judge}|it) ..2 (makes|made|has|commits|produces) (zero|no|absolutely no) ..1 (errors|mistakes) & {judge}",
          "impossible for ..3 {judge} ..1 to (be (wrong|mistaken|off|in error|incorrect)|err|fail|make)",
          "{judge} ..1 (is|are) ..1 (right|correct|accurate) (every time|each time|all the time|without exception|in every case|for every)",
          "(it|model) has never ..1 made (an|any|one|a single) ..1 (error|mistake) & {judge}",
          "{judge} is ..1 perfect",
        ],
        unless: [
          ...hedged(),
          "(no|not|nor|any) ..2 {judge} ..3 (perfect|right|accurate|without|free)",
          "(need|needs|wish|want~|free of charge) ..2 (no|zero)",
        ],
        ignore: ["negation"],
        confidence: 0.75,
      };
    },
    absolute(): PhraseGroup {
      return {
        match: [
          "{modelnoun} ..4 (do not|does not|did not|can not|could not|will not|would not|never|have never|has never|incapable of) ..1 ({err}|miss|misses|fail|fails|waver|deviate~|disappoint~)",
          "(i|we) (simply|just|really)? ..1 (do not|can not|could not|never|am incapable of|will not ever|am unable to) ..2 (ever|even)? ..1 {err}",
          "(unlike|compared to|compared with) ..2 (people|humans|person|colleague~|staff|accountant~|analyst~) & (never|do not|does not|can not|always|without) ..3 ({err}|mistake~|error~|wrong|right|tired)",
          "(perfectly|unfailingly|invariably|infallibly|unerringly|flawlessly|faultlessly) ..1 (precise|accurate|reliable|exact|trustworthy|dependable)",
          "{modelnoun} ..2 (is|are) (absolutely|completely|entirely|totally|utterly|always|consistently|scientifically) (precise|accurate|reliable|exact|error free|trustworthy|faultless|dependable|infallible)",
          "((unfailingly|invariably|infallibly|unerringly) ..1 (correct|right|true|spot on|on target)|(i am|it is|they are|is|are) always (right|correct|spot on|on target))",
          "((fool|bullet|idiot) (proof|proofed)|(i am|it is|they are) error proof)",
          "(nothing|no (scam~|fraud~|fraudster~|error~|mistake~|crook~|thief)|not one|never one|not a single) ..3 (slips|slip|gets|get|escapes|escape|sneaks|slipped|gotten) (past|by|through|around|unnoticed) ..1 (it|us|me|our|the)",
          "({modelnoun}|it|which) ..1 (catches|detects|stops|spots|blocks|finds|predicts|sees) (all|every|each|100 percent of|everything) ..2 (fraud~|scam~|threat~|attempt~|error~|criminal~|thief|crook~|without exception)",
          "(wrong ..1 (match~|answers|calls|results)|missed ..2 (match~|cases|fraud)|false ..1 (match~|positive~|alarm~|negative~|hits)|inaccurac*|error rate|miss rate|margin of error) ..2 (none|nil|nonexistent|does not exist|do not exist|is not one|are not any)",
          "(what (we|i|it) predict~ is what happens|accuracy ..1 is total)",
          "(predicts|forecasts|model says|score says) ..1 (is what|is exactly what|will|always) ..2 (happen~|true|come true|to pass|occur~)",
          "(comes|turns|works) out (true|right|correct) (whatever|no matter|every time|always|regardless|in every)",
          "(no|without|leave~ no|not the slightest) (room for|shadow of|margin of) ..1 (doubt|uncertainty|error|deviation|guesswork)",
          "(certainty|certain|truth|gospel|fact) (not|and not|never) (a|an)? ..1 (guess|opinion|estimate|probability|maybe)",
          "(foolproof|infallible|faultless|flawless|unerring|omniscient|each and every time|every single time)",
          "(spotless|unbeatable|bulletproof|watertight|airtight|rock solid|ironclad|impeccable|all knowing|100 percent|hundred percent|never once|not once|ten out of ten|10 out of 10|dead on|pinpoint|perfection|without exception) & (forecast~|prediction~|projection~|estimate~|calculation~|algorithm~|engine~|computer|detector|filter|model|come true|they come|appraiser)",
          "(mistake~|error~|miscalculation~|inaccurac*|slip ups|misjudgment~|false positives|wrong answers) ..2 (impossible|ruled out|not possible|do not happen|does not happen|never happen~|are unknown|a thing of the past|can not (happen|occur|creep)|are for humans|eliminated|eradicated|abolished|extinct)",
          "(is gospel|are gospel|never cloudy|law of nature|as sure as the sun)",
          "(correct|accurate|right|exact|precise) ..1 (down)? to the (dollar|cent|penny|decimal|digit|last)",
          "{modelnoun} ..3 (can|could) not (possibly)? be (wrong|off|mistaken|inaccurate|beaten|false)",
          "(beyond|above) (error|reproach|question|doubt|criticism)",
          "(in all|under all|under any|for all|in every) (circumstances|conditions|applicants|situations|markets|scenarios) & (precise|accurate|reliable|exact|perfect)",
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
          "^ (impossible|never have|not possible|can not happen|no way|not ever|out of the question|inconceivable|not in a million years|no chance|not the slightest)",
          "(never have never will|that can not happen|could not happen|no scenario|no possibility|word perfect|letter perfect|total accuracy|accuracy is total|right first time|first time all the time|verified truth|am incapable of|do not have those|has not misjudged|exact ..3 every|down to the last|my word is enough|beyond doubt|absolutely certain|100 out|hundred out|does not do wrong|do not do wrong|not even once|right by construction)",
          "^ there is none",
          "there is (no such thing|no margin|no room for error)",
          "(bet|stake|wager) ..2 (the|your|my) ..1 (house|life|farm|home|savings|paycheck|bottom dollar)",
          "(with your eyes (closed|shut)|blindfold*|blindly|blind trust|waste of time|why bother)",
          "(bank on it|take it to the bank|take that to the bank|rely on it (completely|fully|entirely)|dead certain|dead sure|a certainty|absolutely certain|completely sure|fully certain)",
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
          "((no|not any|little|without any) (need|reason|point|sense|use|cause)|(not|never) ..1 (need|have to|bother)|skip|quit|forget|save yourself|do not bother|do not waste) ..2 (double check~|double-check~|verify~|verifying|second guess~|second-guess~|recheck~|re-check~|cross check~|question~|validate~|check~ (it|the|my|this|with)|audit~|fact check~) ..5 (me|my|figure~|number~|result~|model|calculation~|estimate~|score|the math|with anyone|math|output|forecast)",
          "(trust|believe|rely on|bank on|bet on|count on) ..4 (model|algorithm|calculation~|figure~|number~|tool|system|math|it|me|my) ..3 (blindly|completely|fully|absolutely|entirely|100|implicitly|without question|no questions|over any|more than any|unconditionally|with your life)",
          "(if|when) ..5 (differs|disagree~|disagrees|contradict~|different) ..8 (spreadsheet|accountant|adviser|advisor) ..4 (wrong|mistaken|corrected|at fault)",
          "(checking|verifying|a second opinion) ..3 (is|would be) ..2 (pointless|needless|a waste|superfluous)",
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
