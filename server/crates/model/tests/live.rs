//! The vendor's real API, which needs a key and costs a few cents: `cargo xtask test live --pay`.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends where something is not as it must be"
)]

use std::time::Duration;

use agent::ports::ModelErrorKind;
use model::{Catalogue, Client, ModelConfig, ModelKey, ModelTrial, TrialKind, TrialOutcome};

/// The cheapest model; `JARVIS_LIVE_MODEL` names another.
const MODEL: &str = "claude-haiku-5-5";
const PATIENCE: Duration = Duration::from_secs(120);

/// A client with the key of the environment. None, and said loudly, if nobody allowed the cost.
fn live_client() -> Option<Client> {
    let key = std::env::var("ANTHROPIC_API_KEY").unwrap_or_default();
    if std::env::var_os("JARVIS_LIVE").is_none() || key.trim().is_empty() {
        eprintln!("SKIPPED: the real API is not asked; see `cargo xtask test live --pay`");
        return None;
    }
    Some(client(&key))
}

fn client(key: &str) -> Client {
    let config = ModelConfig {
        key: Some(ModelKey::new(key).unwrap()),
        ..ModelConfig::default()
    };
    Client::new(config, Catalogue::default()).unwrap()
}

fn live_model() -> String {
    std::env::var("JARVIS_LIVE_MODEL").unwrap_or_else(|_| MODEL.to_owned())
}

#[tokio::test]
#[ignore = "costs money: cargo xtask test live --pay"]
async fn the_vendor_answers_every_question() {
    let Some(client) = live_client() else { return };
    let mut found: Vec<ModelTrial> = Vec::new();
    let each = |trial: &ModelTrial| {
        eprintln!("{trial}");
        found.push(trial.clone());
    };
    client.trial(&live_model(), PATIENCE, each).await;
    for trial in found {
        let may_be_absent = matches!(trial.kind, TrialKind::Thinking | TrialKind::ParallelCalls);
        let is_fine = match &trial.outcome {
            TrialOutcome::Fine(_) => true,
            TrialOutcome::NotTried(_) | TrialOutcome::Differs(_) => may_be_absent,
            TrialOutcome::Unusable(_) => false,
        };
        assert!(is_fine, "{trial}");
    }
}

#[tokio::test]
#[ignore = "costs money: cargo xtask test live --pay"]
async fn the_vendor_lists_the_model_and_refuses_a_wrong_key() {
    let Some(client) = live_client() else { return };
    let models = client.models().await.unwrap();
    let model = live_model();
    assert!(models.iter().any(|listed| listed.id.starts_with(&model)));
    let error = self::client("sk-ant-not-a-key").models().await.unwrap_err();
    assert_eq!(error.kind, ModelErrorKind::Authentication);
}
