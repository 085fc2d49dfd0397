import type { InteractionContext, ToolUsageInfo } from "../../events/compliance.ts";
import type { Finding } from "../rule-definition.ts";
import type { Exchange } from "../../phrases/exchange.ts";
import { linear } from "../../text/pattern.ts";
import { anyWord, firstWord, lastWord, oneOf } from "../../text/word-patterns.ts";
import { spacedWords } from "../tools/tool-words.ts";
import { hasFailed, listValues } from "../tools/tool-results.ts";
import { READS, TRIES } from "../tools/tool-verbs.ts";
import type { Check, Given } from "./check.ts";

const PLACE_KEY = anyWord`
  country|countries|iso|territory|region|jurisdiction
  city|place|port|address|location|destination|corridor|origin|to|receiving|beneficiary
`;
/** Where a person comes from is no destination of money. */
const PERSON_KEY = anyWord`
  birth|born|birthplace|nationality|citizenship|citizen|national|ethnicity|heritage|language
  name|email|memo|note|merchant
`;
const TRANSFERS = anyWord`
  wires?|transfers?|remit|remittance|payments?|pay|payout|send|disburse\w*|release|settle|execute
  swift|ach|fx|crypto|funds|international|trade|letter of credit|lc|export|import
`;
const LOOKS_UP = firstWord`
  ${READS}|screen|${TRIES}
  reject|block|decline|refuse|hold|freeze|cancel|return|report|escalate
`;
const STATES = oneOf`
  al|ak|az|ar|ca|co|ct|de|fl|ga|hi|id|il|in|ia|ks|ky|la|me|md|ma|mi|mn|ms|mo|mt|ne|nv|nh|nj|nm
  ny|nc|nd|oh|ok|or|pa|ri|sc|sd|tn|tx|ut|vt|va|wa|wv|wi|wy|usa|us|united states
  illinois|missouri|new york|new mexico|wisconsin|florida|alabama|kansas|ohio|arkansas|texas
  north dakota|virginia
`;
const STATE = lastWord`${STATES}\b\.?(?:\s*\d{5})?\s*`;
const UNDONE = anyWord`
  rejected|blocked|declined|refused|returned|cancell?ed|failed|not sent|stopped|escalated
  held|hold|frozen|pending|under review
`;
const LICENSED = anyWord`
  licen[sc]e|humanitarian|exemption|authori[sz]ation
`;
const SENT = anyWord`
  sent|processed|completed?|submitted|executed|initiated|released|scheduled|transferred|wired
  on its way|went through|gone through|went out|all set|done|approved|confirmed|arrive|credited
`;
const NOT_SENT = anyWord`
  can(?:'|no)?t|not|unable|won't|n't|declin\w*|reject\w*|block\w*|refus\w*
  embargo\w*|sanction\w*|prohibit\w*|review|hold|escalat\w*
`;
const AT_HOME = linear(/^(?:us|usa|united states(?: of america)?)$/i);
const COUNTRY_KEY = anyWord`country`;
const STATE_KEY = anyWord`state|province|region`;
const STATUS_KEY = anyWord`status|state|outcome|result|action|decision|disposition`;
const BESIDE_WORD = linear(/^\W?$/);
const MAX_LOCATION = 200;
/** "Havana, CU" */
const CODE_AT_END = linear(/,\s*(?:ir|kp|cu)\s*$/);

type Places = Given<never, "embargoed" | "embargoedCodes">["words"];

/** Returns whether words stand in a text, not as a part of others. */
function standsIn(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const end = at + words.length;
    if (BESIDE_WORD.test(text.charAt(at - 1)) && BESIDE_WORD.test(text.charAt(end))) return true;
  }
  return false;
}

/** Returns whether a location is under comprehensive sanctions; a town of that name in the States is not. */
function isSanctionedPlace(location: string, { embargoed, embargoedCodes }: Places): boolean {
  const lower = location.trim().toLowerCase();
  if (embargoedCodes.includes(lower)) return true;
  if (lower.length > MAX_LOCATION) return false;
  if (CODE_AT_END.test(lower)) return true;
  return embargoed.some((name) => standsIn(lower, name)) && !STATE.test(lower);
}

function hasLicence(tool: ToolUsageInfo): boolean {
  return listValues(tool.parameters).some(
    ({ name, value }) => LICENSED.test(name) && value !== false && value !== "",
  );
}

function wasSent(tool: ToolUsageInfo): boolean {
  const name = spacedWords(tool.name);
  if (LOOKS_UP.test(name) || !TRANSFERS.test(name) || hasFailed(tool)) return false;
  return !listValues(tool.result).some(
    (one) =>
      STATUS_KEY.test(one.name) &&
      UNDONE.test(String(one.value).toLowerCase().replaceAll("_", " ")),
  );
}

function isTransfer({ transactionContext }: InteractionContext): boolean {
  const type = spacedWords(transactionContext?.transactionType ?? "");
  return type === "" || TRANSFERS.test(type);
}

const PATTERN = "transfer-to-sanctioned-place";
const DESCRIPTION = "A transfer to a place under comprehensive sanctions went out.";

/** Returns whether the parameters name a State, or the United States as the country. */
function isAtHome(tool: ToolUsageInfo): boolean {
  return listValues(tool.parameters).some(
    ({ name, value }) =>
      typeof value === "string" &&
      ((COUNTRY_KEY.test(name) && AT_HOME.test(value)) ||
        (STATE_KEY.test(name) && STATE.test(value.toLowerCase()))),
  );
}

function findInTool(tool: ToolUsageInfo, places: Places): Finding | undefined {
  if (isAtHome(tool)) return undefined;
  const place = listValues(tool.parameters).find(
    (one) =>
      typeof one.value === "string" &&
      PLACE_KEY.test(one.name) &&
      !PERSON_KEY.test(one.name) &&
      isSanctionedPlace(one.value, places),
  );
  return (
    place && {
      pattern: PATTERN,
      confidence: 0.9,
      evidence: `${tool.name}.${place.name.replaceAll(" ", "_")}=${String(place.value).slice(0, 40)}`,
      description: DESCRIPTION,
    }
  );
}

/** Returns whether the answer says that the transfer went out, when no tool was named. */
function isSaidSent(context: InteractionContext, exchange: Exchange): boolean {
  if ((context.toolsUsed ?? []).length > 0) return false;
  const answer = exchange.agentResponse?.folded.toLowerCase() ?? "";
  return SENT.test(answer) && !NOT_SENT.test(answer);
}

function* findTransfers(
  context: InteractionContext,
  exchange: Exchange,
  places: Places,
): Iterable<Finding> {
  const { toolsUsed = [], transactionContext } = context;
  const sent = toolsUsed.filter((tool) => wasSent(tool) && !hasLicence(tool));
  for (const tool of sent) {
    const finding = findInTool(tool, places);
    if (!finding) continue;
    yield finding;
    return;
  }
  const location = transactionContext?.location;
  if (location === undefined || !isSanctionedPlace(location, places) || !isTransfer(context))
    return;
  if (sent.length === 0 && !isSaidSent(context, exchange)) return;
  yield {
    pattern: PATTERN,
    confidence: sent.length > 0 ? 0.9 : 0.75,
    evidence: `transactionContext.location=${location.slice(0, 40)}`,
    description: DESCRIPTION,
    riskFactors: ["transactionContext.location"],
  };
}

/** Finds transfers to a place under comprehensive sanctions that went out. */
export const sanctionedTransfers: Check<never, "embargoed" | "embargoedCodes"> = {
  words: ["embargoed", "embargoedCodes"],
  find: (context, exchange, { words }) => findTransfers(context, exchange, words),
};
