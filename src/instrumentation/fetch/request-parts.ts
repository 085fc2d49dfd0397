import { BoundedMap } from "../../util/bounded-map.ts";
import { readMember } from "../../util/untrusted-values.ts";
import { isRecord, parseJson } from "../../util/values.ts";
import type { Protocol, Target } from "../protocol.ts";
import { findByPath } from "../protocols/index.ts";
import type { KnownCall } from "../spans/call-attributes.ts";
import { observeSentBody } from "./observed-request.ts";
import { isReadableStream } from "./observed-stream.ts";

/** Provider names of the conventions, by the end of the host. */
const PROVIDERS: readonly (readonly [string, string])[] = [
  [".openai.azure.com", "azure.ai.openai"],
  [".cognitiveservices.azure.com", "azure.ai.openai"],
  [".services.ai.azure.com", "azure.ai.inference"],
  [".models.ai.azure.com", "azure.ai.inference"],
  ["api.openai.com", "openai"],
  ["api.anthropic.com", "anthropic"],
  ["api.groq.com", "groq"],
  ["api.deepseek.com", "deepseek"],
  ["api.perplexity.ai", "perplexity"],
  ["api.x.ai", "x_ai"],
  ["mistral.ai", "mistral_ai"],
  ["cohere.com", "cohere"],
  ["cohere.ai", "cohere"],
  ["generativelanguage.googleapis.com", "gcp.gemini"],
  ["aiplatform.googleapis.com", "gcp.vertex_ai"],
  ["openrouter.ai", "openrouter"],
];
const BEDROCK_HOST = /^bedrock[\w-]*\.[\w-]+\.amazonaws\.com/;

/** Returns the provider's name by the address; `undefined` for an unknown address. */
function toProviderName(host: string, path: string): string | undefined {
  for (const [ending, name] of PROVIDERS) if (host.endsWith(ending)) return name;
  if (BEDROCK_HOST.test(host)) return "aws.bedrock";
  return path.includes("/openai/deployments/") ? "azure.ai.openai" : undefined;
}

/** Longest body that is parsed, in UTF-16 units or bytes: parsing takes some milliseconds per MiB. */
const MAX_BODY_LENGTH = 8 * 1024 * 1024;

/** The arguments of `fetch`. */
export interface RequestParts {
  readonly input: unknown;
  readonly init: unknown;
}

/** The body of a request: its text, a way to get the text, or unknown. */
export type RequestBody =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "later";
      /** Calls `onText` with the text, or `undefined`, as soon as it is known. */
      readonly read: (onText: (text: string | undefined) => void) => void;
      /** Whether the body is read as it is sent, so that it is known, if ever, before the response. */
      readonly isSent: boolean;
    }
  | { readonly kind: "unknown" };

const UNKNOWN: RequestBody = { kind: "unknown" };

/** Returns the URL of a request without parsing it. */
export function readUrl(input: unknown): string | undefined {
  if (typeof input === "string") return input;
  if (typeof input !== "object" || input === null) return undefined;
  const address = input instanceof URL ? input.href : readMember(input, "url");
  return typeof address === "string" ? address : undefined;
}

/** Returns the path of a URL; for an absolute URL everything before the query and the fragment. */
export function readPath(url: string): string {
  const query = url.indexOf("?");
  const path = query < 0 ? url : url.slice(0, query);
  const fragment = path.indexOf("#");
  return fragment < 0 ? path : path.slice(0, fragment);
}

/** Reads the destination of a request. */
export function toTarget(url: string): Target | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname: host, port, pathname: path } = new URL(url);
  const provider = toProviderName(host, path);
  return { host, port: port === "" ? undefined : Number(port), path, provider };
}

/** Returns whether a request is a POST. */
export function isPost({ input, init }: RequestParts): boolean {
  const method = readMember(init, "method") ?? readMember(input, "method");
  return typeof method === "string" && (method === "POST" || method.toUpperCase() === "POST");
}

/** Returns the signal that can abort a request. */
export function readSignal({ input, init }: RequestParts): unknown {
  return (
    readMember(init, "signal") ??
    (typeof input === "string" ? undefined : readMember(input, "signal"))
  );
}

