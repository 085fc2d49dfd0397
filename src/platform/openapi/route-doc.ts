import type * as z from "zod";
import type { Code } from "../problem.ts";
import type { Role } from "../review/roles.ts";
import { type JsonSchema, TEXT } from "./json-schema.ts";

/** A schema, in either form. */
export type Schema = JsonSchema | z.ZodType;

/** Schemas by media type. */
export type Contents = Readonly<Record<string, Schema>>;

/** What OpenAPI says of a route beside its path and its query. */
export interface RouteDoc {
  readonly summary: string;
  /** What a request brings, as JSON. */
  readonly body?: z.ZodType;
  /** What it may bring instead. */
  readonly otherBodies?: Contents;
  /** Answers by status, but for problems. */
  readonly answers: Readonly<Record<number, Contents>>;
  /** Codes of problems that are its own: those of its query, body and role go without saying. */
  readonly problems?: readonly Code[];
  /** The least role, where it is more than reading. */
  readonly role?: Role;
  /** Whether it takes `Idempotency-Key`: see `changeOnce`. */
  readonly isOnce?: boolean;
  /** Whether its answer has an `ETag`; `matched`: it takes `If-Match` as well. */
  readonly version?: "matched" | "shown";
}

/** Describes an answer in JSON. */
export const jsonOf = (schema: Schema): Contents => ({ "application/json": schema });

/** Describes an answer that is a text of another type. */
export const textOf = (...mediaTypes: readonly string[]): Contents =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, TEXT]));
