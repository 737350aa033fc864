//! Field devices: real ones that enrol, or the simulated office.

mod answers;
mod commands;
mod described;
mod door;
mod options;
mod programs;
mod rights;
mod simulated;
mod texts;
mod upkeep;

use std::sync::Arc;

use agent::ports::Toolset;
use anyhow::Context;
use async_trait::async_trait;
use field::field_package::policy::{FieldPolicy, NamedDestinations};
use field::ports::FieldPorts;
use field::{Field, FieldConfig, FieldNoticeKind, FieldNotices};
use field_dispatch::{
    BackendParts, Dispatch, DispatchParts, DispatchSettings, FieldBackend, SystemDispatchClock,
};
use field_tables::FieldTables;
use protocol::SystemStatus;
use schemars::SchemaGenerator;

use self::{
    options::{FieldOptions, FieldWay},
    programs::FieldPrograms,
};
use super::{Domain, Services, Started};
use crate::{
    api_operations::ApiPart,
    config::{NoticeSettings, Options, Section},
    doors::ToolDoor,
    subcommand::Added,
};

pub(super) struct FieldDevices;

/// Models elsewhere have the tools of the devices here and nothing else, under a name that says what they
/// are for.
const TOOL_DOOR: ToolDoor = ToolDoor {
    name: "network-tools",
    title: texts::NETWORK_TOOLS,
    version: "1",
};

/// The words of the notices.
const NOTICES: [&str; FieldNoticeKind::ALL.len()] = {
    let mut words = [""; FieldNoticeKind::ALL.len()];
    let mut at = 0;
    while at < words.len() {
        words[at] = FieldNoticeKind::ALL[at].word();
        at += 1;
    }
    words
};

#[async_trait]
impl Domain for FieldDevices {
    fn section(&self) -> Section {
        Section {
            name: "field",
            notices: &NOTICES,
            read: options::read,
        }
    }

    fn commands(&self) -> Option<Added> {
        Some(Added::of::<commands::Command>())
    }

    fn api(&self, schemas: &mut SchemaGenerator) -> ApiPart {
        described::part(schemas)
    }

    async fn start(
        &self,
        options: &dyn Options,
        services: Services<'_>,
    ) -> anyhow::Result<Started> {
        let options: &FieldOptions = options.as_of().context(texts::OPTIONS_OF_FIELD)?;
        let config = toolset_config(options, services);
        let tables = FieldTables::open(services.database).await?;
        let word = || Arc::new(services.word.clone());
        let policy = FieldPolicy::new(&config.policy).context(texts::THE_FIELD_DEVICES)?;
        let parts = DispatchParts {
            tables: tables.clone(),
            data_folder: services.data.to_owned(),
            clock: Arc::new(SystemDispatchClock),
            brake: word(),
            approvers: word(),
            settings: DispatchSettings {
                server: options.server.clone(),
                policy,
                oldest_runner: options.oldest_runner,
            },
        };
        let dispatch = Dispatch::open(parts).await;
        let dispatch = dispatch.context(texts::THE_FIELD_DEVICES)?;
        let is_simulated = options.way == FieldWay::Simulated;
        let fleet = if is_simulated {
            let fleet = simulated::enrolled(&dispatch, &tables, services);
            let fleet = Box::pin(fleet).await;
            fleet.context(texts::THE_SIMULATED_OFFICE)?
        } else {
            let removed = simulated::removed(&dispatch, &tables, services);
            let removed = Box::pin(removed).await;
            removed.context(texts::THE_SIMULATED_OFFICE)?;
            None
        };
        let backend = BackendParts {
            rights: word(),
            named: NamedDestinations {
                hosts: config.hosts.clone(),
                networks: config.networks.clone(),
            },
            server_names: config.server_hosts.clone(),
        };
        let backend = FieldBackend::open(dispatch.clone(), backend).await;
        let backend = backend.context(texts::THE_FIELD_DEVICES)?;
        let ports = FieldPorts {
            memory: backend.clone(),
            values: backend.clone(),
            bundles: backend.clone(),
            proposals: backend.clone(),
            runs: backend.clone(),
            administration: backend.clone(),
            env: Arc::clone(services.env),
        };
        let toolset = Field::new(config, ports).context(texts::THE_FIELD_DEVICES)?;
        let name = if is_simulated {
            texts::SIMULATED_OFFICE
        } else {
            texts::FIELD_DEVICES
        };
        let status = SystemStatus {
            toolset: toolset.name().to_owned(),
            name: name.to_owned(),
            simulated: is_simulated,
        };
        let notes = is_simulated.then(|| texts::OFFICE_IS_SIMULATED.to_owned());
        let programs = FieldPrograms {
            dispatch: dispatch.clone(),
            backend: backend.clone(),
            toolset: toolset.clone(),
        };
        let mut tasks = upkeep::tasks(&dispatch, backend, options.keep_days, services.own);
        tasks.extend(fleet.map(|fleet| simulated::task(fleet, services.own)));
        Ok(Started {
            notes: notes.into_iter().collect(),
            routes: programs::routes(&programs),
            door: Some(door::door(&dispatch)),
            tool_door: Some(TOOL_DOOR),
            tasks,
            ..Started::of(Arc::new(toolset), status)
        })
    }
}

