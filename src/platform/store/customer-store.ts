import type { Pseudonyms } from "../customers/pseudonyms.ts";
import { PSEUDONYM } from "./fact-store.ts";
import { change, createStatement, db, readRow, readRows } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

const CUSTOMER = "customer";

const FIND_ONE = createStatement((given: { readonly kind: string; readonly value: string }) =>
  db
    .selectFrom("fact")
    .select("conversation_key as key")
    .where("kind", "=", given.kind)
    .where("value", "=", given.value)
    .limit(1),
);

/** Ids that are looked for at a time. */
const MAX_IDS = 500;

/** Finds which texts are ids of customers that events are of. */
export function* findCustomers(
  database: SqlDatabase,
  texts: readonly string[],
): Steps<Set<string>> {
  const found = new Set<string>();
  for (let start = 0; start < texts.length; start += MAX_IDS) {
    const part = texts.slice(start, start + MAX_IDS);
    const query = db.selectFrom("fact").select("value").distinct();
    const rows = yield* readRows(
      database,
      query.where("kind", "=", CUSTOMER).where("value", "in", part),
    );
    for (const { value } of rows) found.add(value);
  }
  return found;
}

/** Finds whose pseudonym a text is: among the customers of a conversation that has it. */
export function* findCustomer(
  database: SqlDatabase,
  pseudonym: string,
  { toPseudonym }: Pseudonyms,
): Steps<string | undefined> {
  const [found] = yield* FIND_ONE.rows(database, { kind: PSEUDONYM, value: pseudonym });
  if (!found) return undefined;
  const query = db.selectFrom("conversation").select("facts").where("key", "=", found.key);
  const lines = (yield* readRow(database, query))?.facts.split("\n") ?? [];
  return lines
    .filter((line) => line.startsWith(`${CUSTOMER}=`))
    .map((line) => line.slice(CUSTOMER.length + 1))
    .find((id) => toPseudonym(id) === pseudonym);
}

const CHUNK = 1000;
type Fact = Readonly<Record<"value" | "key" | "environment" | "version", string>>;

/** Reads the facts of customers behind one of them. */
function* readAfter(
  database: SqlDatabase,
  { value, key, environment, version }: Fact,
): Steps<Fact[]> {
  return yield* readRows(
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
function* fillPseudonyms(database: Transaction, { toPseudonym }: Pseudonyms): Steps<void> {
  let last: Fact = { value: "", key: "", environment: "", version: "" };
  for (;;) {
    const facts = yield* readAfter(database, last);
    for (const { value, key, environment, version } of facts)
      yield* change(
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

/** Makes the pseudonyms in the database those of the key, where they are of another one or of none. In a transaction. */
export function* preparePseudonyms(
  database: Transaction,
  pseudonyms: Pseudonyms | undefined,
): Steps<void> {
  const wanted = pseudonyms?.fingerprint;
  const known = yield* readRow(database, db.selectFrom("pseudonym_key").select("fingerprint"));
  if (known?.fingerprint === wanted) return;
  yield* change(database, db.deleteFrom("pseudonym_key"));
  yield* change(database, db.deleteFrom("fact").where("kind", "=", PSEUDONYM));
  if (!pseudonyms) return;
  yield* fillPseudonyms(database, pseudonyms);
  yield* change(
    database,
    db.insertInto("pseudonym_key").values({ fingerprint: pseudonyms.fingerprint }),
  );
}
