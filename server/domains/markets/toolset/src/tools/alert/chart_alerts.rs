//! The alerts, with what can be done with them.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
};

use markets_wire::AlertPart;
use serde_json::{Value, json};

use super::{
    Alert, AlertState, AlertStore, AlertSubject, Crossing, ended,
    indicator::Indicators,
    trail_rows,
    value::{AlertLook, level_of, look},
};
use crate::{
    Live, StoreError, Symbol, Time, TrailRow,
    drawing::{Actor, Drawing, DrawingReader, is_private},
    maths::indicators,
    passed_prices::{PassedPrice, PriceMark},
    price, texts,
    tools::{
        Answer, ToolProblem,
        draw::{Caller, ChartDrawings, say},
    },
};

/// Limit on alerts that wait.
const MOST: usize = 100;
/// Seconds for which an alert that is over is still listed: a week.
const LISTED: i64 = 7 * 86_400;

/// A requested alert.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WantedAlert {
    pub(crate) symbol: Symbol,
    pub(crate) subject: AlertSubject,
    pub(crate) crossing: Crossing,
    pub(crate) note: String,
    pub(crate) repeats: bool,
}

/// The results of looks so far. Nothing depends on it after a restart.
#[derive(Default)]
struct AlertLooks {
    /// Symbols whose price was known at the last look.
    known: HashSet<Symbol>,
    /// By alert, the reason that its value was unknown.
    unknown: HashMap<String, String>,
    /// By alert, the last price that it was judged on, or that was there when it was set.
    marks: HashMap<String, PriceMark>,
    /// By alert, what it is called in a line of the feed, which cannot wait for a look at the store.
    names: HashMap<String, String>,
}

/// The alerts on the charts. Clones are the same ones.
#[derive(Clone)]
pub(crate) struct ChartAlerts {
    pub(super) live: Live,
    pub(super) charts: ChartDrawings,
    pub(super) store: Arc<dyn AlertStore>,
    indicators: Indicators,
    looks: Arc<Mutex<AlertLooks>>,
}

impl ChartAlerts {
    pub(crate) fn new(live: Live, charts: ChartDrawings, store: Arc<dyn AlertStore>) -> Self {
        Self {
            indicators: Indicators::new(live.clone()),
            live,
            charts,
            store,
            looks: Arc::default(),
        }
    }

    /// The alerts that wait and those that were over lately, oldest first.
    ///
    /// # Errors
    /// The store fails.
    pub(crate) async fn alerts(&self, at: Time) -> Result<Vec<Alert>, StoreError> {
        let mut all = self.store.list(at.plus(-LISTED)).await?;
        all.sort_by(|one, other| (one.created_at, &one.id).cmp(&(other.created_at, &other.id)));
        Ok(all)
    }

    /// The alerts as parts of the board.
    ///
    /// # Errors
    /// The store fails.
    pub(crate) async fn parts(&self, at: Time) -> Result<Vec<AlertPart<Time>>, StoreError> {
        let mut parts = Vec::new();
        for alert in self.alerts(at).await? {
            parts.push(self.part(alert).await?);
        }
        let name =
            |part: &AlertPart<Time>| (part.alert.id.clone(), name(&part.alert, &part.condition));
        self.looks().names = parts.iter().map(name).collect();
        Ok(parts)
    }

    async fn part(&self, alert: Alert) -> Result<AlertPart<Time>, StoreError> {
        Ok(AlertPart {
            condition: self.condition(&alert).await?,
            unknown: self.unknown(&alert.id),
            value: last_value(&alert),
            alert,
        })
    }

    /// The name of an alert as it was read or written last, by what it watches.
    pub(crate) fn name_of(&self, id: &str) -> Option<String> {
        self.looks().names.get(id).cloned()
    }

    fn learn_name(&self, alert: &Alert, condition: &str) {
        let name = name(alert, condition);
        self.looks().names.insert(alert.id.clone(), name);
    }

