import { COUNT, listOf, nullable, OBJECT, objectOf, TEXT, TIME } from "../openapi/json-schema.ts";
import type { Operations } from "./read-operations.ts";

/** How the platform does. */
export const OPERATIONS = objectOf<Operations>({
  now: TIME,
  startedAt: TIME,
  version: TEXT,
  node: TEXT,
  layout: COUNT,
  database: OBJECT,
  waitingWrites: COUNT,
  bodies: OBJECT,
  totals: OBJECT,
  requests: listOf(OBJECT),
  intake: OBJECT,
  rejections: listOf(OBJECT),
  losses: OBJECT,
  writers: OBJECT,
  organizations: listOf(OBJECT),
  audit: OBJECT,
  review: OBJECT,
  faults: nullable(listOf(OBJECT)),
});
