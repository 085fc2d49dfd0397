import { STAGE_START } from "./stage-clock.ts";

/** Version 7 holds the time, version 8 a digest. */
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g;
const FILE = /(?<=\d{16}-)[0-9a-f]{32}\b/g;
/** That of a content is the same in every run. */
const HASH = /(?<!"contentHash":")\b(?:hmac-)?sha256:[0-9a-f]{64}\b/g;
/** What gzip makes of a batch, and the time that rules take, differ. */
const SIZE = /\b[\d,]+ bytes?\b/g;

/** Names what differs from run to run, in the order in which it comes. */
export interface Normaliser {
  (text: string): string;
  /** Has something stay as it is. */
  keep(this: void, text: string): void;
}

/** Tells whether an id is one that is made of the time. */
export function isTimed(id: string): boolean {
  return /^.{14}7/.test(id);
}

/** Tells whether something was made before the run: its id holds the time. */
export function isOfBefore(id: string): boolean {
  return isTimed(id) && Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16) < STAGE_START;
}

/**
 * @param places - Names of paths and addresses.
 * @param keepsNamed - Whether ids that are made of others are the same in every run.
 */
export function createNormaliser(
  places: Readonly<Record<string, string>>,
  keepsNamed: boolean,
): Normaliser {
  const kept = new Set<string>();
  const names = new Map<string, string>();
  const counts = { id: 0, hash: 0, file: 0 };
  const nameOf = (text: string, kind: keyof typeof counts): string => {
    const isSame = isTimed(text) ? isOfBefore(text) : keepsNamed;
    if (kept.has(text) || (kind === "id" && isSame)) return text;
    const name = names.get(text) ?? `${kind}-${++counts[kind]}`;
    names.set(text, name);
    return name;
  };
  const normalise = (text: string): string => {
    let result = text;
    for (const [name, place] of Object.entries(places)) result = result.replaceAll(place, name);
    return result
      .replaceAll(UUID, (id) => nameOf(id, "id"))
      .replaceAll(FILE, (file) => nameOf(file, "file"))
      .replaceAll(HASH, (hash) => nameOf(hash, "hash"))
      .replaceAll(SIZE, "some bytes");
  };
  return Object.assign(normalise, { keep: (text: string) => void kept.add(text) });
}