/// The options of the toolset, with what the rest of the server knows.
fn toolset_config(options: &FieldOptions, services: Services<'_>) -> FieldConfig {
    let mut config = options.toolset.clone();
    config.server_hosts.extend(services.own.public_host.clone());
    let notices: &NoticeSettings = services.notices;
    let is_off = |kind: &FieldNoticeKind| notices.off.iter().any(|it| it == kind.word());
    config.notices = FieldNotices {
        enabled: notices.enabled,
        off: FieldNoticeKind::ALL.into_iter().filter(is_off).collect(),
        ..config.notices
    };
    config
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domains::options_of;

    fn read(text: &str) -> Result<Option<FieldOptions>, Vec<String>> {
        options_of(text)
    }

    #[test]
    fn there_are_devices_if_they_are_enabled_or_simulated() {
        for off in ["simulated = false", "enabled = false"] {
            let off = read(&format!("[field]\n{off}\n"));
            assert!(off.unwrap().is_none(), "neither");
        }
        let asked = read("[field]\nenabled = false\nsimulated = true\n");
        assert_eq!(asked.unwrap().unwrap().way, FieldWay::Simulated);
        let simulated = read("").unwrap().unwrap();
        assert_eq!(simulated.way, FieldWay::Simulated);
        assert!(!simulated.is_connected());
        let both = read("[field]\nenabled = true\nsimulated = true\n");
        let real = both.unwrap().unwrap();
        assert_eq!(real.way, FieldWay::Devices);
        assert!(real.is_connected());
        assert_ne!(simulated.way, real.way);
    }

    #[test]
    fn the_policy_gets_stricter_and_never_weaker() {
        let with = |more: &str| read(&format!("[field]\nenabled = true\n{more}"));
        let usual = with("").unwrap().unwrap();
        for stricter in [
            "medium = 2",
            "high = 4",
            "forbidden = [\"10.0.0.0/8\"]",
            "[field.weights]\nraw_sockets = \"high\"",
        ] {
            let changed = with(stricter).unwrap().unwrap();
            assert_ne!(changed.policy(), usual.policy(), "{stricter}");
        }
        for refused in [
            "medium = 4",
            "high = 7",
            "forbidden = [\"everything\"]",
            "[field.weights]\nraw_sockets = { points = 0 }",
            "[field.weights]\nno_rule = \"high\"",
            "oldest_runner = \"new\"",
            "server_name = \" \"",
        ] {
            assert!(with(refused).is_err(), "{refused}");
        }
    }
}
