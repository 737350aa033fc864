//! The ERP: an ERPNext site, or the simulated company.

mod commands;
mod options;
mod own_keys;
mod texts;

use std::sync::Arc;

use agent::ports::Toolset;
use anyhow::Context;
use async_trait::async_trait;
use erp::{DraftMode, Erp, ErpConfig, ErpNoticeKind, ErpNotices, ErpSecret, RestVersion};
use erp_tables::ErpTables;
use protocol::SystemStatus;
use simerp::{SimErp, SimErpOptions, SimErpUser};

use self::options::{ErpAccess, ErpOptions, ErpWay};
use super::{Domain, Services, Simulation, Started, StartedPack};
use crate::{
    config::{AskOrAct, Options, RestApi, Section},
    doors::ToolDoor,
    rules::{ProtectedKind, Protection},
    subcommand::Added,
    tasks::Task,
};

pub(super) struct ErpDomain;

/// Models elsewhere have the tools of the ERP and its packs here and nothing else.
const TOOL_DOOR: ToolDoor = ToolDoor {
    name: "erp-tools",
    title: texts::ERP_TOOLS,
    version: "1",
};

#[async_trait]
impl Domain for ErpDomain {
    fn section(&self) -> Section {
        Section {
            name: "erp",
            notices: &ErpNoticeKind::WORDS,
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
        let options: &ErpOptions = options.as_of().context(texts::OPTIONS_OF_ERP)?;
        let (settings, simerp) = site_of(options).await?;
        let notes = simerp
            .iter()
            .map(|it| texts::company_is_simulated(&it.url()));
        let notes = notes.collect();
        let name = match &simerp {
            Some(_) => texts::SIMULATED_COMPANY.to_owned(),
            None => settings.url.clone(),
        };
        let notices = services.notices;
        let off = |kind: &ErpNoticeKind| notices.off.iter().any(|it| it == kind.word());
        let settings = ErpConfig {
            notices: ErpNotices {
                enabled: notices.enabled,
                off: ErpNoticeKind::ALL.into_iter().filter(off).collect(),
                approval_hours: options.approval_hours,
                overdue_amount: options.overdue_amount,
            },
            ..settings
        };
        let env = Arc::clone(services.env);
        let toolset = Erp::connect_with_clock(settings, move || env.now().0);
        let toolset = toolset.context(texts::THE_ERP)?;
        let tables = ErpTables::open(services.database).await?;
        let toolset = toolset
            .with_made_documents(Arc::new(tables.clone()))
            .with_person_keys(Arc::new(tables));
        let own_keys = toolset.own_keys().map(own_keys::of);
        let status = SystemStatus {
            toolset: toolset.name().to_owned(),
            name,
            simulated: simerp.is_some(),
        };
        let check = toolset.clone();
        let packs = toolset.packs();
        let started = packs.iter().map(|pack| StartedPack {
            is_usual: options.packs.iter().any(|word| word == pack.word()),
            toolset: Arc::new(pack.clone()),
        });
        Ok(Started {
            packs: started.collect(),
            notes,
            own_keys,
            protection: Some(Protection {
                kinds: vec![COMPANIES],
                ..Protection::default()
            }),
            // The server starts whether or not the site answers; each tool checks again.
            tasks: vec![Task::new("the first look at the ERP", |stop| async move {
                let looked = stop.run_until_cancelled(Box::pin(check.verify())).await;
                match looked {
                    Some(Ok(who)) => {
                        tracing::info!(user = who.user, "connected to the ERP");
                        for pack in packs {
                            let looked = stop.run_until_cancelled(Box::pin(pack.look())).await;
                            if let Some(Err(error)) = looked {
                                let (pack, error) = (pack.word(), error.message);
                                tracing::info!(pack, error, "a pack of the ERP cannot be used");
                            }
                        }
                    }
                    Some(Err(error)) => {
                        tracing::warn!(error = error.message, help = error.help, "no ERP yet");
                    }
                    None => {}
                }
            })],
            simulation: simerp.map(|it| -> Box<dyn Simulation> { Box::new(it) }),
            tool_door: Some(TOOL_DOOR),
            ..Started::of(Arc::new(toolset), status)
        })
    }
}

#[async_trait]
impl Simulation for SimErp {
    async fn stop(self: Box<Self>) {
        self.shutdown().await;
    }
}

/// Companies that nothing may change, beside those that the configuration puts out of reach.
const COMPANIES: ProtectedKind = ProtectedKind {
    name: "company",
    label: texts::MORE_COMPANIES_BY_NAME,
    check: |name| {
        let name = name.trim();
        if name.is_empty() || name.len() > 140 {
            return Err(texts::is_no_company(name));
        }
        Ok(name.to_lowercase())
    },
};

/// The connection to the configured site, or to a simulated company that it starts.
async fn site_of(options: &ErpOptions) -> anyhow::Result<(ErpConfig, Option<SimErp>)> {
    let (connection, running) = match &options.way {
        ErpWay::Site(site) => (settings(site), None),
        ErpWay::None | ErpWay::Simulated => {
            let running = SimErp::start(SimErpOptions::default());
            let running = running.await.context(texts::THE_SIMULATED_COMPANY)?;
            (simulated(&running), Some(running))
        }
    };
    let writing = &options.writing;
    let config = ErpConfig {
        protected: writing.protected.clone(),
        black_types: writing.black_types.clone(),
        drafts: match writing.drafts {
            AskOrAct::Ask => DraftMode::Ask,
            AskOrAct::Act => DraftMode::Act,
        },
        t1: writing.t1.into(),
        type_above: writing.t2.into(),
        // Both are within their types by the configuration's own bounds.
        discount: u8::try_from(writing.discount).unwrap_or(0),
        bulk: usize::try_from(writing.bulk).unwrap_or(1),
        light_submit: writing.light_submit.clone(),
        key_field: writing.key_field.clone(),
        ..connection
    };
    Ok((config, running))
}

fn settings(site: &ErpAccess) -> ErpConfig {
    let rest = match site.api {
        RestApi::Auto | RestApi::V1 => RestVersion::V1,
        RestApi::V2 => RestVersion::V2,
    };
    ErpConfig {
        rest,
        methods: rest,
        url: site.url.clone(),
        api_key: site.key.clone(),
        api_secret: ErpSecret::from(site.secret.reveal().to_owned()),
        fingerprints: site.fingerprints.clone(),
        ca_file: site.ca_file.clone(),
        companies: site.companies.clone(),
        readable_types: site.readable.clone(),
        request_timeout_ms: u64::from(site.timeout_seconds) * 1000,
        ..ErpConfig::default()
    }
}

fn simulated(running: &SimErp) -> ErpConfig {
    let (key, secret) = running.key(SimErpUser::Agent);
    ErpConfig {
        url: running.url(),
        api_key: key,
        api_secret: ErpSecret::from(secret),
        is_simulated: true,
        ..ErpConfig::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domains::options_of;

    fn read(text: &str) -> Result<Option<ErpOptions>, Vec<String>> {
        options_of(text)
    }

    #[test]
    fn there_is_an_erp_if_one_is_named_or_simulated() {
        assert!(read("").unwrap().is_none(), "it is off by default");
        let simulated = read("[erp]\nsimulated = true\n").unwrap().unwrap();
        assert!(!simulated.is_connected());
        let site =
            "[erp]\nurl = \"https://erp.lan\"\napi_key = \"k\"\napi_secret = \"very-secret\"\n";
        let named = read(site).unwrap().unwrap();
        assert!(named.is_connected());
        assert!(!format!("{named:?}").contains("very-secret"));
        assert_eq!(named.packs, [""; 0]);
        let packs = "[erp]\nsimulated = true\npacks = [\"distribution\", \"farming\"]\n";
        let unknown = read(packs).unwrap_err();
        assert!(unknown[0].contains("no pack \"farming\""), "{unknown:?}");
        assert_eq!(
            read(&packs.replace(", \"farming\"", ""))
                .unwrap()
                .unwrap()
                .packs,
            ["distribution"]
        );
        for (word, expect) in [
            ("", RestVersion::V1),
            ("api = \"auto\"", RestVersion::V1),
            ("api = \"v1\"", RestVersion::V1),
            ("api = \"v2\"", RestVersion::V2),
        ] {
            let named = read(&format!("{site}{word}\n")).unwrap().unwrap();
            let ErpWay::Site(access) = named.way else {
                panic!("no site: {word}");
            };
            let config = settings(&access);
            assert_eq!((config.rest, config.methods), (expect, expect), "{word}");
        }
        let refused = read(&format!("{site}api = \"v3\"\n")).unwrap_err();
        assert!(refused[0].contains("auto, v1 or v2"), "{refused:?}");
        assert_eq!(
            read("[erp]\nurl = \"https://erp.lan\"\n").unwrap_err(),
            ["jarvis.toml, line 2: erp: set api_key and api_secret beside url"]
        );
    }

    #[test]
    fn what_may_be_written_is_bounded_and_part_of_the_policy() {
        let simulated = |more: &str| read(&format!("[erp]\nsimulated = true\n{more}"));
        let usual = simulated("").unwrap().unwrap();
        assert_eq!(usual.writing.drafts, AskOrAct::Ask);
        for change in [
            "protected = [\"company/Example Holding\"]",
            "black_types = [\"Pricing Rule\"]",
            "drafts = \"act\"",
            "t1 = 5",
            "t2 = 20000",
            "discount = 0",
            "bulk = 1",
            "light_submit = [\"Material Request\"]",
            "key_field = \"jarvis_call\"",
        ] {
            let changed = simulated(change).unwrap().unwrap();
            assert_ne!(changed.policy(), usual.policy(), "{change}");
        }
        for (wrong, expect) in [
            ("protected = [\"Cash\"]", "such as company/Example Holding"),
            ("drafts = \"always\"", "ask or act"),
            ("t1 = 20000", "at least erp.t1, which is 20000"),
            ("t2 = -1", "whole number"),
            ("discount = 101", "from 0 to 100"),
            ("bulk = 0", "from 1 to 100"),
            ("key_field = \"Jarvis Call\"", "such as jarvis_call"),
            ("key_field = \"_user_tags\"", "such as jarvis_call"),
        ] {
            let refused = simulated(wrong).unwrap_err().join("\n");
            assert!(refused.contains(expect), "{wrong}: {refused}");
        }
    }

    #[test]
    fn a_company_is_protected_in_any_case_of_its_letters() {
        assert_eq!(
            (COMPANIES.check)(" Aldergate Cycles "),
            Ok("aldergate cycles".to_owned())
        );
        assert!((COMPANIES.check)(" ").is_err());
    }
}
