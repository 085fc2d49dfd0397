import type { Client } from "./matrix.ts";

/** Gives the newest client of each driver, with the latest version of everything that it is made of. */
export function toLatest(clients: readonly Client[]): Client[] {
  const newest = new Map(clients.map((client) => [client.driver, client]));
  return [...newest.values()].map(({ name, packages, ...client }) => {
    const latest = Object.entries(packages).map(
      ([alias, [own]]) => [alias, [own, "latest"]] as const,
    );
    const line = name.replace(/ \S+$/, "");
    return { ...client, name: `${line} latest`, packages: Object.fromEntries(latest) };
  });
}
