import { OF_PACK } from "../findings.ts";
import { toReading } from "./rising-clock.ts";

/** Ids of OpenTelemetry, wherever a member or an attribute holds one. */
const OTEL_ID = /(?:trace|span)_?id$/i;
const TRACE_ID = /^[0-9a-f]{32}$/;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const NANOS = /^\d{19}$/;
/** Attributes that tell of the pack, of the model or of the prompt, which any change of their files changes. */
const PACK_ATTRIBUTE =
  /^agent_monitor\.(?:compliance\.(?:rule\.version|(?:override\.)?pack\.|second_look\.)|evaluator\.prompt_hash)/;
const PORT = /127\.0\.0\.1:\d+/g;

/** What was measured or drawn, and what depends on its digits. */
const MEASURED: ReadonlySet<string> = new Set([
  "agent_monitor.conversation.duration_ms",
  "duration",
  "eventCount",
  "lastEvent",
  "server.port",
  "totalSize",
]);
/** The same, where nobody tells it by hand. */
const OF_CALLS: ReadonlySet<string> = new Set(["executionTime", "latency", "llmLatency"]);
/** Digests of what holds an id or a time. */
const DIGESTS: ReadonlySet<string> = new Set(["checksum", "hash", "previous"]);

interface Names {
  readonly name: (kind: string, value: string) => string;
  readonly isMeasured: (key: string) => boolean;
}

type Name = Names["name"];

function createName(): Name {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  return (kind, value) => {
    const key = `${kind} ${value}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    const made = `<${kind} ${count}>`;
    names.set(key, made);
    return made;
  };
}

/** Names a time; what is none stays. */
function nameTime<T>(value: T, millis: number, name: Name): T | string {
  const reading = toReading(millis);
  return reading === undefined ? value : name("time", String(reading));
}

function nameText(text: string, key: string, name: Name): string {
  if (TRACE_ID.test(text)) return name("trace", text);
  if (OTEL_ID.test(key)) return name(/trace/i.test(key) ? "trace" : "span", text);
  if (DIGESTS.has(key)) return name("digest", text);
  if (NANOS.test(text)) return nameTime(text, Number(text.slice(0, 13)), name);
  return text.replaceAll(UUID, (uuid) => name("id", uuid)).replaceAll(PORT, "127.0.0.1:<port>");
}

/** Reads a text that is JSON, as `JSON.stringify` writes it; `undefined` for any other. */
function readJson(text: string): object | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as object;
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Gives the name of the attribute where a value is an attribute's, as OTLP writes it. */
function toKey(parent: object, key: string, inherited: string): string {
  if ("key" in parent && "value" in parent && typeof parent.key === "string") return parent.key;
  return /^(?:string|int|double|bool|array|kvlist)Value$/.test(key) ? inherited : key;
}

function nameValue(value: unknown, key: string, names: Names): unknown {
  const isOfPack = OF_PACK.has(key) || PACK_ATTRIBUTE.test(key) || key === "promptHash";
  if (isOfPack) return "<pack>";
  if (typeof value !== "object" && names.isMeasured(key)) return "<measured>";
  if (typeof value === "number") return nameTime(value, value, names.name);
  if (typeof value === "string") {
    const json = readJson(value);
    if (json) return JSON.stringify(nameValue(json, key, names));
    return nameText(value, key, names.name);
  }
  if (Array.isArray(value)) return value.map((item) => nameValue(item, key, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [
      member,
      nameValue(inner, toKey(value, member, key), names),
    ]),
  );
}

/**
 * Creates what puts names in the place of what differs in every run: ids and times in the order in which they first appear, so
 * that equal ones stay equal.
 *
 * @param isObserved - Whether calls are measured, and not told by hand.
 */
export function createValueNamer(isObserved: boolean): (value: unknown) => unknown {
  const isMeasured = (key: string): boolean =>
    MEASURED.has(key) || (isObserved && OF_CALLS.has(key));
  const names = { name: createName(), isMeasured };
  return (value) => nameValue(value, "", names);
}
