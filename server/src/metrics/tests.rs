use std::{collections::BTreeSet, time::Duration};

use agent::ports::{
    Durability, Model, ModelError, ModelErrorKind, ModelEvent, ModelReply, ModelRequest,
    ObservedCall, ObservedEvent, Observer, ToolChoice,
};
use futures::{
    StreamExt,
    stream::{self, BoxStream},
};
use protocol::{
    BlockKind, ConversationId, Cost, ErrorBody, ErrorCode, EventBody, StopReason, Tier,
    ToolOutcome, ToolOutput, TurnId, TurnOutcome, Usage, Verdict,
};

use super::*;

const USAGE: Usage = Usage {
    input: 100,
    output: 20,
    cache_read: 3,
    cache_write: 1,
    estimated: false,
};

fn metrics() -> Metrics {
    Metrics::new(["look", "act"], ["m-1"])
}

fn gauges() -> Gauges {
    Gauges {
        waiting_confirmations: Some(2),
        sockets: 3,
        kill_switch: Some(true),
        systems: vec![("near", Some(true)), ("far", Some(false)), ("dark", None)],
    }
}

/// Answers every request with these items.
struct Scripted(Vec<Result<ModelEvent, ModelError>>);

impl Model for Scripted {
    fn ask(&self, _: ModelRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        stream::iter(self.0.clone()).boxed()
    }

    fn cost(&self, _: &str, usage: &Usage) -> Option<Cost> {
        Some(Cost(usage.output * 1_000_000))
    }
}

fn request(model: &str) -> ModelRequest {
    ModelRequest {
        model: model.to_owned(),
        effort: None,
        max_tokens: 1,
        system: "".into(),
        tools: None,
        tool_choice: ToolChoice::None,
        messages: Vec::new(),
        correlation: None,
    }
}

fn failure(kind: ModelErrorKind) -> ModelError {
    ModelError {
        kind,
        message: "no".to_owned(),
        status: None,
        request_id: None,
        partial: Vec::new(),
        usage: Usage::default(),
    }
}

fn answer() -> Vec<Result<ModelEvent, ModelError>> {
    let reply = ModelReply {
        content: Vec::new(),
        stop: StopReason::EndTurn,
        explanation: None,
        invalid_inputs: Vec::new(),
        usage: USAGE,
        request_id: None,
        id: None,
        model: None,
    };
    let delta = |text: &str| ModelEvent::Delta {
        index: 0,
        text: text.to_owned(),
    };
    let begun = ModelEvent::BlockStarted {
        index: 0,
        kind: BlockKind::Text,
    };
    let early = Usage { output: 1, ..USAGE };
    vec![
        Ok(ModelEvent::Usage(early)),
        Ok(begun),
        Ok(delta("a")),
        Ok(delta("b")),
        Ok(ModelEvent::Finished(reply)),
    ]
}

async fn ask(
    metrics: &Metrics,
    model: &str,
    items: Vec<Result<ModelEvent, ModelError>>,
    take: usize,
) {
    let measured = MeasuredModel::new(Arc::new(Scripted(items)), metrics.clone());
    let items = measured.ask(request(model)).take(take);
    items.collect::<Vec<_>>().await;
}

fn ids() -> (TurnId, CallId) {
    let now = Timestamp(1_700_000_000_000);
    (TurnId::new(now, 1), CallId::new(now, 2))
}

fn finished(outcome: ToolOutcome) -> EventBody {
    let (turn, call) = ids();
    EventBody::ToolFinished {
        turn,
        call,
        outcome,
        elapsed_ms: 500,
    }
}

fn succeeded() -> ToolOutcome {
    ToolOutcome::Succeeded {
        output: ToolOutput {
            summary: String::new(),
            data: serde_json::Value::Null,
            images: Vec::new(),
        },
    }
}

fn call(tool: &str) -> Option<ObservedCall<'_>> {
    Some(ObservedCall {
        tool,
        tier: Some(Tier::Red),
    })
}

fn record(metrics: &Metrics, body: &EventBody, at: Timestamp, call: Option<ObservedCall<'_>>) {
    metrics.recorded(ObservedEvent {
        conversation: ConversationId::new(Timestamp(1), 1),
        body,
        at,
        call,
        correlation: None,
    });
}

