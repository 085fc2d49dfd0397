/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ShownItem } from "../../store/review-queue.ts";
import { isShortcut } from "../parts/is-shortcut.ts";
import { toQueueAddress } from "./queue.ts";

const KEYS: readonly (readonly [key: string, does: string])[] = [
  ["j", "next item"],
  ["k", "item before"],
  ["Enter", "open the item"],
  ["c", "claim"],
  ["d", "decide: then 1 to 4, and Enter"],
  ["s", "suppress a false positive in future"],
  ["n", "next finding in the transcript"],
  ["p", "finding before"],
  ["?", "this help"],
];

function press(selector: string): void {
  const button = [...document.querySelectorAll<HTMLButtonElement>(selector)].find(
    (each) => !each.disabled,
  );
  button?.click();
}

function focusDecision(): void {
  document.querySelector<HTMLInputElement>(".decision input[type=radio]")?.focus();
}

/** Chooses a disposition by its number, where the decision has the focus. */
function choose(index: number): boolean {
  const form = document.activeElement?.closest(".decision");
  const radio = form?.querySelectorAll<HTMLInputElement>("input[type=radio]")[index];
  radio?.focus();
  radio?.click();
  return radio !== undefined;
}

interface QueuePlace {
  readonly items: readonly ShownItem[];
  readonly query: string;
  readonly selected: string;
}

function findNeighbour({ items, selected }: QueuePlace, step: 1 | -1): string | undefined {
  const at = items.findIndex(({ key }) => key === selected);
  if (at === -1) return items[step === 1 ? 0 : items.length - 1]?.key;
  return items[at + step]?.key;
}

function run(key: string, place: QueuePlace): boolean {
  const open = (item: string | undefined): void => {
    if (item !== undefined) location.hash = toQueueAddress(place.query, item);
  };
  switch (key) {
    case "j":
      open(findNeighbour(place, 1));
      return true;
    case "k":
      open(findNeighbour(place, -1));
      return true;
    case "c":
      press("[data-action=claim]");
      return true;
    case "d":
      focusDecision();
      return true;
    case "s":
      press("[data-action=suppress]");
      return true;
    default:
      return /^[1-9]$/.test(key) && choose(Number(key) - 1);
  }
}

/** Works the queue by keys, and shows which there are. */
export function QueueKeys(place: QueuePlace): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!isShortcut(event)) return;
      if (event.key === "?") {
        dialog.current?.showModal();
        event.preventDefault();
      } else if (dialog.current?.open !== true && run(event.key, place)) event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
  return html`<dialog ref=${dialog} aria-label="Keys">
    <h2>Keys</h2>
    <dl class="keys">
      ${KEYS.map(
        ([key, does]) =>
          html`<dt key=${key}><kbd>${key}</kbd></dt>
            <dd>${does}</dd>`,
      )}
    </dl>
    <form method="dialog"><button type="submit">Close</button></form>
  </dialog>`;
}
