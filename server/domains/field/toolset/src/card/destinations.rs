//! The destinations of a run as a table: value, token, place, and whose word it is.

use field_package::policy::{ContactFact, ContactPlace, ValueOrigin};
use protocol::{CardSection, TableColumn};

use crate::{prepared::PreparedRun, texts::card as say};

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
    let word = match contact.origin {
        ValueOrigin::Configuration => say::WORD_CONFIGURATION,
        ValueOrigin::Row => say::WORD_ROW,
        // For a probe the gate says whose word it is, value by value.
        ValueOrigin::Person if run.source.is_none() => say::WORD_SEE_ABOVE,
        ValueOrigin::Person => say::WORD_PERSON,
        ValueOrigin::ToolOutput => say::WORD_MODEL,
    };
    vec![
        (contact.step + 1).to_string(),
        value,
        token.unwrap_or_else(|| say::NO_TOKEN.to_owned()),
        protocol,
        place.to_owned(),
        word.to_owned(),
    ]
}
