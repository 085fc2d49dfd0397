import { AwsClient } from "aws4fetch";
import { toBackoffMillis } from "../../http/retry-wait.ts";
import { type Clock, sleep } from "../../util/clock.ts";
import { toErrorName } from "../../util/logger.ts";
import { forEachAtOnce } from "./for-each-at-once.ts";
import { type ObjectStore, ObjectStoreError, type StoredObject } from "./object-store.ts";
import { DEFAULT_REGION, type S3Access } from "./s3-address.ts";

const AT_ONCE = 16;
const ATTEMPTS = 4;
const FIRST_WAIT_MILLIS = 250;
/** Longest time until the store has answered. */
const REQUEST_MILLIS = 20_000;
const CHECKSUM_HEADER = "x-amz-checksum-sha256";

const EXISTS = 412;
/** Another request writes the same object. */
const CONFLICT = 409;
const TOO_MANY = 429;

/** What came of a request. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Code of an error, as `AccessDenied`. */
  readonly code: string | undefined;
}

/** Returns whether another attempt may succeed. */
function isPassing({ status }: Answer): boolean {
  return status === CONFLICT || status === TOO_MANY || status >= 500;
}

const toBase64 = (sha256: string): string => Buffer.from(sha256, "hex").toString("base64");

/**
 * Creates a store of objects in a bucket.
 *
 * Each has its digest with it, which the store compares, and is written where none of its name is there: with an object
 * lock, writing it again would make a second version.
 *
 * @param base - Begins the URL of each object.
 */
export function createS3Store(base: string, access: S3Access, clock: Clock): ObjectStore {
  const { accessKeyId, secretAccessKey, sessionToken, region = DEFAULT_REGION } = access;
  const session = sessionToken !== undefined && { sessionToken };
  const credentials = { accessKeyId, secretAccessKey, ...session };
  const client = new AwsClient({ ...credentials, region, service: "s3", retries: 0 });
  const fail = (name: string, reason: string): Error => new ObjectStoreError(`${name}: ${reason}`);

  const sendOnce = async (name: string, init: RequestInit): Promise<Answer> => {
    const request = await client.sign(`${base}${name}`, init);
    const signal = AbortSignal.timeout(REQUEST_MILLIS);
    // A redirect would take the signature and the content elsewhere.
    const response = await fetch(request, { redirect: "manual", signal });
    const { status, headers } = response;
    const code = /<Code>(\w{1,64})<\/Code>/.exec(await response.text())?.[1];
    return { status, headers, code };
  };
  const send = async (name: string, init: RequestInit): Promise<Answer> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await sendOnce(name, init);
        if (!isPassing(answer) || attempt === ATTEMPTS) return answer;
      } catch (error) {
        if (attempt === ATTEMPTS) throw fail(name, toErrorName(error));
      }
      await sleep(clock, toBackoffMillis(attempt, FIRST_WAIT_MILLIS), new AbortController().signal);
    }
  };

  /** Compares what is there: its name has the digest, but somebody else may have written it. */
  const compare = async ({ name, bytes, sha256 }: StoredObject): Promise<void> => {
    const init = { method: "HEAD", headers: { "x-amz-checksum-mode": "ENABLED" } };
    const { status, headers } = await send(name, init);
    if (status !== 200) throw fail(name, `it is there, but is not shown: status ${status}`);
    const checksum = headers.get(CHECKSUM_HEADER) ?? toBase64(sha256);
    const isSame =
      checksum === toBase64(sha256) && headers.get("content-length") === String(bytes.length);
    if (!isSame) throw fail(name, "something else is there under this name");
  };
  const write = async (object: StoredObject): Promise<void> => {
    const { name, bytes, sha256, mediaType } = object;
    const headers = {
      "content-type": mediaType,
      "if-none-match": "*",
      "x-amz-content-sha256": sha256,
      [CHECKSUM_HEADER]: toBase64(sha256),
    };
    const init = { method: "PUT", headers, body: new Uint8Array(bytes) };
    const { status, headers: answered, code } = await send(name, init);
    if (status === EXISTS) return compare(object);
    if (status !== 200)
      throw fail(name, `status ${status}${code === undefined ? "" : `, ${code}`}`);
    const checksum = answered.get(CHECKSUM_HEADER) ?? toBase64(sha256);
    if (checksum !== toBase64(sha256)) throw fail(name, "the store has another checksum");
  };
  return { put: (objects) => forEachAtOnce(objects, AT_ONCE, write) };
}
