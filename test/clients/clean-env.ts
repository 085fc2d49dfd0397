/** Gives the variables of the surroundings without those that change what a program of the tests does. */
export function toCleanEnv(): NodeJS.ProcessEnv {
  const ours = /^(?:OTEL|AGENT_MONITOR|NODE|OPENAI|ANTHROPIC|AWS|LANGFUSE)_|_proxy$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}
