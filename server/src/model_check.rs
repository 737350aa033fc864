//! `jarvis model check`: twelve questions to the configured model, as a table.

use std::{process::ExitCode, time::Duration};

use ::model::{ModelTrial, TrialOutcome};

use crate::{
    config::Config,
    start::model,
    subcommand::{REFUSED, print},
    texts,
};

/// Asks the configured model, or `id` in its place. Each question may take `patience`.
pub(crate) async fn check(
    config: &Config,
    id: Option<String>,
    patience: Duration,
) -> anyhow::Result<ExitCode> {
    let (client, status, rehearsal) = model::start(config, Vec::new(), &mut Vec::new()).await?;
    let name = id.as_deref().unwrap_or(&status.name);
    print(&texts::models::checked(name))?;
    print(&ModelTrial::head())?;
    let mut worst = 0_u8;
    let mut printed = Ok(());
    let each = |trial: &ModelTrial| {
        worst = worst.max(match trial.outcome {
            TrialOutcome::Fine(_) | TrialOutcome::NotTried(_) => 0,
            TrialOutcome::Differs(_) => 1,
            TrialOutcome::Unusable(_) => REFUSED,
        });
        if printed.is_ok() {
            printed = print(&trial.to_string());
        }
    };
    let id = id.as_deref().unwrap_or(&status.id);
    client.trial(id, patience, each).await;
    if let Some(rehearsal) = rehearsal {
        rehearsal.shutdown().await;
    }
    printed?;
    Ok(ExitCode::from(worst))
}