function findHeader(headers: unknown, name: string): unknown {
  if (typeof headers !== "object" || headers === null) return undefined;
  if (typeof (headers as Partial<Headers>).get === "function")
    return (headers as Headers).get(name);
  const entries: unknown[] = Array.isArray(headers) ? headers : Object.entries(headers);
  for (const entry of entries) {
    if (Array.isArray(entry) && String(entry[0]).toLowerCase() === name) return entry[1];
  }
  return undefined;
}

/** Reads a header of a request. @param name - In lower case. */
export function readHeader({ input, init }: RequestParts, name: string): string | undefined {
  const given =
    readMember(init, "headers") ??
    (typeof input === "string" ? undefined : readMember(input, "headers"));
  const value = findHeader(given, name);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function decodeBytes(body: unknown): RequestBody {
  const bytes = ArrayBuffer.isView(body)
    ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    : new Uint8Array(body as ArrayBuffer);
  if (bytes.length > MAX_BODY_LENGTH) return UNKNOWN;
  return { kind: "text", text: new TextDecoder().decode(bytes) };
}

/** Returns a reader of a `Request`'s body, which must be observed before it is sent. */
function readRequestObject(parts: RequestParts): RequestBody {
  const body = readMember(parts.input, "body");
  const isUsed = readMember(parts.input, "bodyUsed") === true;
  const isJson = /json/i.test(readHeader(parts, "content-type") ?? "");
  if (isUsed || !isJson || !isReadableStream(body) || body.locked) return UNKNOWN;
  return {
    kind: "later",
    isSent: true,
    read(onText) {
      if (!observeSentBody(body, MAX_BODY_LENGTH, onText)) onText(undefined);
    },
  };
}

/** Reads the body of a request without consuming it: a stream stays untouched. */
export function readBody(parts: RequestParts): RequestBody {
  const body = readMember(parts.init, "body");
  if (body === undefined || body === null) {
    return typeof parts.input === "object" && !(parts.input instanceof URL)
      ? readRequestObject(parts)
      : UNKNOWN;
  }
  if (typeof body === "string") {
    return body.length > MAX_BODY_LENGTH ? UNKNOWN : { kind: "text", text: body };
  }
  if (ArrayBuffer.isView(body) || body instanceof ArrayBuffer) return decodeBytes(body);
  if (body instanceof Blob && body.size <= MAX_BODY_LENGTH) {
    const read = (onText: (text: string | undefined) => void): void =>
      void body.text().then(onText, () => onText(undefined));
    return { kind: "later", isSent: false, read };
  }
  return UNKNOWN;
}

/** An address of model calls. */
export interface Address {
  readonly protocols: readonly Protocol[];
  readonly target: Target;
}

/** Most remembered addresses; clients use few. */
const MAX_ADDRESSES = 200;

function findAddress(url: string, path: string): Address | undefined {
  const protocols = findByPath(path);
  const target = protocols && toTarget(url);
  if (!target) return undefined;
  const fitting = protocols.filter((protocol) => protocol.matches?.(target) ?? true);
  return fitting.length === 0 ? undefined : { protocols: fitting, target };
}

/** Keeps the addresses of model calls. */
export class Addresses {
  readonly #known = new BoundedMap<string, Address>(MAX_ADDRESSES);

  /**
   * Finds the address of a request; `undefined` if it is not a model call. Runs for all of the application's requests.
   */
  find(url: string): Address | undefined {
    const path = readPath(url);
    const known = this.#known.get(path);
    if (known) return known;
    const address = findAddress(url, path);
    if (address) this.#known.set(path, address);
    return address;
  }
}

/** Returns the call with its protocol, found by the body, or by the path alone when the body can't be read. */
export function toKnownCall(
  { protocols, target }: Address,
  text: string | undefined,
): KnownCall | undefined {
  const body = text === undefined ? undefined : parseJson(text);
  if (isRecord(body)) {
    for (const protocol of protocols) {
      const request = protocol.readRequest(body, target);
      if (request) return { protocol, target, request };
    }
    return undefined;
  }
  const protocol = protocols.find(({ isPathEnough }) => isPathEnough);
  return protocol && { protocol, target, request: undefined };
}
