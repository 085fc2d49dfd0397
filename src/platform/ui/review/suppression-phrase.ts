/** Longest phrase that a suppression takes. */
const MAX_PHRASE = 300;

/** Returns whole words of a text, as many as fit. */
function cutAtWord(text: string): string {
  if (text.length <= MAX_PHRASE) return text;
  return text.slice(0, MAX_PHRASE + 1).replace(/\s*\S*$/, "");
}

/** Returns the words of a quote that a suppression is likely to be of: the longest part in which nothing is masked. */
export function toPhrase(quote: string): string {
  const parts = quote.split(/\S*\*\S*/).map((part) => part.trim());
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), "");
  return cutAtWord(longest);
}
