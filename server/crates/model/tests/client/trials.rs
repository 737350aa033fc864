//! The twelve questions against servers with quirks.

use std::time::Duration;

use model::ProfileKind::{Lenient, LiteLlm, LlamaCpp, LmStudio, Ollama, Strict, Vllm};
use model::{ModelTrial, TrialKind, TrialOutcome};

use crate::local_server::{LOCAL_MODEL, LocalQuirks, LocalServer};
use crate::support::client;

/// Far more than an answer of the server takes.
const PATIENCE: Duration = Duration::from_secs(60);

async fn trials(quirks: LocalQuirks, patience: Duration) -> Vec<ModelTrial> {
    let server = LocalServer::start(quirks).await;
    let mut found = Vec::new();
    let each = |trial: &ModelTrial| found.push(trial.clone());
    client(server.config())
        .trial(LOCAL_MODEL, patience, each)
        .await;
    found
}

/// One letter for each outcome, in the order of the questions.
fn letters(trials: &[ModelTrial]) -> String {
    let kinds = trials.iter().map(|trial| trial.kind);
    assert!(kinds.eq(TrialKind::ALL), "{trials:?}");
    let letters = trials.iter().map(|trial| match trial.outcome {
        TrialOutcome::Fine(_) => 'f',
        TrialOutcome::Differs(_) => 'd',
        TrialOutcome::NotTried(_) => 'n',
        TrialOutcome::Unusable(_) => 'u',
    });
    letters.collect()
}

#[tokio::test]
async fn each_quirk_is_found_and_nothing_else() {
    for (quirks, expect) in [
        (LocalQuirks::of(Strict), "fffffffffnff"),
        // No usage, calls in spite of a ban.
        (LocalQuirks::of(Ollama), "ffdfffffdffn"),
        // One call per answer, calls in spite of a ban.
        (LocalQuirks::of(LlamaCpp), "fffffffddffn"),
        // Calls in spite of a ban, no images.
        (LocalQuirks::of(Vllm), "ffffffffdfdn"),
        (LocalQuirks::of(LmStudio), "fffffffffffn"),
        // Thinking that is not sent back.
        (LocalQuirks::of(LiteLlm), "fffffffffdfn"),
        // The proxy's issue 25605: no call is right, so there is none to answer.
        (
            LocalQuirks {
                loses_input: true,
                ..LocalQuirks::of(LiteLlm)
            },
            "ffffdnnffnfn",
        ),
        // Without the profile that fits, a failed call passes for a result.
        (
            LocalQuirks {
                kind: Lenient,
                ..LocalQuirks::of(Ollama)
            },
            "ffdfffdfdffn",
        ),
    ] {
        let found = trials(quirks, PATIENCE).await;
        let table: Vec<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(letters(&found), expect, "{quirks:?} {table:#?}");
        // A call in a loop would cost more.
        let tokens: u64 = found.iter().map(|trial| trial.tokens).sum();
        assert!(tokens < 40_000, "{tokens} {table:#?}");
    }
}

#[tokio::test]
async fn a_server_that_never_answers_ends_the_questions() {
    let quirks = LocalQuirks {
        silent: true,
        ..LocalQuirks::of(LlamaCpp)
    };
    let found = trials(quirks, Duration::from_millis(100)).await;
    assert_eq!(letters(&found)[1..], *"unnnnnnnnnn", "{found:?}");
}

#[tokio::test]
async fn hostile_words_cannot_draw_on_the_terminal() {
    let says = "\u{1b}[2J\u{1b}[H\rok         tool result\nok\u{202e}\u{200b}\u{9b}31m";
    let quirks = LocalQuirks {
        says: Some(says),
        ..LocalQuirks::of(Strict)
    };
    for trial in trials(quirks, PATIENCE).await {
        let row = trial.to_string();
        let is_visible = |c: char| !c.is_control() && !"\u{202e}\u{200b}".contains(c);
        assert!(row.chars().all(is_visible), "{row:?}");
        let starts =
            row.starts_with("ok ") || row.starts_with("differs ") || row.starts_with("not tried ");
        assert!(starts, "{row:?}");
        if trial.kind == TrialKind::ToolResult {
            assert!(matches!(trial.outcome, TrialOutcome::Differs(_)), "{row}");
        }
    }
    assert_eq!(ModelTrial::head().lines().count(), 1);
}
