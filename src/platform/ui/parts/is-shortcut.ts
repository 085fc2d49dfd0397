/// <reference lib="dom" />

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.matches("input:not([type=radio]), textarea, select") || target.isContentEditable)
  );
}

/** Returns whether a key is meant for the page: pressed alone, outside of what is typed in. */
export function isShortcut(event: KeyboardEvent): boolean {
  const isOther = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
  return !isOther && !isTyping(event.target);
}
