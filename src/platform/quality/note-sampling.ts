import type { ResolvedOptions } from "../options.ts";
import { SYSTEM } from "../review/roles.ts";
import { appendAudit, listAudit } from "../store/audit-store.ts";
import type { Store } from "../store/store.ts";
import { type Sampling, toSeed } from "./sampling.ts";

/** Subject of the trail's records about the sample. */
const SUBJECT = "sampling";
const SAMPLING_ACTION = "sampling.change";

/** What decides about the sample, always written the same way. */
function toSettings(sampling: Sampling) {
  const { default: common = 0, agents = {} } = sampling;
  const own = Object.entries(agents).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { default: common, agents: Object.fromEntries(own), seed: toSeed(sampling) };
}

const NONE = JSON.stringify(toSettings({}));

/** Writes to the audit trail that the sample is chosen in another way than before. When the platform starts. */
export async function noteSampling(
  { review, write }: Store,
  { clock, organizationId = "" }: Pick<ResolvedOptions, "clock" | "organizationId">,
): Promise<void> {
  const sampling = toSettings(review.policy.sampling);
  await write(function* (transaction) {
    const filter = { subject: SUBJECT, action: SAMPLING_ACTION, actor: undefined };
    const [last] = yield* listAudit(transaction, {
      ...filter,
      limit: 1,
      before: Number.MAX_SAFE_INTEGER,
    });
    const former = last
      ? (JSON.parse(last.detail) as { readonly sampling: unknown }).sampling
      : JSON.parse(NONE);
    if (JSON.stringify(former) === JSON.stringify(sampling)) return;
    const { name: actor, role } = SYSTEM;
    const detail = JSON.stringify({ sampling, former });
    const entry = { organizationId, at: clock.now(), actor, role, subject: SUBJECT, detail };
    yield* appendAudit(
      transaction,
      { ...entry, action: SAMPLING_ACTION },
      { key: review.auditKey },
    );
  });
}
