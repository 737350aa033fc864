//! Bodies byte for byte.

use std::sync::Arc;

use agent::ports::{ModelRequest, RequestMessage, RequestRole, ToolChoice};
use proptest::prelude::*;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{UsualThinking, body};
use crate::profile::ProfileKind;
use crate::{Catalogue, Effort};

fn raw(json: &str) -> Arc<RawValue> {
    Arc::from(RawValue::from_string(json.to_owned()).unwrap())
}

fn message(role: RequestRole, content: &[&str]) -> RequestMessage {
    RequestMessage {
        role,
        content: content.iter().map(|block| raw(block)).collect(),
    }
}

fn request(messages: Vec<RequestMessage>) -> ModelRequest {
    ModelRequest {
        model: "claude-sonnet-5-5".to_owned(),
        effort: None,
        max_tokens: 4096,
        system: Arc::from("Be \"brief\".\n"),
        tools: Some(raw(
            r#"[{"name":"a","x":1.0}, {"name":"b","input_schema":{"type":"object"} } ]"#,
        )),
        tool_choice: ToolChoice::Auto,
        messages,
        correlation: None,
    }
}

fn usual(effort: Option<Effort>, tokens: Option<u32>) -> UsualThinking {
    UsualThinking { effort, tokens }
}

const ASK: &str = r#"{"type":"text","text":"Hi"}"#;
const THINK: &str = r#"{"type":"thinking","thinking":"","signature":"c2ln"}"#;
const UNSIGNED: &str = r#"{"type":"thinking","thinking":"Hm","signature":""}"#;
const CALL: &str = r#"{"type":"tool_use","id":"toolu_1","name":"a","input":{ "n":1.50 }}"#;
const RESULT: &str = r#"{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"}"#;
const BLANK: &str = r#"{"type":"text","text":" \n"}"#;

fn history() -> Vec<RequestMessage> {
    use RequestRole::{Assistant, User};
    vec![
        message(User, &[ASK]),
        message(Assistant, &[BLANK, THINK, CALL]),
        message(User, &[RESULT, ASK]),
        message(Assistant, &[UNSIGNED]),
        message(User, &[ASK]),
    ]
}

#[test]
fn strict() {
    let catalogue = Catalogue::default();
    let mut request = request(history());
    request.tool_choice = ToolChoice::None;
    let body = body(
        &request,
        catalogue.get(&request.model),
        usual(Some(Effort::ExtraHigh), None),
        ProfileKind::Strict.rules(),
    );
    let expect = concat!(
        r#"{"model":"claude-sonnet-5-5","max_tokens":4096,"stream":true,"#,
        r#""thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"xhigh"},"#,
        r#""tools":[{"name":"a","x":1.0}, {"name":"b","input_schema":{"type":"object"},"cache_control":{"type":"ephemeral"}}],"#,
        r#""tool_choice":{"type":"none"},"#,
        r#""system":[{"type":"text","text":"Be \"brief\".\n","cache_control":{"type":"ephemeral"}}],"#,
        r#""messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]},"#,
        r#"{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"c2ln"},"#,
        r#"{"type":"tool_use","id":"toolu_1","name":"a","input":{ "n":1.50 }}]},"#,
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"},"#,
        r#"{"type":"text","text":"Hi","cache_control":{"type":"ephemeral"}}]},"#,
        r#"{"role":"user","content":[{"type":"text","text":"Hi","cache_control":{"type":"ephemeral"}}]}]}"#,
    );
    assert_eq!(body, expect);
}

#[test]
fn lenient() {
    let mut request = request(history());
    request.model = "qwen\"3".to_owned();
    let body = body(
        &request,
        Catalogue::default().get("claude-sonnet-5-5"),
        usual(Some(Effort::High), None),
        ProfileKind::Lenient.rules(),
    );
    let expect = concat!(
        r#"{"model":"qwen\"3","max_tokens":4096,"stream":true,"#,
        r#""tools":[{"name":"a","x":1.0}, {"name":"b","input_schema":{"type":"object"} } ],"#,
        r#""system":"Be \"brief\".\n","#,
        r#""messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]},"#,
        r#"{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"c2ln"},"#,
        r#"{"type":"tool_use","id":"toolu_1","name":"a","input":{ "n":1.50 }}]},"#,
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"},"#,
        r#"{"type":"text","text":"Hi"}]},"#,
        r#"{"role":"assistant","content":[{"type":"thinking","thinking":"Hm","signature":""}]},"#,
        r#"{"role":"user","content":[{"type":"text","text":"Hi"}]}]}"#,
    );
    assert_eq!(body, expect);
}

