//! Reading lists of conversations and search results.

use serde_json::Value;

use super::FromJson;
use crate::{
    Before, CodeSpan, ConversationPage, ConversationSummary, HistoryPage, NewShare, OwnCall,
    Prompt, SearchHit, SearchPage, SearchSpan, Share, SharedBy, Shelf, WaitingCall,
    struct_from_json,
};

struct_from_json!(ConversationPage {
    summary,
    events,
    head,
    next,
    forks,
    before,
    window,
    shared
});
struct_from_json!(Share { id, made, expires });
struct_from_json!(NewShare { token, share });
struct_from_json!(SharedBy { name, made, at });
struct_from_json!(Before {
    seq,
    events,
    usage,
    cost
});
struct_from_json!(HistoryPage {
    after,
    events,
    late
});
struct_from_json!(ConversationSummary {
    id,
    title,
    model,
    mode,
    created,
    updated,
    messages,
    usage,
    cost,
    running,
    waiting,
    from,
    action,
    shelf,
    imported,
    family,
    unread,
});
struct_from_json!(WaitingCall {
    call,
    sentence,
    expires
});
struct_from_json!(OwnCall { tool, input });
struct_from_json!(CodeSpan { kind, bytes });
struct_from_json!(Prompt { name, text });
struct_from_json!(SearchPage { hits, more });
struct_from_json!(SearchHit {
    conversation,
    title,
    at,
    seq,
    message,
    block,
    shelf,
    spans,
});
struct_from_json!(SearchSpan { text, marked });

impl FromJson for Shelf {
    fn from_json(json: Value) -> Option<Self> {
        match json {
            // Omitted for a conversation that is sorted by its date.
            Value::Null => Some(Self::default()),
            json => json.as_str().map(Self::from_word),
        }
    }
}
