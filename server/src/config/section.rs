//! A domain's part of the configuration, and `[domains]`: which domains a server has.

use std::{any::Any, fmt, sync::Arc};

use super::{reader::Reader, source::Setting};

/// A domain's part of the configuration.
#[derive(Clone, Copy)]
pub struct Section {
    /// The domain.
    pub name: &'static str,
    /// The kinds of its notices, by their words.
    pub(crate) notices: &'static [&'static str],
    pub(crate) read: fn(&mut Reader<'_>) -> Arc<dyn Options>,
}

/// A domain that the server has, as it is configured.
#[derive(Debug, Clone)]
pub struct DomainConfig {
    pub name: &'static str,
    pub options: Arc<dyn Options>,
    /// The keys that it declared, in order.
    pub(crate) keys: Vec<DomainKey>,
}

/// A key that a domain declared.
#[derive(Clone)]
pub(crate) struct DomainKey {
    /// With its section.
    pub(crate) name: &'static str,
    pub(crate) help: String,
    pub(crate) is_secret: bool,
}

impl fmt::Debug for DomainKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Configuration of a domain.
pub trait Options: Any + fmt::Debug + Send + Sync {
    /// True if a real system is named. Without one the domain is a demonstration.
    fn is_connected(&self) -> bool;

    /// True if the section itself leaves the domain out.
    fn is_off(&self) -> bool {
        false
    }

    /// The part that decides what may run, as text.
    fn policy(&self) -> String;
}

impl dyn Options {
    /// The options as those of a domain, if they are.
    pub(crate) fn as_of<T: Options>(&self) -> Option<&T> {
        let options: &dyn Any = self;
        options.downcast_ref()
    }
}

/// Reads every section, so that a wrong key is told in one that is left out as well. Gives those
/// of the domains that the server has: all that are enabled while none of them is connected, else
/// those that are, and the demonstrations that are wanted beside them.
pub(super) fn read(r: &mut Reader<'_>, sections: &[Section]) -> Vec<DomainConfig> {
    r.section(
        "domains",
        "If no real system is connected, domains run as demonstrations: some on their own, the others \
         once their section has `simulated = true`. As soon as one is connected, only connected domains \
         are shown, plus the demonstrations listed in `demo`.",
    );
    let known: Vec<_> = sections.iter().map(|section| section.name).collect();
    let enabled = r
        .key("domains.enabled", "[] is a plain chat")
        .env("JARVIS_DOMAINS")
        .optional(format!("{known:?}"));
    let enabled = names(r, "domains.enabled", enabled, &known);
    let demo = r
        .key("domains.demo", "demonstrations to keep")
        .env("JARVIS_DOMAINS_DEMO")
        .optional(format!("{:?}", &known[known.len().saturating_sub(1)..]));
    let demo = names(r, "domains.demo", demo, &known);
    let mut had: Vec<_> = sections
        .iter()
        .map(|section| {
            let before = r.declarations.0.len();
            DomainConfig {
                name: section.name,
                options: (section.read)(r),
                keys: r.declarations.keys(before),
            }
        })
        .filter(|domain| {
            let is_enabled = enabled
                .as_ref()
                .is_none_or(|it| it.iter().any(|it| it == domain.name));
            is_enabled && !domain.options.is_off()
        })
        .collect();
    if had.iter().any(|domain| domain.options.is_connected()) {
        let demo = demo.unwrap_or_default();
        had.retain(|domain| {
            domain.options.is_connected() || demo.iter().any(|wanted| wanted == domain.name)
        });
    }
    had
}

/// Names of domains; none if the key is not set.
fn names(
    r: &mut Reader<'_>,
    key: &str,
    names: Option<Setting<Vec<String>>>,
    known: &[&str],
) -> Option<Vec<String>> {
    let names = names?;
    if names.iter().any(|name| known.iter().all(|it| it != name)) {
        let known = known.join(", ");
        r.refuse(
            &names.source,
            format!("{key}: expected names of domains, which are {known}"),
        );
    }
    Some(names.value)
}
