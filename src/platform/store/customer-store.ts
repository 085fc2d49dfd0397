import type { Pseudonyms } from "../customers/pseudonyms.ts";
import { PSEUDONYM } from "./fact-store.ts";
import { change, createStatement, db, readRow, readRows } from "./query.ts";
import { inTransaction, type SqlDatabase } from "./sql-database.ts";

const CUSTOMER = "customer";

const FIND_ONE = createStatement((given: { readonly kind: string; readonly value: string }) =>
  db
    .selectFrom("fact")
    .select("conversation_key as key")
    .where("kind", "=", given.kind)
    .where("value", "=", given.value)
    .limit(1),
);

/** Returns whether an event is of a customer of this id. */
export function isCustomer(database: SqlDatabase, id: string): boolean {
  return FIND_ONE.rows(database, { kind: CUSTOMER, value: id }).length > 0;
}

/** Finds whose pseudonym a text is: among the customers of a conversation that has it. */
export function findCustomer(
  database: SqlDatabase,
  pseudonym: string,
  { toPseudonym }: Pseudonyms,
): string | undefined {
  const [found] = FIND_ONE.rows(database, { kind: PSEUDONYM, value: pseudonym });
  if (!found) return undefined;
  const query = db.selectFrom("conversation").select("facts").where("key", "=", found.key);
  const lines = readRow(database, query)?.facts.split("\n") ?? [];
  return lines
    .filter((line) => line.startsWith(`${CUSTOMER}=`))
    .map((line) => line.slice(CUSTOMER.length + 1))
    .find((id) => toPseudonym(id) === pseudonym);
}

const CHUNK = 1000;
type Fact = Readonly<Record<"value" | "key" | "environment" | "version", string>>;

/** Reads the facts of customers behind one of them. */
function readAfter(database: SqlDatabase, { value, key, environment, version }: Fact): Fact[] {
  return readRows(
    database,
    db
      .selectFrom("fact")
      .select(["value", "conversation_key as key", "environment", "agent_version as version"])
      .where("kind", "=", CUSTOMER)
      .where((eb) =>
        eb(
          eb.refTuple("value", "conversation_key", "environment", "agent_version"),
          ">",
          eb.tuple(value, key, environment, version),
        ),
      )
      .orderBy("value")
      .orderBy("conversation_key")
      .orderBy("environment")
      .orderBy("agent_version")
      .limit(CHUNK),
  );
}

/** Names each customer's conversations anew. */
function fillPseudonyms(database: SqlDatabase, { toPseudonym }: Pseudonyms): void {
  let last: Fact = { value: "", key: "", environment: "", version: "" };
  for (;;) {
    const facts = readAfter(database, last);
    for (const { value, key, environment, version } of facts)
      change(
        database,
        db
          .insertInto("fact")
          .values({
            kind: PSEUDONYM,
            value: toPseudonym(value),
            conversation_key: key,
            environment,
            agent_version: version,
          })
          .onConflict((conflict) => conflict.doNothing()),
      );
    last = facts.at(-1) ?? last;
    if (facts.length < CHUNK) return;
  }
}

/** Makes the pseudonyms in the database those of the key, where they are of another one or of none. */
export function preparePseudonyms(database: SqlDatabase, pseudonyms: Pseudonyms | undefined): void {
  const wanted = pseudonyms?.fingerprint;
  const known = readRow(database, db.selectFrom("pseudonym_key").select("fingerprint"));
  if (known?.fingerprint === wanted) return;
  inTransaction(database, () => {
    change(database, db.deleteFrom("pseudonym_key"));
    change(database, db.deleteFrom("fact").where("kind", "=", PSEUDONYM));
    if (!pseudonyms) return;
    fillPseudonyms(database, pseudonyms);
    change(
      database,
      db.insertInto("pseudonym_key").values({ fingerprint: pseudonyms.fingerprint }),
    );
  });
}
