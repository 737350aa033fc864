//! The table of panels: one line per domain.

#[cfg(not(feature = "without-erp"))]
mod erp;
mod field;
mod homelab;
#[cfg(feature = "sample-domain")]
mod lamps;
mod markets;

#[cfg(test)]
use crate::panel;
use crate::panel::Panel;

/// In the order of their tabs. Unformatted, so that a domain is a line.
#[rustfmt::skip]
pub(crate) static PANELS: &[Panel] = &[
    homelab::PANEL,
    #[cfg(not(feature = "without-erp"))] erp::PANEL,
    markets::PANEL,
    field::PANEL,
    #[cfg(feature = "sample-domain")] lamps::PANEL,
];

/// Does work with every panel installed and its toolset on the server, as tests need them.
#[cfg(test)]
pub(crate) fn with_all(work: impl FnOnce()) {
    panel::install(PANELS);
    let names = PANELS.iter().map(|panel| panel.toolset.to_owned());
    leptos::prelude::Owner::new_root(None).with(|| {
        panel::tell_present(names.collect(), Vec::new());
        work();
    });
}
