//! The one row of several that has the most or the least of what the words ask for.

use serde_json::Value;

use super::{
    asked,
    flat_row::FlatRow,
    gather, merge,
    naming::{self, Naming},
    target, units,
};
use crate::{
    planner::{
        ask::Ask,
        plan::PlanContext,
        span::is_span,
        words::{close, meaning, parts, singular},
    },
    texts::findings,
};

/// A quantity that words ask for.
#[derive(Debug, Clone, Copy)]
struct Measure {
    /// Its meaning in the words.
    meaning: &'static str,
    /// Words that ask for it by themselves.
    signs: &'static [&'static str],
    /// Ends of fields that hold it, the best first.
    fields: &'static [&'static str],
    /// The words for the highest and for the lowest.
    most: &'static str,
    least: &'static str,
    /// Asking for it at all asks for the highest.
    is_implied: bool,
}

const MEASURES: &[Measure] = &[
    Measure {
        meaning: "temperature",
        signs: &[],
        fields: &["temperature_celsius", "celsius"],
        most: "is the warmest",
        least: "is the coolest",
        is_implied: true,
    },
    Measure {
        meaning: "full",
        signs: &[],
        fields: &["used_percent", "percent"],
        most: "is the fullest",
        least: "is the emptiest",
        is_implied: true,
    },
    Measure {
        meaning: "memory",
        signs: &[],
        fields: &["memory_used_bytes", "memory_bytes", "memory_percent"],
        most: "uses the most memory",
        least: "uses the least memory",
        is_implied: false,
    },
    Measure {
        meaning: "cpu",
        signs: &[],
        fields: &["cpu_percent", "load_1m"],
        most: "uses the most CPU",
        least: "uses the least CPU",
        is_implied: false,
    },
    Measure {
        meaning: "size",
        signs: &["largest", "biggest", "smallest"],
        fields: &["size_bytes", "total_bytes", "used_bytes"],
        most: "is the largest",
        least: "is the smallest",
        is_implied: false,
    },
    Measure {
        meaning: "uptime",
        signs: &[],
        fields: &["uptime_seconds"],
        most: "has been up the longest",
        least: "has been up the shortest",
        is_implied: false,
    },
    Measure {
        meaning: "duration",
        signs: &["longest", "shortest"],
        fields: &["duration_seconds"],
        most: "took the longest",
        least: "took the shortest",
        is_implied: false,
    },
];

/// True for the meaning of a word that things are compared by.
pub(in crate::planner) fn is_measure(word: &str) -> bool {
    MEASURES
        .iter()
        .any(|measure| meaning(measure.meaning) == word)
}

/// A row with the number that it is compared by, and the name and the words for it.
struct Ranked {
    name: String,
    shown: String,
    number: f64,
}

/// The first sentence, where the words ask for one of several.
pub(super) fn of(context: PlanContext<'_>) -> Option<String> {
    let ask = context.ask;
    if let Some(sentence) = by_time(context) {
        return Some(sentence);
    }
    let (most, least) = (wants_most(ask), wants_least(ask));
    let left = ask.any(&["left", "free"]);
    let asked = MEASURES.iter().filter(|measure| {
        let is_named = ask.wants(&meaning(measure.meaning)) || ask.any(measure.signs);
        let is_left = measure.meaning == "memory" && left && !ask.has("if");
        is_named && (measure.is_implied || most || least || is_left)
    });
    for measure in asked {
        let amount = match measure.meaning {
            "full" => "space",
            other => other,
        };
        if matches!(amount, "space" | "memory") && left {
            return most_free(context, amount);
        }
        let place = context.toolbox.places.as_slice();
        let found = entries(context, place, true, |row, _| figure(row, measure));
        let Some((_, mut entries)) = found else {
            continue;
        };
        entries.sort_by(|a, b| b.number.total_cmp(&a.number));
        let is_alone = entries.len() == 1 && measure.is_implied && !most && !least;
        let found = if least {
            entries.pop()
        } else {
            entries.into_iter().next()
        };
        let Ranked { name, shown, .. } = found?;
        if is_alone {
            return Some(findings::is_at(&name, &shown));
        }
        // "agent1 is the warmest, 45 °C."
        let words = if least { measure.least } else { measure.most };
        return Some(findings::superlative(&name, words, &shown));
    }
    None
}

