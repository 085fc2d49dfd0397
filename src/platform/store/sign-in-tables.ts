// Who has signed in, and who is about to, by the digests of keys that their browsers alone have: whatever replica a request reaches.
export const SIGN_IN_TABLES = `
  CREATE TABLE session (
    digest TEXT NOT NULL,
    actor TEXT NOT NULL,
    role TEXT NOT NULL,
    ends_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    mac TEXT NOT NULL,
    PRIMARY KEY (digest)
  ) WITHOUT ROWID;
  CREATE INDEX session_by_end ON session (ends_at, digest);
  CREATE TABLE pending_sign_in (
    digest TEXT NOT NULL,
    state TEXT NOT NULL,
    nonce TEXT NOT NULL,
    code_verifier TEXT NOT NULL,
    redirect_url TEXT NOT NULL,
    ends_at INTEGER NOT NULL,
    PRIMARY KEY (digest)
  ) WITHOUT ROWID;
  CREATE INDEX pending_sign_in_by_end ON pending_sign_in (ends_at, digest);
`;

/** Rows of these tables. */
export interface SignInTables {
  readonly session: {
    digest: string;
    actor: string;
    role: string;
    ends_at: number;
    /** The last use that was noted; there may have been one since. */
    used_at: number;
    /** Proves that a platform with the same keys and rules of signing in has written the row. */
    mac: string;
  };
  readonly pending_sign_in: {
    digest: string;
    state: string;
    nonce: string;
    code_verifier: string;
    redirect_url: string;
    ends_at: number;
  };
}
