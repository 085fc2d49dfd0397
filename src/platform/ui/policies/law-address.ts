const CFR_SECTION = /(\d{1,2}) CFR (?:§§? )?(\d{1,4}\.\d[\da-z-]{0,12})/;
const CFR_PART = /(\d{1,2}) CFR part (\d{1,4})/i;
const US_CODE = /(\d{1,2}) U\.S\.C\. §§? (\d{1,5}[a-z]{0,2})/;

/** Finds where the first law of a citation can be read; `undefined` where that is not known. */
export function toLawAddress(citation: string): string | undefined {
  const section = CFR_SECTION.exec(citation);
  const part = CFR_PART.exec(citation);
  const code = US_CODE.exec(citation);
  const first = [section, part, code]
    .filter((match) => match !== null)
    .toSorted((one, other) => one.index - other.index)[0];
  const [, title = "", number = ""] = first ?? [];
  if (!first) return undefined;
  if (first === code) return `https://www.law.cornell.edu/uscode/text/${title}/${number}`;
  return `https://www.ecfr.gov/current/title-${title}/${first === part ? "part" : "section"}-${number}`;
}