/// One of everything.
async fn busy() -> Metrics {
    let metrics = metrics();
    let (turn, id) = ids();
    metrics.wrote(Durability::Power, Duration::from_millis(3));
    let ended = EventBody::TurnFinished {
        turn,
        outcome: TurnOutcome::Answered,
        usage: USAGE,
        cost: None,
    };
    record(&metrics, &ended, Timestamp(0), None);
    record(&metrics, &finished(succeeded()), Timestamp(0), call("look"));
    let lost = finished(ToolOutcome::OutcomeUnknown { known: None });
    record(&metrics, &lost, Timestamp(9500), call("act"));
    metrics.asked(id, Timestamp(1000));
    let decided = EventBody::ConfirmationDecided {
        turn,
        call: id,
        digest: String::new(),
        verdict: Verdict::Approved,
        by: None,
        via: None,
    };
    record(&metrics, &decided, Timestamp(4000), call("look"));
    metrics.webhook("delivered");
    metrics.spans("sent", 2);
    ask(&metrics, "m-1", answer(), 9).await;
    metrics
}

#[tokio::test]
async fn everything_is_counted_once_under_its_labels() {
    let metrics = busy().await;
    ask(
        &metrics,
        "m-1",
        vec![Err(failure(ModelErrorKind::Overloaded))],
        9,
    )
    .await;
    // A person stops an answer after its first word.
    ask(&metrics, "m-1", answer(), 3).await;
    let page = metrics.page(&gauges()).unwrap();
    for line in [
        "jarvis_turns_total{outcome=\"answered\"} 1",
        "jarvis_model_requests_total{model=\"m-1\",outcome=\"answered\"} 1",
        "jarvis_model_requests_total{model=\"m-1\",outcome=\"overloaded\"} 1",
        "jarvis_model_requests_total{model=\"m-1\",outcome=\"cancelled\"} 1",
        "jarvis_model_first_token_seconds_count 2",
        "jarvis_model_first_token_seconds_bucket{le=\"0.4\"} 2",
        "jarvis_tokens_total{model=\"m-1\",kind=\"input\"} 200",
        "jarvis_tokens_total{model=\"m-1\",kind=\"output\"} 21",
        "jarvis_cost_dollars_total{model=\"m-1\"} 21.0",
        "jarvis_tool_calls_total{tool=\"look\",tier=\"red\",outcome=\"succeeded\"} 1",
        "jarvis_tool_seconds_bucket{le=\"0.4\",tool=\"look\"} 0",
        "jarvis_tool_seconds_bucket{le=\"2.5\",tool=\"look\"} 1",
        "jarvis_tool_unknown_timestamp_seconds{tool=\"act\"} 9.5",
        "jarvis_confirmations_total{tier=\"red\",verdict=\"approved\"} 1",
        "jarvis_confirmation_wait_seconds_sum 3.0",
        "jarvis_confirmations_open 2.0",
        "jarvis_append_seconds_count{durability=\"power\"} 1",
        "jarvis_websockets 3",
        "jarvis_upstream_up{target=\"near\"} 1",
        "jarvis_upstream_up{target=\"far\"} 0",
        "jarvis_upstream_up{target=\"model\"} 1",
        "jarvis_kill_switch 1.0",
        "jarvis_webhook_deliveries_total{outcome=\"delivered\"} 1",
        "jarvis_spans_total{outcome=\"sent\"} 2",
        &format!("jarvis_build_info{{version=\"{}\"}} 1", crate::VERSION),
    ] {
        assert!(page.lines().any(|it| it == line), "{line}\n{page}");
    }
    assert!(!page.contains("dark"), "what is unknown is not a number");
    assert!(page.ends_with("# EOF\n"));
}

#[test]
fn what_alerts_see_growing_begins_at_zero() {
    let page = metrics().page(&gauges()).unwrap();
    for line in [
        "jarvis_confirmations_total{tier=\"red\",verdict=\"expired\"} 0",
        "jarvis_confirmations_total{tier=\"yellow\",verdict=\"expired\"} 0",
        "jarvis_cost_dollars_total{model=\"m-1\"} 0.0",
        "jarvis_cost_dollars_total{model=\"other\"} 0.0",
    ] {
        assert!(page.lines().any(|it| it == line), "{line}\n{page}");
    }
    assert!(!page.contains("unknown_timestamp_seconds{"), "{page}");
}