    /// The condition of an alert, in words.
    pub(super) async fn condition(&self, alert: &Alert) -> Result<String, StoreError> {
        let way = alert.crossing;
        Ok(match &alert.subject {
            AlertSubject::Price { level } => {
                let level = alert.symbol.show(alert.symbol.round(*level));
                texts::alerts::price_goes(way, &level)
            }
            AlertSubject::Drawing {
                drawing,
                part,
                ratio,
            } => {
                let line = match self.charts.drawing(DrawingReader::Anybody, drawing).await {
                    Ok(drawing) => say::the(&drawing),
                    Err(ToolProblem::Store(error)) => return Err(error),
                    Err(_) => texts::alerts::THE_DRAWING.to_owned(),
                };
                texts::alerts::price_goes(way, &texts::alerts::level_of(*part, *ratio, line))
            }
            AlertSubject::Indicator {
                indicator,
                period,
                timeframe,
                level,
            } => {
                let of = indicators::in_words(*indicator, *period, *timeframe);
                texts::alerts::value_goes(&of, way, &level.to_string())
            }
        })
    }

    /// Looks at the value of an alert, at prices that have passed.
    pub(super) async fn look(
        &self,
        alert: &Alert,
        prices: &[PassedPrice],
    ) -> Result<AlertLook, StoreError> {
        look(&self.charts, &self.indicators, alert, prices).await
    }

    /// Sets an alert. A repeated call has no second effect.
    pub(crate) async fn set(
        &self,
        wanted: WantedAlert,
        by: &Caller,
        at: Time,
    ) -> Result<Answer, ToolProblem> {
        if let Some(done) = self.store.get(&by.call).await? {
            return self.told(done, texts::alerts::set).await;
        }
        let mut alert = self.planned(wanted, by, at).await?;
        // The side now, so that the next price may already cross. Without it, the first one tells.
        let before = self.live.price_mark();
        let quote = self.live.quote(alert.symbol).await.ok().flatten();
        // Others read prices too: the side is that of the last one up to the mark, which is never judged again.
        let (prices, mark) = self.live.passed_since(alert.symbol, before, quote.as_ref());
        if quote.is_some()
            && let Some(newest) = prices.last()
            && let AlertLook::Seen { readings, .. } =
                self.look(&alert, std::slice::from_ref(newest)).await?
            && let Some(seen) = readings.last()
        {
            alert.side = Some(seen.side());
            alert.drawing_version = seen.drawing;
            self.looks().known.insert(alert.symbol);
        }
        let told = trail_rows::of_new(&alert, by, &self.condition(&alert).await?);
        let stored = self.store.insert(&alert, &told).await?;
        self.judged(&stored.id, mark);
        self.charts.changed();
        self.told(stored, texts::alerts::set).await
    }

    /// The effect of setting an alert, in a sentence.
    pub(crate) async fn plan(
        &self,
        wanted: WantedAlert,
        by: &Caller,
        at: Time,
    ) -> Result<String, ToolProblem> {
        let alert = self.planned(wanted, by, at).await?;
        let condition = self.condition(&alert).await?;
        Ok(texts::alerts::will_tell(&alert.symbol, &condition))
    }

    async fn planned(
        &self,
        wanted: WantedAlert,
        by: &Caller,
        at: Time,
    ) -> Result<Alert, ToolProblem> {
        let subject = self.checked(&wanted, by).await?;
        crate::drawing::text_fits("note", &wanted.note, 200)
            .map_err(|error| ToolProblem::Input(texts::alerts::is_invalid(&error)))?;
        let alert = Alert {
            id: by.call.clone(),
            symbol: wanted.symbol,
            subject,
            crossing: wanted.crossing,
            note: wanted.note,
            repeats: wanted.repeats,
            actor: by.actor,
            person: by.person.clone(),
            call: by.call.clone(),
            conversation: by.conversation.clone(),
            created_at: at,
            version: 1,
            state: AlertState::Waiting,
            since: at,
            side: None,
            drawing_version: None,
            fired: 0,
            last: None,
            withdrawn_by: None,
        };
        let mut waiting = self.store.list(at.plus(1)).await?;
        waiting.retain(|other| other.state == AlertState::Waiting);
        let is_same = |other: &&Alert| {
            (other.symbol, &other.subject, other.crossing)
                == (alert.symbol, &alert.subject, alert.crossing)
        };
        if let Some(same) = waiting.iter().find(is_same) {
            let condition = self.condition(same).await?;
            return Err(ToolProblem::Refused(texts::alerts::is_set_already(
                &condition,
            )));
        }
        if waiting.len() >= MOST {
            return Err(ToolProblem::Refused(texts::alerts::there_are_too_many(
                MOST,
            )));
        }
        Ok(alert)
    }

