/** Verbs with which the name of a tool begins that only reads. */
export const READS = "get|list|search|fetch|lookup|look up|find|read|check";

/** Verbs of tools that try out, or explain, what another would do. */
export const TRIES = "quote|preview|estimate|validate|simulate|explain";
