//! The table of domains: one line for each.

mod erp;
mod field;
pub mod homelab;
#[cfg(feature = "sample-domain")]
mod lamps;
pub mod markets;

use std::{
    any::Any,
    net::{Ipv4Addr, Ipv6Addr, SocketAddr},
    path::Path,
    sync::{Arc, OnceLock},
};

use agent::ports::{Env, PackNote, Toolset};
use async_trait::async_trait;
use protocol::{Pack, SystemStatus};
use rehearsal::{Area, routine::Routine};
use schemars::SchemaGenerator;
use store::{DomainDatabase, Store};
use tokio_util::sync::CancellationToken;

use crate::{
    api_operations::ApiPart,
    config::{Config, DomainKey, NoticeSettings, Options, Section},
    doors::{DeviceDoor, OpenToolDoor, ToolDoor},
    examples,
    own_keys::OwnKeys,
    routes::Route,
    rules::Protection,
    server_word::ServerWord,
    subcommand::Added,
    tasks::Task,
    texts,
};

/// In the order of their sections in the configuration and of their systems; tabs are in the order of the
/// panels (`app/src/domains.rs`). Unformatted, so that a domain is a line.
#[rustfmt::skip]
const DOMAINS: &[&dyn Domain] = &[
    &homelab::Homelab,
    &erp::ErpDomain,
    &field::FieldDevices,
    &markets::Markets,
    #[cfg(feature = "sample-domain")] &lamps::Lamps,
];

/// A domain on the server.
#[async_trait]
trait Domain: Sync {
    /// Its part of the configuration.
    fn section(&self) -> Section;

    /// Its subcommands of `jarvis`.
    fn commands(&self) -> Option<Added> {
        None
    }

    /// Rules by which the rehearsal model speaks of it, where those for all tools are not enough.
    fn routine(&self) -> Option<&'static dyn Routine> {
        None
    }

    /// Its operations of `/api/v1` for the description of the interface, with the schemas that they
    /// use. They are described on every server, whatever is configured.
    fn api(&self, _schemas: &mut SchemaGenerator) -> ApiPart {
        ApiPart::default()
    }

    /// Connects it to its system, or to a simulation.
    ///
    /// # Errors
    /// What it is configured with cannot be used, or the database fails.
    async fn start(&self, options: &dyn Options, services: Services<'_>)
    -> anyhow::Result<Started>;
}

/// Things that the server gives a domain.
#[derive(Clone, Copy)]
struct Services<'a> {
    /// For its own tables.
    database: &'a DomainDatabase,
    word: &'a ServerWord,
    env: &'a Arc<dyn Env>,
    /// The folder of the server's data.
    data: &'a Path,
    notices: &'a NoticeSettings,
    /// True if tests may break a simulation over HTTP.
    control: bool,
    own: &'a OwnAddress,
}

/// The server itself, as its domains see it. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnAddress {
    /// The host of its public URL.
    public_host: Option<String>,
    url: Arc<OnceLock<String>>,
    stopping: CancellationToken,
}

impl OwnAddress {
    pub(crate) fn new(config: &Config, stopping: CancellationToken) -> Self {
        let public = config.server.public_url.as_ref();
        let public = public.and_then(|url| url.value.parse::<axum::http::Uri>().ok());
        Self {
            public_host: public.and_then(|url| Some(url.host()?.to_owned())),
            url: Arc::default(),
            stopping,
        }
    }

    /// Notes where the server listens, before its tasks begin.
    pub(crate) fn listens(&self, address: SocketAddr, is_tls: bool) {
        let mut near = address;
        if address.ip().is_unspecified() {
            near.set_ip(match address {
                SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
            });
        }
        let scheme = if is_tls { "https" } else { "http" };
        // It listens once.
        drop(self.url.set(format!("{scheme}://{near}")));
    }

    /// The URL for programs on this machine; none before the server listens.
    fn url(&self) -> Option<&str> {
        self.url.get().map(String::as_str)
    }

    /// Cancelled as soon as the server stops, before its connections have ended.
    fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }
}

/// A domain that runs.
pub(crate) struct Started {
    pub(crate) toolset: Arc<dyn Toolset>,
    /// Its other toolsets, which people choose when a conversation starts.
    pub(crate) packs: Vec<StartedPack>,
    pub(crate) status: SystemStatus,
    /// The keys of its part of the configuration, which admins see. They come from its
    /// declarations.
    pub(crate) keys: Vec<DomainKey>,
    /// See [`Domain::routine`]; it comes from there.
    routine: Option<&'static dyn Routine>,
    /// Names of the things that its tools are about, for its routine.
    things: Vec<String>,
    /// Notes for the operator, such as what is simulated.
    pub(crate) notes: Vec<String>,
    /// Its parts that can be protected.
    pub(crate) protection: Option<Protection>,
    /// The keys that each person may have for themselves.
    pub(crate) own_keys: Option<Arc<dyn OwnKeys>>,
    pub(crate) routes: Vec<Route>,
    /// For its devices, if it has any.
    pub(crate) door: Option<DeviceDoor>,
    /// For models elsewhere, beside the one that all domains share.
    pub(crate) tool_door: Option<ToolDoor>,
    pub(crate) scripts: Vec<SiteScript>,
    /// Background work while the server runs.
    pub(crate) tasks: Vec<Task>,
    pub(crate) simulation: Option<Box<dyn Simulation>>,
}

impl Started {
    /// A domain with a toolset alone.
    fn of(toolset: Arc<dyn Toolset>, status: SystemStatus) -> Self {
        Self {
            toolset,
            packs: Vec::new(),
            status,
            keys: Vec::new(),
            routine: None,
            things: Vec::new(),
            notes: Vec::new(),
            protection: None,
            own_keys: None,
            routes: Vec::new(),
            door: None,
            tool_door: None,
            scripts: Vec::new(),
            tasks: Vec::new(),
            simulation: None,
        }
    }

