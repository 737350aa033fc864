//! Route to a service: through the API or SSH, and the service's state by that route.

use protocol::{ErrorBody, ErrorCode};

use super::{RestartState, SeenService};
use crate::{
    cluster_access::ClusterAccess,
    ssh::{
        GrammarCommand, SshError,
        services::{ShownServices, stem},
    },
    texts,
    wire::ServiceRow,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RestartWay {
    /// Proxmox VE knows the unit and restarts it.
    Proxmox,
    /// The node's guard restarts it.
    Ssh,
}

impl RestartWay {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Proxmox => "Proxmox",
            Self::Ssh => "SSH",
        }
    }

    pub(super) fn words(&self, access: &ClusterAccess, node: &str) -> String {
        match self {
            Self::Proxmox => texts::service::API_OF_PROXMOX.to_owned(),
            Self::Ssh => {
                let address = access.ssh.as_ref().and_then(|ssh| ssh.address(node));
                texts::service::ssh_as(&address.unwrap_or_default())
            }
        }
    }
}

/// Returns whether a node is reachable over SSH.
pub(super) fn has_ssh(access: &ClusterAccess, node: &str) -> bool {
    access.ssh.as_ref().is_some_and(|ssh| ssh.knows(node))
}

/// Finds the route to a service. Fails if its node is known to be off.
pub(super) async fn find(
    access: &ClusterAccess,
    restart: &RestartState,
) -> Result<RestartWay, ErrorBody> {
    // SSH may still work without the API.
    let node = match access.node(&restart.node).await {
        Ok(node) => Some(node),
        Err(error) if error.code == ErrorCode::ToolInputInvalid => return Err(error),
        Err(_) if has_ssh(access, &restart.node) => None,
        Err(error) => return Err(error),
    };
    if let Some(silence) = node
        .as_ref()
        .and_then(crate::cluster_access::NodeEntry::silence)
    {
        return Err(ErrorBody::new(
            ErrorCode::ToolUnreachable,
            texts::service::service_cannot_be_restarted(&silence),
        ));
    }
    let name = stem(&restart.unit);
    match access.api.services(&restart.node).await {
        Ok(rows) if rows.iter().any(|row| knows(row, name)) => Ok(RestartWay::Proxmox),
        Ok(_) | Err(_) if has_ssh(access, &restart.node) => Ok(RestartWay::Ssh),
        Ok(_) => Err(ErrorBody::new(
            ErrorCode::ToolUnreachable,
            texts::service::no_way_to_service(name, &restart.node),
        )),
        Err(error) => Err(error.body()),
    }
}

fn knows(row: &ServiceRow, name: &str) -> bool {
    row.service == name && row.unit_state.as_deref() != Some("not-found")
}

/// The current state of the service, by the route with the most detail.
pub(super) async fn look(
    access: &ClusterAccess,
    restart: &RestartState,
    way: &RestartWay,
) -> Result<SeenService, ErrorBody> {
    match way {
        RestartWay::Ssh => {
            let shown = show(access, restart).await.map_err(|error| error.body())?;
            Ok(SeenService::from(&shown))
        }
        RestartWay::Proxmox => {
            if has_ssh(access, &restart.node)
                && let Ok(shown) = show(access, restart).await
            {
                return Ok(SeenService::from(&shown));
            }
            let row = access
                .api
                .service(&restart.node, stem(&restart.unit))
                .await
                .map_err(|error| error.body())?;
            Ok(SeenService::from(&row))
        }
    }
}

impl From<&ServiceRow> for SeenService {
    fn from(row: &ServiceRow) -> Self {
        let state = match (row.active_state.as_deref(), row.state.as_deref()) {
            (Some(active), Some(sub)) => format!("{active} ({sub})"),
            (Some(one), None) | (None, Some(one)) => one.to_owned(),
            (None, None) => "unknown".to_owned(),
        };
        Self {
            state,
            running_since: None,
            invocation_id: None,
            automatic_restarts: None,
        }
    }
}

/// The service's properties from systemd, over SSH.
pub(super) async fn show(
    access: &ClusterAccess,
    restart: &RestartState,
) -> Result<ShownServices, SshError> {
    let not_configured = || SshError::NotConfigured {
        node: restart.node.clone(),
    };
    let ssh = access.ssh.as_ref().ok_or_else(not_configured)?;
    // The name was validated with the restart.
    let command = GrammarCommand::show(&restart.unit).map_err(|_refusal| not_configured())?;
    let output = ssh.run(&restart.node, &command).await?;
    let shown = ShownServices::parse(&output.stdout);
    if output.code != Some(0) || shown.load_state.is_empty() {
        let said: String = output.stderr.trim().chars().take(300).collect();
        return Err(SshError::NotTaken {
            host: restart.node.clone(),
            message: format!("systemctl show told nothing of {}: {said}", restart.unit),
        });
    }
    Ok(shown)
}
