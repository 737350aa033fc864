//! The engine with scripted models: no network, no database, no sleeps.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod act;
mod adversary;
mod approval;
mod boards;
mod branch_crash;
mod branches;
mod budget;
mod call_limits;
mod choice;
mod commands;
mod confirm;
mod crash;
mod crash_confirm;
mod deciding;
mod denied;
mod early_end;
mod faults;
mod files;
mod live;
mod notices;
mod origin;
mod outbox;
mod own_verb;
mod packs;
mod plan;
mod prompt;
mod redaction;
mod references;
mod roles;
mod run_rules;
mod scope;
mod second;
mod second_card;
mod second_link;
mod shown_input;
mod spend;
mod stages;
mod standing;
mod steer;
mod titles;
mod tools;
mod turns;
mod word;
mod world;
