/// <reference lib="dom" />
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Has a field show a value, and keeps what is being typed in it.
 *
 * A `value` of the field itself would be set anew whenever something around it is drawn, as with each reading of a list.
 */
export function useTyped(value: string): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (field.current) field.current.value = value;
  }, [value]);
  return field;
}
