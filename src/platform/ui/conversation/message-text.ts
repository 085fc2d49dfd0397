import { html } from "htm/preact";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { AgentResponseEvent, UserMessageEvent } from "../../../events/detailed-event.ts";
import { formatCount } from "../../../util/count-noun.ts";
import { showMarkdown, showMarked } from "../markdown/markdown-view.ts";
import type { Mark } from "../finding/passages.ts";

/** Longer texts are shown up to here until the rest is asked for, in UTF-16 units. */
const FOLD = 20_000;
/** Longer ones are shown without Markdown: the browser would lay out their parts for seconds. */
const MAX_MARKDOWN = 100_000;

interface MessageTextProps {
  readonly event: UserMessageEvent | AgentResponseEvent;
  readonly marks: readonly Mark[];
  readonly isMarkdown: boolean;
  /** Paper has all of it. */
  readonly isPrinting: boolean;
}

function isFlagged(event: MessageTextProps["event"], name: string, value: boolean): boolean {
  const metadata: Readonly<Record<string, unknown>> = event.metadata ?? {};
  return metadata[name] === value;
}

/** Returns what is missing of a message, in words. */
function describeGap(event: MessageTextProps["event"]): string | undefined {
  const { content, contentLength } = event;
  if (content === "" && isFlagged(event, "captured", false)) return "The content was not captured.";
  if (content === "" && contentLength === 0) return "The message is empty.";
  if (content.length >= contentLength && !isFlagged(event, "truncated", true)) return undefined;
  const [kept, all] = [content.length, contentLength].map(formatCount);
  return content.length < contentLength
    ? `Cut by the sender: ${kept} of ${all} characters.`
    : "Cut by the sender.";
}

function describeFold(content: string, hiddenMarks: number): string {
  const all = `Show all ${formatCount(content.length)} characters`;
  return hiddenMarks > 0 ? `${all}, ${hiddenMarks} marked further down` : all;
}

/** Shows the text of a message with the passages that findings are about. */
export function MessageText({ event, marks, isMarkdown, isPrinting }: MessageTextProps): VNode {
  const [isWhole, setWhole] = useState(false);
  const { content } = event;
  const isFolded = content.length > FOLD && !isWhole && !isPrinting;
  const text = isFolded ? content.slice(0, FOLD) : content;
  const gap = describeGap(event);
  const hidden = isFolded ? marks.filter(({ end }) => end > FOLD).length : 0;
  return html`${
    isMarkdown && text.length <= MAX_MARKDOWN
      ? html`<div class="content markdown">${showMarkdown(text, marks)}</div>`
      : html`<p class="content">${showMarked(text, 0, marks)}</p>`
  }
  ${
    isFolded &&
    html`<button type="button" class="quiet" data-unfold onClick=${() => setWhole(true)}>
      ${describeFold(content, hidden)}
    </button>`
  }
  ${gap !== undefined && html`<p class="gap muted">${gap}</p>`}`;
}
