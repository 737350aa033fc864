//! Proof that a service was restarted and stays up, according to systemd.

use std::time::Duration;

use super::{RestartState, way};
use crate::{cluster_access::ClusterAccess, ssh::services::ShownServices, texts};

/// Polls before a service that is still starting is given up.
const LOOKS: u32 = 60;
const PAUSE: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) enum ServiceProof {
    /// It started anew and stayed up.
    Restarted(ShownServices),
    /// It has not been started since.
    Same,
    /// It started anew but is not up, or did not stay up.
    Down(String),
    /// It is still changing state, or its state cannot be read.
    Unsure(String),
}

/// The evidence of a proof, in words.
pub(super) fn words(access: &ClusterAccess) -> String {
    let settle = access
        .ssh
        .as_ref()
        .map_or(Duration::ZERO, |ssh| ssh.settle());
    texts::service::new_start(settle.as_secs_f32())
}

/// Polls until the service has settled. Without an earlier start to compare, being up is enough.
pub(super) async fn prove(
    access: &ClusterAccess,
    restart: &RestartState,
    before: Option<&ShownServices>,
) -> ServiceProof {
    let mut last = None;
    for look in 0..LOOKS {
        if look > 0 {
            tokio::time::sleep(PAUSE).await;
        }
        match way::show(access, restart).await {
            // Restarting a service may cut the connection to its node for a while.
            Err(error) => last = Some(texts::service::its_state_cannot_be_read(&error)),
            Ok(shown) if shown.is_moving() => {
                last = Some(texts::service::it_is_still(&shown.state()));
            }
            Ok(shown) if before.is_some_and(|before| is_same_start(before, &shown)) => {
                return ServiceProof::Same;
            }
            // A unit that is down, or without an invocation id, may have been stopped by anybody.
            Ok(shown) if before.is_some_and(|before| !is_new_start(before, &shown)) => {
                return ServiceProof::Unsure(texts::service::restart_not_shown(&shown.state()));
            }
            Ok(shown) if !shown.is_up() => return ServiceProof::Down(down(&shown)),
            Ok(shown) => return stays_up(access, restart, shown).await,
        }
    }
    ServiceProof::Unsure(last.unwrap_or_default())
}

/// Returns whether systemd shows another start than before.
pub(super) fn is_new_start(before: &ShownServices, now: &ShownServices) -> bool {
    !now.invocation_id.is_empty() && !is_same_start(before, now)
}

fn is_same_start(before: &ShownServices, now: &ShownServices) -> bool {
    !before.invocation_id.is_empty() && before.invocation_id == now.invocation_id
}

async fn stays_up(
    access: &ClusterAccess,
    restart: &RestartState,
    started: ShownServices,
) -> ServiceProof {
    let settle = access
        .ssh
        .as_ref()
        .map_or(Duration::ZERO, |ssh| ssh.settle());
    tokio::time::sleep(settle).await;
    match way::show(access, restart).await {
        Err(error) => ServiceProof::Unsure(texts::service::started_then_unreadable(&error)),
        Ok(now) if !now.is_up() => ServiceProof::Down(down(&now)),
        Ok(now)
            if !is_same_start(&started, &now)
                || now.automatic_restarts != started.automatic_restarts =>
        {
            ServiceProof::Down(texts::service::RESTARTED_TWICE.to_owned())
        }
        Ok(now) => ServiceProof::Restarted(now),
    }
}

fn down(shown: &ShownServices) -> String {
    let mut text = texts::service::it_was_restarted_and_is_now(&shown.state());
    if !matches!(shown.result.as_str(), "" | "success") {
        text.push_str(&texts::service::because_of(&shown.result));
    }
    if let Some(status) = shown.exec_main_status.filter(|status| *status != 0) {
        text.push_str(&texts::service::exit_code(status));
    }
    text
}
