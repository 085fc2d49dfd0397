import { html } from "htm/preact";
import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import type { DetailedEvent } from "../../../events/detailed-event.ts";
import { formatJson } from "./format.ts";

interface DisclosureProps {
  readonly class: string;
  readonly summary: ComponentChildren;
  /** Makes what is shown when it is open: a conversation has thousands that nobody opens. */
  readonly body: () => ComponentChildren;
  /** Whether it is open until somebody closes it. */
  readonly isOpen?: boolean;
  /** Whether it is open because it is being printed. */
  readonly isPrinting?: boolean;
}

/** Shows something when it is asked for. */
export function Disclosure({
  class: name,
  summary,
  body,
  isOpen: isFirstOpen = false,
  isPrinting = false,
}: DisclosureProps): VNode {
  const [isOpen, setOpen] = useState(isFirstOpen);
  const isShown = isOpen || isPrinting;
  const toggle = (event: { currentTarget: { open: boolean } }): void => {
    if (!isPrinting) setOpen(event.currentTarget.open);
  };
  return html`<details class=${name} open=${isShown} onToggle=${toggle}>
    <summary>${summary}</summary>
    ${isShown && body()}
  </details>`;
}

/** Shows events as they were received. On paper they would only say again what is there. */
export function RawEvents({ events }: { events: readonly DetailedEvent[] }): VNode {
  const label = events.length === 1 ? "Event JSON" : `${events.length} events as JSON`;
  const body = (): VNode[] =>
    events.map((event) => html`<pre tabindex="0" key=${event.eventId}>${formatJson(event)}</pre>`);
  return html`<${Disclosure} class="raw" summary=${label} body=${body} />`;
}
