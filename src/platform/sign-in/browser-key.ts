import { randomBytes } from "node:crypto";
import { toDigest } from "../key-digest.ts";

/** Creates a random key, which only the browser that gets it knows. */
export const createBrowserKey = (): string => randomBytes(32).toString("base64url");

/** Returns the digest under which something is kept for who has the key: whoever reads the database can't use it. */
export const toKeyDigest = (key: string): string => toDigest(key).toString("base64url");
