//! The toolset from outside, against answers in the shapes that ERPNext gives.

#![expect(clippy::unwrap_used, reason = "tests")]

mod acting;
mod board;
mod card_figures;
mod cards;
mod closing_days;
mod closing_stock;
mod closings;
mod context;
mod definitions;
mod draft_ledgers;
mod drafts;
mod drafts_alike;
mod drafts_hostile;
mod drafts_once;
mod encodings;
mod error_shapes;
mod figures;
mod flow;
mod own_keys;
mod pack_bills;
mod pack_drafts;
mod pack_orders;
mod pack_tills;
mod pack_types;
mod packs;
mod pages;
mod parties;
mod payments;
mod queued;
mod readings;
mod refusals;
mod repeated_drafts;
mod reports;
mod rest_api;
mod reversals;
mod rounds;
mod simulated;
mod site_check;
mod start;
mod stub;
mod submits;
mod summaries;
mod trust;
mod writing;
