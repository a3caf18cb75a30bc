//! The names of the GenAI semantic conventions of OpenTelemetry, which are in development and may change, and
//! our own names beside them. No other file has such a name.

/// Values of `gen_ai.operation.name`, with which the names of spans begin.
pub const INVOKE_AGENT: &str = "invoke_agent";
pub const EXECUTE_TOOL: &str = "execute_tool";
pub const CHAT: &str = "chat";

pub const OPERATION_NAME: &str = "gen_ai.operation.name";
pub const PROVIDER_NAME: &str = "gen_ai.provider.name";
pub const AGENT_NAME: &str = "gen_ai.agent.name";
pub const CONVERSATION_ID: &str = "gen_ai.conversation.id";
pub const REQUEST_MODEL: &str = "gen_ai.request.model";
pub const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
pub const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
pub const TOKEN_TYPE: &str = "gen_ai.token.type";
pub const TOOL_NAME: &str = "gen_ai.tool.name";
pub const TOOL_TYPE: &str = "gen_ai.tool.type";
pub const TOOL_CALL_ID: &str = "gen_ai.tool.call.id";
pub const TOOL_CALL_ARGUMENTS: &str = "gen_ai.tool.call.arguments";
pub const TOOL_CALL_RESULT: &str = "gen_ai.tool.call.result";
pub const ERROR_TYPE: &str = "error.type";

pub const EXECUTE_TOOL_DURATION: &str = "gen_ai.execute_tool.duration";
pub const INVOKE_AGENT_DURATION: &str = "gen_ai.invoke_agent.duration";
pub const CLIENT_OPERATION_DURATION: &str = "gen_ai.client.operation.duration";
pub const CLIENT_TOKEN_USAGE: &str = "gen_ai.client.token.usage";

/// The variable that allows arguments and results in spans.
pub const CAPTURE_CONTENT: &str = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

/// The agent and the instrumentation.
pub const AILERON: &str = "aileron";

pub const TURN: &str = "aileron.turn";
pub const MODE: &str = "aileron.mode";
pub const TOOL_VERSION: &str = "aileron.tool.version";
pub const REGISTRY_VERSION: &str = "aileron.registry.version";
pub const OUTCOME: &str = "aileron.call.outcome";
pub const ATTEMPTS: &str = "aileron.call.attempts";
pub const OVER_BUDGET: &str = "aileron.call.over_budget";

/// The event of each policy that a call met, with its attributes.
pub const POLICY_EVENT: &str = "aileron.policy";
pub const POLICY_NAME: &str = "aileron.policy.name";
pub const POLICY_RESULT: &str = "aileron.policy.result";
pub const POLICY_USED: &str = "aileron.policy.used";
pub const POLICY_LIMIT: &str = "aileron.policy.limit";
pub const POLICY_UNIT: &str = "aileron.policy.unit";

/// The event of a handler that begins to run.
pub const STARTED_EVENT: &str = "aileron.call.started";
pub const CONFIRMATION_REQUESTED_EVENT: &str = "aileron.confirmation.requested";
pub const CONFIRMATION_CLOSED_EVENT: &str = "aileron.confirmation.closed";
pub const CONFIRMATION_OUTCOME: &str = "aileron.confirmation.outcome";

/// The name that the conventions have for a provider of ours.
pub fn provider(name: &str) -> &str {
    match name {
        "gemini" => "gcp.gemini",
        "openai" | "openai_chat" | "openai_responses" => "openai",
        other => other,
    }
}
