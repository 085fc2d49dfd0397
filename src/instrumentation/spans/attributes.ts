/*
 * Names of OpenTelemetry's conventions (GenAI v1.41.1, HTTP) that only observed calls carry.
 */
export const ATTR_SYSTEM_INSTRUCTIONS = "gen_ai.system_instructions";
export const ATTR_TOOL_DEFINITIONS = "gen_ai.tool.definitions";
export const ATTR_FINISH_REASONS = "gen_ai.response.finish_reasons";
export const ATTR_TOP_K = "gen_ai.request.top_k";
export const ATTR_SEED = "gen_ai.request.seed";
export const ATTR_STOP_SEQUENCES = "gen_ai.request.stop_sequences";
export const ATTR_CHOICE_COUNT = "gen_ai.request.choice.count";
export const ATTR_CACHE_READ_TOKENS = "gen_ai.usage.cache_read.input_tokens";
export const ATTR_CACHE_CREATION_TOKENS = "gen_ai.usage.cache_creation.input_tokens";
export const ATTR_SERVER_ADDRESS = "server.address";
export const ATTR_SERVER_PORT = "server.port";
export const ATTR_STATUS_CODE = "http.response.status_code";
/** How often the request was sent again. */
export const ATTR_RESEND_COUNT = "http.request.resend_count";
