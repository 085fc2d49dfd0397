interface Finding {
  readonly rule: string;
  readonly severity: string;
  readonly context?: { readonly detectedContent?: string };
}

interface StoredEvent {
  readonly interactionType: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly complianceFlags?: readonly Finding[];
  readonly metadata?: {
    readonly finding?: Finding;
    readonly tier?: string;
    readonly reason?: string;
    readonly opinion?: { readonly reason?: string };
  };
}

/** A finding and the conversation it stands in. */
export interface Flagged extends Finding {
  readonly agentId: string;
  readonly sessionId: string;
}

/** What the judge says of a finding, or has found by itself. */
export interface Judged {
  readonly tier: string;
  readonly rule: string;
  readonly isOpinion: boolean;
  readonly reason: string | undefined;
}

/** What the platform has stored, as it says itself. */
export interface StoredReport {
  readonly delivered: number;
  readonly byKind: ReadonlyMap<string, number>;
  readonly flagged: readonly Flagged[];
  readonly judged: readonly Judged[];
}

async function get<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`GET ${url} answered ${response.status}`);
  return (await response.json()) as T;
}

function toJudged({ metadata }: StoredEvent): Judged[] {
  const { finding, tier, reason, opinion } = metadata ?? {};
  if (!finding || tier === undefined) return [];
  const isOpinion = opinion !== undefined;
  return [{ tier, rule: finding.rule, isOpinion, reason: opinion?.reason ?? reason }];
}

/** Reads every stored event through the platform's HTTP interface. */
export async function readStored(platformUrl: string): Promise<StoredReport> {
  const api = `${platformUrl}/api/conversations`;
  const { conversations } = await get<{ conversations: readonly { key: string }[] }>(api);
  const answers = conversations.map(({ key }) =>
    get<{ events: readonly StoredEvent[] }>(`${api}/${key}`),
  );
  const events = (await Promise.all(answers.toReversed())).flatMap((answer) => answer.events);

  const byKind = new Map<string, number>();
  for (const { interactionType } of events)
    byKind.set(interactionType, (byKind.get(interactionType) ?? 0) + 1);
  const flagged = events.flatMap(({ agentId, sessionId, complianceFlags = [] }) =>
    complianceFlags.map((finding) => ({ ...finding, agentId, sessionId })),
  );
  return { delivered: events.length, byKind, flagged, judged: events.flatMap(toJudged) };
}

/** Writes the report for people. */
export function formatReport(
  { delivered, byKind, flagged, judged }: StoredReport,
  tracked: number,
): string {
  const kinds = Array.from(
    byKind,
    ([kind, count]) => `  ${kind.padEnd(20)}${String(count).padStart(3)}`,
  );
  const findings = flagged.map(
    ({ severity, rule, agentId, sessionId, context }) =>
      `  ${severity} ${rule}\n    ${agentId}, ${sessionId}\n    "${context?.detectedContent ?? ""}"`,
  );
  const opinions = judged.map(
    ({ tier, rule, isOpinion, reason }) =>
      `  ${tier} ${rule}${isOpinion ? "" : ", found by the judge alone"}\n    ${reason ?? "The model has read the answer and does not share the finding."}`,
  );
  return [
    `Delivered ${delivered} of ${tracked} events`,
    ...kinds,
    "",
    `Flagged ${flagged.length}`,
    ...findings,
    "",
    `Judged ${judged.length}`,
    ...opinions,
    "",
  ].join("\n");
}
