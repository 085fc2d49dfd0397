/** Copies a part of a string: V8 would keep the whole, perhaps 100 MB, alive behind a slice. */
function detach(part: string): string {
  // From UTF-8, V8 makes strings of one byte a character where it can; but UTF-8 has no lone surrogates.
  const encoding = part.isWellFormed() ? "utf8" : "utf16le";
  return Buffer.from(part, encoding).toString(encoding);
}

/** Cuts a string to a length without splitting a surrogate pair; what is left does not keep the whole in memory. */
export function cutString(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return detach(text.slice(0, Math.max(0, splitsPair ? maxLength - 1 : maxLength)));
}
