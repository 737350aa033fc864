//! The texts of reports beside a chart. Every figure is one of a result.

use rehearsal::routine::units;
use serde_json::Value;

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
    let span = format!("{hours} hours");
    let field = |event: &Value, name: &str| units::value(name, &event[name]);
    let told = |event: &Value| {
        format!(
            "{} ({}, {} impact) at {}",
            field(event, "name"),
            field(event, "currency"),
            field(event, "impact"),
            field(event, "scheduled_at")
        )
    };
    let Some(first) = events.first() else {
        return format!("No release that moves {symbol} is due in the next {span}, sir.");
    };
    let many = match events.len() {
        1 => "1 release that moves".to_owned(),
        count => format!("{count} releases that move"),
    };
    let are = if events.len() == 1 { "is" } else { "are" };
    let mut text = format!(
        "{many} {symbol} {are} due in the next {span}, sir, foremost {}.",
        told(first)
    );
    if events.len() > 1 {
        text.push('\n');
        for event in events.iter().take(MOST) {
            text.push_str(&format!("\n- {}", told(event)));
        }
        if events.len() > MOST {
            text.push_str(&format!("\n- and {} more", events.len() - MOST));
        }
    }
    text
}

pub(super) fn traders(data: &Value, symbol: &str) -> String {
    let groups = || data["groups"].as_array().into_iter().flatten();
    let large = groups().find(|group| group["group"] == "noncommercial");
    let Some((large, net)) = large.and_then(|group| Some((group, group["net"].as_i64()?))) else {
        return format!("How the large traders of {symbol} are positioned is **unknown**, sir.");
    };
    let side = if net < 0 { "short" } else { "long" };
    let mut text = format!(
        "The large traders are net {side} by {} contracts in the future of {symbol}'s currency, sir, \
         as of {}.\n",
        net.unsigned_abs(),
        units::value("as_of", &data["as_of"])
    );
    for group in groups() {
        text.push_str(&format!(
            "\n- {}: {} long, {} short",
            units::label(group["group"].as_str().unwrap_or_default()),
            units::value("long", &group["long"]),
            units::value("short", &group["short"])
        ));
    }
    let change = &large["change"];
    if change.is_number() {
        text.push_str(&format!(
            "\n\nTheir net position changed by {} in the last week reported.",
            units::value("change", change)
        ));
    }
    text
}

pub(super) fn trades(data: &Value, symbol: &str) -> String {
    let figures = &data["figures"];
    let figure = |name: &str| units::value(name, &figures[name]);
    match figures["closed"].as_u64() {
        None => format!("How your trades in {symbol} have gone is **unknown**, sir."),
        Some(0) => format!("You have no closed trades in {symbol}, sir."),
        Some(_) => {
            let net = figures["net"].as_f64().unwrap_or_default();
            let way = if net < 0.0 { "lost" } else { "made" };
            let rate = share(&figures["win_rate"]);
            let rate = rate.map_or(String::new(), |rate| format!(", a win rate of {rate}"));
            format!(
                "Your {} closed trades in {symbol} have {way} {:.2} net of costs, sir: {} won, {} \
                 lost{rate}.",
                figure("closed"),
                net.abs(),
                figure("wins"),
                figure("losses")
            )
        }
    }
}

/// Positions on the chart, newest first: the state and the result of each.
pub(super) fn positions(data: &Value, symbol: &str) -> String {
    let all: Vec<&Value> = data["positions"].as_array().into_iter().flatten().collect();
    let Some((newest, older)) = all.split_first() else {
        return format!("There is no long or short position on {symbol}, sir.");
    };
    let mut text = format!("The {}, sir{}.", standing(newest), result_of(newest));
    if !older.is_empty() {
        text.push('\n');
    }
    for one in older {
        text.push_str(&format!("\n- The {}{}", standing(one), result_of(one)));
    }
    text
}

/// A position and its state, such as `long position on EURUSD is open`.
fn standing(one: &Value) -> String {
    let state = match (one["state"].as_str(), one["cause"].as_str()) {
        (Some("signal"), _) => "is an idea that nobody has accepted yet".to_owned(),
        (Some("pending"), _) => "waits for its entry".to_owned(),
        (Some("closed"), Some("tp")) => "reached its target".to_owned(),
        (Some("closed"), Some("sl")) => "reached its stop".to_owned(),
        (Some("closed"), Some("manual")) => "was closed by hand".to_owned(),
        (Some(state), _) => format!("is {}", units::safe(state)),
        (None, _) => "is in an unknown state".to_owned(),
    };
    format!(
        "{} position on {} {state}",
        units::value("side", &one["side"]),
        units::value("symbol", &one["symbol"])
    )
}

