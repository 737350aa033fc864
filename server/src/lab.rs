//! The homelab toolset as it is configured.

use std::sync::Arc;

use agent::ports::Toolset;
use anyhow::Context;
use protocol::SystemStatus;

use crate::{
    config::{Config, ProxmoxSettings},
    rules::Cluster,
    simulated,
};

/// The homelab toolset: on a real cluster if one is configured, else on the simulated one.
pub(crate) async fn start(
    config: &Config,
    notes: &mut Vec<String>,
) -> anyhow::Result<(
    Arc<dyn Toolset>,
    SystemStatus,
    Option<simlab::Simlab>,
    Cluster,
)> {
    let (settings, name, simlab) = match &config.proxmox {
        Some(proxmox) => (homelab_config(proxmox), None, None),
        None => {
            let options = simlab::Options {
                control: config.rehearsal_control,
                ..simlab::Options::default()
            };
            let running = simlab::start(options)
                .await
                .context("the simulated cluster")?;
            let settings = simulated::config(&running, &config.data_dir)?;
            notes.push(format!(
                "No PROXMOX_URL: the cluster is simulated ({}).",
                running.base_url()
            ));
            (
                settings,
                Some("Simulated cluster".to_owned()),
                Some(running),
            )
        }
    };
    let fallback = settings
        .endpoints
        .first()
        .map(|endpoint| endpoint.url.clone());
    let notices = &config.notices;
    let settings = homelab::Config {
        storage_warning_percent: notices.storage_percent,
        backup_warning_hours: notices.backup_hours,
        notices: homelab::NoticeLimits {
            enabled: notices.enabled,
            off: notices.off.clone(),
            full_percent: notices.full_percent,
            celsius: notices.temperature_celsius,
            task_hours: notices.task_hours,
        },
        ..settings
    };
    let cluster = Cluster::from(&settings);
    let toolset = homelab::Homelab::connect(settings).context("the Proxmox cluster")?;
    let status = SystemStatus {
        toolset: "homelab".to_owned(),
        name: name.or(fallback).unwrap_or_default(),
        simulated: simlab.is_some(),
    };
    Ok((Arc::new(toolset), status, simlab, cluster))
}

fn homelab_config(proxmox: &ProxmoxSettings) -> homelab::Config {
    let secret = |secret: &crate::config::Secret| homelab::Secret::from(secret.reveal().to_owned());
    homelab::Config {
        endpoints: proxmox
            .urls
            .iter()
            .map(|url| homelab::Endpoint {
                url: url.clone(),
                fingerprints: proxmox.fingerprints.clone(),
            })
            .collect(),
        ca_file: proxmox.ca_file.clone(),
        token_id: proxmox.token_id.clone(),
        token_secret: proxmox.token_secret.as_ref().map(secret),
        username: proxmox.user.clone(),
        password: proxmox.password.as_ref().map(secret),
        request_timeout_ms: u64::from(proxmox.timeout_seconds) * 1000,
        protected_nodes: proxmox.protected_nodes.clone(),
        protected_guests: proxmox.protected_guests.clone(),
        own_guest: proxmox.own_guest,
        node_roles: proxmox.node_roles.clone(),
        node_macs: proxmox.node_macs.clone(),
        wake_address: proxmox.wake_address,
        services: proxmox.services.clone(),
        ssh: proxmox.ssh.as_ref().map(|ssh| homelab::SshConfig {
            user: ssh.user.clone(),
            key_file: ssh.key_file.clone(),
            known_hosts: ssh.known_hosts.clone(),
            nodes: ssh.nodes.clone(),
            command_timeout_ms: u64::from(ssh.timeout_seconds) * 1000,
            ..homelab::SshConfig::default()
        }),
        ..homelab::Config::default()
    }
}
