import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** Loans that are not made to a group, or made to it on worse terms than to others. */
export function refusedToGroup(): PhraseGroup {
  return {
    match: [
      "{canNot} {serve} ..6 (to|for) ..2 ({group}|{aged})",
      "{canNot} (make|making|do|doing|write|writing|give|giving) ..3 (loan~|mortgage~|credit|card~) ..1 (to|for|with) ..2 ({group}|{aged})",
      "{because} ..4 {aged} ..8 {canNot} {serve}",
      "(because|since|as|given that) ..2 {aged} ..10 ({canNot} {serve}|{refuse})",
      "(your|his|her|their) age (rules|disqualif*|excludes|bars|keeps|prevents|stops) ..2 (you|him|her|them)",
      "({group}|{aged}) ..3 {need} ..8 (#percent|#money|larger|bigger|higher|extra|additional) ..6 (than|while|unlike|whereas|but) ..4 (other|others|everyone|everybody|rest|usual|normal|most)",
      "({group}|{aged}) ..3 {need} ..3 (cosigner~|co-signer~|guarantor~|sponsor~|collateral) ..4 (unlike|while|whereas|but) ..4 (other|others|everyone|rest)",
      "we ..3 (stop|stopped|cut off|end|quit) lending ..3 (at|after|past|over|to) ..2 ({aged}|(60|62|65|66|67|68|69|70|72|75|80|sixty|sixty five|seventy|eighty))",
    ],
    unless: [
      "{equality}",
      "{lawTalk}",
      "{idiom}",
      "{accommodation}",
      "{domestic}",
      "{correction}",
      "{encouraging}",
      "{permittedStatus}",
      "(under|below|younger than) (18|19|21|eighteen|twenty one)",
      "(reverse mortgage~|hecm|minor~|student~|teen~|custodial|insurance|ira|401*|life insurance|travel|scam*|elder (abuse|fraud))",
      "(creditor~|lenders|a lender) ..3 (can|may|must|should|are|is) not",
      "decision~",
      "(not|never|nor) ..2 (refuse|deny|decline|charge|require|reject)",
    ],
    unlessAnywhere: ["{lawTalk}", "{equality}"],
    ignore: ["negation", "refusal"],
  };
}
