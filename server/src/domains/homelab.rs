//! The homelab: a Proxmox cluster, or the simulated one.

mod commands;
mod options;
mod simulated;
mod texts;

use std::sync::Arc;

use agent::ports::Toolset;
use anyhow::Context;
use async_trait::async_trait;
use homelab_tables::HomelabTables;
use protocol::SystemStatus;

pub use self::options::{HomelabOptions, Limits, Proxmox, Ssh};
use super::{Domain, Services, Simulation, Started};
use crate::{
    config::{Options, Secret, Section},
    doors::ToolDoor,
    rules::{ProtectedKind, Protection},
    subcommand::Added,
    tasks::Task,
};

pub(super) struct Homelab;

/// Models elsewhere have the tools of the homelab here and nothing else.
const TOOL_DOOR: ToolDoor = ToolDoor {
    name: "homelab-tools",
    title: texts::HOMELAB_TOOLS,
    version: "1",
};

#[async_trait]
impl Domain for Homelab {
    fn section(&self) -> Section {
        Section {
            name: "homelab",
            notices: &homelab::NoticeKind::WORDS,
            read: options::read,
        }
    }

    fn commands(&self) -> Option<Added> {
        Some(Added::of::<commands::Command>())
    }

    async fn start(
        &self,
        options: &dyn Options,
        services: Services<'_>,
    ) -> anyhow::Result<Started> {
        let options: &HomelabOptions = options.as_of().context(texts::OPTIONS_OF_HOMELAB)?;
        let mut notes = Vec::new();
        let (settings, name, simlab) = match &options.proxmox {
            Some(proxmox) => (homelab_config(proxmox), None, None),
            None => {
                let running = simlab::start(simlab::SimlabOptions {
                    control: services.control,
                    ..simlab::SimlabOptions::default()
                });
                let running = running.await.context(texts::THE_SIMULATED_CLUSTER)?;
                notes.push(texts::cluster_is_simulated(&running.base_url()));
                let settings = simulated::config(&running, services.data)?;
                let name = texts::SIMULATED_CLUSTER.to_owned();
                (settings, Some(name), Some(running))
            }
        };
        let first = settings.endpoints.first();
        let name = name.or_else(|| first.map(|endpoint| endpoint.url.clone()));
        let (notices, limits) = (services.notices, &options.limits);
        let off = |kind: &homelab::NoticeKind| notices.off.iter().any(|it| it == kind.word());
        let settings = homelab::Config {
            storage_warning_percent: limits.storage_percent,
            backup_warning_hours: limits.backup_hours,
            notices: homelab::NoticeLimits {
                enabled: notices.enabled,
                off: homelab::NoticeKind::ALL.into_iter().filter(off).collect(),
                full_percent: limits.full_percent,
                celsius: limits.temperature_celsius,
                task_hours: limits.task_hours,
            },
            ..settings
        };
        let protection = protection(&settings);
        let toolset = homelab::Homelab::connect(settings).context(texts::THE_PROXMOX_CLUSTER)?;
        let tables = HomelabTables::open(services.database).await?;
        let tables = match &simlab {
            Some(_) => tables.simulated(),
            None => tables,
        };
        let recorder = toolset.measured_in(Arc::new(tables));
        let status = SystemStatus {
            toolset: toolset.name().to_owned(),
            name: name.unwrap_or_default(),
            simulated: simlab.is_some(),
        };
        Ok(Started {
            notes,
            protection: Some(protection),
            tasks: vec![Task::new(
                "measurements of the homelab",
                |stop| async move {
                    recorder.run(stop.cancelled_owned()).await;
                },
            )],
            simulation: simlab.map(|it| -> Box<dyn Simulation> { Box::new(it) }),
            tool_door: Some(TOOL_DOOR),
            ..Started::of(Arc::new(toolset), status)
        })
    }
}

#[async_trait]
impl Simulation for simlab::Simlab {
    async fn stop(self: Box<Self>) {
        self.shutdown().await;
    }
}

fn homelab_config(proxmox: &Proxmox) -> homelab::Config {
    let secret = |secret: &Secret| homelab::TokenSecret::from(secret.reveal().to_owned());
    homelab::Config {
        endpoints: proxmox
            .urls
            .iter()
            .map(|url| homelab::EndpointConfig {
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

fn protection(config: &homelab::Config) -> Protection {
    let nodes = config.protected_nodes.iter();
    let nodes = nodes.map(|node| format!("node {node}"));
    let guests = config.protected_guests.iter();
    let guests = guests.map(|id| format!("guest {id}"));
    let own = config.own_guest.into_iter();
    let own = own.map(texts::guest_which_jarvis_runs_in);
    let services = config.services.iter().flat_map(|(node, names)| {
        names.iter().map(move |name| {
            let object = homelab::service_object(node, name);
            (format!("{name} on {node}"), object)
        })
    });
    Protection {
        fixed: nodes.chain(guests).chain(own).collect(),
        kinds: KINDS.into(),
        listed: Some((texts::SERVICES_THAT_MAY_BE_RESTARTED, services.collect())),
    }
}

/// Things that can be protected beside services.
pub(crate) const KINDS: [ProtectedKind; 2] = [
    ProtectedKind {
        name: "node",
        label: texts::MORE_NODES_BY_NAME,
        check: |node| {
            let mut signs = node.chars();
            let fits = signs.all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
            if fits && node.len() <= 63 {
                Ok(node.to_ascii_lowercase())
            } else {
                Err(texts::is_no_node(node))
            }
        },
    },
    ProtectedKind {
        name: "guest",
        label: texts::MORE_GUESTS_BY_ID,
        check: |guest| {
            let id: Option<u32> = guest.parse().ok();
            let id = id.filter(|id| (100..=999_999_999).contains(id));
            id.map(|id| id.to_string())
                .ok_or_else(|| texts::is_no_guest(guest))
        },
    },
];
