/** Answers by route and status. */
export interface RequestCounts {
  add(route: string, status: number): void;
  list(): { readonly route: string; readonly status: number; readonly count: number }[];
}

/** Creates counts, of which there are as many as routes and statuses. */
export function createRequestCounts(): RequestCounts {
  const counts = new Map<string, { route: string; status: number; count: number }>();
  return {
    add(route, status) {
      const key = `${status} ${route}`;
      const entry = counts.get(key) ?? { route, status, count: 0 };
      entry.count++;
      counts.set(key, entry);
    },
    list: () => [...counts.values()],
  };
}
