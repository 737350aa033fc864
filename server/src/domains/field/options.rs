//! `[field]`: field devices, and their share of `[notices]`.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use field::field_package::policy::{FieldPolicy, PolicySettings, RuleWeight};
use field::{FieldConfig, FieldNotices};
use field_dispatch::RunnerVersion;
use ipnet::IpNet;

use super::texts;
use crate::config::{Options, Reader, Setting, Source, Whole};

/// True if a server for which no real system is configured shows the simulated office.
const SIMULATED_BY_DEFAULT: bool = true;

/// The configuration of field devices.
#[derive(Debug, Clone)]
pub(super) struct FieldOptions {
    pub(super) way: FieldWay,
    /// Settings of the toolset; notices and the server's own hosts are added at the start.
    pub(super) toolset: FieldConfig,
    /// The server's name in packages and in what devices sign.
    pub(super) server: String,
    pub(super) oldest_runner: Option<RunnerVersion>,
    /// Days for which diagnostics and runs are kept.
    pub(super) keep_days: u32,
}

/// The devices of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldWay {
    None,
    Simulated,
    Devices,
}

impl Options for FieldOptions {
    fn is_connected(&self) -> bool {
        self.way == FieldWay::Devices
    }

    fn is_off(&self) -> bool {
        self.way == FieldWay::None
    }

    fn policy(&self) -> String {
        let it = &self.toolset;
        format!(
            "{:?}",
            (&it.hosts, &it.networks, &it.server_hosts, &it.policy)
        )
    }
}

pub(super) fn read(r: &mut Reader<'_>) -> Arc<dyn Options> {
    r.section(
        "field",
        "Field devices: small machines at other places that diagnose the network around them. People \
         approve what runs there.",
    );
    let enabled = r
        .key("field.enabled", "with true, people can add real devices")
        .env("JARVIS_FIELD")
        .or(false);
    let simulated = r
        .key(
            "field.simulated",
            "with true and without `enabled`, there are six simulated devices of one office",
        )
        .env("JARVIS_SIMULATED_FIELD")
        .or(SIMULATED_BY_DEFAULT);
    let server = r
        .key(
            "field.server_name",
            "the server's name in what devices sign; enrolled devices know no other",
        )
        .or("jarvis".to_owned());
    let oldest = r
        .key::<String>(
            "field.oldest_runner",
            "runners before this version are refused",
        )
        .optional("\"0.1.0\"");
    let keep = r
        .key("field.keep_days", "how long diagnostics and runs are kept")
        .or(Whole::<1, 3_650>(90));
    let toolset = read_toolset(r, &enabled);
    let oldest_runner = oldest.and_then(|oldest| {
        let version = RunnerVersion::of_agent(&format!("jarvis-runner/{}", oldest.value));
        if version.is_none() {
            r.refuse(&oldest.source, texts::OLDEST_RUNNER_IS_NO_VERSION);
        }
        version
    });
    let is_name = |name: &str| !name.trim().is_empty() && name.len() <= 100;
    if !is_name(&server) || server.chars().any(char::is_control) {
        r.refuse(&server.source, texts::SERVER_NAME_IS_NO_NAME);
    }
    let silent = r
        .key(
            "notices.silent_minutes",
            "time without a word after which a field device raises a notice",
        )
        .or(Whole::<1, 10_080>(30));
    // Whoever turned the devices off by a line wants no office in their place, unless another line says so.
    let is_off = enabled.source != Source::Default && simulated.source == Source::Default;
    let way = if *enabled {
        FieldWay::Devices
    } else if *simulated && !is_off {
        FieldWay::Simulated
    } else {
        FieldWay::None
    };
    Arc::new(FieldOptions {
        way,
        toolset: FieldConfig {
            notices: FieldNotices {
                silent_minutes: silent.0,
                ..FieldNotices::default()
            },
            ..toolset
        },
        server: server.value,
        oldest_runner,
        keep_days: keep.0,
    })
}

fn read_toolset(r: &mut Reader<'_>, enabled: &Setting<bool>) -> FieldConfig {
    let server_hosts = r
        .key::<Vec<String>>(
            "field.server_hosts",
            "more names and addresses of this server, which no step may reach",
        )
        .optional("[\"jarvis.lan\"]");
    let hosts = r
        .key::<Vec<String>>(
            "field.hosts",
            "hosts outside the sites that steps may ask, as a step has them",
        )
        .under("Destinations that count as known. All others raise the risk of a script.")
        .optional("[\"speed.example.org\"]");
    let networks = r
        .key::<Vec<String>>("field.networks", "the same as networks")
        .optional("[\"198.51.100.0/24\"]");
    let forbidden = r
        .key::<Vec<String>>("field.forbidden", "networks that no step may reach")
        .under("The policy can be made stricter, never weaker.")
        .optional("[\"10.99.0.0/16\"]");
    let medium = r
        .key::<Whole<1, 3>>(
            "field.medium",
            "points from which risk is medium, 3 at most",
        )
        .optional("2");
    let high = r
        .key::<Whole<1, 6>>("field.high", "points from which risk is high, 6 at most")
        .optional("5");
    let delivery = r
        .key(
            "field.delivery_minutes",
            "how long a run waits for its device",
        )
        .or(Whole::<1, 60>(10));
    let probes = r
        .key("field.probes_per_hour", "probes of one device in an hour")
        .or(Whole::<0, 1_000>(60));
    let weights: BTreeMap<String, RuleWeight> = r.table(
        "field.weights",
        "Points of single rules of risk, at least the built-in ones.",
        "[field.weights]\nline_test = { points = 4 }\nraw_sockets = \"high\"",
    );
    let networks = read_networks(r, networks);
    let forbidden = read_networks(r, forbidden);
    // Within their types by the bounds.
    let small = |points: u32| u8::try_from(points).unwrap_or(1);
    let policy = PolicySettings {
        weights,
        medium: medium.map(|it| small(it.value.0)),
        high: high.map(|it| small(it.value.0)),
        forbidden,
    };
    if let Err(error) = FieldPolicy::new(&policy) {
        r.refuse(&enabled.source, texts::policy_is_refused(&error));
    }
    let set = |setting: Option<Setting<Vec<String>>>| -> BTreeSet<String> {
        setting.into_iter().flat_map(|it| it.value).collect()
    };
    FieldConfig {
        server_hosts: set(server_hosts),
        hosts: set(hosts),
        networks,
        policy,
        delivery_minutes: delivery.0,
        probes_per_hour: probes.0,
        notices: FieldNotices::default(),
    }
}

fn read_networks(r: &mut Reader<'_>, setting: Option<Setting<Vec<String>>>) -> Vec<IpNet> {
    let Some(setting) = setting else {
        return Vec::new();
    };
    let read: Result<Vec<IpNet>, _> = setting.value.iter().map(|it| it.parse()).collect();
    read.unwrap_or_else(|_| {
        r.refuse(&setting.source, texts::NETWORKS_ARE_NONE);
        Vec::new()
    })
}
