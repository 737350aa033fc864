//! The destinations of a run as a table: value, token, place, and whose word it is.

use field_package::policy::{ContactFact, ContactPlace, ValueOrigin};
use protocol::{CardSection, TableColumn};

use crate::{ports::ScriptAuthor, prepared::PreparedRun, texts::card as say};

pub(super) fn table(run: &PreparedRun) -> CardSection {
    let contacts = &run.judged.facts.contacts;
    if contacts.is_empty() {
        let text = if run.real.is_some() {
            say::NO_DESTINATIONS
        } else {
            say::UNKNOWN_DESTINATIONS
        };
        return CardSection::text(say::DESTINATIONS, "", text);
    }
    let columns = [
        say::STEP,
        say::VALUE,
        say::TOKEN,
        say::PROTOCOL,
        say::PLACE,
        say::WORD,
    ];
    CardSection::Table {
        title: say::DESTINATIONS.to_owned(),
        columns: columns
            .map(|name| TableColumn {
                name: name.to_owned(),
                numeric: name == say::STEP,
            })
            .into(),
        rows: contacts.iter().map(|contact| row(run, contact)).collect(),
        sums: Vec::new(),
    }
}

fn row(run: &PreparedRun, contact: &ContactFact) -> Vec<String> {
    let value = contact.to.to_string();
    let token = run
        .real
        .as_ref()
        .and_then(|real| real.token_of(contact.step, &value));
    let protocol = match (contact.protocol, contact.port) {
        (Some(protocol), Some(port)) => format!("{} {port}", protocol.word()),
        (Some(protocol), None) => protocol.word().to_owned(),
        (None, _) => say::LOOKED_UP.to_owned(),
    };
    let place = match contact.place {
        ContactPlace::Own => say::PLACE_OWN,
        ContactPlace::Site => say::PLACE_SITE,
        ContactPlace::Elsewhere => say::PLACE_ELSEWHERE,
        ContactPlace::Public => say::PLACE_PUBLIC,
    };
    vec![
        (contact.step + 1).to_string(),
        value,
        token.unwrap_or_else(|| say::NO_TOKEN.to_owned()),
        protocol,
        place.to_owned(),
        word(run, contact.origin).to_owned(),
    ]
}

/// The words for whoever set a destination.
fn word(run: &PreparedRun, origin: ValueOrigin) -> &'static str {
    let author = run.source.as_ref().map(|source| &source.version.made_by);
    match (origin, author) {
        (ValueOrigin::Configuration, _) => say::WORD_CONFIGURATION,
        (ValueOrigin::Row, _) => say::WORD_ROW,
        // For a probe the gate says whose word it is, value by value.
        (ValueOrigin::Person, None) => say::WORD_SEE_ABOVE,
        (ValueOrigin::Person, Some(_)) => say::WORD_PERSON,
        // Whoever edited the script has kept it, and not chosen it.
        (ValueOrigin::ToolOutput, Some(ScriptAuthor::Person(_))) => say::WORD_EARLIER,
        (ValueOrigin::ToolOutput, Some(ScriptAuthor::Program)) => say::BY_PROGRAM,
        (ValueOrigin::ToolOutput, Some(ScriptAuthor::Model) | None) => say::BY_MODEL,
    }
}