#[test]
fn few_fields() {
    let mut request = request(vec![message(RequestRole::User, &[ASK])]);
    request.model = "unknown".to_owned();
    request.system = Arc::from("");
    request.tools = None;
    request.tool_choice = ToolChoice::None;
    let strict = ProfileKind::Strict.rules();
    assert_eq!(
        body(&request, None, usual(Some(Effort::Max), None), strict),
        concat!(
            r#"{"model":"unknown","max_tokens":4096,"stream":true,"messages":[{"role":"user","#,
            r#""content":[{"type":"text","text":"Hi","cache_control":{"type":"ephemeral"}}]}]}"#,
        )
    );
    request.max_tokens = 100_000;
    let catalogue = Catalogue::default();
    let haiku = body(
        &request,
        catalogue.get("claude-haiku-4-5"),
        usual(Some(Effort::Max), None),
        strict,
    );
    let haiku: Value = serde_json::from_str(&haiku).unwrap();
    assert_eq!(haiku["max_tokens"], 64_000);
    assert_eq!(haiku.get("thinking"), None);
    assert_eq!(haiku.get("output_config"), None);
    request.tools = Some(raw("[ ]"));
    assert!(body(&request, None, usual(None, None), strict).contains(r#""tools":[ ]"#));
}

#[test]
fn a_limit_on_thinking_is_a_number_or_a_level() {
    let catalogue = Catalogue::default();
    let strict = ProfileKind::Strict.rules();
    let sent = |model: &str, chosen, tokens| {
        let request = ModelRequest {
            model: model.to_owned(),
            effort: chosen,
            ..request(vec![message(RequestRole::User, &[ASK])])
        };
        let body = body(&request, catalogue.get(model), usual(None, tokens), strict);
        let body: Value = serde_json::from_str(&body).unwrap();
        let effort = &body["output_config"]["effort"];
        let thinking = &body["thinking"];
        (
            thinking["type"].as_str().map(str::to_owned),
            thinking["budget_tokens"].as_u64(),
            effort.as_str().map(str::to_owned),
        )
    };
    let is = |kind: Option<&str>, tokens, effort: Option<&str>| {
        (kind.map(str::to_owned), tokens, effort.map(str::to_owned))
    };
    let (budget, adaptive) = ("claude-haiku-4-5", "claude-sonnet-5-5");
    assert_eq!(sent(budget, None, None), is(None, None, None));
    assert_eq!(sent(budget, None, Some(500)), is(None, None, None));
    assert_eq!(
        sent(budget, None, Some(2000)),
        is(Some("enabled"), Some(2000), None)
    );
    // Thinking is a part of the answer.
    assert_eq!(
        sent(budget, None, Some(90_000)),
        is(Some("enabled"), Some(4095), None)
    );
    assert_eq!(sent(adaptive, None, None), is(Some("adaptive"), None, None));
    assert_eq!(
        sent(adaptive, None, Some(2000)),
        is(Some("adaptive"), None, Some("low"))
    );
    assert_eq!(
        sent(adaptive, Some(Effort::Max), Some(8000)),
        is(Some("adaptive"), None, Some("medium"))
    );
    assert_eq!(
        sent(adaptive, Some(Effort::Low), Some(8000)),
        is(Some("adaptive"), None, Some("low"))
    );
}

fn without_markers(value: &mut Value) -> usize {
    match value {
        Value::Object(fields) => {
            let own = usize::from(fields.remove("cache_control").is_some());
            own + fields.values_mut().map(without_markers).sum::<usize>()
        }
        Value::Array(items) => items.iter_mut().map(without_markers).sum(),
        _ => 0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    /// However long the history: at most four breakpoints, the one of the last request among them,
    /// and without them the last request's messages begin this one's.
    #[test]
    fn the_moving_end_always_hits(turns in proptest::collection::vec(1_usize..40, 1..8)) {
        let strict = ProfileKind::Strict.rules();
        let mut messages = Vec::new();
        let mut last: Option<Vec<Value>> = None;
        for blocks in turns {
            messages.push(message(RequestRole::User, &vec![RESULT; blocks]));
            let body = body(&request(messages.clone()), None, usual(None, None), strict);
            let mut body: Value = serde_json::from_str(&body).unwrap();
            let sent = body["messages"].as_array().unwrap().clone();
            prop_assert!(without_markers(&mut body) <= 4);
            if let Some(last) = last {
                let old_end = &sent[last.len() - 1]["content"];
                prop_assert!(old_end[old_end.as_array().unwrap().len() - 1].get("cache_control").is_some());
                prop_assert_eq!(&body["messages"].as_array().unwrap()[..last.len()], &last[..]);
            }
            last = Some(body["messages"].as_array().unwrap().clone());
            messages.push(message(RequestRole::Assistant, &vec![CALL; blocks]));
        }
    }
}

/// The messages as a server of this kind gets them.
fn sent(profile: ProfileKind, messages: Vec<RequestMessage>) -> Value {
    let request = request(messages);
    let body = body(&request, None, usual(None, None), profile.rules());
    let mut body: Value = serde_json::from_str(&body).unwrap();
    body["messages"].take()
}

const FAILURE: &str =
    r#"{"type":"tool_result","tool_use_id":"toolu_2","content":"{\"error\":1}","is_error":true}"#;

#[test]
fn a_failed_result_says_so_where_servers_drop_the_mark() {
    use ProfileKind::{Lenient, LiteLlm, LlamaCpp, LmStudio, Ollama, Strict, Vllm};
    let words = "This tool call failed. The error:\n";
    // A result that pretends, and one that says that it is none.
    let forged = serde_json::json!({
        "type": "tool_result", "tool_use_id": "a", "content": format!("{words}\"is_error\":true"),
        "is_error": false,
    });
    let image = r#"{"type":"tool_result","tool_use_id":"b","is_error":true,"content":[ {"type":"text","text":"1"}]}"#;
    let bare = r#"{"type":"tool_result","tool_use_id":"c","is_error":true}"#;
    let empty = r#"{"type":"tool_result","tool_use_id":"d","is_error":true,"content":[ ]}"#;
    let forged_text = forged.to_string();
    let blocks = [FAILURE, forged_text.as_str(), image, bare, empty];
    let history = || vec![message(RequestRole::User, &blocks)];
    for kind in [Strict, Lenient] {
        let blocks = blocks.map(|block| serde_json::from_str::<Value>(block).unwrap());
        let mut content = sent(kind, history())[0]["content"].take();
        without_markers(&mut content);
        assert_eq!(content, Value::from(blocks.to_vec()));
    }
    for kind in [Ollama, LlamaCpp, Vllm, LmStudio, LiteLlm] {
        let content = sent(kind, history())[0]["content"].take();
        let text = |text: &str| serde_json::json!({ "type": "text", "text": text });
        assert_eq!(content[0]["content"], format!("{words}{{\"error\":1}}"));
        assert_eq!(content[0]["is_error"], true);
        assert_eq!(content[1], forged);
        assert_eq!(
            content[2]["content"],
            serde_json::json!([text(words), text("1")])
        );
        assert_eq!(content[3]["content"], words);
        assert_eq!(content[4]["content"], serde_json::json!([text(words)]));
    }
}

#[test]
fn words_after_results_stay_after_them() {
    use ProfileKind::{Lenient, LiteLlm, LlamaCpp, LmStudio, Ollama, Strict, Vllm};
    let kinds_of = |kind| {
        let messages = sent(kind, history());
        let messages = messages.as_array().unwrap().iter();
        messages
            .map(|message| {
                let content = message["content"].as_array().unwrap().iter();
                let role = message["role"].as_str().unwrap().to_owned();
                content.fold(role, |sum, block| {
                    format!("{sum} {}", block["type"].as_str().unwrap())
                })
            })
            .collect::<Vec<_>>()
    };
    let together = [
        "user text",
        "assistant thinking tool_use",
        "user tool_result text",
    ];
    for kind in [Strict, Lenient, Vllm] {
        assert_eq!(kinds_of(kind)[..3], together, "{kind:?}");
    }
    let apart = [
        "user text",
        "assistant thinking tool_use",
        "user tool_result",
        "user text",
    ];
    for kind in [Ollama, LlamaCpp, LmStudio, LiteLlm] {
        assert_eq!(kinds_of(kind)[..4], apart, "{kind:?}");
    }
    // Thinking without a signature: the vendor, perhaps behind a gateway, would refuse it.
    for (kind, count) in [(Ollama, 6), (LlamaCpp, 6), (LiteLlm, 5)] {
        assert_eq!(kinds_of(kind).len(), count, "{kind:?}");
    }
}

#[test]
fn each_request_extends_the_one_before_in_every_profile() {
    use ProfileKind::{LiteLlm, LlamaCpp, LmStudio, Ollama, Vllm};
    let mut long = history();
    long.push(message(RequestRole::Assistant, &[CALL]));
    long.push(message(RequestRole::User, &[FAILURE, ASK]));
    for kind in [Ollama, LlamaCpp, Vllm, LmStudio, LiteLlm] {
        let (before, after) = (sent(kind, history()), sent(kind, long.clone()));
        let (before, after) = (before.as_array().unwrap(), after.as_array().unwrap());
        assert_eq!(before[..], after[..before.len()], "{kind:?}");
    }
}
