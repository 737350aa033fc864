//! Shared by the tests of tools that act: a company whose clock moves, documents to act on, and cards.

use std::{sync::Arc, time::Duration};

use agent::ports::{Preview, Reconciled, ToolCall};
use erp::{Erp, ErpConfig, RestVersion};
use protocol::{Assurance, CardSection, Timestamp};
use serde_json::{Value, json};
use simerp::{
    ManualSimErpClock, SimErp, SimErpFault, SimErpOptions, SimErpProfile, SimErpTrigger, SimErpUser,
};
use tokio::task::JoinHandle;

use crate::{
    simulated::{NOW, World, ask, data, first},
    stub::{call, tool},
};

pub(crate) const COMPANY: &str = "Aldergate Cycles";
pub(crate) const DAY: Duration = Duration::from_secs(86_400);

/// Both profiles, and 15 with both versions of the API, each with a clock of its own.
pub(crate) async fn worlds() -> Vec<(World, ManualSimErpClock)> {
    let mut worlds = Vec::new();
    for (profile, rest) in [
        (SimErpProfile::V15, RestVersion::V1),
        (SimErpProfile::V15, RestVersion::V2),
        (SimErpProfile::V16, RestVersion::V2),
    ] {
        worlds.push(world(profile, rest).await);
    }
    worlds
}

pub(crate) async fn world(profile: SimErpProfile, rest: RestVersion) -> (World, ManualSimErpClock) {
    let clock = ManualSimErpClock::at(NOW);
    let site = SimErp::start(SimErpOptions {
        clock: Arc::new(clock.clone()),
        profile,
        ..SimErpOptions::default()
    });
    let site = site.await.unwrap();
    let world = World {
        site,
        profile,
        rest,
    };
    (world, clock)
}

/// The start of a call that the ERP can no longer take, and of one that has just begun.
pub(crate) const fn long_ago() -> Timestamp {
    Timestamp(just_now().0 - 200_000)
}

pub(crate) const fn just_now() -> Timestamp {
    // Our clock is wrong by an hour.
    Timestamp(1_795_275_004 * 1000 + 3_600_000)
}

/// Type, name and `modified` of a document, as the input of a call.
pub(crate) async fn input(erp: &Erp, doctype: &str, name: &str) -> Value {
    let read = data(erp, "get_doc", json!({"doctype": doctype, "name": name})).await;
    json!({"doctype": doctype, "name": name, "modified": read["modified"]})
}

/// The same with more fields.
pub(crate) fn with(input: &Value, more: Value) -> Value {
    let mut input = input.clone();
    let fields = input.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    input
}

/// The input for the first document that fits.
pub(crate) async fn find(erp: &Erp, doctype: &str, filters: Value) -> Value {
    let name = first(erp, doctype, filters).await;
    input(erp, doctype, &name).await
}

/// Makes a draft and gives it as an input.
pub(crate) async fn draft(erp: &Erp, doctype: &str, fields: Value, tables: Value) -> Value {
    let values = |map: &Value| -> Vec<Value> {
        let map = map.as_object().unwrap().iter();
        map.map(|(field, value)| json!({"field": field, "value": value}))
            .collect()
    };
    let tables: Vec<Value> = tables
        .as_object()
        .unwrap()
        .iter()
        .map(|(table, rows)| {
            let rows = rows.as_array().unwrap().iter();
            let rows: Vec<_> = rows.map(|row| json!({"fields": values(row)})).collect();
            json!({"table": table, "rows": rows})
        })
        .collect();
    let made = json!({"doctype": doctype, "fields": values(&fields), "tables": tables});
    let made = data(erp, "create_doc", made).await;
    input(erp, doctype, made["name"].as_str().unwrap()).await
}

pub(crate) async fn card(erp: &Erp, name: &str, input: &Value) -> Preview {
    match preview(erp, name, input).await {
        Ok(card) => card,
        Err(error) => panic!("{name} {input}: {error}"),
    }
}

pub(crate) async fn preview(erp: &Erp, name: &str, input: &Value) -> Result<Preview, String> {
    let shown = tool(erp, name).preview(&call(name, input.clone())).await;
    shown.map_err(|error| error.message)
}

pub(crate) async fn reconcile(
    erp: &Erp,
    name: &str,
    input: &Value,
    since: Timestamp,
) -> Reconciled {
    reconcile_call(erp, &call(name, input.clone()), since).await
}

/// The same of one call among several with the same input.
pub(crate) async fn reconcile_call(erp: &Erp, call: &ToolCall, since: Timestamp) -> Reconciled {
    tool(erp, &call.name).reconcile(call, since).await
}

/// The rows of a card's table, and its sums.
pub(crate) fn table<'a>(
    card: &'a Preview,
    title: &str,
) -> Option<(&'a [Vec<String>], &'a [String])> {
    card.sections.iter().find_map(|section| match section {
        CardSection::Table {
            title: of,
            rows,
            sums,
            ..
        } if of.starts_with(title) => Some((rows.as_slice(), sums.as_slice())),
        _ => None,
    })
}

/// The sentence of a rule on a card.
pub(crate) fn risk<'a>(card: &'a Preview, rule: &str) -> Option<&'a str> {
    let mut risks = card.risks.iter();
    risks
        .find(|it| it.rule == rule)
        .map(|it| it.sentence.as_str())
}

/// An amount of a card, without its currency.
pub(crate) fn number(text: &str) -> f64 {
    text.replace(',', "").parse().unwrap()
}

pub(crate) fn typed(card: &Preview) -> Option<&str> {
    match &card.assurance {
        Assurance::Type { word } => Some(word),
        _ => None,
    }
}

/// The next write to this path is done, and its answer lost.
pub(crate) fn lose(world: &World, method: &str, path: &str) {
    let lost = SimErpTrigger::next(path, SimErpFault::LostAfter).of_method(method);
    world.site.control().fault(lost);
}

/// Waits for the end of what takes seconds, on a clock that goes faster. Its steps are small: no request may run
/// into its own timeout.
pub(crate) async fn hurried<T>(running: JoinHandle<T>) -> T {
    while !running.is_finished() {
        tokio::time::pause();
        tokio::time::advance(Duration::from_millis(50)).await;
        tokio::time::resume();
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    running.await.unwrap()
}

pub(crate) fn is_whole(world: &World) {
    assert_eq!(world.site.control().broken(), Vec::<String>::new());
}

/// Changes of one document since `before` changes.
pub(crate) fn changes(world: &World, before: usize, name: &str) -> usize {
    let effects = world.site.control().effects();
    effects[before..]
        .iter()
        .filter(|it| it.name == name)
        .count()
}

/// The number of requests that could have changed something.
pub(crate) fn writes(world: &World) -> usize {
    let seen = world.site.control().requests().into_iter();
    seen.filter(|it| it.method != "GET").count()
}

pub(crate) fn clerk(world: &World) -> Erp {
    world.erp(SimErpUser::Clerk)
}

/// The toolset of a user, with other settings.
pub(crate) fn erp_with(
    world: &World,
    user: SimErpUser,
    change: impl FnOnce(&mut ErpConfig),
) -> Erp {
    let (key, secret) = world.site.key(user);
    let mut config = ErpConfig {
        url: world.site.url(),
        api_key: key,
        api_secret: secret.into(),
        rest: world.rest,
        ..ErpConfig::default()
    };
    change(&mut config);
    Erp::connect_with_clock(config, || just_now().0).unwrap()
}

pub(crate) async fn refused(erp: &Erp, name: &str, input: &Value) -> String {
    ask(erp, name, input.clone()).await.unwrap_err().message
}
