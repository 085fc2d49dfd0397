/// <reference lib="dom" />

/** Writes the address of the list, or of a conversation in it. */
export function toListAddress(query: string, key?: string): string {
  const path = key === undefined ? "#/" : `#/c/${key}`;
  return query === "" ? path : `${path}?${query}`;
}

/** Goes to the list with some members of the filter changed; an empty value removes one. */
export function change(query: string, members: Readonly<Record<string, string>>): void {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(members)) {
    if (value === "") changed.delete(name);
    else changed.set(name, value);
  }
  location.hash = toListAddress(changed.toString());
}

/** Returns what a field has. */
export const toValue = (event: Event): string =>
  (event.currentTarget as HTMLInputElement | HTMLSelectElement).value;
