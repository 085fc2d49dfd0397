// What somebody has named is found by the page that it is of.
export const VIEW_TABLE = `
  CREATE TABLE saved_view (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    page TEXT NOT NULL,
    name TEXT NOT NULL,
    query TEXT NOT NULL,
    is_shared INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    UNIQUE (organization_id, owner, page, name)
  ) WITHOUT ROWID;
  CREATE INDEX saved_view_shared ON saved_view (organization_id, page, name) WHERE is_shared = 1;
`;

/** Rows of this table. */
export interface ViewTables {
  readonly saved_view: {
    id: string;
    organization_id: string;
    /** Who has saved it. */
    owner: string;
    page: string;
    name: string;
    /** Filter and order, as the address of the page has them. */
    query: string;
    is_shared: number;
    created_at: number;
    changed_at: number;
    version: number;
  };
}
