import type { Range } from "../text/pattern.ts";

/** Kinds of values that identify a person or open a door. */
export type IdentifierKind =
  | "card-number"
  | "social-security-number"
  | "account-number"
  | "iban"
  | "secret"
  | "email-address"
  | "phone-number";

/** A sensitive value in a text. */
export interface Identifier extends Range {
  readonly kind: IdentifierKind;
  /** How sure it is that the value is of this kind, 0 to 1. */
  readonly certainty: number;
  /** What it was recognised by; the names are those of the detector of the kind. */
  readonly form: string;
}

/**
 * Returns a function that makes identifiers of a kind out of their form and place.
 *
 * @param certainties - Of each form that the kind is recognised by.
 */
export function createMaker<Form extends string>(
  kind: IdentifierKind,
  certainties: Readonly<Record<Form, number>>,
): (form: Form, range: Range) => Identifier {
  return (form, { start, end }) => ({ kind, form, certainty: certainties[form], start, end });
}