    /// Its toolsets, its own first.
    pub(crate) fn toolsets(&self) -> impl Iterator<Item = &Arc<dyn Toolset>> {
        let packs = self.packs.iter().map(|pack| &pack.toolset);
        std::iter::once(&self.toolset).chain(packs)
    }

    /// Its tools as the rehearsal model is told of them, with its routine beside its own toolset.
    pub(crate) fn areas(&self) -> impl Iterator<Item = Area> {
        let own = Area {
            routine: self.routine,
            names: self.things.clone(),
            ..examples::area(&*self.toolset)
        };
        let packs = self.packs.iter();
        std::iter::once(own).chain(packs.map(|pack| examples::area(&*pack.toolset)))
    }

    /// Its door for models elsewhere, if it has one, with its toolsets.
    pub(crate) fn open_tool_door(&self) -> Option<OpenToolDoor> {
        let toolsets = self.toolsets().map(|toolset| toolset.name().to_owned());
        Some(OpenToolDoor {
            door: self.tool_door?,
            toolsets: toolsets.collect(),
        })
    }

    /// The names of its toolsets for people: the system's, and with it a pack's.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.toolsets().map(|toolset| {
            let system = &self.status.name;
            let name = match toolset.pack() {
                Some(pack) => texts::settings::pack_of(system, pack),
                None => system.clone(),
            };
            (toolset.name(), name)
        })
    }
}

/// A pack of a domain; see [`Toolset::pack`].
#[derive(Clone)]
pub(crate) struct StartedPack {
    pub(crate) toolset: Arc<dyn Toolset>,
    /// True if conversations that begin without a choice have it.
    pub(crate) is_usual: bool,
}

impl StartedPack {
    /// The pack as a page offers it now.
    pub(crate) fn offered(&self) -> Option<Pack> {
        let PackNote { about, lacks } = self.toolset.pack_note();
        Some(Pack {
            toolset: self.toolset.name().to_owned(),
            label: self.toolset.pack()?.to_owned(),
            about,
            lacks,
            usual: self.is_usual,
        })
    }
}

/// A script that its panel loads when it is needed.
pub(crate) struct SiteScript {
    /// The panel finds its URL under this name; see [`app::PanelScript`].
    pub(crate) name: &'static str,
    /// Its file in the site.
    pub(crate) file: &'static str,
}

/// A stand-in for a system, which stops with the server.
#[async_trait]
pub(crate) trait Simulation: Any + Send + Sync {
    async fn stop(self: Box<Self>);
}

/// The parts of the configuration, in the order of the table.
pub fn sections() -> Vec<Section> {
    DOMAINS.iter().map(|domain| domain.section()).collect()
}

/// The parts of the interface's description, in the order of the table.
pub(crate) fn api_parts(schemas: &mut SchemaGenerator) -> Vec<ApiPart> {
    DOMAINS.iter().map(|domain| domain.api(schemas)).collect()
}

/// The subcommands of all domains, in the order of the table.
pub(crate) fn commands() -> Vec<Added> {
    let commands = DOMAINS.iter().filter_map(|domain| domain.commands());
    commands.collect()
}

/// The routines of all domains, in the order of the table.
pub(crate) fn routines() -> impl Iterator<Item = &'static dyn Routine> {
    DOMAINS.iter().filter_map(|domain| domain.routine())
}

/// Starts the domains that are configured.
///
/// # Errors
/// One of them cannot be started.
pub(crate) async fn start(
    config: &Config,
    store: &Store,
    env: &Arc<dyn Env>,
    own: &OwnAddress,
) -> anyhow::Result<Vec<Started>> {
    let services = Services {
        database: &DomainDatabase::from(store),
        word: &ServerWord::new(store),
        env,
        data: &config.server.data_dir,
        notices: &config.notices,
        control: config.rehearsal_control,
        own,
    };
    let mut started = Vec::new();
    for had in &config.domains {
        for domain in DOMAINS {
            if domain.section().name == had.name {
                started.push(Started {
                    keys: had.keys.clone(),
                    routine: domain.routine(),
                    ..domain.start(&*had.options, services).await?
                });
            }
        }
    }
    Ok(started)
}

/// Reads the options of a domain from the text of a configuration file, as its tests need them; the errors are
/// the words that the operator reads.
#[cfg(test)]
fn options_of<T: Options + Clone>(text: &str) -> Result<Option<T>, Vec<String>> {
    let flags = crate::config::Flags::default();
    let home = [("HOME".to_owned(), "/home/sam".to_owned())];
    let path = Path::new("jarvis.toml");
    let config = Config::read(&flags, path, text, home, &sections());
    let config = config.map_err(|problems| {
        let problems = problems.iter().map(ToString::to_string);
        problems.collect::<Vec<_>>()
    })?;
    Ok(config.domain::<T>().cloned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_on_this_machine_reach_a_server_that_listens_everywhere() {
        for (listens, is_tls, url) in [
            ("127.0.0.1:7300", false, "http://127.0.0.1:7300"),
            ("0.0.0.0:7300", false, "http://127.0.0.1:7300"),
            ("[::]:7300", true, "https://[::1]:7300"),
            ("192.0.2.7:80", false, "http://192.0.2.7:80"),
        ] {
            let own = OwnAddress::default();
            assert_eq!(own.url(), None);
            own.listens(listens.parse().unwrap(), is_tls);
            assert_eq!(own.url(), Some(url));
        }
    }
}
