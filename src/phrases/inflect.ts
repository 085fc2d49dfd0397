import { linear } from "../text/pattern.ts";

const WHITESPACE = linear(/\s+/);

/** Returns the other forms of verbs whose past or participle is not the base with `-ed`, and of odd nouns, by the base. */
function listIrregular(): ReadonlyMap<string, readonly string[]> {
  const all = `
    be am is are was were been being|bear bore borne|become became|begin began begun beginning|
    bend bent|bet|bind bound|bring brought|break broke broken|build built|buy bought|catch caught|
    choose chose chosen|come came|cost|cut|deal dealt|dig dug|do does did done|draw drew drawn|
    drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|
    fly flies flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|
    get got gotten|give gave given|go goes went gone|grow grew grown|hang hung|have has had|
    hear heard|hide hid hidden|hit|hold held|hurt|keep kept|know knew known|lay laid|lead led|
    leave left|lend lent|let|lie lies lied lying|lose lost|make made|mean meant|meet met|
    mislead misled|override overrode overridden|pay paid|put|quit|read|ride rode ridden|
    ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|set|
    shake shook shaken|shoot shot|show showed shown|shrink shrank shrunk|shut|sink sank sunk|sit sat|
    sleep slept|slide slid|speak spoke spoken|spend spent|split|spread|stand stood|steal stole stolen|
    stick stuck|strike struck|take took taken|teach taught|tell told|think thought|throw threw thrown|
    understand understood|undo undoes undid undone|wear wore worn|win won|withdraw withdrew withdrawn|
    withhold withheld|write wrote written|forgo forwent forgone|foresee foresaw foreseen|
    undergo underwent undergone|uphold upheld|man men|woman women|person people|child children|
    wife wives|life lives|half halves|loss losses|tax taxes|foot feet|currency currencies`;
  return new Map(
    all.split("|").map((forms) => {
      const [base = "", ...others] = forms.trim().split(WHITESPACE);
      return [base, others];
    }),
  );
}

const ENDS_IN_SIBILANT = linear(/(?:s|x|z|ch|sh)$/);
const ENDS_IN_CONSONANT_Y = linear(/[^aeiou]y$/);
/** One vowel before one consonant at the end of a short word: the consonant doubles. */
const DOUBLES = linear(
  /^[^aeiou]*[aeiou][bdgklmnprt]$|(?:mit|fer|cur|pel|trol|bar|gin|get|lot|rap|kip|top|tip|lap|llap|bet|pet|ban|tag|nap|xcel)$/,
);
const MAY_DOUBLE = linear(/[^aeiou][aeiou][bdglmnprt]$/);

function withEnding(base: string, ending: string): string[] {
  if (base.endsWith("ie") && ending === "ing") return [`${base.slice(0, -2)}ying`];
  if (base.endsWith("ee") || base.endsWith("oe")) return [base + (ending === "ed" ? "d" : ending)];
  if (base.endsWith("e")) return [base.slice(0, -1) + ending];
  if (ENDS_IN_CONSONANT_Y.test(base) && ending === "ed") return [`${base.slice(0, -1)}ied`];
  const doubled = base + base.slice(-1) + ending;
  if (DOUBLES.test(base)) return [doubled];
  // British and American spelling differ here ("cancelled"), and so do the spellers.
  return MAY_DOUBLE.test(base) ? [base + ending, doubled] : [base + ending];
}

function plural(base: string): string {
  if (ENDS_IN_SIBILANT.test(base)) return `${base}es`;
  if (ENDS_IN_CONSONANT_Y.test(base)) return `${base.slice(0, -1)}ies`;
  return `${base}s`;
}

let irregulars: ReadonlyMap<string, readonly string[]> | undefined;

/** Returns the forms of a word as a verb and as a noun, itself included; forms that no one uses do no harm. */
export function inflect(base: string): readonly string[] {
  const irregular = (irregulars ??= listIrregular()).get(base);
  const forms = [base, plural(base), ...withEnding(base, "ing")];
  forms.push(...(irregular ?? withEnding(base, "ed")));
  return [...new Set(forms)];
}
