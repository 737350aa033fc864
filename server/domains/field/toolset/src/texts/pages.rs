//! Refusals of pages.

pub(crate) const NO_PAGE: &str = "There is no such part of a page.";
