//! Restart through Proxmox VE: a task that restarts the service.

use std::{collections::BTreeSet, time::Duration};

use agent::{crash, ports::Progress};
use protocol::{ErrorBody, ErrorCode, ToolOutput};

use super::{
    RestartState, RestartWay, SeenService, failed,
    prove::{self, ServiceProof},
    restarted, unknown, way,
};
use crate::{
    cluster_access::ClusterAccess,
    error::{ProxmoxError, WriteError},
    ssh::services::stem,
    task::{TaskOutcome, Upid},
    texts,
};

/// Polls before a task counts as hanging.
const LOOKS: u32 = 120;
/// Polls for the task of a restart whose answer was lost, perhaps by a restart of the API itself.
const LOOKS_LOST: u32 = 15;
/// Polls before a task counts as never started: the request may still be in transit.
const LOOKS_BEGUN: u32 = 4;
/// Age in seconds at which a request can no longer be in transit.
const ARRIVED: i64 = 60;

pub(super) async fn restart(
    access: &ClusterAccess,
    restart: &RestartState,
    way: &RestartWay,
    progress: &Progress,
) -> Result<ToolOutput, ErrorBody> {
    let name = stem(&restart.unit);
    // SSH shows more, but is not required.
    let shown = if way::has_ssh(access, &restart.node) {
        way::show(access, restart).await.ok()
    } else {
        None
    };
    let before = match &shown {
        Some(shown) => Some(SeenService::from(shown)),
        None => way::look(access, restart, way).await.ok(),
    };
    // If the answer is lost, a task not among these is ours.
    let earlier = tasks(access, restart).await.ok();
    crash::point(|| "before the order: restart of a service".to_owned());
    let upid = match access.api.restart_service(&restart.node, name).await {
        Ok(upid) => upid,
        Err(WriteError::Refused(error)) => return Err(error.body()),
        Err(WriteError::Lost(lost)) => {
            tracing::warn!(service = name, error = %lost, "answer lost");
            progress.report(&texts::answer_was_lost(&lost));
            found_again(access, restart, earlier, &lost).await?
        }
    };
    crash::point(|| "ordered, not followed: restart of a service".to_owned());
    progress.report(&texts::service::restarting_with_task(
        name,
        &restart.node,
        &upid,
    ));
    ended(restart, follow(access, &upid).await)?;
    progress.report(&texts::service::checking_stability(name));
    if let Some(shown) = shown {
        match prove::prove(access, restart, Some(&shown)).await {
            ServiceProof::Restarted(after) => {
                let proof = prove::words(access);
                return restarted(restart, way, before, SeenService::from(&after), proof);
            }
            ServiceProof::Same => {
                return Err(unknown(
                    restart,
                    texts::service::TASK_SUCCEEDED_BUT_SAME_START,
                ));
            }
            ServiceProof::Down(why) => return Err(failed(restart, &why)),
            // Proxmox VE's own data has to do.
            ServiceProof::Unsure(_) => {}
        }
    }
    up(access, restart, way, before).await
}

/// The UPIDs of the restarts of the service under our name.
async fn tasks(
    access: &ClusterAccess,
    restart: &RestartState,
) -> Result<BTreeSet<String>, ProxmoxError> {
    let rows = access.api.service_restarts(&restart.node).await?;
    let ours = rows.into_iter().filter(|row| {
        Upid::parse(&row.upid).is_some_and(|upid| {
            upid.kind == "srvrestart"
                && upid.id == stem(&restart.unit)
                && upid.user == access.api.caller()
        })
    });
    Ok(ours.map(|row| row.upid).collect())
}

/// The UPIDs of such tasks that started at `earliest` or later by the node's clock; the request was
/// sent at `since` by ours.
pub(super) async fn begun(
    access: &ClusterAccess,
    restart: &RestartState,
    earliest: i64,
    since: i64,
) -> Result<Vec<String>, ProxmoxError> {
    let in_time = |text: &String| Upid::parse(text).is_some_and(|upid| upid.start >= earliest);
    let mut last = Ok(Vec::new());
    for look in 0..LOOKS_BEGUN {
        if look > 0 {
            pause(access).await;
        }
        last = tasks(access, restart)
            .await
            .map(|upids| upids.into_iter().filter(in_time).collect());
        let found = matches!(&last, Ok(upids) if !upids.is_empty());
        if found || (last.is_ok() && access.now() - since > ARRIVED) {
            break;
        }
    }
    last
}

