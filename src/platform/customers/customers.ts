import { findCustomer, isCustomer } from "../store/customer-store.ts";
import type { SqlDatabase } from "../store/sql-database.ts";
import type { CustomerMask } from "./hide-customers.ts";
import type { Pseudonyms } from "./pseudonyms.ts";

/** Customers as people see them and ask for them, where they have pseudonyms. */
export interface Customers extends CustomerMask {
  /**
   * Returns the id that a filter asks for. Customers are asked for by their pseudonyms alone: with a real id
   * nobody could find out which pseudonym it has.
   */
  readonly toAsked: (given: string) => string;
  /** Returns the id that a person means who may name a customer either way. */
  readonly toMeant: (given: string) => string;
}

/** Creates them for a store. */
export function createCustomers(database: SqlDatabase, pseudonyms: Pseudonyms): Customers {
  const { toPseudonym } = pseudonyms;
  const find = (given: string): string | undefined => findCustomer(database, given, pseudonyms);
  return {
    toPseudonym,
    isCustomer: (text) => isCustomer(database, text),
    // A pseudonym is nobody's id.
    toAsked: (given) => find(given) ?? toPseudonym(given),
    toMeant: (given) => find(given) ?? given,
  };
}
