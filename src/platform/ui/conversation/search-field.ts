/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { isShortcut } from "../parts/is-shortcut.ts";
import { useKeys } from "../parts/use-keys.ts";
import { useTyped } from "../parts/use-typed.ts";
import { change } from "./list-address.ts";

/** A field for words; `/` goes there. */
export function SearchField({ query }: { query: string }): VNode {
  const field = useTyped(new URLSearchParams(query).get("q") ?? "");
  useKeys((event) => {
    if (event.key !== "/" || !isShortcut(event)) return;
    field.current?.focus();
    event.preventDefault();
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    change(query, { q: field.current?.value.trim() ?? "" });
  };
  return html`<form class="search" role="search" onSubmit=${submit}>
    <input
      ref=${field}
      type="search"
      name="q"
      maxlength="256"
      aria-label="Search messages"
      placeholder="Search messages ( / )"
    />
    <button type="submit">Search</button>
  </form>`;
}
