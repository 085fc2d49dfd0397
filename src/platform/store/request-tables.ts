// What was answered to a request under its key, for the next one with the same.
export const REQUEST_TABLES = `
  CREATE TABLE answered_request (
    organization_id TEXT NOT NULL,
    actor TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    digest TEXT NOT NULL,
    at INTEGER NOT NULL,
    conversation_key TEXT NOT NULL,
    status INTEGER NOT NULL,
    etag TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (actor, idempotency_key)
  ) WITHOUT ROWID;
  CREATE INDEX answered_request_by_time ON answered_request (at);
  CREATE INDEX answered_request_of_conversation ON answered_request (conversation_key);
`;

/** Rows of these tables. */
export interface RequestTables {
  readonly answered_request: {
    organization_id: string;
    actor: string;
    idempotency_key: string;
    /** Of the method, the path and what the body says. */
    digest: string;
    at: number;
    /** The conversation that the answer is about: it goes with it. Empty for none. */
    conversation_key: string;
    status: number;
    /** Empty for none. */
    etag: string;
    body: string;
  };
}
