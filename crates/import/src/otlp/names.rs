//! The names that one thing has in the conventions that there are, newest first.
//!
//! `GenAI` (OpenTelemetry, old and new), `OpenInference`, Vercel's AI SDK, Traceloop, Langfuse, `LangSmith`, Logfire, Google's ADK.

use super::span::Span;

pub(super) type Names = &'static [&'static str];

/// Who the conversation is; the first that a span has names its session.
pub(super) const CONVERSATION: Names = &[
    "gen_ai.conversation.id",
    "session.id",
    "conversation.id",
    "ai.telemetry.metadata.sessionId",
    "ai.telemetry.metadata.conversationId",
    "ai.telemetry.metadata.threadId",
    "langfuse.session.id",
    "langsmith.trace.session_id",
    "langsmith.metadata.thread_id",
    "traceloop.association.properties.session_id",
    "traceloop.association.properties.conversation_id",
    "traceloop.association.properties.thread_id",
    "gcp.vertex.agent.session_id",
    "langgraph.thread_id",
    "gen_ai.thread.id",
    "conversation_id",
    "session_id",
    "thread_id",
];
pub(super) const AGENT: Names = &[
    "gen_ai.agent.name",
    "agent.name",
    "agent_name",
    "langfuse.observation.metadata.agent",
    "ai.telemetry.functionId",
];
pub(super) const AGENT_ID: Names = &["gen_ai.agent.id", "agent.id"];
pub(super) const WORKFLOW: Names = &["gen_ai.workflow.name", "traceloop.workflow.name", "workflow.name"];
pub(super) const MODEL: Names = &[
    "gen_ai.response.model",
    "ai.response.model",
    "gen_ai.request.model",
    "llm.model_name",
    "ai.model.id",
    "embedding.model_name",
    "reranker.model_name",
    "llm.request.model",
    "langfuse.observation.model.name",
    "model_name",
    "model",
];
pub(super) const RESPONSE: Names = &["gen_ai.response.id", "ai.response.id", "llm.response.id"];
pub(super) const STOP: Names =
    &["gen_ai.response.finish_reasons", "ai.response.finishReason", "llm.finish_reason"];

pub(super) const INPUT_TOKENS: Names = &[
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.token_count.prompt",
    "ai.usage.inputTokens",
    "ai.usage.promptTokens",
    "llm.usage.prompt_tokens",
    "ai.usage.tokens",
    "input_tokens",
    "input_token_count",
];
pub(super) const OUTPUT_TOKENS: Names = &[
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.token_count.completion",
    "ai.usage.outputTokens",
    "ai.usage.completionTokens",
    "llm.usage.completion_tokens",
    "output_tokens",
    "output_token_count",
];
pub(super) const CACHED_TOKENS: Names = &[
    "gen_ai.usage.cache_read.input_tokens",
    "gen_ai.usage.cache_read_input_tokens",
    "gen_ai.usage.details.cache_read_tokens",
    "gen_ai.usage.cached_tokens",
    "llm.token_count.prompt_details.cache_read",
    "ai.usage.cachedInputTokens",
    "cache_read_tokens",
    "cache_read_input_tokens",
    "cached_token_count",
    "cached_content_token_count",
];
pub(super) const WRITTEN_TOKENS: Names = &[
    "gen_ai.usage.cache_write.input_tokens",
    "gen_ai.usage.cache_creation.input_tokens",
    "gen_ai.usage.cache_creation_input_tokens",
    "gen_ai.usage.details.cache_write_tokens",
    "llm.token_count.prompt_details.cache_write",
    "cache_creation_tokens",
    "cache_creation_input_tokens",
];
pub(super) const REASONING_TOKENS: Names = &[
    "gen_ai.usage.reasoning.output_tokens",
    "gen_ai.usage.reasoning_tokens",
    "gen_ai.usage.details.reasoning_tokens",
    "llm.token_count.completion_details.reasoning",
    "ai.usage.reasoningTokens",
    "reasoning_token_count",
    "thoughts_token_count",
];

pub(super) const TOOL: Names = &[
    "gen_ai.tool.name",
    "tool.name",
    "ai.toolCall.name",
    "mcp.tool.name",
    "traceloop.entity.name",
    "tool_name",
    "function_name",
];
pub(super) const CALL: Names =
    &["gen_ai.tool.call.id", "tool.id", "tool_call.id", "ai.toolCall.id", "tool_use_id", "call_id"];
pub(super) const ARGUMENTS: Names = &[
    "gen_ai.tool.call.arguments",
    "tool_arguments",
    "ai.toolCall.args",
    "tool.parameters",
    "gcp.vertex.agent.tool_call_args",
    "langfuse.observation.input",
    "traceloop.entity.input",
    "input.value",
    "function_args",
    "arguments",
    "tool_parameters",
    "tool_input",
];
pub(super) const RESULT: Names = &[
    "gen_ai.tool.call.result",
    "tool_response",
    "ai.toolCall.result",
    "gcp.vertex.agent.tool_response",
    "langfuse.observation.output",
    "traceloop.entity.output",
    "output.value",
    "output",
];

/// Lists of what was said to a model: as a value, or in pieces below a name.
pub(super) const SAID: Names = &[
    "gen_ai.input.messages",
    "ai.prompt.messages",
    "gen_ai.prompt",
    "gcp.vertex.agent.llm_request",
    "ai.prompt",
];
pub(super) const SAID_PIECES: Names = &["llm.input_messages.", "gen_ai.prompt.", "llm.prompts."];
/// Lists of what a model said.
pub(super) const ANSWERED: Names =
    &["gen_ai.output.messages", "gen_ai.completion", "gcp.vertex.agent.llm_response"];
