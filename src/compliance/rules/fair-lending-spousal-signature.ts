import { defineBuiltInRule } from "../define-rule.ts";
import { fairLending } from "../lexicon/fair-lending.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** Where a spouse's signature may be needed, or is only offered. */
function lawful(): string[] {
  return [
    "{jointOrSecured}",
    "{lawTalk}",
    "(regardless of|no matter) ..2 (marital|whether)",
    "not (ask|require)",
    "(if you want|if you would like|if you wish|if you like|you may|you can|optional|option to|welcome to|feel free)",
  ];
}

/**
 * Flags demands that a spouse sign for credit that the applicant asks for alone.
 *
 * @see 12 CFR § 1002.7(d)
 */
export const fairLendingSpousalSignature = defineBuiltInRule({
  id: "fair-lending-spousal-signature",
  name: "Spouse's signature demanded",
  description: "A demand for a spouse's signature on individual credit.",
  explanation: "The agent demands a spouse's signature though the applicant applies alone.",
  category: "fair_lending",
  severity: "warning",
  law: { citation: "12 CFR § 1002.7(d)", asOf: "2026-11-21", status: "in force" },
  recommendation:
    "Ask for a co-signer only when the applicant does not qualify alone, and never require that it be the spouse.",
  impact: { customer: "moderate", business: "moderate" },
  concepts: fairLending,
  phrases: {
    "spouse-named-with-signature"(): PhraseGroup {
      return {
        ignore: ["negation"],
        about: ["{creditTopic}", "(contract|note|closing|funds|increase|overdraft)"],
        match: [
          "({spouse}|mrs|missus|couple|couples|married|both spouses|marriage|wedding ring) ..12 (sign*|docusign|esign*|endorse*|countersign*|one unit|in the room|autograph|initial*|cosign*|co sign*|obligor*|consent|on the hook|guarant*|as co applicant|as coapplicant|as co borrower|execute~|blessing|ink|dotted)",
          "(sign*|docusign|esign*|endorse*|countersign*|one unit|in the room|autograph|initial*|cosign*|co sign*|obligor*|consent|on the hook|guarant*|as co applicant|as coapplicant|as co borrower|execute~|blessing|ink|dotted) ..12 ({spouse}|mrs|missus|couple|couples|married|both spouses|marriage|wedding ring)",
          "({spouse}|mrs|missus|couple|couples|married|both spouses|marriage|wedding ring) ..6 (two signatures|both (sign|names)|permission|approval|agree~ in writing|on board)",
        ],
        unless: [
          ...lawful().slice(1),
          "{noSpouseNeeded}",
          "(signer~|view-only|secure link|reverse mortgage|nursing home|co-owner~)",
        ],
        unlessAnywhere: ["{noSpouseNeeded}", "{scamTalk}", "{jointForm}", "(checking|savings)"],
        confidence: 0.7,
      };
    },
    "customer-asks-who-signs"(): PhraseGroup {
      return {
        ignore: ["negation", "question"],
        user: [
          "(sign (it|this|the|for|electronically|again|together|too)|signs|signing|to sign|signed ..2 (contract|note|loan)|cosign*|signature~|obligor~|docusign)",
        ],
        match: [
          "({spouse}|missus|mrs|wife|husband|hubby) & (you|both|too|also|other|obviously|of course|needs|does|do|must|and|always)",
          "^ ..2 (he|she|both of you|you both|you two) ..2 (sure|does|do|must|needs|will|has|have|would|is|are)",
        ],
        unless: [...lawful(), "{noSpouseNeeded}", "(may|can|could|optional|option)"],
        unlessAnywhere: ["{noSpouseNeeded}", "{jointForm}", "(officers|approved by)"],
        confidence: 0.65,
      };
    },
    "spouse-made-a-condition"(): PhraseGroup {
      return {
        ignore: ["negation", "question"],
        user: [
          "({spouse}|married|marry|wedding|mrs|partner|alone|just me|only me|solo|own name|by myself|individual*|sole|on my own|divorc*)",
        ],
        about: ["{creditTopic}"],
        match: [
          "({spouse}|mrs|missus|couple~|married) & (must|need*|require*|has to|have to|will have|without|until|unless|together|as well|too|policy|always|no exception~|still like)",
          "(he|she) ..2 (stays|remains|must|has to|needs to) ..3 (obligor|cosigner|co-signer|borrower|guarantor|sign)",
          "^ ..2 (always|yes|sure|definitely|certainly|of course|naturally|obviously|absolutely|necessarily) ..6 (married|spouse~|both|pair|does|needs|need|must|do|required|policy|everyone|every)",
        ],
        unless: [
          ...lawful(),
          "{noSpouseNeeded}",
          "(servicemember~|military|credit score~|original*|co-owner~|beneficial|company|business|reverse mortgage)",
        ],
        unlessAnywhere: [
          "{noSpouseNeeded}",
          "{harmDenied}",
          "(not|no) ..3 (both|have to)",
          "(written authori*|third party|speak with (him|her)|discuss ..3 with (him|her)|congrat*|leave income|count too)",
        ],
        alongside: [
          "({spouse}|spouses|spousal|mrs|missus|partner|she|he|her|his|couple~|married|both)",
        ],
        confidence: 0.65,
      };
    },
    "spouse-must-sign"(): PhraseGroup {
      return {
        ignore: ["negation"],
        match: [
          "{spouse} ..4 {mustDo} ..5 {signing}",
          "(need~|require~|requires|want~|must have|have to have|has to have|get|obtain|collect|waiting on|waiting for|missing|without|till|until|pending|demand~|insist~ on|expect|ask for|asks for|calls for|call for) ..4 {spouse} ..4 {signing}",
          "(need~|require~|must have|requires|without|missing|obtain|collect|waiting on|demand~|until|pending) ..6 (signature~|consent|permission|approval|okay|sign off|guarantee|autograph|initials|name) ..5 (of|from|by) ..3 {spouse}",
          "(have|get|bring|ask|send|tell) {spouse} ..8 {signing}",
          "(married|women|wives|a married|a wife|female) ..4 {mustDo} ..10 (husband~|wife|wives|spouse~|spousal)",
          "(step|still|only|last|final|outstanding|remaining|remains|left|next|lacking|lacks|minus|plus|all) ..5 {spouse} ..3 (signature|autograph|initials|consent|sign off|sign)",
          "(have|get|ask|need|bring|let) ..1 (mrs|mr) ..2 (sign|signs|countersign*|cosign*|co sign|initial)",
          "(practice|policy|rule|custom|procedure|standard|requirement|routine|requires|require) ..6 {spouse} ..6 {signing}",
          "(married (men|women|man|woman|people|applicants|borrowers|customers|couples)|anyone married|wives|husbands) ..8 (without|unless|until|need~|must) ..5 ({spouse}|autograph|signature|wife|husband|his|her|their other half|{signing})",
          "(who are|who is|being|are|is|if|since you are|because you are|as you are|since he is|when) married ..12 ({spouse}|both partners|both|husband|wife|spouse|other half) ..6 {signing}",
          "(signature|autograph|sign off|sign|initials) ..8 (he|she) is your (husband|wife|spouse)",
          "(signature~|autograph|sign off|signing) ..4 (of|from|by) ..2 {spouse}",
          "(can not|will not|not|unable to) ..8 (until|without|unless) ..4 {spouse} ..6 {signing}",
          "(spousal|husband's|wife's|spouse's) (signature|consent|guarantee|co-signature|approval|permission|cosignature) ..4 (required|mandatory|needed|necessary|is a must|compulsory|standard|policy)",
          "(both|two) (spouses|of you|husband and wife|partners) ..3 {mustDo} ..5 {signing}",
          "{spouse} ..3 (as|be) ..3 (co-signer|cosigner|guarantor|co-borrower|co-applicant|coapplicant|coborrower) ..6 (required|needed|mandatory|must|no exceptions|policy|rule)",
        ],
        unless: lawful(),
        unlessAnywhere: ["{jointOrSecured}", "plan rules"],
        about: ["{creditTopic}"],
      };
    },
  },
});