    /// The subject with its level on the tick, if there is such a thing to watch.
    async fn checked(
        &self,
        wanted: &WantedAlert,
        by: &Caller,
    ) -> Result<AlertSubject, ToolProblem> {
        let symbol = wanted.symbol;
        match &wanted.subject {
            AlertSubject::Price { level } => {
                // What a person types may be between ticks.
                let points = match by.actor {
                    Actor::User => Ok(symbol.round(*level)),
                    _ => price::points(symbol, *level),
                };
                let points =
                    points.map_err(|error| ToolProblem::Input(texts::alerts::level(&error)))?;
                if points.0 <= 0 {
                    let wrong = texts::alerts::LEVEL_IS_ABOVE_ZERO.to_owned();
                    return Err(ToolProblem::Input(wrong));
                }
                let level = symbol.number(points);
                Ok(AlertSubject::Price { level })
            }
            AlertSubject::Drawing {
                drawing,
                part,
                ratio,
            } => {
                let on_chart = self.charts.on_chart(by.reader, drawing, Some(symbol));
                let drawing: Drawing = on_chart.await?;
                // Everybody sees the alert, and gets its notice.
                if is_private(&drawing) {
                    let why = texts::alerts::ONE_PERSON_SEES_IT;
                    let why = texts::alerts::line_cannot_be_watched(why);
                    return Err(ToolProblem::Refused(why));
                }
                let at = match self.live.quote(symbol).await {
                    Ok(Some(quote)) => quote.time,
                    // Whether it has a price is judged when there is one to compare.
                    _ => Time(self.live.now() as i64),
                };
                level_of(&drawing, *part, *ratio, at).map_err(|why| {
                    ToolProblem::Refused(texts::alerts::line_cannot_be_watched(&why))
                })?;
                Ok(wanted.subject.clone())
            }
            AlertSubject::Indicator { .. } => Ok(wanted.subject.clone()),
        }
    }

    /// Withdraws an alert that waits.
    pub(crate) async fn withdraw(
        &self,
        id: &str,
        by: &Caller,
        at: Time,
    ) -> Result<Answer, ToolProblem> {
        let alert = self.alert(id).await?;
        if alert.withdrawn_by.as_ref() == Some(&by.call) {
            return self.told(alert, texts::alerts::withdrawn).await;
        }
        let condition = self.condition(&alert).await?;
        still_waits(&alert, &condition)?;
        let next = Alert {
            withdrawn_by: Some(by.call.clone()),
            ..ended(&alert, AlertState::Withdrawn, at)
        };
        let told = trail_rows::of_withdrawn(&alert, &next, by, &condition);
        if !self.replace(&next, Some(&told)).await? {
            let changed = texts::alerts::HAS_JUST_CHANGED.to_owned();
            return Err(ToolProblem::Refused(changed));
        }
        self.told(next, texts::alerts::withdrawn).await
    }

    /// The effect of withdrawing an alert, in a sentence.
    pub(crate) async fn plan_withdrawal(&self, id: &str) -> Result<String, ToolProblem> {
        let alert = self.alert(id).await?;
        let condition = self.condition(&alert).await?;
        self.learn_name(&alert, &condition);
        still_waits(&alert, &condition)?;
        Ok(texts::alerts::will_withdraw(&alert.symbol, &condition))
    }

    /// The alerts on a symbol, or on all, as the model reads them.
    pub(crate) async fn listed(
        &self,
        symbol: Option<Symbol>,
        at: Time,
    ) -> Result<Answer, ToolProblem> {
        let mut parts = self.parts(at).await?;
        parts.retain(|part| symbol.is_none_or(|symbol| symbol == part.alert.symbol));
        let waits = |part: &&AlertPart<Time>| part.alert.state == AlertState::Waiting;
        let waiting = parts.iter().filter(waits).count();
        Ok(Answer {
            summary: texts::alerts::listed(waiting, parts.len()),
            data: json!({ "alerts": parts.iter().map(brief).collect::<Vec<_>>() }),
        })
    }

