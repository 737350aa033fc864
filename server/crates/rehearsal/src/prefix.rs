//! Request as a chain of units (tools, system blocks, message blocks), each with a hash over
//! everything up to it: the basis of the prompt cache and of signed thinking.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::{history::Role, request::Request, tokens, ttl::Ttl};

/// Hash over everything up to and including a unit.
pub(crate) type Hash = [u8; 32];

/// One unit of the prompt.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Unit {
    /// Hash for the cache, which includes the settings that invalidate it.
    pub(crate) hash: Hash,
    /// Tokens of this unit alone.
    pub(crate) tokens: u64,
    pub(crate) breakpoint: Option<Ttl>,
}

/// The whole prompt of a request.
#[derive(Debug, Clone)]
pub(crate) struct Prefix {
    pub(crate) units: Vec<Unit>,
    /// The content before each block of each turn, over which its thinking was signed.
    pub(crate) before: Vec<Vec<Chain>>,
    /// The content of the whole request.
    pub(crate) end: Chain,
}

impl Prefix {
    /// Tokens of the whole prompt.
    pub(crate) fn tokens(&self) -> u64 {
        self.units.iter().map(|unit| unit.tokens).sum()
    }
}

/// A running hash over content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chain(Hash);

impl Chain {
    fn start(seed: &str) -> Self {
        Self(Sha256::digest(seed).into())
    }

    fn push(&mut self, level: &str, text: &str) {
        let mut hasher = Sha256::new();
        hasher.update(self.0);
        hasher.update(level);
        hasher.update([0]);
        hasher.update(text);
        self.0 = hasher.finalize().into();
    }

    /// Adds a block of a message.
    pub(crate) fn push_block(&mut self, role: Role, block: &Value) {
        self.push(role.as_str(), &canonical(block).to_string());
    }

    pub(crate) fn hash(&self) -> &Hash {
        &self.0
    }
}

/// Hashes a request.
pub(crate) fn of(request: &Request) -> Prefix {
    let mut content = Chain::start("content");
    let mut cache = Chain::start(request.model.id);
    let mut units = Vec::new();
    let mut add = |content: &mut Chain, cache: &mut Chain, level: &str, value: &Value| {
        let text = canonical(value).to_string();
        content.push(level, &text);
        cache.push(level, &text);
        units.push(Unit {
            hash: cache.0,
            tokens: tokens::of_text(&text),
            breakpoint: value
                .get("cache_control")
                .filter(|m| !m.is_null())
                .map(Ttl::of),
        });
    };
    for tool in &request.tools {
        add(&mut content, &mut cache, "tool", tool);
    }
    for block in &request.system {
        add(&mut content, &mut cache, "prompt", block);
    }
    // These change how the model treats messages, not the messages themselves.
    cache.push("settings", &request.message_settings().to_string());
    let mut before = Vec::new();
    for turn in &request.turns {
        let mut chains = Vec::new();
        for placed in &turn.blocks {
            chains.push(content);
            add(&mut content, &mut cache, turn.role.as_str(), &placed.block);
        }
        before.push(chains);
    }
    if let (Some(ttl), Some(last)) = (request.automatic_breakpoint, units.last_mut()) {
        last.breakpoint.get_or_insert(ttl);
    }
    Prefix {
        units,
        before,
        end: content,
    }
}

/// A block without everything that is not content: cache markers, and optional fields with default
/// values, which clients may add or drop when they send a block back.
pub(crate) fn canonical(block: &Value) -> Value {
    let Some(fields) = block.as_object() else {
        return block.clone();
    };
    let mut kept: Map<String, Value> = fields
        .iter()
        .filter(|(key, value)| *key != "cache_control" && !value.is_null())
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if kept.get("type").is_some_and(|kind| kind == "tool_result") {
        if kept.get("is_error").is_some_and(|error| error == false) {
            kept.remove("is_error");
        }
        let content = match kept.remove("content") {
            Some(Value::String(text)) => json!([{ "type": "text", "text": text }]),
            Some(Value::Array(items)) => items.iter().map(canonical).collect(),
            _ => json!([]),
        };
        kept.insert("content".to_owned(), content);
    }
    // The order of a block's own fields is up to the client; inside `input` or a schema it matters.
    let mut ordered: Vec<_> = kept.into_iter().collect();
    ordered.sort_by(|a, b| a.0.cmp(&b.0));
    Value::Object(ordered.into_iter().collect())
}
