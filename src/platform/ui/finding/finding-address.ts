const MEMBER = "finding";

/** Writes the address of a finding: that of its conversation's page, with its id. */
export function toFindingAddress(page: string, id: string): string {
  return `${page}${page.includes("?") ? "&" : "?"}${MEMBER}=${encodeURIComponent(id)}`;
}

/** Takes the finding out of a page's query: it is no filter. */
export function takeFinding(query: string): { readonly finding: string; readonly rest: string } {
  const members = new URLSearchParams(query);
  const finding = members.get(MEMBER) ?? "";
  members.delete(MEMBER);
  return { finding, rest: finding === "" ? query : members.toString() };
}