/// The task of a restart whose answer was lost: one that was not there before.
async fn found_again(
    access: &ClusterAccess,
    restart: &RestartState,
    earlier: Option<BTreeSet<String>>,
    lost: &ProxmoxError,
) -> Result<String, ErrorBody> {
    let Some(earlier) = earlier else {
        return Err(unknown(restart, &lost.reason()));
    };
    let mut unseen = None;
    for look in 0..LOOKS_LOST {
        if look > 0 {
            pause(access).await;
        }
        match tasks(access, restart).await {
            Ok(now) => match now.into_iter().find(|upid| !earlier.contains(upid)) {
                Some(upid) => return Ok(upid),
                None => unseen = None,
            },
            Err(error) => unseen = Some(error.reason()),
        }
    }
    Err(match unseen {
        Some(why) => unknown(
            restart,
            &texts::service::task_lookup_failed(&lost.reason(), &why),
        ),
        None => ErrorBody::new(
            ErrorCode::ToolUnreachable,
            texts::service::was_not_restarted(stem(&restart.unit), &restart.node, lost),
        ),
    })
}

/// Converts the outcome of the task; an error unless it ended well.
pub(super) fn ended(
    restart: &RestartState,
    outcome: Result<TaskOutcome, String>,
) -> Result<(), ErrorBody> {
    match outcome {
        Ok(TaskOutcome::Ok | TaskOutcome::Warnings) => Ok(()),
        Ok(TaskOutcome::Failed(error)) => {
            Err(failed(restart, &texts::service::restart_failed(&error)))
        }
        Ok(TaskOutcome::Running) => Err(unknown(restart, texts::service::TASK_HAS_NOT_ENDED_YET)),
        Ok(TaskOutcome::Unknown(why)) => Err(unknown(restart, why)),
        Err(why) => Err(unknown(restart, &why)),
    }
}

/// Waits until Proxmox VE reports the service as active.
pub(super) async fn up(
    access: &ClusterAccess,
    restart: &RestartState,
    way: &RestartWay,
    before: Option<SeenService>,
) -> Result<ToolOutput, ErrorBody> {
    let mut last = String::new();
    for look in 0..LOOKS {
        if look > 0 {
            pause(access).await;
        }
        match access.api.service(&restart.node, stem(&restart.unit)).await {
            Ok(row) => match row.active_state.as_deref() {
                Some("active") => {
                    let proof = texts::service::ACTIVE_BUT_START_NOT_SEEN;
                    return restarted(
                        restart,
                        way,
                        before,
                        SeenService::from(&row),
                        proof.to_owned(),
                    );
                }
                Some("activating" | "deactivating" | "reloading") => {
                    last = texts::service::it_is_still(&SeenService::from(&row).state);
                }
                _ => {
                    let state = SeenService::from(&row).state;
                    return Err(failed(
                        restart,
                        &texts::service::it_was_restarted_and_is_now(&state),
                    ));
                }
            },
            // The service may be the one that answers.
            Err(error) => last = texts::service::its_state_cannot_be_read(&error.reason()),
        }
    }
    Err(unknown(restart, &last))
}

/// Follows a task to its end; an error says why it cannot be read. Requests fail for a while if the
/// API's own service restarts.
pub(super) async fn follow(access: &ClusterAccess, text: &str) -> Result<TaskOutcome, String> {
    let upid = Upid::parse(text).ok_or_else(|| texts::service::PROXMOX_NAMED_NO_TASK.to_owned())?;
    let mut unseen = None;
    for look in 0..LOOKS {
        if look > 0 {
            pause(access).await;
        }
        match access.api.task_status(&upid).await {
            Ok(status) if status.status.as_deref() == Some("stopped") => {
                return Ok(TaskOutcome::of(status.exitstatus.as_deref(), true));
            }
            Ok(_) => unseen = None,
            Err(error) => unseen = Some(error.reason()),
        }
    }
    match unseen {
        None => Ok(TaskOutcome::Running),
        Some(reason) => Err(texts::service::task_cannot_be_seen(&reason)),
    }
}

async fn pause(access: &ClusterAccess) {
    tokio::time::sleep(Duration::from_millis(access.config.poll_ms)).await;
}
