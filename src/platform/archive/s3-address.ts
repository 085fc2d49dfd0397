import { endpointSchema } from "../../events/wire.ts";

/** How an S3-compatible store is reached. */
export interface S3Access {
  /**
   * Base URL of the store: https, or http to a loopback address; buckets are parts of its path.
   *
   * @defaultValue that of Amazon S3 in the region
   */
  readonly endpoint?: string;
  /**
   * Region of the bucket.
   *
   * @defaultValue "us-east-1"
   */
  readonly region?: string;
  /** Id of the key that requests are signed with. */
  readonly accessKeyId: string;
  /** The key itself. */
  readonly secretAccessKey: string;
  /** Of credentials that end. */
  readonly sessionToken?: string;
}

/** A place in a bucket. */
export interface S3Address {
  readonly bucket: string;
  /** Begins the names of objects; empty, or with a slash at its end. */
  readonly prefix: string;
}

/** Region of a store that has none. */
export const DEFAULT_REGION = "us-east-1";

const SCHEME = "s3://";
/** @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Parts that a URL keeps as they are. */
const PREFIX_PART = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const REGION = /^[a-z0-9-]{1,64}$/;

/** Returns whether an address names a bucket. */
export function isS3Address(text: string): boolean {
  return text.startsWith(SCHEME);
}

/**
 * Reads `s3://bucket/prefix`.
 *
 * @returns The address, or what is wrong with it.
 */
export function readS3Address(text: string): S3Address | string {
  const [bucket = "", ...parts] = text.slice(SCHEME.length).replace(/\/$/, "").split("/");
  if (!BUCKET.test(bucket)) return "expected s3://bucket or s3://bucket/prefix";
  if (!parts.every((part) => PREFIX_PART.test(part)))
    return "expected letters, digits, dots, underscores and hyphens between the slashes of the prefix";
  return { bucket, prefix: parts.map((part) => `${part}/`).join("") };
}

/**
 * Writes the base URL of objects.
 *
 * @returns What is wrong with endpoint or region, in `problem`.
 */
export function toS3Url(
  { bucket, prefix }: S3Address,
  { endpoint, region = DEFAULT_REGION }: Pick<S3Access, "endpoint" | "region">,
): { readonly url: string } | { readonly problem: string } {
  if (!REGION.test(region)) return { problem: "s3.region: expected a name as us-east-1" };
  if (endpoint !== undefined) {
    const parsed = endpointSchema.safeParse(endpoint);
    if (parsed.success) return { url: `${parsed.data.replace(/\/$/, "")}/${bucket}/${prefix}` };
    return { problem: `s3.endpoint: ${parsed.error.issues[0]?.message ?? "invalid"}` };
  }
  // Amazon's certificates are for one part before the name of the service.
  if (bucket.includes(".")) return { problem: "s3.endpoint: a bucket with a dot needs it" };
  return { url: `https://${bucket}.s3.${region}.amazonaws.com/${prefix}` };
}
