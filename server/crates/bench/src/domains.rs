//! The table of measured domains: one line for each. Each is a domain of the server's table, by a test in
//! `xtask`.

mod erp;
mod field;
mod homelab;
mod markets;

use anyhow::Result;
use clap::{ArgMatches, Command, FromArgMatches, Subcommand, error::ErrorKind};
use futures::future::LocalBoxFuture;

// The domain that all other measurements ask about: they need questions, calls and a system.
pub(crate) use self::homelab::{ANSWER, GREEN, QUESTION, RED, acting, system};

/// In the order of their subcommands.
const DOMAINS: &[MeasuredDomain] = &[
    MeasuredDomain::of::<homelab::HomelabMeasurement>(),
    MeasuredDomain::of::<erp::ErpMeasurement>(),
    MeasuredDomain::of::<field::FieldMeasurement>(),
    MeasuredDomain::of::<markets::MarketsMeasurement>(),
];

/// Subcommands of a domain, and their work.
trait MeasuredCommand: Subcommand {
    fn run(self) -> LocalBoxFuture<'static, Result<()>>;
}

struct MeasuredDomain {
    add: fn(Command) -> Command,
    has: fn(&str) -> bool,
    given: fn(&ArgMatches) -> Result<DomainCommand, clap::Error>,
}

impl MeasuredDomain {
    const fn of<T: MeasuredCommand>() -> Self {
        Self {
            add: T::augment_subcommands,
            has: T::has_subcommand,
            given: |given| Ok(DomainCommand(T::from_arg_matches(given)?.run())),
        }
    }
}

/// The subcommand of a domain that was given: its work, which begins when it is waited for.
pub(crate) struct DomainCommand(LocalBoxFuture<'static, Result<()>>);

impl DomainCommand {
    pub(crate) async fn run(self) -> Result<()> {
        self.0.await
    }
}

impl FromArgMatches for DomainCommand {
    fn from_arg_matches(given: &ArgMatches) -> Result<Self, clap::Error> {
        let name = given.subcommand_name().unwrap_or_default();
        match DOMAINS.iter().find(|domain| (domain.has)(name)) {
            Some(domain) => (domain.given)(given),
            None => Err(clap::Error::new(ErrorKind::InvalidSubcommand)),
        }
    }

    fn update_from_arg_matches(&mut self, given: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(given)?;
        Ok(())
    }
}

impl Subcommand for DomainCommand {
    fn augment_subcommands(program: Command) -> Command {
        let domains = DOMAINS.iter();
        domains.fold(program, |program, domain| (domain.add)(program))
    }

    fn augment_subcommands_for_update(program: Command) -> Command {
        Self::augment_subcommands(program)
    }

    fn has_subcommand(name: &str) -> bool {
        DOMAINS.iter().any(|domain| (domain.has)(name))
    }
}
