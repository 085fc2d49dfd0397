import type { AgentMonitoringConfig } from "../../../src/config/config.ts";
import type { JudgeModel } from "../../../src/config/judge-options.ts";

/** Where the platform seemed to be when the spools were written; who recovers them is led elsewhere. */
export const SPOOL_PLATFORM_PORT = 28_417;
export const SPOOL_KEY = "a key of at least thirty-two bytes";
export const CHAIN_KEY = { keyId: "chain-1", key: "another key of at least thirty-two bytes" };
const RULE = "consumer-protection-guaranteed-returns";
export const QUOTE = "can't lose money";

/** A spool directory that processes have left, and how another one takes it over. */
export interface SpoolCase {
  readonly name: string;
  /** What has happened. */
  readonly about: string;
  /** The directory, if it is that of another case. */
  readonly of?: string;
  /** Settings of the process that takes it over. */
  readonly config?: Partial<AgentMonitoringConfig>;
  /** Whether answers are checked by the rules of now. */
  readonly isRechecked?: boolean;
}

const confirm: JudgeModel = ({ ruleIds }) => {
  const claim = { ruleId: RULE, quote: QUOTE, reason: "It promises.", confidence: 0.9 };
  const findings = ruleIds.includes(RULE) ? [claim] : [];
  return Promise.resolve({ content: JSON.stringify({ findings }), model: "scripted-1" });
};

const spoolKey = SPOOL_KEY;
const CHECKED = { enableComplianceChecks: true };
const JUDGED = { ...CHECKED, judge: { model: confirm, gate: "findings", sampleRate: 0 } } as const;

/** All cases; `write-spools.ts` says how each directory came to be. */
export const SPOOL_CASES: readonly SpoolCase[] = [
  { name: "tracked", about: "killed when six events were tracked, none of them in a batch" },
  { name: "under-way", about: "killed when one batch was settled and another under way" },
  { name: "acknowledged", about: "killed when everything was acknowledged" },
  { name: "planned", about: "killed just before the request of the first batch" },
  { name: "answered", about: "killed just behind the answer to the first batch" },
  { name: "claimed", about: "killed just behind the claim of what another one had left" },
  { name: "adopted", about: "killed while it delivered what another one had left, and its own" },
  { name: "ended", about: "ended in order, with everything delivered" },
  {
    name: "chained",
    about: "as under-way, with a chainKey",
    config: { chainKey: CHAIN_KEY },
  },
  { name: "encrypted", about: "as under-way, with a spoolKey", config: { spoolKey } },
  { name: "no-key", of: "encrypted", about: "as encrypted, taken over without the key" },
  { name: "torn", about: "as tracked, and the last frame is torn" },
  { name: "damaged", about: "as under-way, and a byte of the last event but one is flipped" },
  { name: "refused", about: "killed when one event was a dead letter and a batch under way" },
  { name: "split", about: "killed when a batch was refused and its parts were under way" },
  { name: "organizations", about: "killed with events of two organizations" },
  {
    name: "early",
    about: "killed before the rules were ready for an answer",
    config: CHECKED,
    isRechecked: true,
  },
  {
    name: "early-unchecked",
    of: "early",
    about: "as early, taken over without rules",
    isRechecked: true,
  },
  {
    name: "early-encrypted",
    about: "as early, with a spoolKey",
    config: { ...CHECKED, spoolKey },
    isRechecked: true,
  },
  { name: "tasks", about: "killed when two answers waited for the judge", config: JUDGED },
  {
    name: "tasks-encrypted",
    about: "as tasks, with a spoolKey",
    config: { ...JUDGED, spoolKey },
  },
];
