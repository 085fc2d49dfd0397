/** An address: its scheme, whose it is, where it leads to, and what is asked there. */
const ADDRESS = /\b(https?:\/\/)(?:[^\s/?#"']*@)?([^\s?#"']*)(?:[?#][^\s"']*)?/gi;
/** How the platform refuses the value of a header, which it repeats. */
const HEADER_VALUE = /"[^]*"(?= is an invalid header value)/;

/**
 * Leaves out of an error's message what may be a credential: users, passwords and queries of addresses, where some APIs
 * have their keys, and values of headers.
 */
export function withoutCredentials(message: string): string {
  return message.replace(HEADER_VALUE, "a value").replaceAll(ADDRESS, "$1$2");
}
