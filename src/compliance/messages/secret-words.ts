/** Words between a secret and the verb that states it: who has it, what became of it, and what it opens. */
export const AROUND_SECRET = `
  the a that for 's i you he she we they my your his her our their
  set chose picked use used gave have has saved stored recorded registered created
  card debit credit account atm online banking mobile old
  husband wife son daughter mother father
`;

/** Words that make another number of it. */
export const OTHER_NUMBERS = `
  call phone dial ext extension reference case ticket line version until
`;
