import type { SigningOptions } from "../events/protection.ts";
import {
  IDEMPOTENCY_HEADER,
  SIGNATURE_HEADER,
  SIGNATURE_INPUT_HEADER,
  SIGNED_COMPONENTS,
} from "../events/wire.ts";
import type { Clock } from "../util/clock.ts";
import {
  readSigningKey,
  SIGNATURE_ALGORITHM,
  signBase,
  toSignatureBase,
  toStructuredString,
  type SignatureComponent,
} from "../util/http-signature.ts";

/** Tolerated clock skew: `Date` has whole seconds and takes a while to arrive. */
const TOLERATED_SKEW_MILLIS = 5000;

/** Name of our signature among those that a request may carry. */
const LABEL = "sig";

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** A request before it is signed. */
export interface UnsignedRequest {
  readonly method: string;
  /** The whole address, as it is sent. */
  readonly url: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Signs requests, each attempt anew. */
export interface RequestSigner {
  /** Returns the headers that carry the signature. */
  sign(request: UnsignedRequest): Record<string, string>;
  /**
   * Sets the clock by the `Date` of a response, since the platform checks the age of signatures by its own clock.
   *
   * @returns Whether later signatures get another time than before.
   */
  adjustClock(date: string | undefined): boolean;
}

function valueOf({ method, url, headers }: UnsignedRequest, name: string): string | undefined {
  if (name === "@method") return method;
  return name === "@target-uri" ? url : headers[name];
}

/**
 * Creates a signer of requests with HMAC-SHA256.
 *
 * There is no nonce: a replayed request has the same bytes under the same idempotency key, and the platform
 * responds as it did before.
 *
 * @throws Error for a key that is too short.
 * @see RFC 9421
 */
export function createRequestSigner(options: SigningOptions, clock: Clock): RequestSigner {
  const key = readSigningKey(options.key);
  if (!key) throw new Error("signing: key must have at least 32 bytes");
  const keyId = toStructuredString(options.keyId);
  let offsetMillis = 0;

  return {
    sign(request) {
      const components = [...SIGNED_COMPONENTS, IDEMPOTENCY_HEADER].flatMap(
        (name): SignatureComponent[] => {
          const value = valueOf(request, name);
          return value === undefined ? [] : [[name, value]];
        },
      );
      const created = Math.floor((clock.now() + offsetMillis) / 1000);
      const names = components.map(([name]) => `"${name}"`).join(" ");
      const parameters = `(${names});created=${created};keyid=${keyId};alg="${SIGNATURE_ALGORITHM}"`;
      const signature = signBase(toSignatureBase(components, parameters), key);
      return {
        [SIGNATURE_INPUT_HEADER]: `${LABEL}=${parameters}`,
        [SIGNATURE_HEADER]: `${LABEL}=:${signature.toString("base64")}:`,
      };
    },
    adjustClock(date) {
      if (date === undefined || !HTTP_DATE.test(date)) return false;
      const skew = Date.parse(date) - clock.now();
      if (Number.isNaN(skew) || Math.abs(skew - offsetMillis) <= TOLERATED_SKEW_MILLIS)
        return false;
      offsetMillis = Math.abs(skew) <= TOLERATED_SKEW_MILLIS ? 0 : skew;
      return true;
    },
  };
}