pub(super) const ANSWERED_PIECES: Names = &["llm.output_messages.", "gen_ai.completion.", "llm.choices."];
/// What frameworks say of any span; a model's if nothing better is there.
pub(super) const INPUT: Names = &["langfuse.observation.input", "traceloop.entity.input", "input.value"];
pub(super) const OUTPUT: Names =
    &["langfuse.observation.output", "traceloop.entity.output", "output.value", "final_result"];
/// Whole conversations, told once more at the end of an agent's run.
pub(super) const HISTORY: Names = &["pydantic_ai.all_messages", "all_messages_events", "all_messages"];
pub(super) const INSTRUCTIONS: Names = &["gen_ai.system_instructions", "gen_ai.system.instructions"];

/// What a span is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Chat,
    Embedding,
    Tool,
    Retrieval,
    Agent,
    /// An agent is made, not run.
    Creation,
    Turn,
    Plan,
    Handoff,
    Other,
}

/// Words of every convention, each with what it means.
const WORDS: &[(&str, Class)] = &[
    ("chat", Class::Chat),
    ("generate_content", Class::Chat),
    ("text_completion", Class::Chat),
    ("completion", Class::Chat),
    ("generation", Class::Chat),
    ("llm", Class::Chat),
    ("embeddings", Class::Embedding),
    ("embedding", Class::Embedding),
    ("execute_tool", Class::Tool),
    ("tool", Class::Tool),
    ("tools/call", Class::Tool),
    ("retrieval", Class::Retrieval),
    ("retriever", Class::Retrieval),
    ("reranker", Class::Retrieval),
    ("rerank", Class::Retrieval),
    ("invoke_agent", Class::Agent),
    ("agent", Class::Agent),
    ("create_agent", Class::Creation),
    ("invoke_workflow", Class::Turn),
    ("workflow", Class::Turn),
    ("task", Class::Turn),
    ("chain", Class::Turn),
    ("plan", Class::Plan),
    ("handoff", Class::Handoff),
];

/// What a span is about, by whatever says so.
pub(super) fn class(span: &Span) -> Class {
    const SAYS: Names = &[
        "gen_ai.operation.name",
        "openinference.span.kind",
        "traceloop.span.kind",
        "langfuse.observation.type",
        "langsmith.span.kind",
        "llm.request.type",
        "mcp.method.name",
        "span.type",
    ];
    let word = |text: &str| {
        let text = text.to_ascii_lowercase();
        WORDS.iter().find(|(word, _)| *word == text).map(|(_, class)| *class)
    };
    let said = SAYS.iter().filter_map(|name| span.text(&[name])).find_map(word);
    said.or_else(|| vercel(span.text(&["ai.operationId"])?)).unwrap_or_else(|| guess(span))
}

/// `ai.generateText` is the loop, `ai.generateText.doGenerate` one call of the model.
fn vercel(operation: &str) -> Option<Class> {
    let operation = operation.strip_prefix("ai.")?;
    Some(match operation {
        "toolCall" => Class::Tool,
        _ if operation.starts_with("embed") && operation.contains(".do") => Class::Embedding,
        _ if operation.contains(".do") => Class::Chat,
        _ => Class::Turn,
    })
}

/// Without a word that says so: by what it has.
fn guess(span: &Span) -> Class {
    let has = |names: Names| names.iter().any(|name| span.attributes.contains_key(*name));
    let model = has(&[
        "gen_ai.request.model",
        "gen_ai.response.model",
        "llm.model_name",
        "gcp.vertex.agent.llm_request",
    ]);
    let claude = |end: &str| span.name.strip_prefix("claude_code.").is_some_and(|name| name == end);
    if model || claude("llm_request") {
        Class::Chat
    } else if has(&["gen_ai.tool.name", "gen_ai.tool.call.id", "gcp.vertex.agent.tool_call_args"])
        || claude("tool")
    {
        Class::Tool
    } else if claude("interaction") {
        Class::Turn
    } else {
        Class::Other
    }
}

/// The name of the tool that a span runs.
pub(super) fn skill(span: &Span, class: Class) -> String {
    let named = span.text(TOOL).map(str::to_owned);
    let of_name = || span.name.split_once("execute_tool ").map(|(_, name)| name.to_owned());
    named.or_else(of_name).unwrap_or_else(|| match class {
        Class::Retrieval => "retrieve".to_owned(),
        _ => span.name.clone(),
    })
}

/// True if a span says what a model was asked or what it answered.
pub(super) fn has_content(span: &Span) -> bool {
    let mut whole = SAID.iter().chain(ANSWERED).chain(INPUT).chain(OUTPUT);
    let pieces = || SAID_PIECES.iter().chain(ANSWERED_PIECES).chain(&["ai.response."]);
    whole.any(|name| span.attributes.contains_key(*name))
        || pieces().any(|prefix| span.attributes.keys().any(|name| name.starts_with(prefix)))
        || span.events.iter().any(|event| event.name.starts_with("gen_ai."))
}

/// Who the conversation is, if the attributes say so; some put it into a text of metadata.
pub(super) fn conversation(attributes: &serde_json::Map<String, serde_json::Value>) -> Option<String> {
    let text = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) if !text.is_empty() => Some(text.clone()),
        serde_json::Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    CONVERSATION.iter().find_map(|name| text(attributes.get(*name)?)).or_else(|| {
        let metadata = crate::speech::unwrapped(attributes.get("metadata")?.clone());
        ["thread_id", "session_id", "conversation_id"].iter().find_map(|name| text(metadata.get(*name)?))
    })
}
