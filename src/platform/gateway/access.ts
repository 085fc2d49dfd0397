import { timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { isIdentifier } from "../../events/base-event.ts";
import type { Clock } from "../../util/clock.ts";
import { DEFAULT_ORGANIZATION, readKey, readOrganization, unauthorized } from "../credentials.ts";
import { hasOneKey, KEY_MEMBERS, readDigest, toDigest } from "../key-digest.ts";
import { ProblemError } from "../problem.ts";
import { createQuota, type Quota } from "./quota.ts";

/** An organization that may send, and how much. */
export interface GatewayOrganization {
  /** Id of the organization, as its batches have it. */
  readonly organizationId: string;
  /** Its key: at least 16 characters. An organization with two keys stands here twice. */
  readonly key?: string;
  /** Instead of the key `sha256:` and its digest in hex. */
  readonly keyHash?: string;
  /** Requests in a minute, all of its keys together; default any number. */
  readonly requestsPerMinute?: number;
  /** Bytes as sent in a minute, all of its keys together; default any number. */
  readonly bytesPerMinute?: number;
}

const limitSchema = z.number().int().positive().optional();

const organizationsSchema = z
  .array(
    z
      .strictObject({
        organizationId: z
          .string()
          .refine(isIdentifier, "expected 1 to 256 characters, no control characters"),
        ...KEY_MEMBERS,
        requestsPerMinute: limitSchema,
        bytesPerMinute: limitSchema,
      })
      .refine(hasOneKey, { error: "expected key or keyHash" }),
  )
  .max(10_000);

/** Whoever has a key. */
interface Sender {
  readonly organizationId: string;
  readonly digest: Buffer;
}

/** What an organization may send. */
interface Limits {
  readonly requests: Quota | undefined;
  readonly bytes: Quota | undefined;
}

/** Reads organizations; throws for invalid ones, without showing a key. */
export function readOrganizations(given: unknown) {
  const parsed = organizationsSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") ?? "";
  throw new Error(`gateway: organizations: ${where}: ${issue?.message ?? "invalid"}`);
}

type Organizations = ReturnType<typeof readOrganizations>;

/** Takes the least of what the entries of an organization allow. */
function findLimit(
  entries: Organizations,
  name: "requestsPerMinute" | "bytesPerMinute",
  clock: Clock,
): Quota | undefined {
  const limits = entries.flatMap(({ [name]: limit }) => limit ?? []);
  return limits.length === 0 ? undefined : createQuota(Math.min(...limits), clock);
}

function createLimits(organizations: Organizations, clock: Clock): ReadonlyMap<string, Limits> {
  const ids = new Set(organizations.map(({ organizationId }) => organizationId));
  return new Map(
    [...ids].map((id) => {
      const entries = organizations.filter(({ organizationId }) => organizationId === id);
      const requests = findLimit(entries, "requestsPerMinute", clock);
      return [id, { requests, bytes: findLimit(entries, "bytesPerMinute", clock) }];
    }),
  );
}

function tooMany(seconds: number): ProblemError {
  const headers = { "retry-after": String(seconds) };
  const detail = "the organization has sent as much as it may for now";
  return new ProblemError("too_many_requests", detail, { headers });
}

/**
 * Creates the check of who may send; without organizations everybody may, and names any.
 *
 * Quotas are of one process: two gateways allow twice as much.
 */
export function createAccess(organizations: Organizations, clock: Clock) {
  const isOpen = organizations.length === 0;
  const senders: readonly Sender[] = organizations.map(({ organizationId, ...given }) => ({
    organizationId,
    digest: readDigest(given),
  }));
  const limits = createLimits(organizations, clock);

  /** Returns the organizations of a key. All are compared: the time must not say which one came close. */
  const findOwn = (request: Request): readonly string[] => {
    const digest = toDigest(readKey(request));
    const own = senders.filter((sender) => timingSafeEqual(sender.digest, digest));
    if (own.length === 0) throw unauthorized("the key is not accepted");
    return own.map(({ organizationId }) => organizationId);
  };

  const admit = (organizationId: string): string => {
    const { requests, bytes } = limits.get(organizationId) ?? {};
    const seconds = Math.max(requests?.waitSeconds() ?? 0, bytes?.waitSeconds() ?? 0);
    if (seconds > 0) throw tooMany(seconds);
    requests?.take(1);
    return organizationId;
  };

  const readOwn = (request: Request, fallback: (own: readonly string[]) => string | undefined) => {
    const own = findOwn(request);
    const organizationId = readOrganization(request, fallback(own));
    if (own.includes(organizationId)) return admit(organizationId);
    throw new ProblemError("organization_mismatch", "the key is of another organization");
  };

  return {
    /** Returns the organization of a delivery; throws a problem when it may not send, or not now. */
    admitDelivery(request: Request): string {
      if (!isOpen) return readOwn(request, () => undefined);
      readKey(request);
      return readOrganization(request);
    },
    /**
     * Returns the organization of OpenTelemetry data; throws a problem when it may not send, or not now.
     *
     * A stock exporter names no organization: its key does, where it is of one.
     */
    admitTelemetry(request: Request): string {
      if (isOpen) return readOrganization(request, DEFAULT_ORGANIZATION);
      return readOwn(request, (own) => (new Set(own).size === 1 ? own[0] : undefined));
    },
    /** Counts what an organization has sent. */
    charge(organizationId: string, bytes: number): void {
      limits.get(organizationId)?.bytes?.take(bytes);
    },
  };
}

/** Decides who may send, and how much. */
export type Access = ReturnType<typeof createAccess>;