/// From where to where it went, and what that makes; nothing where it was never opened.
fn result_of(one: &Value) -> String {
    let result = &one["result"];
    if let Some(reason) = result["unknown"].as_str() {
        let reason = units::safe(reason);
        return format!("; what it has made is **unknown**: {reason}");
    }
    let Some(pips) = result["pips"].as_f64() else {
        return String::new();
    };
    let way = if pips < 0.0 { "lost" } else { "made" };
    let r = result["r"].as_f64();
    let r = r.map_or(String::new(), |r| format!(", {r:.2} R"));
    format!(
        ": opened at {}, {} at {}, it has {way} {:.1} pips{r}",
        units::value("price", &one["opened"]["price"]),
        if one["closed"].is_null() {
            "now"
        } else {
            "closed"
        },
        units::value("price", &result["price"]),
        pips.abs()
    )
}

/// The net positions of the large traders, from the first report to the last.
pub(super) fn traders_past(data: &Value, symbol: &str) -> String {
    let rows = || data["rows"].as_array().into_iter().flatten();
    let columns = data["columns"].as_array().into_iter().flatten();
    let columns: Vec<&str> = columns.filter_map(Value::as_str).collect();
    let column = |name: &str| columns.iter().position(|column| *column == name);
    let (Some(at), Some(net)) = (column("as_of"), column("noncommercial_net")) else {
        return format!("How the large traders of {symbol} were positioned is **unknown**, sir.");
    };
    let told = |row: &Value| {
        let net = row[net].as_i64()?;
        let side = if net < 0 { "short" } else { "long" };
        let day = units::value("as_of", &row[at]);
        Some(format!("{side} by {} on {day}", net.unsigned_abs()))
    };
    let (Some(first), Some(last)) = (rows().next().and_then(told), rows().last().and_then(told))
    else {
        return format!("No reports on the large traders of {symbol} are stored, sir.");
    };
    let all = || rows().filter_map(|row| row[net].as_i64());
    format!(
        "The large traders were net {first} and are net {last}, sir.\n\nOver these {} reports their net \
         position was between {} and {} contracts.",
        rows().count(),
        all().min().unwrap_or_default(),
        all().max().unwrap_or_default()
    )
}

/// Figures of the price's moves after a release.
pub(super) fn reaction(data: &Value, symbol: &str) -> String {
    let event = units::value("event", &data["event"]);
    let pips = |value: &Value| value.as_f64().map(|pips| format!("{pips:.1}"));
    let unknown = || format!("How {symbol} reacts to {event} is **unknown**, sir.");
    let mut text = match (pips(&data["range_pips"]["mean"]), data["n"].as_u64()) {
        (Some(range), Some(releases)) if releases > 0 => {
            let ratio = data["median_ratio_to_usual_range"].as_f64();
            let ratio = ratio.map_or(String::new(), |ratio| {
                format!(", {ratio:.1} times the usual range of that hour")
            });
            format!(
                "On average {symbol} ranged over {range} pips in the candle of {event}, sir{ratio}; that \
                 is of {releases} releases.\n"
            )
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
        text.push_str(&format!(
            "\n- {} later: {mean} pips on average, half of the time between {low} and {high}",
            units::value("hours", &horizon["hours"])
        ));
    }
    text
}

/// Headlines, newest first. They are text of others, and quoted.
pub(super) fn headlines(data: &Value, symbol: &str) -> String {
    let all: Vec<&Value> = data["headlines"].as_array().into_iter().flatten().collect();
    let told = |one: &Value| {
        format!(
            "“{}” at {}",
            units::value("text", &one["text"]),
            units::value("published_at", &one["published_at"])
        )
    };
    let Some(newest) = all.first() else {
        return format!("No headlines about {symbol} are stored, sir.");
    };
    let mut text = format!(
        "The newest of {} headlines on {symbol} is {}, sir.\n",
        all.len(),
        told(newest)
    );
    for one in &all {
        text.push_str(&format!("\n- {}", told(one)));
    }
    text
}

/// A part of one as percent.
fn share(value: &Value) -> Option<String> {
    let share = value.as_f64()?;
    Some(format!("{:.1} %", share * 100.0))
}
