import {
  COUNT,
  FLAG,
  listOf,
  nullable,
  OBJECT,
  objectOf,
  TEXT,
  TIME,
} from "../openapi/json-schema.ts";
import type { Hold } from "../store/hold-store.ts";
import type { AgeCursor } from "../store/retention-store.ts";
import type { PurgeResult, RetentionReport } from "./purge.ts";

/** A legal hold. */
export const HOLD = objectOf<Hold>({
  id: COUNT,
  organizationId: TEXT,
  matter: TEXT,
  selector: OBJECT,
  reason: TEXT,
  placedBy: TEXT,
  placedAt: TIME,
  release: nullable(objectOf<NonNullable<Hold["release"]>>({ by: TEXT, at: TIME, reason: TEXT })),
});

/** A legal hold alone. */
export const ONE_HOLD = objectOf<{ readonly hold: Hold }>({ hold: HOLD });

/** What a purge would do. */
export const RETENTION = objectOf<RetentionReport>({
  asOf: TIME,
  classes: listOf(OBJECT),
  isWhole: FLAG,
});

const PURGE = objectOf<PurgeResult>({
  conversations: COUNT,
  events: COUNT,
  held: COUNT,
  next: nullable(objectOf<AgeCursor>({ lastAt: TIME, seq: COUNT })),
});

/** What a purge has done, or would do. */
export const PURGED = { anyOf: [PURGE, RETENTION] };
