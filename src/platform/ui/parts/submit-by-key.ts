/// <reference lib="dom" />

/** Submits a form by Ctrl + Enter, as from a field of one line; and by Enter from a list of choices, which would open. */
export function submitByKey(event: KeyboardEvent): void {
  const isList = event.target instanceof HTMLSelectElement;
  if (event.key !== "Enter" || !(isList || event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  (event.currentTarget as HTMLFormElement).requestSubmit();
}
