//! Reports beside a chart in words. Every figure is one of a result.

use rehearsal::routine::units;
use serde_json::Value;

use crate::texts::reports::{self, PositionResult, TradeResults};

/// Releases that an answer lists.
const MOST: usize = 8;

pub(super) fn releases(data: &Value, symbol: &str, hours: u64) -> String {
    let mut events: Vec<&Value> = data["events"].as_array().into_iter().flatten().collect();
    let rank = |event: &Value| match event["impact"].as_str() {
        Some("high") => 0,
        Some("medium") => 1,
        _ => 2,
    };
    // The weightiest first, and among equals what comes first.
    events.sort_by_key(|event| rank(event));
    let field = |event: &Value, name: &str| units::value(name, &event[name]);
    let told = |event: &Value| {
        reports::release(
            &field(event, "name"),
            &field(event, "currency"),
            &field(event, "impact"),
            &field(event, "scheduled_at"),
        )
    };
    let Some(first) = events.first() else {
        return reports::no_release_due(symbol, hours);
    };
    let mut text = reports::releases_due(events.len(), symbol, hours, &told(first));
    if events.len() > 1 {
        text.push('\n');
        for event in events.iter().take(MOST) {
            text.push_str(&reports::row(&told(event)));
        }
        if events.len() > MOST {
            text.push_str(&reports::and_more(events.len() - MOST));
        }
    }
    text
}

pub(super) fn traders(data: &Value, symbol: &str) -> String {
    let groups = || data["groups"].as_array().into_iter().flatten();
    let large = groups().find(|group| group["group"] == "noncommercial");
    let Some((large, net)) = large.and_then(|group| Some((group, group["net"].as_i64()?))) else {
        return reports::traders_unknown(symbol);
    };
    let as_of = units::value("as_of", &data["as_of"]);
    let mut text = reports::traders(symbol, net, &as_of);
    for group in groups() {
        text.push_str(&reports::group(
            &units::label(group["group"].as_str().unwrap_or_default()),
            &units::value("long", &group["long"]),
            &units::value("short", &group["short"]),
        ));
    }
    let change = &large["change"];
    if change.is_number() {
        text.push_str(&reports::net_change(&units::value("change", change)));
    }
    text
}

pub(super) fn trades(data: &Value, symbol: &str) -> String {
    let figures = &data["figures"];
    let figure = |name: &str| units::value(name, &figures[name]);
    match figures["closed"].as_u64() {
        None => reports::trades_unknown(symbol),
        Some(0) => reports::no_trades(symbol),
        Some(closed) => reports::trades(&TradeResults {
            symbol,
            is_one: closed == 1,
            closed: &figure("closed"),
            net: figures["net"].as_f64().unwrap_or_default(),
            won: &figure("wins"),
            lost: &figure("losses"),
            win_rate: share(&figures["win_rate"]).as_deref(),
        }),
    }
}

/// Positions on the chart, newest first: the state and the result of each.
pub(super) fn positions(data: &Value, symbol: &str) -> String {
    let all: Vec<&Value> = data["positions"].as_array().into_iter().flatten().collect();
    let Some((newest, older)) = all.split_first() else {
        return reports::no_position(symbol);
    };
    let mut text = reports::newest_position(&standing(newest), &result_of(newest));
    if !older.is_empty() {
        text.push('\n');
    }
    for one in older {
        text.push_str(&reports::older_position(&standing(one), &result_of(one)));
    }
    text
}

/// A position and its state, such as `long position on EURUSD is open`.
fn standing(one: &Value) -> String {
    let state = one["state"].as_str().map(units::safe);
    let state = reports::position_state(state.as_deref(), one["cause"].as_str());
    reports::position_in_state(
        &units::value("side", &one["side"]),
        &units::value("symbol", &one["symbol"]),
        &state,
    )
}

/// From where to where it went, and what that makes; nothing where it was never opened.
fn result_of(one: &Value) -> String {
    let result = &one["result"];
    if let Some(reason) = result["unknown"].as_str() {
        return reports::result_unknown(&units::safe(reason));
    }
    let Some(pips) = result["pips"].as_f64() else {
        return String::new();
    };
    reports::result(&PositionResult {
        opened: &units::value("price", &one["opened"]["price"]),
        is_open: one["closed"].is_null(),
        price: &units::value("price", &result["price"]),
        pips,
        r: result["r"].as_f64(),
    })
}

/// The net positions of the large traders, from the first report to the last.
pub(super) fn traders_past(data: &Value, symbol: &str) -> String {
    let rows = || data["rows"].as_array().into_iter().flatten();
    let columns = data["columns"].as_array().into_iter().flatten();
    let columns: Vec<&str> = columns.filter_map(Value::as_str).collect();
    let column = |name: &str| columns.iter().position(|column| *column == name);
    let (Some(at), Some(net)) = (column("as_of"), column("noncommercial_net")) else {
        return reports::traders_unknown(symbol);
    };
    let told = |row: &Value| {
        let day = units::value("as_of", &row[at]);
        Some(reports::net_on(row[net].as_i64()?, &day))
    };
    let (Some(first), Some(last)) = (rows().next().and_then(told), rows().last().and_then(told))
    else {
        return reports::no_reports(symbol);
    };
    let all = || rows().filter_map(|row| row[net].as_i64());
    reports::traders_over_time(
        &first,
        &last,
        rows().count(),
        all().min().unwrap_or_default(),
        all().max().unwrap_or_default(),
    )
}

/// Figures of the price's moves after a release.
pub(super) fn reaction(data: &Value, symbol: &str) -> String {
    let event = units::value("event", &data["event"]);
    let pips = |value: &Value| value.as_f64().map(|pips| format!("{pips:.1}"));
    let unknown = || reports::reaction_unknown(symbol, &event);
    let mut text = match (pips(&data["range_pips"]["mean"]), data["n"].as_u64()) {
        (Some(range), Some(releases)) if releases > 0 => {
            let ratio = data["median_ratio_to_usual_range"].as_f64();
            reports::reaction(symbol, &event, &range, ratio, releases)
        }
        _ => return unknown(),
    };
    for horizon in data["by_horizon"].as_array().into_iter().flatten() {
        let figures = &horizon["pips"];
        let (Some(mean), Some(low), Some(high)) = (
            pips(&figures["mean"]),
            pips(&figures["lower_quartile"]),
            pips(&figures["upper_quartile"]),
        ) else {
            continue;
        };
        let hours = units::value("hours", &horizon["hours"]);
        text.push_str(&reports::later(&hours, &mean, &low, &high));
    }
    text
}

/// Headlines, newest first. They are text of others, and quoted.
pub(super) fn headlines(data: &Value, symbol: &str) -> String {
    let all: Vec<&Value> = data["headlines"].as_array().into_iter().flatten().collect();
    let told = |one: &Value| {
        reports::headline(
            &units::value("text", &one["text"]),
            &units::value("published_at", &one["published_at"]),
        )
    };
    let Some(newest) = all.first() else {
        return reports::no_headlines(symbol);
    };
    let mut text = reports::newest_headline(all.len(), symbol, &told(newest));
    for one in &all {
        text.push_str(&reports::row(&told(one)));
    }
    text
}

/// A part of one as percent.
fn share(value: &Value) -> Option<String> {
    let share = value.as_f64()?;
    Some(format!("{:.1} %", share * 100.0))
}
