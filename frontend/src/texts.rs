//! Sentences for people: those of the banner after a crash.

pub(crate) const PAGE_HAS_CRASHED: &str =
    "This page has crashed. Nothing is lost: work on the server continues.";
pub(crate) const RELOAD_THE_PAGE: &str = "Reload the page";
