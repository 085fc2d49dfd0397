import { findCustomer, findCustomers } from "../store/customer-store.ts";
import type { SqlDatabase } from "../store/sql-database.ts";
import type { Steps } from "../turns.ts";
import type { KnownCustomers } from "./hide-customers.ts";
import type { Pseudonyms } from "./pseudonyms.ts";

/** Customers as people see them and ask for them, where they have pseudonyms. */
export interface Customers extends KnownCustomers {
  /**
   * Returns the id that a filter asks for. Customers are asked for by their pseudonyms alone: with a real id
   * nobody could find out which pseudonym it has.
   */
  readonly toAsked: (given: string) => Steps<string>;
  /** Returns the id that a person means who may name a customer either way. */
  readonly toMeant: (given: string) => Steps<string>;
}

/** Creates them for a store. */
export function createCustomers(database: SqlDatabase, pseudonyms: Pseudonyms): Customers {
  const { toPseudonym } = pseudonyms;
  const find = function* (given: string) {
    return yield* findCustomer(database, given, pseudonyms);
  };
  return {
    toPseudonym,
    find: (texts) => findCustomers(database, texts),
    // A pseudonym is nobody's id.
    *toAsked(given) {
      return (yield* find(given)) ?? toPseudonym(given);
    },
    *toMeant(given) {
      return (yield* find(given)) ?? given;
    },
  };
}
