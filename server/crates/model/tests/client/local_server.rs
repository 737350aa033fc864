//! A local server with the quirks that its kind is documented to have. It writes down what reaches
//! its model after all that it drops, moves and cuts.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use axum::extract::{Request, State};
use axum::response::Response;
use model::{ModelConfig, ProfileKind};
use serde_json::{Value, json};

/// Id of its model.
pub(crate) const LOCAL_MODEL: &str = "qwen3";

/// The deviations from the vendor's API.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LocalQuirks {
    /// Decides where the context length is stated.
    pub(crate) kind: ProfileKind,
    /// Tokens. The beginning of a longer prompt is cut off without a word.
    pub(crate) window: u64,
    /// `tool_choice` has no effect, not even `none`.
    pub(crate) ignores_tool_choice: bool,
    /// The text of a message goes before its tool results.
    pub(crate) text_first: bool,
    pub(crate) drops_is_error: bool,
    pub(crate) leaves_usage_out: bool,
    /// Calls end without a stop reason.
    pub(crate) leaves_stop_out: bool,
    /// At most one call in an answer.
    pub(crate) serial_calls: bool,
    /// The input of calls is lost on the way.
    pub(crate) loses_input: bool,
    /// Images are refused.
    pub(crate) blind: bool,
    /// A thinking block without a signature opens each answer.
    pub(crate) thinks: bool,
    /// A repeated system prompt is read from a cache.
    pub(crate) caches: bool,
    /// Requests to the model are never answered.
    pub(crate) silent: bool,
    /// Takes the place of the model's words about a tool's result.
    pub(crate) says: Option<&'static str>,
}

impl LocalQuirks {
    pub(crate) fn of(kind: ProfileKind) -> Self {
        let local = !matches!(kind, ProfileKind::Strict | ProfileKind::Lenient);
        let strict = kind == ProfileKind::Strict;
        Self {
            kind,
            window: if strict { 1_000_000 } else { 4096 },
            ignores_tool_choice: matches!(
                kind,
                ProfileKind::Ollama | ProfileKind::LlamaCpp | ProfileKind::Vllm
            ),
            text_first: matches!(kind, ProfileKind::LlamaCpp | ProfileKind::LmStudio),
            drops_is_error: local,
            leaves_usage_out: kind == ProfileKind::Ollama,
            leaves_stop_out: kind == ProfileKind::Ollama,
            serial_calls: kind == ProfileKind::LlamaCpp,
            loses_input: false,
            blind: kind == ProfileKind::Vllm,
            thinks: local,
            caches: strict,
            silent: false,
            says: None,
        }
    }
}

pub(crate) struct LocalServer {
    url: String,
    state: Arc<LocalState>,
    task: tokio::task::JoinHandle<()>,
}

struct LocalState {
    quirks: LocalQuirks,
    loaded: AtomicBool,
    paths: Mutex<Vec<String>>,
    /// Of each request to the model, the lines that reached it.
    prompts: Mutex<Vec<Vec<String>>>,
    cached: Mutex<BTreeSet<String>>,
}

impl LocalServer {
    pub(crate) async fn start(quirks: LocalQuirks) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(LocalState {
            quirks,
            loaded: AtomicBool::new(false),
            paths: Mutex::default(),
            prompts: Mutex::default(),
            cached: Mutex::default(),
        });
        let app = axum::Router::new()
            .fallback(respond)
            .with_state(Arc::clone(&state));
        let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { url, state, task }
    }

    pub(crate) fn config(&self) -> ModelConfig {
        ModelConfig {
            base_url: self.url.clone(),
            profile: self.state.quirks.kind,
            ..ModelConfig::default()
        }
    }

    /// The paths that were asked for since the last call.
    pub(crate) fn paths(&self) -> Vec<String> {
        std::mem::take(&mut *self.state.paths.lock().unwrap())
    }

    /// The lines that reached the model in the last request.
    pub(crate) fn prompt(&self) -> Vec<String> {
        let prompts = self.state.prompts.lock().unwrap();
        prompts.last().cloned().unwrap_or_default()
    }
}

