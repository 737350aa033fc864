//! Catalogue of the models, with the limits of each.

use serde_json::{Value, json};

/// Kinds of thinking that a model accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Thinking {
    /// `adaptive` and `between_tools`; it cannot be turned off.
    Always,
    /// `adaptive` and `disabled`.
    Adaptive,
    /// `enabled` with a budget, and `disabled`.
    Manual,
}

/// Properties of a model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Model {
    pub(crate) id: &'static str,
    pub(crate) display_name: &'static str,
    /// Context window: tokens of input and output together.
    pub(crate) context: u64,
    /// Limit on the output, in tokens.
    pub(crate) max_output: u64,
    pub(crate) thinking: Thinking,
    /// Accepts `tool_choice` `any` and `tool`.
    pub(crate) forced_choice: bool,
    /// Accepts an assistant message at the end.
    pub(crate) prefill: bool,
    pub(crate) effort: bool,
    /// Accepts `role: system` inside messages.
    pub(crate) system_messages: bool,
    /// Rejects a thinking block if anything before it has changed.
    pub(crate) preserved_thinking: bool,
    /// Minimum length of a cached prefix, in tokens.
    pub(crate) cache_minimum: u64,
    /// Factor by which it writes faster than the configured pace.
    pub(crate) hurry: u32,
    created_at: &'static str,
}

const NEWEST: Model = Model {
    id: "rehearsal-1",
    display_name: "Rehearsal model",
    context: 200_000,
    max_output: 64_000,
    thinking: Thinking::Adaptive,
    forced_choice: false,
    prefill: false,
    effort: true,
    system_messages: true,
    preserved_thinking: true,
    cache_minimum: 512,
    hurry: 1,
    created_at: "2026-11-01T00:00:00Z",
};

/// Model that writes twice as fast and accepts no effort level.
const FAST: Model = Model {
    id: crate::FAST_MODEL,
    display_name: "Rehearsal model (fast)",
    context: 100_000,
    effort: false,
    hurry: 2,
    created_at: "2026-11-02T00:00:00Z",
    ..NEWEST
};

/// The vendor's ids, accepted in control mode only, so that the stand-in is never mistaken for
/// them.
const VENDOR: [Model; 6] = [
    Model {
        id: "claude-sonnet-5-5",
        display_name: "Claude Sonnet 5.5 (rehearsed)",
        context: 1_000_000,
        max_output: 128_000,
        thinking: Thinking::Always,
        ..NEWEST
    },
    Model {
        id: "claude-opus-5-5",
        display_name: "Claude Opus 5.5 (rehearsed)",
        context: 1_000_000,
        max_output: 128_000,
        thinking: Thinking::Always,
        ..NEWEST
    },
    Model {
        id: "claude-haiku-5-5",
        display_name: "Claude Haiku 5.5 (rehearsed)",
        context: 1_000_000,
        max_output: 128_000,
        forced_choice: true,
        ..NEWEST
    },
    Model {
        id: "claude-opus-4-8",
        display_name: "Claude Opus 4.8 (rehearsed)",
        context: 1_000_000,
        max_output: 128_000,
        forced_choice: true,
        preserved_thinking: false,
        cache_minimum: 1_024,
        ..NEWEST
    },
    Model {
        id: "claude-sonnet-4-6",
        display_name: "Claude Sonnet 4.6 (rehearsed)",
        context: 1_000_000,
        max_output: 128_000,
        forced_choice: true,
        system_messages: false,
        preserved_thinking: false,
        cache_minimum: 1_024,
        ..NEWEST
    },
    Model {
        id: "claude-haiku-4-5",
        display_name: "Claude Haiku 4.5 (rehearsed)",
        thinking: Thinking::Manual,
        forced_choice: true,
        prefill: true,
        effort: false,
        system_messages: false,
        preserved_thinking: false,
        cache_minimum: 4_096,
        ..NEWEST
    },
];

/// The available models, the default first.
pub(crate) fn models(control: bool) -> impl Iterator<Item = &'static Model> {
    static ALL: [Model; 8] = [
        NEWEST, FAST, VENDOR[0], VENDOR[1], VENDOR[2], VENDOR[3], VENDOR[4], VENDOR[5],
    ];
    ALL.iter().take(if control { ALL.len() } else { 2 })
}

/// A model by id.
pub(crate) fn find(id: &str, control: bool) -> Option<&'static Model> {
    models(control).find(|model| model.id == id)
}

impl Model {
    /// The model as returned by the models endpoint.
    pub(crate) fn to_json(self) -> Value {
        let supported = |yes: bool| json!({ "supported": yes });
        json!({
            "type": "model",
            "id": self.id,
            "display_name": self.display_name,
            "created_at": self.created_at,
            "lifecycle": "active",
            "line": null,
            "deprecated_at": null,
            "retires_at": null,
            "max_input_tokens": self.context,
            "max_tokens": self.max_output,
            "capabilities": {
                "batch": supported(false),
                "citations": supported(false),
                "code_execution": supported(false),
                "context_management": {
                    "supported": false,
                    "clear_thinking_20251015": supported(false),
                    "clear_tool_uses_20250919": supported(false),
                    "compact_20260112": supported(false),
                },
                "effort": {
                    "supported": self.effort,
                    "low": supported(self.effort),
                    "medium": supported(self.effort),
                    "high": supported(self.effort),
                    "xhigh": supported(self.effort),
                    "max": supported(self.effort),
                },
                "image_input": supported(true),
                "pdf_input": supported(false),
                "server_tools": {
                    "supported": false,
                    "code_execution": supported(false),
                    "web_search": supported(false),
                },
                "structured_outputs": supported(false),
                "thinking": {
                    "supported": true,
                    "types": {
                        "adaptive": supported(self.thinking != Thinking::Manual),
                        "between_tools": supported(self.thinking == Thinking::Always),
                        "disabled": supported(self.thinking != Thinking::Always),
                        "enabled": supported(self.thinking == Thinking::Manual),
                    },
                },
            },
        })
    }
}