#[tokio::test]
async fn what_is_unknown_is_not_zero() {
    let unknown = Gauges {
        waiting_confirmations: None,
        kill_switch: None,
        systems: vec![("near", None)],
        ..gauges()
    };
    let metrics = metrics();
    // It was known before.
    metrics.page(&gauges()).unwrap();
    let page = metrics.page(&unknown).unwrap();
    assert!(page.contains("jarvis_confirmations_open NaN\n"), "{page}");
    assert!(page.contains("jarvis_kill_switch NaN\n"), "{page}");
    assert!(!page.contains("target=\"near\""), "{page}");
    assert!(!page.contains("target=\"model\""), "nobody has asked it");
    ask(
        &metrics,
        "m-1",
        vec![Err(failure(ModelErrorKind::Unreachable))],
        9,
    )
    .await;
    assert_eq!(metrics.model_answers(), Some(false));
    for (kind, answers) in [
        (ModelErrorKind::RateLimited, true),
        // Its server answers, and with an error of its own.
        (ModelErrorKind::Failed, false),
        (ModelErrorKind::InvalidRequest, true),
        (ModelErrorKind::Protocol, false),
    ] {
        ask(&metrics, "m-1", vec![Err(failure(kind))], 9).await;
        assert_eq!(metrics.model_answers(), Some(answers), "{kind:?}");
    }
}

#[tokio::test]
async fn names_from_outside_add_no_series() {
    let metrics = busy().await;
    let lines = |metrics: &Metrics| metrics.page(&gauges()).unwrap().lines().count();
    let error = || ErrorBody::new(ErrorCode::ToolFailed, "\"} 1\njarvis_turns_total 99");
    let hostile = |n: u32| format!("look\"}} 1\n# EOF\njarvis_x{n}{{a=\"");
    let attack = async |n: u32| {
        let failed = ToolOutcome::Failed { error: error() };
        let name = hostile(n);
        record(&metrics, &finished(failed), Timestamp(0), call(&name));
        ask(&metrics, &name, answer(), 9).await;
    };
    attack(0).await;
    let before = lines(&metrics);
    for n in 1..200 {
        attack(n).await;
    }
    assert_eq!(lines(&metrics), before);
    let page = metrics.page(&gauges()).unwrap();
    assert!(!page.contains("jarvis_x"), "{page}");
    assert!(page.contains("tool=\"other\""), "{page}");
    assert!(page.contains("model=\"other\""), "{page}");
    // Cards that nobody ever decides.
    for n in 0..2 * MOST_WAITS {
        metrics.asked(CallId::new(Timestamp(1), n as u128), Timestamp(1));
    }
    assert!(metrics.0.waits.lock().unwrap().len() <= MOST_WAITS);
}

/// The names of metrics in a text: what begins with `jarvis_` and goes on in small letters.
fn named(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let names = text.match_indices("jarvis_").map(|(at, _)| {
        let name = &text[at..];
        let end = name.find(|c| !is_part(c)).unwrap_or(name.len());
        name[..end].to_owned()
    });
    names.collect()
}

#[tokio::test]
async fn the_dashboard_and_the_rules_name_what_there_is() {
    let page = busy().await.page(&gauges()).unwrap();
    let lines = page.lines().filter(|line| !line.starts_with('#'));
    let there: BTreeSet<_> = lines
        .filter_map(|line| line.split(['{', ' ']).next())
        .map(str::to_owned)
        .collect();
    let mut used = BTreeSet::new();
    for (file, text) in [
        (
            "alerts.yml",
            include_str!("../../../docs/monitoring/alerts.yml"),
        ),
        (
            "grafana.json",
            include_str!("../../../docs/monitoring/grafana.json"),
        ),
    ] {
        let names = named(text);
        assert!(!names.is_empty(), "{file}");
        let lost: Vec<_> = names.difference(&there).collect();
        assert!(lost.is_empty(), "{file} asks for {lost:?} of {there:?}");
        used.extend(names);
    }
    // The list in the documentation is complete, by the names without what the format adds.
    let listed = named(include_str!("../../../docs/monitoring/README.md"));
    let families: BTreeSet<_> = there
        .iter()
        .map(|name| {
            let name = name.strip_suffix("_bucket").unwrap_or(name);
            let name = name.strip_suffix("_sum").unwrap_or(name);
            name.strip_suffix("_count").unwrap_or(name).to_owned()
        })
        .collect();
    assert_eq!(listed, families);
    serde_json::from_str::<serde_json::Value>(include_str!(
        "../../../docs/monitoring/grafana.json"
    ))
    .expect("JSON");
}