impl Drop for LocalServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn respond(State(state): State<Arc<LocalState>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let path = parts.uri.path();
    state.paths.lock().unwrap().push(path.to_owned());
    if path == "/v1/messages" {
        if state.quirks.silent {
            std::future::pending::<()>().await;
        }
        return state.answer(&body);
    }
    match state.stated(path) {
        Some(stated) => plain(200, &stated),
        None => plain(404, &json!({ "error": "not found" })),
    }
}

impl LocalState {
    /// The answer of an endpoint beside the model's.
    fn stated(&self, path: &str) -> Option<Value> {
        let window = self.quirks.window;
        let row =
            |field: &str, value: Value| json!({ "data": [{ "id": LOCAL_MODEL, field: value }] });
        match (self.quirks.kind, path) {
            (ProfileKind::Ollama, "/api/ps") => {
                let loaded = json!({ "name": "qwen3:latest", "context_length": window });
                let models = self.loaded.load(Ordering::SeqCst).then_some(loaded);
                Some(json!({ "models": models.into_iter().collect::<Vec<_>>() }))
            }
            (ProfileKind::Ollama, "/api/generate") => {
                self.loaded.store(true, Ordering::SeqCst);
                Some(json!({ "done": true, "done_reason": "load" }))
            }
            (ProfileKind::LlamaCpp, "/props") => {
                Some(json!({ "default_generation_settings": { "n_ctx": window } }))
            }
            (ProfileKind::Vllm, "/v1/models") => Some(row("max_model_len", window.into())),
            (ProfileKind::LmStudio, "/api/v0/models") => {
                Some(row("loaded_context_length", window.into()))
            }
            (ProfileKind::LiteLlm, "/model/info") => {
                let info = json!({ "max_input_tokens": window });
                Some(json!({ "data": [{ "model_name": LOCAL_MODEL, "model_info": info }] }))
            }
            (_, "/v1/models") => Some(row("max_input_tokens", window.into())),
            _ => None,
        }
    }

    fn answer(&self, body: &Value) -> Response {
        let quirks = self.quirks;
        if quirks.blind && body["messages"].to_string().contains(r#""type":"image""#) {
            let error = json!({ "type": "invalid_request_error", "message": "no image input" });
            return plain(400, &json!({ "type": "error", "error": error }));
        }
        let mut lines = vec![format!("system: {}", text_of(&body["system"]))];
        for message in items(&body["messages"]) {
            self.read(message, &mut lines);
        }
        let length = |lines: &[String]| lines.iter().map(String::len).sum::<usize>();
        let most = usize::try_from(quirks.window).unwrap() * 4;
        while lines.len() > 1 && length(&lines) > most {
            lines.remove(0);
        }
        let (blocks, stop) = self.say(body, &lines);
        let usage = self.usage(&lines, &blocks);
        self.prompts.lock().unwrap().push(lines);
        stream(&blocks, stop, usage)
    }

    /// A message as it reaches the model.
    fn read(&self, message: &Value, lines: &mut Vec<String>) {
        let role = message["role"].as_str().unwrap();
        let (mut results, mut others) = (Vec::new(), Vec::new());
        for block in items(&message["content"]) {
            match block["type"].as_str().unwrap() {
                "tool_result" => {
                    let kept = !self.quirks.drops_is_error && block["is_error"] == true;
                    let mark = if kept { " (error)" } else { "" };
                    results.push(format!("tool{mark}: {}", text_of(&block["content"])));
                }
                "text" => others.push(format!("{role}: {}", block["text"].as_str().unwrap())),
                "image" => others.push(format!("{role}: [image]")),
                other => others.push(format!("{role}: [{other}]")),
            }
        }
        if self.quirks.text_first {
            others.append(&mut results);
            lines.append(&mut others);
        } else {
            results.append(&mut others);
            lines.append(&mut results);
        }
    }