/// Puts the rows with the most, or the least, of what the words ask for first; false where they ask for
/// neither.
pub(super) fn sort(rows: &mut [FlatRow], ask: &Ask) -> bool {
    let (most, least) = (wants_most(ask), wants_least(ask));
    let measure = MEASURES.iter().find(|measure| {
        let is_named = ask.wants(&meaning(measure.meaning)) || ask.any(measure.signs);
        is_named && (most || least)
    });
    let Some(measure) = measure else {
        return false;
    };
    let number = |row: &FlatRow| figure(row, measure).map_or(f64::MIN, |(_, number)| number);
    rows.sort_by(|a, b| number(b).total_cmp(&number(a)));
    if least {
        rows.reverse();
    }
    true
}

fn wants_least(ask: &Ask) -> bool {
    ask.any(&[
        "least", "lowest", "smallest", "coolest", "coldest", "emptiest", "shortest", "minimum",
    ])
}

fn wants_most(ask: &Ask) -> bool {
    ask.seeks_user()
        || ask.any(&[
            "most", "highest", "largest", "biggest", "max", "maximum", "busiest", "longest",
            "hottest", "warmest", "fullest",
        ])
}

/// The rows of all results, with the noun of their list.
fn entries(
    context: PlanContext<'_>,
    place: &[String],
    by_name: bool,
    figure: impl Fn(&FlatRow, Naming<'_>) -> Option<(String, f64)>,
) -> Option<(String, Vec<Ranked>)> {
    let mut found = Vec::new();
    let mut noun = String::new();
    for done in merge::by_place(super::relevant(context), context.toolbox) {
        if done.is_error {
            continue;
        }
        // What is said of the whole goes before its parts.
        let mut lists = gather::lists_of(&done);
        if let Some(whole) = gather::whole(&done)
            && figure(
                &whole.1[0],
                Naming {
                    key: &whole.0,
                    places: place,
                },
            )
            .is_some()
        {
            lists = vec![whole];
        }
        for (key, rows) in naming::spoken_of(lists, context.ask) {
            let naming = Naming {
                key: &key,
                places: place,
            };
            for row in rows
                .iter()
                .filter(|row| asked::is_meant(row, naming, context, &done))
            {
                if let Some((shown, number)) = figure(row, naming) {
                    noun = naming.kind();
                    found.push(Ranked {
                        name: match naming::bare_name(row, naming).is_some()
                            || naming::id_of(row).is_some()
                        {
                            true if by_name => described(naming, row, context),
                            true => naming.name_of(row),
                            false => target::target(&done, context)
                                .unwrap_or_else(|| naming.name_of(row)),
                        },
                        shown,
                        number,
                    });
                }
            }
        }
    }
    (!found.is_empty()).then_some((noun, found))
}

/// The name, with the text that the words meant it by: `pve (compute and NAS)`.
fn described(naming: Naming<'_>, row: &FlatRow, context: PlanContext<'_>) -> String {
    let name = match naming::bare_name(row, naming) {
        Some(bare) if naming::id_of(row).is_some() => units::safe(bare),
        _ => naming.name_of(row),
    };
    let bare = naming::bare_name(row, naming).unwrap_or_default();
    let known = &context.toolbox.known;
    let record = known
        .iter()
        .find(|record| record.is(&naming.kind()) && record.is_called(bare));
    let asked = |text: &&str| {
        crate::planner::words::words(text)
            .iter()
            .any(|word| context.ask.has(word) && !crate::planner::words::is_plain(word))
    };
    let texts = record.into_iter().flat_map(|record| record.fields.iter());
    let role = texts
        .filter(|(key, _)| *key != "name" && **key != naming.kind())
        .filter_map(|(_, value)| value.as_str())
        .filter(|text| !text.eq_ignore_ascii_case(bare))
        .filter(|text| !context.ask.named.iter().any(|one| one.is_called(text)))
        .find(asked);
    match role {
        Some(role) => format!("{name} ({})", units::safe(role)),
        None => name,
    }
}

/// A sentence about the place with most space or memory left.
fn most_free(context: PlanContext<'_>, amount: &str) -> Option<String> {
    let place = context.toolbox.places.as_slice();
    let (_, entries) = entries(context, place, true, |row, _| {
        let cell = |leaf: &str| {
            let found = row
                .iter()
                .find(|(key, _)| key.rsplit('.').next() == Some(leaf));
            found.map(|(key, value)| (key, value))
        };
        let (free, total) = if amount == "memory" {
            let total = cell("memory_total_bytes")?;
            let used = cell("memory_used_bytes")?.1.as_u64()?;
            let free = total.1.as_u64()?.saturating_sub(used);
            (Value::from(free), Some(total))
        } else {
            (cell("free_bytes")?.1.clone(), cell("total_bytes"))
        };
        let total = total.map(|(key, value)| format!(" of {}", units::value(key, value)));
        let shown = units::value("free_bytes", &free);
        let shown = format!("{shown}{}", total.unwrap_or_default());
        Some((shown, free.as_f64()?))
    })?;
    if let [only] = &entries[..] {
        let is_memory = amount == "memory";
        return Some(findings::left(&only.name, &only.shown, is_memory));
    }
    let most = entries
        .into_iter()
        .max_by(|a, b| a.number.total_cmp(&b.number))?;
    Some(findings::most_left(&most.name, amount, &most.shown))
}

fn figure(row: &FlatRow, measure: &Measure) -> Option<(String, f64)> {
    let (key, value) = measure.fields.iter().find_map(|field| {
        row.iter().find(|(key, value)| {
            let leaf = key.rsplit('.').next().unwrap_or(key);
            let is_part = measure.is_implied || *field == "size_bytes";
            let fits = leaf == *field || is_part && leaf.ends_with(field);
            fits && value.is_number()
        })
    })?;
    let number = value.as_f64()?;
    // Of an amount its whole too.
    let total = key.strip_suffix("used_bytes").and_then(|stem| {
        let total = row
            .iter()
            .find(|(name, _)| *name == format!("{stem}total_bytes"))?;
        total.1.as_f64()
    });
    let amount = |number: f64| number.max(0.0).round() as u64;
    let shown = if key.ends_with("used_bytes") {
        ::units::used_of(amount(number), total.map(amount))
    } else {
        units::value(key, value)
    };
    Some((shown, number))
}

/// The newest or the oldest.
fn by_time(context: PlanContext<'_>) -> Option<String> {
    let ask = context.ask;
    let oldest = ask.any(&["oldest"]);
    let newest = ask.any(&["newest", "latest", "recent"])
        || ask.has("last") && ask.has("when")
        || last_of(ask);
    if !oldest && !newest {
        return None;
    }
    let place = context.toolbox.places.as_slice();
    let (list, mut entries) = entries(context, place, false, |row, _| {
        let at = ["newest_at", "created_at"].iter().find_map(|key| {
            let (key, value) = row.iter().find(|(own, _)| own == key)?;
            Some((key, value.as_str()?))
        })?;
        let digits: String = at.1.chars().filter(char::is_ascii_digit).collect();
        let size = row
            .iter()
            .find(|(key, _)| ask.any(&["big", "size", "large"]) && key.ends_with("size_bytes"));
        let size = size.map_or(String::new(), |(key, size)| {
            format!(", {}", units::value(key, size))
        });
        Some((
            format!("{}{size}", units::value(at.0, &Value::from(at.1))),
            digits.get(..14)?.parse::<f64>().ok()?,
        ))
    })?;
    entries.sort_by(|a, b| b.number.total_cmp(&a.number));
    let found = if oldest {
        entries.last()?
    } else {
        entries.first()?
    };
    let at = &found.shown;
    let nouns = ask
        .content
        .iter()
        .filter(|word| *word != "old" && *word != "new");
    let noun = context
        .view
        .done
        .iter()
        .flat_map(|done| parts(&done.name))
        .map(|part| singular(&part))
        .find(|part| nouns.clone().any(|word| close(&meaning(part), word)))
        .unwrap_or(list);
    let word = if oldest { "oldest" } else { "newest" };
    let name = (found.name != "an entry").then_some(found.name.as_str());
    Some(findings::by_time(word, &noun, name, at))
}

fn last_of(ask: &Ask) -> bool {
    ask.said
        .windows(2)
        .any(|pair| pair[0] == "last" && !is_span(&pair[1]) && pair[1].parse::<u64>().is_err())
}
