/// <reference lib="dom" />
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isShortcut } from "../parts/is-shortcut.ts";
import { useKeys } from "../parts/use-keys.ts";
import { takeFinding, toFindingAddress } from "../finding/finding-address.ts";

function listCards(pane: HTMLElement | null): HTMLElement[] {
  return [...(pane?.querySelectorAll<HTMLElement>("[data-finding]") ?? [])];
}

function show(element: HTMLElement | undefined): void {
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: "center" });
}

/** Shows the passage of a finding; in a text that is folded, all of it first. */
function showMark(pane: HTMLElement | null, id: string): void {
  const find = (): HTMLElement | undefined =>
    pane?.querySelector<HTMLElement>(`mark[data-marks~="${CSS.escape(id)}"]`) ?? undefined;
  const reveal = (): void => {
    const mark = find();
    // Marks are no stops of the tabulator: there may be hundreds.
    if (mark) mark.tabIndex = -1;
    show(mark);
  };
  if (find()) return reveal();
  const card = pane?.querySelector(`[data-finding="${CSS.escape(id)}"]`);
  card?.closest(".row")?.querySelector<HTMLElement>("[data-unfold]")?.click();
  setTimeout(reveal, 0);
}

/** Reads the findings that a click is about: of a link to one, a button that shows its mark, a mark. */
function readTarget({ target }: MouseEvent) {
  const read = (name: string): string | undefined =>
    target instanceof Element
      ? (target.closest(`[${name}]`)?.getAttribute(name) ?? undefined)
      : undefined;
  const [marked] = read("data-marks")?.split(" ") ?? [];
  return { link: read("data-visit"), shown: read("data-show-mark"), marked };
}

interface VisitOptions {
  readonly pane: RefObject<HTMLElement | null>;
  /** Address of the page. */
  readonly page: string;
  /** The finding that the address names; empty where it names none. */
  readonly wanted: string;
  /** Changes when findings may have been added. */
  readonly count: number;
}

/** Goes to findings: to that of the address, to the next and the one before, by keys and by links in the pane. */
export function useVisits({ pane, page, wanted, count }: VisitOptions) {
  const last = useRef("");
  const arrived = useRef("");
  const visit = (card: HTMLElement | undefined): void => {
    const id = card?.dataset["finding"];
    if (id === undefined) return;
    last.current = id;
    // The address is that of what is looked at, and each step is none of the browser's history.
    history.replaceState(history.state, "", toFindingAddress(page, id));
    show(card);
  };
  const find = (id: string): HTMLElement | undefined =>
    listCards(pane.current).find(({ dataset }) => dataset["finding"] === id);
  const step = (by: 1 | -1): void => {
    const cards = listCards(pane.current);
    const focused = document.activeElement?.closest<HTMLElement>("[data-finding]");
    const from = focused?.dataset["finding"] ?? last.current;
    const at = cards.findIndex(({ dataset }) => dataset["finding"] === from);
    const next = at === -1 && by === -1 ? cards.length - 1 : at + by;
    visit(cards[(next + cards.length) % cards.length]);
  };
  useEffect(() => {
    if (wanted === "" || arrived.current === wanted) return;
    const card = find(wanted);
    if (!card) return;
    arrived.current = wanted;
    visit(card);
  }, [wanted, count]);
  useEffect(() => {
    const onAddress = (): void => {
      const [, query = ""] = location.hash.split("?");
      const { finding } = takeFinding(query);
      if (finding !== "" && location.hash.startsWith(page.split("?")[0] ?? page))
        visit(find(finding));
    };
    addEventListener("hashchange", onAddress);
    return () => removeEventListener("hashchange", onAddress);
  });
  useKeys((event) => {
    if (!isShortcut(event) || (event.key !== "n" && event.key !== "p")) return;
    if (document.querySelector("dialog[open]")) return;
    event.preventDefault();
    step(event.key === "n" ? 1 : -1);
  });
  /** Follows what was clicked in the pane: a mark, a link to a finding, a button that shows a mark. */
  const onClick = (event: MouseEvent): void => {
    const { link, shown, marked } = readTarget(event);
    if (link !== undefined) event.preventDefault();
    const id = link ?? marked;
    if (shown !== undefined) showMark(pane.current, shown);
    else if (id !== undefined) visit(find(id));
  };
  return { onClick, next: () => step(1), previous: () => step(-1) };
}
