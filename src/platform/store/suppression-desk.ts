import { toWords } from "../review/findings.ts";
import type { Refusal } from "../review/review-action.ts";
import { type Actor, mayActAs } from "../review/roles.ts";
import {
  findSuppressionProblem,
  type Suppression,
  type SuppressionRequest,
} from "../quality/suppression.ts";
import { uuidV7 } from "../../util/ids.ts";
import { appendAudit } from "./audit-store.ts";
import type { ReviewSettings } from "./review-desk.ts";
import type { Transaction } from "./sql-database.ts";
import {
  addSuppression,
  countActive,
  findCase,
  findSuppressionById,
  revokeSuppression,
} from "./suppression-store.ts";
import type { Steps } from "../turns.ts";

/** Suppressions that may hold at a time: each new finding is held against those of its rule. */
const MAX_ACTIVE = 1000;

/** Who asks, when, and how the trail is hashed. */
export interface DeskContext {
  readonly actor: Actor;
  readonly now: number;
  readonly settings: ReviewSettings;
}

/** What became of a request. */
export type SuppressionResult =
  | { readonly status: "done"; readonly suppression: Suppression }
  | { readonly status: "missing" }
  | {
      readonly status: "refused";
      readonly refusal: Omit<Refusal, "code"> & {
        readonly code: "forbidden" | "invalid_suppression" | "review_conflict";
      };
    };

function* writeAudit(
  database: Transaction,
  { actor, now, settings }: DeskContext,
  entry: { readonly organizationId: string; readonly verb: string; readonly subject: string },
  detail: object,
): Steps<void> {
  const { organizationId, verb, subject } = entry;
  const by = { actor: actor.name, role: actor.role, at: now };
  yield* appendAudit(
    database,
    {
      organizationId,
      ...by,
      action: `suppression.${verb}`,
      subject,
      detail: JSON.stringify(detail),
    },
    { key: settings.auditKey },
  );
}

function* refuseRole(
  database: Transaction,
  context: DeskContext,
  organizationId: string,
  action: string,
): Steps<SuppressionResult | undefined> {
  if (mayActAs(context.actor.role, "supervisor")) return undefined;
  yield* writeAudit(
    database,
    context,
    { organizationId, verb: "refused", subject: "" },
    { action },
  );
  const detail = `${action} needs the role supervisor`;
  return { status: "refused", refusal: { code: "forbidden", detail } };
}

const invalid = (detail: string): SuppressionResult => ({
  status: "refused",
  refusal: { code: "invalid_suppression", detail },
});

/** Makes a suppression, and writes it down. In a transaction. */
export function* createSuppression(
  database: Transaction,
  request: SuppressionRequest,
  context: DeskContext,
): Steps<SuppressionResult> {
  const { actor, now } = context;
  const found = yield* findCase(database, request.findingId);
  const organizationId = found?.organizationId ?? "";
  const refused = yield* refuseRole(database, context, organizationId, "create");
  if (refused) return refused;
  const problem = findSuppressionProblem(request, found, now);
  if (problem !== undefined || !found) return invalid(problem ?? "findingId must be a finding");
  if ((yield* countActive(database, now)) >= MAX_ACTIVE)
    return invalid(`at most ${MAX_ACTIVE} suppressions may hold at a time: revoke one`);
  const { rule, agent, reason, until, findingId } = request;
  const id = uuidV7(now);
  yield* addSuppression(database, {
    id,
    organization_id: organizationId,
    rule,
    agent_id: agent ?? "",
    phrase: toWords(request.phrase),
    reason,
    conversation_key: found.conversationKey,
    finding_id: findingId,
    created_at: now,
    created_by: actor.name,
    until,
    revoked_at: null,
    revoked_by: null,
    held_back: 0,
    last_held_back_at: null,
  });
  // The phrase is out of an answer: it stands with the suppression, not in the trail.
  const detail = { rule, agent: agent ?? null, until, findingId, reason };
  yield* writeAudit(database, context, { organizationId, verb: "create", subject: id }, detail);
  const suppression = yield* findSuppressionById(database, id, now);
  return suppression ? { status: "done", suppression } : { status: "missing" };
}

/** Ends a suppression before its time, and writes it down. In a transaction. */
export function* endSuppression(
  database: Transaction,
  { id, reason }: { readonly id: string; readonly reason: string },
  context: DeskContext,
): Steps<SuppressionResult> {
  const { actor, now } = context;
  const known = yield* findSuppressionById(database, id, now);
  if (!known) return { status: "missing" };
  const { organizationId, state, rule, heldBack } = known;
  const refused = yield* refuseRole(database, context, organizationId, "revoke");
  if (refused) return refused;
  if (state !== "active") {
    const detail = `the suppression is ${state} already`;
    return { status: "refused", refusal: { code: "review_conflict", detail } };
  }
  yield* revokeSuppression(database, id, { by: actor.name, at: now });
  const detail = { rule, reason, heldBack };
  yield* writeAudit(database, context, { organizationId, verb: "revoke", subject: id }, detail);
  return { status: "done", suppression: (yield* findSuppressionById(database, id, now)) ?? known };
}