    /// The blocks of the answer, and its stop reason.
    fn say(&self, body: &Value, lines: &[String]) -> (Vec<Value>, &'static str) {
        let quirks = self.quirks;
        let mut blocks = Vec::new();
        if quirks.thinks {
            blocks.push(json!({ "type": "thinking", "thinking": "Hm. Let me see." }));
        }
        let text = |text: &str| json!({ "type": "text", "text": text });
        let last = lines.last().unwrap().as_str();
        let forbidden = !quirks.ignores_tool_choice && body["tool_choice"]["type"] == "none";
        // A question may follow the result.
        let mut newest = lines.iter().rev().take(2);
        if let Some(result) = newest.find(|line| line.starts_with("tool")) {
            let (mark, result) = result.split_once(": ").unwrap();
            let failed = mark != "tool" || result.starts_with("This tool call failed.");
            let said = if failed {
                "The reading failed."
            } else {
                result
            };
            blocks.push(text(quirks.says.unwrap_or(said)));
        } else if body["tools"].is_array() && !forbidden && last.contains("dial") {
            let names = last.split('"').skip(1).step_by(2);
            let most = if quirks.serial_calls { 1 } else { usize::MAX };
            for (number, name) in names.take(most).enumerate() {
                let id = format!("toolu_{}_{number}", lines.len());
                let tool = body["tools"][0]["name"].clone();
                let input = if quirks.loses_input {
                    json!({})
                } else {
                    json!({ "dial": name })
                };
                blocks.push(json!({ "type": "tool_use", "id": id, "name": tool, "input": input }));
            }
            let stop = if quirks.leaves_stop_out {
                ""
            } else {
                "tool_use"
            };
            return (blocks, stop);
        } else if lines.iter().any(|line| line.ends_with("[image]")) {
            blocks.push(text("It is red."));
        } else if body["max_tokens"].as_u64().unwrap() <= 16 {
            blocks.push(text("one two three"));
            return (blocks, "max_tokens");
        } else {
            blocks.push(text("one two three four five six seven eight"));
        }
        (blocks, "end_turn")
    }

    fn usage(&self, lines: &[String], blocks: &[Value]) -> Option<Value> {
        let input = lines.iter().map(String::len).sum::<usize>() / 4 + 1;
        let output = Value::from(blocks.to_vec()).to_string().len() / 4;
        let first = lines.first().cloned().unwrap_or_default();
        let again = !self.cached.lock().unwrap().insert(first);
        let (input, cached) = if self.quirks.caches && again {
            (1, input)
        } else {
            (input, 0)
        };
        (!self.quirks.leaves_usage_out).then(|| {
            json!({
                "input_tokens": input, "output_tokens": output, "cache_read_input_tokens": cached,
            })
        })
    }
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

/// The text of a string or of blocks.
fn text_of(content: &Value) -> String {
    match content.as_str() {
        Some(text) => text.to_owned(),
        None => items(content)
            .filter_map(|block| block["text"].as_str())
            .collect(),
    }
}

fn plain(status: u16, body: &Value) -> Response {
    Response::builder()
        .status(status)
        .header("content-type", "application/json")
        .body(body.to_string().into())
        .unwrap()
}

fn stream(blocks: &[Value], stop: &str, usage: Option<Value>) -> Response {
    let mut events = vec![json!({ "type": "message_start", "message": { "usage": usage } })];
    for (index, block) in blocks.iter().enumerate() {
        let mut start = block.clone();
        let mut deltas = Vec::new();
        let kind = block["type"].as_str().unwrap();
        let field = if kind == "tool_use" { "input" } else { kind };
        if kind == "tool_use" {
            // The whole input in one piece.
            let whole = block["input"].to_string();
            deltas.push(json!({ "type": "input_json_delta", "partial_json": whole }));
            start[field] = json!({});
        } else {
            let words = block[field].as_str().unwrap().split_inclusive(' ');
            deltas
                .extend(words.map(|word| json!({ "type": format!("{kind}_delta"), field: word })));
            start[field] = "".into();
        }
        events
            .push(json!({ "type": "content_block_start", "index": index, "content_block": start }));
        for delta in deltas {
            events.push(json!({ "type": "content_block_delta", "index": index, "delta": delta }));
        }
        events.push(json!({ "type": "content_block_stop", "index": index }));
    }
    let delta = json!({ "stop_reason": stop });
    events.push(json!({ "type": "message_delta", "delta": delta, "usage": usage }));
    events.push(json!({ "type": "message_stop" }));
    let frames = events.iter().map(|event| {
        let kind = event["type"].as_str().unwrap();
        format!("event: {kind}\ndata: {event}\n\n")
    });
    Response::builder()
        .header("content-type", "text/event-stream")
        .body(frames.collect::<String>().into())
        .unwrap()
}
