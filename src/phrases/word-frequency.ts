import { wordSet } from "../text/word-set.ts";

/**
 * Words of English, and of a bank's customers and agents, by how many of a thousand sentences have them.
 *
 * Counted once over labelled conversations; only the order matters, so it need not be kept up to date.
 */
const BANDS: readonly (readonly [perThousand: number, words: string])[] = [
  [120, "the i you a is to and it your for not in can my on of that with do are have"],
  [
    35,
    `
      at we will no so what me be would from or as if card our am account one an was loan by there how this
      about please up credit out does need get has bank
    `,
  ],
  [
    12,
    `
      money two any like cash yes only may report us why days check number they pay income all who payment did
      off now them here but ask go tell time each deposit which under send want just could business back open
      form new fee file right before through never branch should checking name see when application limit help
      three after over keep then day app savings last down free balance first rate say look her year today
      sorry anything charge month use know put id letter call more sign own she let been line payments since
      every because years within without mortgage take way good still got give people where home he phone team
      amount other checks score fraud until says nothing next person code make
    `,
  ],
  [
    4,
    `
      hold even apply nobody same both than once come into set its bring work months fund four something part
      dispute fdic those statement address wire five again transfer review request customers stop deposits
      sent interest list answer share yours sure goes company too insurance long ten leave cards law accounts
      insured late paid security second monthly date pin full add thanks his notice question house debit tax
      system anyone were used told someone must customer him asked declined tomorrow usually start change try
      six joint takes else password value also apr wife real move shows old debt cost some rent reasons
      closing history wrong decision federal many loans order read available understand model left percent
      such funds buy confirm gets purchases asking much thank costs owner overdraft rather minutes car data
      write short while works going whether per single personal offer able comes well end banks social most
      details atm plan friday online family ok week wants made profile reported went partner note human chat
      hear said desk small skip rest husband bill documents thing stay place above currency officer sell age
      bills around run approved teller email their government rules married close copy claim came page privacy
      attorney purchase needs ending already past another done though safe street dollars asks reason welcome
      choose state direct return away transaction text morning risk find keeps case turn lost show shall great
      due yourself complaint wait none box means type ever service thousand yet verify rates explain monday
      below record count receive different identity nine june needed opt irs banker transfers statements half
      program better kids spouse price minimum lock lender figure black everything drop legal talk sale hand
      might license debts complete least qualify zelle between step cashier had numbers few enough photo
      little everyone pays decide writing live together speak trust manager large stays office orders fees
      coverage estimate payoff daily whatever really shares terms job term being questions friend contact
      landlord
    `,
  ],
];

const OTHER_PER_THOUSAND = 0.5;

let perThousand: ReadonlyMap<string, number> | undefined;

function readBands(): ReadonlyMap<string, number> {
  return new Map(
    BANDS.flatMap(([frequency, words]) =>
      Array.from(wordSet(words), (word) => [word, frequency] as const),
    ),
  );
}

/** Estimates in how many of a thousand sentences a word stands. */
export function frequencyOf(word: string): number {
  perThousand ??= readBands();
  return perThousand.get(word) ?? OTHER_PER_THOUSAND;
}

/** Returns whether a word is among those that most texts use. */
export function isFrequent(word: string): boolean {
  return frequencyOf(word) > OTHER_PER_THOUSAND;
}
