//! The way through Proxmox: a task that restarts the service.

use std::time::Duration;

use agent::ports::Progress;
use protocol::{ErrorBody, ToolOutput};

use super::{
    Restart, Seen, Way, failed,
    prove::{self, Proof},
    restarted, unknown, way,
};
use crate::{
    error::WriteError,
    lab::Lab,
    ssh::services::stem,
    task::{Outcome, Upid},
};

/// Looks at a task before it counts as hanging.
const LOOKS: u32 = 120;

pub(super) async fn restart(
    lab: &Lab,
    restart: &Restart,
    way: &Way,
    progress: &Progress,
) -> Result<ToolOutput, ErrorBody> {
    let name = stem(&restart.unit);
    // More is seen over SSH, but it is not needed.
    let shown = match way::has_ssh(lab, &restart.node) {
        true => way::show(lab, restart).await.ok(),
        false => None,
    };
    let before = match &shown {
        Some(shown) => Some(Seen::from(shown)),
        None => way::look(lab, restart, way).await.ok(),
    };
    let upid = match lab.api.restart_service(&restart.node, name).await {
        Ok(upid) => upid,
        Err(WriteError::Refused(error)) => return Err(error.body()),
        Err(WriteError::Lost(error)) => return Err(unknown(restart, &error.reason())),
    };
    progress.report(&format!(
        "restarting {name} on {}; task {upid}",
        restart.node
    ));
    ended(restart, follow(lab, &upid).await)?;
    progress.report(&format!("looking whether {name} stays up"));
    if let Some(shown) = shown {
        match prove::prove(lab, restart, Some(&shown)).await {
            Proof::Restarted(after) => {
                let proof = prove::words(lab);
                return restarted(restart, way, before, Seen::from(&after), proof);
            }
            Proof::Same => {
                return Err(failed(
                    restart,
                    "Proxmox's task ended well, but systemd shows the same start as before",
                ));
            }
            Proof::Down(why) => return Err(failed(restart, &why)),
            // What Proxmox says is left.
            Proof::Unsure(_) => {}
        }
    }
    up(lab, restart, way, before).await
}

/// What the end of the task means, if it is not that all went well.
pub(super) fn ended(restart: &Restart, outcome: Result<Outcome, String>) -> Result<(), ErrorBody> {
    match outcome {
        Ok(Outcome::Ok | Outcome::Warnings) => Ok(()),
        Ok(Outcome::Failed(error)) => Err(failed(restart, &format!("the restart failed: {error}"))),
        Ok(Outcome::Running) => Err(unknown(restart, "the task has not ended yet")),
        Ok(Outcome::Unknown(why)) => Err(unknown(restart, why)),
        Err(why) => Err(unknown(restart, &why)),
    }
}

/// Waits until Proxmox says that the service runs.
pub(super) async fn up(
    lab: &Lab,
    restart: &Restart,
    way: &Way,
    before: Option<Seen>,
) -> Result<ToolOutput, ErrorBody> {
    let mut last = String::new();
    for look in 0..LOOKS {
        if look > 0 {
            pause(lab).await;
        }
        match lab.api.service(&restart.node, stem(&restart.unit)).await {
            Ok(row) => match row.active_state.as_deref() {
                Some("active") => {
                    let proof = "Proxmox's task ended well, and it says that the service is active; \
                                 without SSH the new start itself cannot be seen";
                    return restarted(restart, way, before, Seen::from(&row), proof.to_owned());
                }
                Some("activating" | "deactivating" | "reloading") => {
                    last = format!("it is still {}", Seen::from(&row).state);
                }
                _ => {
                    let state = Seen::from(&row).state;
                    return Err(failed(
                        restart,
                        &format!("it was restarted and is {state} now"),
                    ));
                }
            },
            // The service may be the one that answers.
            Err(error) => last = format!("its state cannot be read: {}", error.reason()),
        }
    }
    Err(unknown(restart, &last))
}

/// Follows a task to its end, or says why that cannot be seen. Asking fails for a while when it is
/// the API's own service that restarts.
pub(super) async fn follow(lab: &Lab, text: &str) -> Result<Outcome, String> {
    let upid = Upid::parse(text).ok_or_else(|| "Proxmox named no task".to_owned())?;
    let mut unseen = None;
    for look in 0..LOOKS {
        if look > 0 {
            pause(lab).await;
        }
        match lab.api.task_status(&upid).await {
            Ok(status) if status.status.as_deref() == Some("stopped") => {
                return Ok(Outcome::of(status.exitstatus.as_deref(), true));
            }
            Ok(_) => unseen = None,
            Err(error) => unseen = Some(error.reason()),
        }
    }
    match unseen {
        None => Ok(Outcome::Running),
        Some(reason) => Err(format!("the task cannot be seen: {reason}")),
    }
}

async fn pause(lab: &Lab) {
    tokio::time::sleep(Duration::from_millis(lab.config.poll_ms)).await;
}
