/// <reference lib="dom" />
import { useRef, useState } from "preact/hooks";
import type { AgentInfo } from "../../../events/agent.ts";
import type { Overview } from "../../insight/overview.ts";
import type { Period } from "../../insight/period.ts";
import type { VersionFigures } from "../../store/version-figures.ts";
import { ApiError, getJson, usePolling } from "../api.ts";

/** Figures of versions in a period. */
export interface VersionComparison {
  readonly period: Period;
  readonly versions: readonly VersionFigures[];
}

/** A profile as it was registered. */
export interface Profile {
  readonly organizationId: string;
  readonly updatedAt: number;
  readonly agent: AgentInfo;
}

/** Loads the overview. */
export function loadOverview(query: string): Promise<Overview> {
  return getJson(`/api/overview?${query}`);
}

/** Loads the figures of all versions. */
export function loadVersions(query: string): Promise<VersionComparison> {
  return getJson(`/api/versions?${query}`);
}

/** Loads the latest profile of each agent. */
export async function loadAgents(): Promise<readonly Profile[]> {
  return (await getJson<{ readonly agents: readonly Profile[] }>("/api/agents?limit=200")).agents;
}

/** Loads the profiles of an agent, the latest first; none where it was never registered. */
export async function loadProfiles(id: string): Promise<readonly Profile[]> {
  try {
    const path = `/api/agents/${encodeURIComponent(id)}`;
    return (await getJson<{ readonly versions: readonly Profile[] }>(path)).versions;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

/** What a page shows: the last that was loaded, and whether the platform has refused or not answered since. */
export interface Loaded<Data> {
  readonly data: Data | undefined;
  readonly failure: string | undefined;
}

/**
 * Loads what a page shows and follows it. The last stays until the next is there, so that nothing jumps.
 *
 * @param inputs - Loads anew at once when one of them changes.
 */
export function useLoaded<Data>(
  load: () => Promise<Data>,
  inputs: readonly unknown[],
): Loaded<Data> {
  const [loaded, setLoaded] = useState<Loaded<Data>>({ data: undefined, failure: undefined });
  const text = useRef("");
  usePolling(async (isCurrent) => {
    try {
      const data = await load();
      const json = JSON.stringify(data);
      if (!isCurrent() || json === text.current) return;
      text.current = json;
      setLoaded({ data, failure: undefined });
    } catch (error) {
      if (!isCurrent()) return;
      text.current = "";
      const failure = error instanceof ApiError ? error.message : "the platform does not answer";
      setLoaded((old) => ({ ...old, failure }));
    }
  }, inputs);
  return loaded;
}
