//! OpenTelemetry's names. Those for generative models are in development: a change there is a change here.

/// Names of attributes.
pub mod attribute {
    /// One of [`super::operation`].
    pub const OPERATION: &str = "gen_ai.operation.name";
    pub const PROVIDER: &str = "gen_ai.provider.name";
    pub const AGENT: &str = "gen_ai.agent.name";
    pub const CONVERSATION: &str = "gen_ai.conversation.id";
    pub const REQUEST_MODEL: &str = "gen_ai.request.model";
    pub const REQUEST_MAX_TOKENS: &str = "gen_ai.request.max_tokens";
    /// The model that answered, as the vendor calls it.
    pub const RESPONSE_MODEL: &str = "gen_ai.response.model";
    /// The vendor's id of the answer, which is not that of the request.
    pub const RESPONSE_ID: &str = "gen_ai.response.id";
    pub const FINISH_REASONS: &str = "gen_ai.response.finish_reasons";
    /// Seconds.
    pub const TIME_TO_FIRST_CHUNK: &str = "gen_ai.response.time_to_first_chunk";
    /// All of them, with those of the cache.
    pub const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
    pub const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
    pub const CACHE_READ_TOKENS: &str = "gen_ai.usage.cache_read.input_tokens";
    pub const CACHE_WRITE_TOKENS: &str = "gen_ai.usage.cache_write.input_tokens";
    pub const TOOL_NAME: &str = "gen_ai.tool.name";
    pub const TOOL_CALL: &str = "gen_ai.tool.call.id";
    pub const TOOL_TYPE: &str = "gen_ai.tool.type";
    /// One of [`super::mcp_method`].
    pub const MCP_METHOD: &str = "mcp.method.name";
    /// A host name or an address.
    pub const SERVER: &str = "server.address";
    pub const ERROR: &str = "error.type";
    pub const HTTP_METHOD: &str = "http.request.method";
    pub const HTTP_ROUTE: &str = "http.route";
    pub const HTTP_STATUS: &str = "http.response.status_code";
}

/// Values of [`attribute::TOOL_TYPE`].
pub mod tool_type {
    /// The model writes the input, and its client runs the tool.
    pub const FUNCTION: &str = "function";
}

/// Values of [`attribute::MCP_METHOD`], with which the names of such spans begin.
pub mod mcp_method {
    pub const CALL: &str = "tools/call";
}

/// Values of [`attribute::ERROR`] that the conventions name.
pub mod error_type {
    /// A server's own answer says that its tool has failed.
    pub const TOOL: &str = "tool_error";
}

/// Values of [`attribute::OPERATION`], with which the names of such spans begin.
pub mod operation {
    pub const CHAT: &str = "chat";
    pub const AGENT: &str = "invoke_agent";
    pub const TOOL: &str = "execute_tool";
}
