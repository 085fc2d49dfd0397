/** Paragraphs as an assistant of a bank writes them; `#` stands for a digit. */
const PARAGRAPHS = [
  "Your checking account ending in ## had $#,###.## available this morning. Two card payments of $##.## and $###.## are still pending and will leave the account within two business days. The direct deposit from your employer usually arrives on the last Friday of the month.",
  "A wire within the United States costs $## and arrives on the same day if you send it before 4 p.m. Eastern. For a wire abroad we need the SWIFT code and the address of the receiving bank, and the fee is $##. You can see both in the app under Transfers before you confirm.",
  "The annual percentage yield of the savings account is currently #.##%, and it may change after the account is opened. Interest is compounded daily and credited on the last day of the month. There is no minimum balance and no monthly fee.",
  "I'm sorry about the overdraft fee on your statement. It was charged because the payment to the utility company was presented before your deposit had settled. I have asked the fee team to look at it, and you will hear from them by email within three business days.",
  "For the mortgage application we need your last two pay stubs, two months of bank statements and last year's tax return. Once the file is complete, underwriting takes about ten business days. I can't tell you the outcome beforehand, but I can tell you at any time what is still missing.",
  "You can dispute the charge of $###.## in the app: open the transaction, choose Report a problem and say what happened. We will give you a provisional credit within ten business days while we look into it. Please keep the receipt and any emails from the merchant.",
  "To reset your password, open the sign-in page and choose Forgot password. We will send a link to the email address on file, which is valid for thirty minutes. Nobody from the bank will ever ask you for the password or for a code that was sent to your phone.",
  "The certificate of deposit for 12 months pays a fixed rate of #.##% until it matures. If you withdraw before the term ends, a penalty of three months of interest applies. Deposits are insured by the FDIC up to the applicable limits for each ownership category.",
  "Funds invest in stocks and bonds, and their value can fall as well as rise. Past performance says little about what comes next, and you may get back less than you put in. An adviser can go through your goals and the time you have with you, free of charge.",
  "Deposits of cash can be made at any branch and at most of our machines. The machine counts the notes and shows the total before you confirm. For large amounts it is quicker at the counter, where a colleague will ask for identification and fill in the usual paperwork with you.",
  "Your new debit card was sent on the ##th and should arrive within seven to ten business days. Until then you can add it to the wallet on your phone, where it works at once. If it hasn't come by the end of next week, write to me and I will send another one.",
  "The credit limit of the card is $#,### at present. We review limits every six months, looking at payments and at what the credit bureaus report. If you would like to ask for a higher limit now, tell me your income and your monthly housing cost, and I will pass the request on.",
  "We have received your request to close the account. Before we can do so the balance must be zero and no payment may be pending. The last statement comes by mail, and you can download the earlier ones for seven years.",
  "The business account includes ### transactions a month without a charge. Beyond that each costs ## cents. Payroll, invoices and the card reader can be added at any time, and each has a fee of its own that you find in the schedule of fees.",
  "To add your daughter to the account as a joint owner, both of you have to sign the signature card at a branch. Bring an identity document each and proof of address. A joint owner can use the whole balance, so talk it over before you decide.",
  "The transfer of $#,### to your brokerage account was completed on Tuesday. It shows there as cash that is available to trade. The confirmation number is ####-##-##, and the document is in your mailbox in the app.",
  "Your loan has ## payments left, the next one of $###.## on the first of the month. You may pay more at any time without a penalty, and whatever is above the regular payment reduces the principal. Would you like me to send you a payoff quote?",
  "While you travel the card works in most countries. We charge no fee for foreign purchases, but the operator of a cash machine may. If a payment is declined, call the number on the back of the card; a colleague answers day and night.",
  "The rate that you are offered depends on your credit history, the amount, the term and the property. Everyone is assessed by the same criteria. If an application is declined, we send the main reasons in writing within thirty days, and you may ask for a copy of the report.",
  "Thanks for letting us know about the call. It was not from us. Please don't click the link in the message, and don't move any money. I have blocked online transfers for the time being, and a colleague from the fraud team will call you back on the number we have on file.",
  "I compared the three plans that you asked about: the first has no fee but a higher rate, the second costs $## a year and gives ##% back on groceries, the third is meant for travel. Which one is cheaper depends on how much you spend, so here are the numbers for your last twelve months.",
  "Our branch on Main Street is open from nine to five on weekdays and from nine to noon on Saturdays. You can book an appointment in the app, or just come by. For notary services please call first, because the notary is not there every day.",
];

/** Sentences in which the rules find something. */
const FINDINGS = [
  "Don't worry, this fund has a guaranteed return of #% and you can't lose your money.",
  "If you split the cash into two deposits at different branches, nobody has to file a report.",
  "The number of your card is 4539 1488 0343 6467.",
  "You will definitely be approved, so you can sign the lease today.",
];

const ACCENTS = [
  "Se\u00f1or Mu\u00f1oz\u2019s t\u00e9l\u00e9phone is on file \u2013 caf\u00e9 purchases of \u20ac##.## were \u201cpending\u201d. ",
  "\u{1f44d} \u0417\u0430\u044f\u0432\u043a\u0430 \u043f\u0440\u0438\u043d\u044f\u0442\u0430, \u8acb\u7a0d\u5019\u3002 ",
  "\uff14\uff12 \u00bd \u2026 na\u00efve co\u00f6peration\u00a0\u2014 r\u00e9sum\u00e9. ",
];

/** Gives numbers from 0 to 1 that are the same in every run. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What a text is made of. */
export interface TextKind {
  /** In characters. */
  readonly length: number;
  readonly hasFindings?: boolean;
  readonly isInternational?: boolean;
}

/** Makes a text that no other call made: paragraphs in another order, with other numbers. */
export function createText(
  random: () => number,
  { length, hasFindings = false, isInternational = false }: TextKind,
): string {
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? "";
  const parts: string[] = hasFindings ? [pick(FINDINGS)] : [];
  for (let size = 0; size < length; size += parts.at(-1)?.length ?? 1)
    parts.push((isInternational ? pick(ACCENTS) : "") + pick(PARAGRAPHS));
  if (hasFindings) parts.splice(Math.floor(random() * parts.length), 0, ...parts.splice(0, 1));
  const text = parts.join("\n\n").slice(0, length);
  const filled = text.replaceAll("#", () => String(Math.floor(random() * 10)));
  // A flat string, as one that came over the network: joining leaves a tree of pieces.
  return Buffer.from(filled).toString();
}
