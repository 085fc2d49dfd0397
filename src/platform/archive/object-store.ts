/** An object of an archive. */
export interface StoredObject {
  /** Parts between slashes, each of letters, digits, `.`, `_`, `~` and `-`; the last one has the digest, so that a name has one content. */
  readonly name: string;
  readonly bytes: Buffer;
  /** SHA-256 in hex. */
  readonly sha256: string;
  readonly mediaType: string;
}

/** Keeps objects. */
export interface ObjectStore {
  /** Resolves once all of them are there for good; one that is there already stays as it is. */
  put(objects: readonly StoredObject[]): Promise<void>;
}

/** Thrown where an object can't be kept; its message has neither content nor credentials. */
export class ObjectStoreError extends Error {
  override readonly name = "ObjectStoreError" as const;
}
