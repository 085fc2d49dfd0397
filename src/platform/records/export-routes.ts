import { createHash } from "node:crypto";
import type { Context } from "hono";
import { environmentSchema } from "../../events/base-event.ts";
import { BATCH_LINES_MEDIA_TYPE, CONVERSATION_EXPORT_PATH } from "../../events/wire.ts";
import { hideSelected } from "../customers/hide-customers.ts";
import type { PlatformContext } from "../platform-context.ts";
import { COUNT, TEXT } from "../openapi/json-schema.ts";
import { textOf } from "../openapi/route-doc.ts";
import { ProblemError } from "../problem.ts";
import { choiceMember, type Query, type QueryMember, textMember } from "../read-query.ts";
import type { Actor } from "../review/roles.ts";
import { get, type Route } from "../route.ts";
import { appendAudit } from "../store/audit-store.ts";
import { findHold } from "../store/hold-store.ts";
import { writeCsv } from "./export-csv.ts";
import { writeJsonl } from "./export-jsonl.ts";
import { writeRsmfArchive } from "./export-rsmf.ts";
import { type ExportHead, type ExportWriter, readSelected } from "./export-source.ts";
import { type Selector, selectorSchema } from "./legal-hold.ts";
import { requireRole } from "../require-role.ts";
import { type Steps, followSteps } from "../turns.ts";

interface Format {
  readonly write: ExportWriter;
  readonly mediaType: string;
  readonly extension: string;
}

const FORMATS = {
  jsonl: { write: writeJsonl, mediaType: BATCH_LINES_MEDIA_TYPE, extension: "jsonl" },
  csv: { write: writeCsv, mediaType: "text/csv; charset=utf-8; header=present", extension: "csv" },
  rsmf: { write: writeRsmfArchive, mediaType: "application/zip", extension: "zip" },
} as const satisfies Readonly<Record<string, Format>>;
type FormatName = keyof typeof FORMATS;
const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

const ISO_TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/;

const TIME: QueryMember<number | undefined> = {
  expected: "a time in ms since the Unix epoch, or as 2026-11-30 or 2026-11-30T09:30Z",
  absent: undefined,
  schema: TEXT,
  parse(text) {
    const time = ISO_TIME.test(text) ? Date.parse(text) : Number(/^\d{1,16}$/.exec(text)?.[0]);
    return Number.isSafeInteger(time) && time >= 0 ? time : undefined;
  },
};

const HOLD: QueryMember<number | undefined> = {
  expected: "the id of a hold",
  absent: undefined,
  schema: COUNT,
  parse: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined),
};

const EXPORT_QUERY = {
  format: choiceMember(FORMAT_NAMES),
  organization: textMember,
  agent: textMember,
  version: textMember,
  environment: choiceMember(environmentSchema.options),
  customer: textMember,
  conversation: textMember,
  from: TIME,
  to: TIME,
  hold: HOLD,
  unmasked: choiceMember(["true", "false"]),
  reason: textMember,
};
type ExportQuery = Query<typeof EXPORT_QUERY>;

function* readSelector({ store }: PlatformContext, query: ExportQuery): Steps<Selector> {
  const { hold, format: _format, unmasked: _unmasked, reason: _reason, ...members } = query;
  const given = Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  );
  if (hold !== undefined) {
    if (Object.keys(given).length > 0)
      throw new ProblemError("invalid_query", "a hold stands for itself, without other members");
    const found = yield* findHold(store.database, hold);
    if (!found) throw new ProblemError("not_found", "there is no such hold");
    return found.selector;
  }
  const parsed = selectorSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const detail = `the query's ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}`;
  throw new ProblemError("invalid_query", detail);
}

const MAX_REASON = 4000;
const EXPORT = { action: "export.begin" };

async function readActor(
  platform: PlatformContext,
  context: Context,
  { unmasked, reason }: ExportQuery,
): Promise<Actor> {
  if (unmasked !== "true") return requireRole(platform, context, "viewer", EXPORT);
  const actor = await requireRole(platform, context, "supervisor", EXPORT);
  if (reason === undefined || reason.trim() === "" || reason.length > MAX_REASON)
    throw new ProblemError(
      "invalid_query",
      `the query's reason must say in at most ${MAX_REASON} characters why nothing is to be masked`,
    );
  return actor;
}

/** Writes down what becomes of an export. */
function note(
  { store, options }: PlatformContext,
  { name, role }: Actor,
  organizationId: string,
  action: "export.begin" | "export.complete",
  detail: object,
) {
  const entry = {
    organizationId,
    at: options.clock.now(),
    actor: name,
    role,
    action,
    subject: "",
    detail: JSON.stringify(detail),
  };
  const { auditKey: key } = store.review;
  return store.write((transaction) => appendAudit(transaction, entry, { key }));
}

/** What is to be written. */
interface ExportOrder {
  readonly head: ExportHead;
  /** What the head says, with the ids of customers. */
  readonly selector: Selector;
  readonly format: FormatName;
}

/** Hands the bytes of an export on; once all are there, the audit trail gets their digest. */
async function* writeExport(
  platform: PlatformContext,
  actor: Actor,
  { head, selector, format }: ExportOrder,
): AsyncGenerator<Uint8Array> {
  const { store, turns, customers } = platform;
  const counts = { conversations: 0, events: 0, findings: 0 };
  const hash = createHash("sha256");
  let bytes = 0;
  const source = readSelected(
    { database: store.database, turns, customers },
    { selector, isMasked: head.isMasked },
  );
  for await (const chunk of FORMATS[format].write(source, head, counts)) {
    hash.update(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  const detail = { begin: head.audit.sequence, ...counts, bytes, sha256: hash.digest("hex") };
  await note(platform, actor, head.selector.organization ?? "", "export.complete", detail);
}

/** Exports a selection of conversations: `GET /api/exports/conversations`. */
async function answerExport(
  platform: PlatformContext,
  context: Context,
  query: ExportQuery,
): Promise<Response> {
  const { format = "jsonl", hold, reason } = query;
  const actor = await readActor(platform, context, query);
  const selector = await followSteps(readSelector(platform, query));
  const isMasked = query.unmasked !== "true";
  // The trail is read by more people than an unmasked export.
  const shown = hideSelected(selector, platform.store.review.pseudonyms);
  const detail = { format, selector: shown, hold, isMasked, ...(!isMasked && { reason }) };
  const begin = await note(platform, actor, selector.organization ?? "", "export.begin", detail);
  const { sequence, hash, at } = begin;
  const audit = { sequence, hash };
  const head = {
    exportedAt: at,
    by: actor.name,
    selector: isMasked ? shown : selector,
    hold,
    isMasked,
    audit,
  };
  const { mediaType, extension } = FORMATS[format];
  const chunks = writeExport(platform, actor, { head, selector, format });
  return context.body(ReadableStream.from(chunks), 200, {
    "content-type": mediaType,
    "content-disposition": `attachment; filename="conversations-${sequence}.${extension}"`,
  });
}

/** Routes of exports. */
export const EXPORT_ROUTES: readonly Route[] = [
  get(
    CONVERSATION_EXPORT_PATH,
    EXPORT_QUERY,
    {
      summary: "Exports a selection of conversations.",
      answers: { 200: textOf(BATCH_LINES_MEDIA_TYPE, "text/csv", "application/zip") },
      problems: ["forbidden", "not_found"],
    },
    answerExport,
  ),
];
