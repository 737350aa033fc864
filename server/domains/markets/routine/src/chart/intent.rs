//! The intent of a person who speaks of a chart.

use rehearsal::routine::{View, exception, is_filler, words};

use super::{
    alert::AlertWish,
    figures::Figure,
    known::{self, Known},
    past::Past,
    report::Report,
    subject::asks_for_price,
};

/// The kind of thing to do.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Goal {
    Alert(AlertWish),
    Report(Report),
    Past(Past),
    Price,
    /// This word takes something out of what is to be drawn or removed.
    Unclear(String),
    /// To a time, or to the newest candle.
    Scroll {
        time: Option<String>,
    },
    /// Levels in words alone.
    Look,
    Draw,
    Update,
    Remove,
}

/// The words about a chart: what to do, and with which things on it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Intent {
    pub(super) goal: Goal,
    pub(super) support: bool,
    pub(super) resistance: bool,
    pub(super) fibonacci: bool,
    /// A plan to buy or to sell.
    pub(super) long: bool,
    pub(super) short: bool,
    /// Its entry is at the support or the resistance, not at the last close.
    pub(super) at_level: bool,
    /// Percent of the account that it risks.
    pub(super) risk: Option<f64>,
    /// More than the main one of each kind.
    pub(super) many: bool,
    /// Only what the model itself drew last.
    pub(super) newest: bool,
    pub(super) figure: Option<Figure>,
    /// The style that the words name for a line.
    pub(super) style: Option<&'static str>,
    /// A price that the words name.
    pub(super) price: Option<f64>,
}

const DRAWING: &[&str] = &[
    "mark",
    "draw",
    "plot",
    "sketch",
    "annotate",
    "highlight",
    "add",
    "put",
    "plan",
    "circle",
    "point",
    "write",
    "propose",
];
const CHANGING: &[&str] = &[
    "make", "update", "adjust", "move", "refresh", "revise", "correct", "shift",
];
const REMOVING: &[&str] = &["remove", "delete", "clear", "erase"];
/// "Take the marker off the chart".
const TAKING: [&str; 2] = ["take", "off"];
/// "Take back what you just drew".
const TAKING_BACK: [&str; 2] = ["take", "back"];
const FIBONACCI: &[&str] = &["fibonacci", "fib", "fibs", "retracement", "retracements"];
const THINGS: &[&str] = &[
    "drawing",
    "drawings",
    "line",
    "lines",
    "chart",
    "marker",
    "markers",
    "trendline",
    "trendlines",
    "rectangle",
    "circle",
    "ray",
    "position",
];

/// Reads the newest words; none if they are not about a chart.
pub(super) fn read(view: &View<'_>) -> Option<Intent> {
    if let Some(intent) = asked_why(view) {
        return Some(intent);
    }
    let said = words(&view.question);
    let any = |signs: &[&str]| said.iter().any(|word| signs.contains(&word.as_str()));
    let levels = any(&["level", "levels"]);
    let support = any(&["support", "supports"]);
    let resistance = any(&["resistance", "resistances"]);
    let fibonacci = any(FIBONACCI);
    let plan = any(&["position", "trade", "setup", "idea", "plan", "propose"]);
    let mut intent = Intent {
        goal: Goal::Look,
        support: support || levels && !resistance,
        resistance: resistance || levels && !support,
        fibonacci,
        long: plan && any(&["long", "buy"]),
        short: plan && any(&["short", "sell"]),
        at_level: said.windows(3).any(|three| {
            three[0] == "at" && [&three[1], &three[2]].iter().any(|word| is_level(word))
        }),
        risk: risk(&view.question),
        many: any(&["levels", "supports", "resistances", "all"]),
        newest: (any(&["undo"]) || TAKING_BACK.iter().all(|word| any(&[word])))
            && (any(&["drew", "drawn"]) || any(THINGS))
            || any(REMOVING) && said.len() <= 3 && any(&["it", "that", "them", "those"]),
        figure: Figure::read(&view.question),
        style: ["dashed", "dotted", "solid"]
            .into_iter()
            .find(|style| any(&[style])),
        price: said.iter().find_map(|word| price(word)),
    };
    let named = support || resistance || levels || fibonacci || intent.long || intent.short;
    let on_chart = named || any(THINGS);
    // "Remove them all": of what, only the chart beside the words tells.
    let attached = view
        .attached
        .iter()
        .any(|(kind, _)| kind == "chart" || kind == "drawing");
    let pointed = attached && any(&["it", "this", "that", "them", "all", "everything", "these"]);
    let refused = any(&["don't", "don’t", "dont", "not", "never", "should"]);
    let excepts = exception(&said).filter(|_| !refused);
    let takes_off = TAKING.iter().all(|word| any(&[word]));
    // "Remove it": what was drawn last, where anything was.
    intent.newest &= attached || !known::newest(view).is_empty();
    let removes = (any(REMOVING) || takes_off) && (on_chart || pointed) || intent.newest;
    let updates = any(CHANGING) && (on_chart || pointed);
    // "Propose a long, and tell me how it went" begins with what is to be done.
    let orders = said
        .first()
        .is_some_and(|word| DRAWING.contains(&word.as_str()));
    intent.goal = if let Some(wish) = AlertWish::read(&view.question) {
        Goal::Alert(wish)
    } else if let Some(word) = excepts.filter(|_| removes || updates) {
        Goal::Unclear(word.to_owned())
    } else if removes && !refused {
        Goal::Remove
    } else if updates && !refused {
        Goal::Update
    } else if any(&["scroll", "jump"])
        || any(&["go", "show"]) && time(&view.question).is_some()
        || any(&["go"]) && any(&["newest", "end", "now"])
    {
        Goal::Scroll {
            time: time(&view.question),
        }
    } else if let Some(report) = Report::of_positions(&view.question).filter(|_| !orders) {
        Goal::Report(report)
    } else if (any(DRAWING) || any(&["show"]) && any(&["chart"]))
        && !refused
        && (named || intent.figure.is_some() || any(&["line"]) && intent.price.is_some())
    {
        Goal::Draw
    } else if let Some(past) = Past::read(view) {
        Goal::Past(past)
    } else if let Some(report) = Report::read(&view.question) {
        Goal::Report(report)
    } else if any(&["price", "quote", "bid", "ask", "spread"]) && !any(&["far", "after"])
        || asks_for_price(&view.question, &[])
    {
        Goal::Price
    } else if named {
        Goal::Look
    } else {
        return None;
    };
    intent.price = intent.price.filter(|price| intent.risk != Some(*price));
    let kinds = [
        "line",
        "lines",
        "trendline",
        "trendlines",
        "marker",
        "markers",
        "position",
        "positions",
    ];
    if intent.goal == Goal::Update && !named && !(intent.style.is_some() && any(&kinds)) {
        // All that is drawn.
        (intent.support, intent.resistance, intent.fibonacci) = (true, true, true);
    }
    Some(intent)
}

