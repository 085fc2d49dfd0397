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