    async fn alert(&self, id: &str) -> Result<Alert, ToolProblem> {
        let found = self.store.get(id).await?;
        found.ok_or_else(|| ToolProblem::Missing(texts::alerts::no_such_alert(id)))
    }

    /// Writes the next version of an alert, and what the trail tells of it; false if somebody else has
    /// changed it.
    pub(super) async fn replace(
        &self,
        next: &Alert,
        told: Option<&TrailRow>,
    ) -> Result<bool, StoreError> {
        let is_written = self.store.replace(next, told).await?;
        if is_written {
            self.charts.changed();
        }
        Ok(is_written)
    }

    async fn told(
        &self,
        alert: Alert,
        say: fn(&Symbol, &str) -> String,
    ) -> Result<Answer, ToolProblem> {
        let part = self.part(alert).await?;
        self.learn_name(&part.alert, &part.condition);
        Ok(Answer {
            summary: say(&part.alert.symbol, &part.condition),
            data: json!({ "alert": brief(&part) }),
        })
    }

    /// The reason that the value of an alert was unknown at the last look.
    pub(crate) fn unknown(&self, id: &str) -> Option<String> {
        self.looks().unknown.get(id).cloned()
    }

    /// The last price that an alert was judged on; none after a start.
    pub(super) fn mark(&self, id: &str) -> Option<PriceMark> {
        self.looks().marks.get(id).copied()
    }

    /// Notes that an alert was judged on the prices up to a mark.
    pub(super) fn judged(&self, id: &str, mark: PriceMark) {
        self.looks().marks.insert(id.to_owned(), mark);
    }

    /// Forgets the looks at an alert that is over.
    pub(super) fn forget(&self, id: &str) {
        let mut looks = self.looks();
        looks.unknown.remove(id);
        looks.marks.remove(id);
    }

    /// Notes that the price of a symbol is known. Returns false if it was not at the last look.
    pub(super) fn knows(&self, symbol: Symbol) -> bool {
        !self.looks().known.insert(symbol)
    }

    /// Notes that nobody looks at the price of a symbol.
    pub(super) fn leaves(&self, symbol: Symbol) {
        self.looks().known.remove(&symbol);
    }

    /// Notes what a look has found. Returns whether the value was unknown before.
    pub(super) fn found(&self, id: &str, unknown: Option<String>) -> bool {
        let mut looks = self.looks();
        let before = match unknown {
            Some(why) => looks.unknown.insert(id.to_owned(), why),
            None => looks.unknown.remove(id),
        };
        before.is_some()
    }

    fn looks(&self) -> std::sync::MutexGuard<'_, AlertLooks> {
        self.looks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn name(alert: &Alert, condition: &str) -> String {
    texts::alerts::alert_on(&alert.symbol, condition)
}

/// The value of the newest firing, as people read it.
fn last_value(alert: &Alert) -> Option<String> {
    let value = alert.last.as_ref()?.value;
    Some(match alert.subject {
        AlertSubject::Indicator { .. } => value.to_string(),
        AlertSubject::Price { .. } | AlertSubject::Drawing { .. } => {
            alert.symbol.show(alert.symbol.round(value))
        }
    })
}

fn still_waits(alert: &Alert, condition: &str) -> Result<(), ToolProblem> {
    if alert.state == AlertState::Waiting {
        return Ok(());
    }
    let message = texts::alerts::waits_no_more(condition, &alert.state);
    Err(ToolProblem::Refused(message))
}

/// The alert as the model reads it.
fn brief(part: &AlertPart<Time>) -> Value {
    let alert = &part.alert;
    let mut brief = json!({
        "id": alert.id,
        "symbol": alert.symbol,
        "subject": alert.subject,
        "direction": alert.crossing,
        "condition": part.condition,
        "state": alert.state,
        "since": alert.since,
        "repeats": alert.repeats,
        "fired": alert.fired,
        "last": alert.last,
        "note": alert.note,
        "by": alert.actor,
        "unknown": part.unknown,
    });
    if let Some(person) = &alert.person {
        brief["person"] = person.as_str().into();
    }
    brief
}
