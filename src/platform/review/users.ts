import { timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { isIdentifier } from "../../events/base-event.ts";
import { hasOneKey, KEY_MEMBERS, readDigest, toDigest } from "../key-digest.ts";
import { type Actor, ROLES, type Role } from "./roles.ts";

/** Someone who works with the platform. */
export interface PlatformUser {
  /** Stands in the audit trail: 1 to 256 characters. */
  readonly name: string;
  /** `viewer` reads, `reviewer` decides, `supervisor` assigns and reopens, `admin` does everything. */
  readonly role: Role;
  /** The user's key: at least 16 characters, or `sha256:` and the digest of one in hex. */
  readonly key?: string;
  /** Instead of the key `sha256:` and its digest in hex, so that no secret lies beside the name. */
  readonly keyHash?: string;
}

const userSchema = z
  .strictObject({
    name: z.string().refine(isIdentifier, "expected 1 to 256 characters, no control characters"),
    role: z.enum(ROLES),
    ...KEY_MEMBERS,
  })
  .refine(hasOneKey, { error: "expected key or keyHash" });

const usersSchema = z.array(userSchema).max(10_000);

/** A user, by the digest of the key. */
interface KnownUser extends Actor {
  readonly digest: Buffer;
}

/** Reads users; throws for invalid ones, without showing a key. */
export function readUsers(given: unknown): readonly KnownUser[] {
  const parsed = usersSchema.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(
      `platform: users: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}`,
    );
  }
  const users = parsed.data.map(({ name, role, ...member }) => ({
    name,
    role,
    digest: readDigest(member),
  }));
  const names = new Set(users.map(({ name }) => name));
  const keys = new Set(users.map(({ digest }) => digest.toString("hex")));
  if (names.size < users.length) throw new Error("platform: users: two of them have the same name");
  if (keys.size < users.length) throw new Error("platform: users: two of them have the same key");
  return users;
}

/** Finds who a key is of. All are compared: the time must not say which one came close. */
export function findUser(users: readonly KnownUser[], key: string): Actor | undefined {
  const digest = toDigest(key);
  const matching = users.filter((user) => timingSafeEqual(user.digest, digest));
  const [user] = matching;
  return user && { name: user.name, role: user.role };
}
