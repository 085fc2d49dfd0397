/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { ShownItem } from "../../store/review-queue.ts";
import { isShortcut } from "../parts/is-shortcut.ts";
import { useKeys } from "../parts/use-keys.ts";
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

const findPlace = ({ items, selected }: QueuePlace): number =>
  items.findIndex(({ key }) => key === selected);

/** @param last - Where the selected item was last: once it is decided, the next one stands in its place. */
function findNeighbour(place: QueuePlace, step: 1 | -1, last: number): string | undefined {
  const { items, selected } = place;
  if (selected === "") return items.at(step === 1 ? 0 : -1)?.key;
  const at = findPlace(place);
  if (at !== -1) return items[at + step]?.key;
  return items[Math.min(step === 1 ? last : last - 1, items.length - 1)]?.key;
}

/** Opens an item, and has its entry of the list be what Enter is about. */
function open(query: string, item: string | undefined): void {
  if (item === undefined) return;
  location.hash = toQueueAddress(query, item);
  document.querySelector<HTMLElement>(`[data-item="${CSS.escape(item)}"]`)?.focus();
}

function run(key: string, place: QueuePlace, last: number): boolean {
  switch (key) {
    case "j":
      open(place.query, findNeighbour(place, 1, last));
      return true;
    case "k":
      open(place.query, findNeighbour(place, -1, last));
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
  const last = useRef(0);
  useLayoutEffect(() => {
    const at = findPlace(place);
    if (at !== -1) last.current = at;
  });
  useKeys((event) => {
    if (!isShortcut(event)) return;
    if (event.key === "?") {
      dialog.current?.showModal();
      event.preventDefault();
    } else if (dialog.current?.open !== true && run(event.key, place, last.current))
      event.preventDefault();
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