/// "Why there?" after levels were told or drawn: the same levels, with what they rest on.
fn asked_why(view: &View<'_>) -> Option<Intent> {
    let said = words(&view.question);
    let is_bare = said.len() <= 4
        && said
            .iter()
            .skip(1)
            .all(|word| is_filler(word) || is_level(word));
    if said.first()? != "why" || !is_bare || !view.files.is_empty() {
        return None;
    }
    let intent = read(&view.said_before()?)?;
    matches!(intent.goal, Goal::Look | Goal::Draw).then_some(Intent {
        goal: Goal::Look,
        ..intent
    })
}

fn is_level(word: &str) -> bool {
    matches!(word, "support" | "resistance")
}

/// The number before a percent sign.
fn risk(question: &str) -> Option<f64> {
    let (before, _) = question.split_once('%')?;
    let number = before.split_whitespace().next_back()?.parse::<f64>().ok()?;
    (number > 0.0 && number <= 100.0).then_some(number)
}

/// A number with decimals. Whole ones count things.
fn price(word: &str) -> Option<f64> {
    let number = word.contains('.').then(|| word.parse::<f64>().ok())??;
    (number.is_finite() && number > 0.0).then_some(number)
}

/// `2017-03-10`, with or without a time, or `10 March 2017`, as the tools take it.
fn time(question: &str) -> Option<String> {
    let said = words(question);
    let day = said.windows(3).find_map(|three| {
        let day = three[0]
            .parse::<u32>()
            .ok()
            .filter(|day| (1..=31).contains(day))?;
        let month = MONTHS
            .iter()
            .position(|month| three[1].starts_with(month))?
            + 1;
        let year = three[2]
            .parse::<u32>()
            .ok()
            .filter(|year| (1970..=9999).contains(year))?;
        Some(format!("{year:04}-{month:02}-{day:02}T12:00:00Z"))
    });
    let written = || {
        question.split_whitespace().find_map(|word| {
            let word = word.trim_end_matches(['.', ',', '?', '!']);
            let form = |pattern: &str| {
                word.len() == pattern.len()
                    && word
                        .bytes()
                        .zip(pattern.bytes())
                        .all(|(byte, sign)| match sign {
                            b'0' => byte.is_ascii_digit(),
                            sign => byte == sign,
                        })
            };
            if form("0000-00-00T00:00:00Z") {
                Some(word.to_owned())
            } else if form("0000-00-00T00:00Z") {
                Some(word.replace('Z', ":00Z"))
            } else if form("0000-00-00") {
                Some(format!("{word}T12:00:00Z"))
            } else {
                None
            }
        })
    };
    day.or_else(written)
}

const MONTHS: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

impl Intent {
    /// True if the words mean a drawing: the one that is attached, else those that were drawn last,
    /// else those of the kinds that they name, else all.
    pub(super) fn means(&self, drawing: &Known, view: &View<'_>) -> bool {
        let mut attached = view
            .attached
            .iter()
            .filter(|(kind, _)| kind == "drawing")
            .peekable();
        if attached.peek().is_some() {
            return attached.any(|(_, id)| *id == drawing.id);
        }
        if self.newest {
            return known::newest(view).contains(&drawing.id);
        }
        let said = words(&view.question);
        let has = |signs: &[&str]| said.iter().any(|word| signs.contains(&word.as_str()));
        let label = drawing.label.to_lowercase();
        let is = |kind: &str| drawing.kind == kind;
        let signs = [
            (self.support, label.contains("support")),
            (self.resistance, label.contains("resistance")),
            (self.fibonacci, is("fibonacci")),
            (
                has(&["line", "lines"]),
                is("horizontal_line") || is("horizontal_ray"),
            ),
            (has(&["trendline", "trendlines"]), is("trendline")),
            (has(&["marker", "markers"]), is("marker")),
            (
                self.long || self.short || has(&["position", "positions"]),
                is("position"),
            ),
        ];
        let named = signs.iter().any(|(asked, _)| *asked);
        !named || signs.iter().any(|(asked, fits)| *asked && *fits)
    }

    /// The title of a drawing at a price.
    pub(super) fn title(&self) -> &'static str {
        match (self.support, self.resistance) {
            (true, false) => "Support",
            (false, true) => "Resistance",
            _ => "",
        }
    }
}
