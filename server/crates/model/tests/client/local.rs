//! Each profile against a server with the quirks of its kind.

use std::sync::Arc;

use agent::ports::{
    Model as _, ModelErrorKind, ModelEvent, ModelReply, ModelRequest, RequestMessage, RequestRole,
};
use model::ProfileKind::{self, LiteLlm, LlamaCpp, LmStudio, Ollama, Vllm};
use protocol::{StopReason, Usage};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use crate::local_server::{LOCAL_MODEL, LocalQuirks, LocalServer};
use crate::support::{client, request, rest};

const LOCAL: [ProfileKind; 5] = [Ollama, LlamaCpp, Vllm, LmStudio, LiteLlm];

fn user(blocks: &[serde_json::Value]) -> RequestMessage {
    let blocks = blocks.iter().map(|block| to_raw_value(block).unwrap());
    RequestMessage {
        role: RequestRole::User,
        content: blocks.map(Arc::<RawValue>::from).collect(),
    }
}

fn says(text: &str) -> serde_json::Value {
    json!({ "type": "text", "text": text })
}

fn about_dials(messages: Vec<RequestMessage>) -> ModelRequest {
    let tools = json!([{ "name": "read_dial", "input_schema": { "type": "object" } }]);
    ModelRequest {
        model: LOCAL_MODEL.to_owned(),
        tools: Some(Arc::from(to_raw_value(&tools).unwrap())),
        max_tokens: 1000,
        messages,
        ..request()
    }
}

async fn reply(client: &model::Client, request: ModelRequest) -> ModelReply {
    let (mut events, error) = rest(&mut client.ask(request)).await;
    assert!(error.is_none(), "{error:?}");
    match events.pop() {
        Some(ModelEvent::Finished(reply)) => reply,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_failed_call_and_the_words_after_it_reach_every_local_model() {
    for kind in LOCAL {
        let server = LocalServer::start(LocalQuirks::of(kind)).await;
        let client = client(server.config());
        let first = user(&[says("Read the dial \"north\".")]);
        let called = reply(&client, about_dials(vec![first.clone()])).await;
        assert_eq!(called.stop, StopReason::ToolUse, "{kind:?}");
        let call: serde_json::Value =
            serde_json::from_str(called.content.last().unwrap().get()).unwrap();
        assert_eq!(call["input"]["dial"], "north", "{kind:?}");
        let answer = RequestMessage {
            role: RequestRole::Assistant,
            content: called.content.clone(),
        };
        let result = json!({
            "type": "tool_result", "tool_use_id": call["id"], "content": "\"out of order\"",
            "is_error": true,
        });
        let last = user(&[result, says("And now?")]);
        reply(&client, about_dials(vec![first, answer, last])).await;
        let prompt = server.prompt();
        let [.., failed, words] = &prompt[..] else {
            panic!("{prompt:?}");
        };
        assert!(
            failed.starts_with("tool: This tool call failed.")
                && failed.ends_with("\"out of order\""),
            "{kind:?}: {prompt:?}"
        );
        assert_eq!(words, "user: And now?", "{kind:?}");
    }
}

#[tokio::test]
async fn no_local_model_gets_a_prompt_that_its_server_would_cut() {
    for kind in LOCAL {
        let server = LocalServer::start(LocalQuirks::of(kind)).await;
        let client = client(server.config());
        // About 3,000 tokens by our count: there is room for a shorter answer.
        let fits = user(&[says(&"word ".repeat(1_800))]);
        let short = ModelRequest {
            tools: None,
            max_tokens: 8_000,
            ..about_dials(vec![fits])
        };
        reply(&client, short.clone()).await;
        assert_eq!(server.prompt()[0], "system: Be brief.", "{kind:?}");
        assert_eq!(client.context_window(LOCAL_MODEL).await, Some(4096));
        let asked = server.paths();
        assert_eq!(asked.last().map(String::as_str), Some("/v1/messages"));

        let long = ModelRequest {
            messages: vec![user(&[says(&"word ".repeat(3_000))])],
            ..short
        };
        let (events, error) = rest(&mut client.ask(long)).await;
        assert!(events.is_empty());
        let error = error.unwrap();
        assert_eq!(error.kind, ModelErrorKind::ContextOverflow, "{kind:?}");
        assert!(error.message.contains("with 4096"), "{}", error.message);
        // Nothing was sent, and the length that was just read is used.
        assert_eq!(server.paths(), Vec::<String>::new(), "{kind:?}");
    }
}

#[tokio::test]
async fn a_length_that_makes_no_sense_is_not_used() {
    for window in [0, 1, u64::MAX] {
        let quirks = LocalQuirks {
            window: window.min(1 << 40),
            ..LocalQuirks::of(Vllm)
        };
        let server = LocalServer::start(quirks).await;
        let client = client(server.config());
        assert_eq!(client.context_window(LOCAL_MODEL).await, None, "{window}");
        reply(&client, about_dials(vec![user(&[says("Hi")])])).await;
    }
}

#[tokio::test]
async fn usage_that_is_left_out_is_estimated_and_usage_that_is_sent_is_kept() {
    for (leaves_usage_out, kind, known, is_estimate) in [
        (true, Ollama, true, true),
        (true, ProfileKind::Lenient, false, false),
        (false, Vllm, true, false),
    ] {
        let quirks = LocalQuirks {
            leaves_usage_out,
            ..LocalQuirks::of(kind)
        };
        let server = LocalServer::start(quirks).await;
        let client = client(server.config());
        let reply = reply(&client, about_dials(vec![user(&[says("Hi")])])).await;
        let Usage {
            input,
            output,
            estimated,
            ..
        } = reply.usage;
        assert_eq!(
            (input > 0, output > 0, estimated),
            (known, known, is_estimate),
            "{kind:?}: {input} {output}"
        );
        assert_eq!(kind.estimates_usage(), kind != ProfileKind::Lenient);
    }
}

#[tokio::test]
async fn calls_in_spite_of_a_ban_are_read_as_calls() {
    // The engine refuses them; a client that hid them would leave their history broken.
    for kind in [Ollama, LlamaCpp, Vllm] {
        let server = LocalServer::start(LocalQuirks::of(kind)).await;
        let banned = ModelRequest {
            tool_choice: agent::ports::ToolChoice::None,
            ..about_dials(vec![user(&[says("Read the dial \"north\".")])])
        };
        let reply = reply(&client(server.config()), banned).await;
        assert_eq!(reply.stop, StopReason::ToolUse, "{kind:?}");
    }
}
