import type { ConversationRow } from "../store/conversation-store.ts";

const UNKNOWN = "unknown";

/** Lists the different values of a fact in the order in which they appeared; what no event says is not known. */
function listValues(values: readonly (string | null)[]): string[] {
  return [...new Set(values)].map((value) => value ?? UNKNOWN);
}

/** Names the versions that handled the conversation, as its events do. */
export function describeVersions({ appearances }: ConversationRow): string {
  const versions = listValues(appearances.map(({ version }) => version));
  return `${versions.length === 1 ? "version" : "versions"} ${versions.join(", ")}`;
}

/** Names the environments that the events come from. */
export function describeEnvironments({ appearances }: ConversationRow): string {
  return listValues(appearances.map(({ environment }) => environment)).join(", ");
}

/** Says what kind of agent it was; nothing where no event does. */
export function describeKind({ appearances }: ConversationRow): string | undefined {
  const kinds = appearances.map(({ category, specialty }) =>
    category === null && specialty === null
      ? null
      : [category, specialty].filter((part) => part !== null).join(", "),
  );
  const known = listValues(kinds).filter((kind) => kind !== UNKNOWN);
  return known.length === 0 ? undefined : known.join(" / ").replaceAll("_", " ");
}

/** Tells whether several versions handled a conversation, so that each answer has to name its own. */
export function hasVersions({ appearances }: ConversationRow): boolean {
  return new Set(appearances.map(({ version }) => version)).size > 1;
}
