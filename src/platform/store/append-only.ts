/** Writes the triggers that keep a table as it is, but for what is added. */
export const refuseChanges = (table: string): string => `
  CREATE TRIGGER ${table}_is_not_changed BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END;
  CREATE TRIGGER ${table}_is_not_removed BEFORE DELETE ON ${table} BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END;
`;
