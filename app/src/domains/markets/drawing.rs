//! A drawing as the board has it, in the words of the page, and the calls for edits by hand.

use std::sync::Arc;

use kit::format::upright;
use markets_wire::{
    Actor, Colour, Content, DrawingKey, Extent, Importance, Points, Shape, Side, State, Symbol,
    Timeframe,
};
use protocol::{FromJson, JsonReader, Reference};
use serde_json::{Map, Value};

use super::{
    origin::{Origin, origin},
    texts,
    time::{self, ChartClock},
};

/// The owner of what everybody sees.
const EVERYONE: &str = "everyone";

/// A record of the server. Clones are cheap.
#[derive(Debug, Clone)]
pub(super) struct Drawing(Arc<DrawingRecord>);

#[derive(Debug)]
struct DrawingRecord {
    key: DrawingKey,
    /// None if a newer server has written it and this page cannot read it all.
    read: Option<markets_wire::Drawing>,
    /// All of it with its check, for the chart.
    json: Value,
}

impl PartialEq for Drawing {
    fn eq(&self, other: &Self) -> bool {
        self.0.json == other.0.json
    }
}

impl FromJson for Drawing {
    fn read_json(reader: &mut JsonReader) -> Self {
        let json = reader.value().clone();
        Self(Arc::new(DrawingRecord {
            key: DrawingKey::read_json(reader),
            read: markets_wire::Drawing::from_json(json.clone()),
            json,
        }))
    }
}

impl Drawing {
    pub(super) fn id(&self) -> &str {
        &self.0.key.id
    }

    pub(super) fn symbol(&self) -> Symbol {
        self.0.key.symbol
    }

    pub(super) fn version(&self) -> u64 {
        self.0.key.version
    }

    pub(super) fn is_removed(&self) -> bool {
        self.0.key.removed
    }

    /// Returns the record, if this page can read it.
    pub(super) fn record(&self) -> Option<&markets_wire::Drawing> {
        self.0.read.as_ref()
    }

    /// Returns whether this person alone sees it.
    pub(super) fn is_private(&self) -> bool {
        self.record().is_some_and(|record| record.owner != EVERYONE)
    }

    fn content(&self) -> Option<&Content> {
        Some(&self.record()?.content)
    }

    /// Returns the content as the server has it.
    pub(super) fn content_json(&self) -> Option<&Value> {
        self.0.json.get("content")
    }

    fn shape(&self) -> Option<&Shape> {
        Some(&self.content()?.shape)
    }

    pub(super) fn is_locked(&self) -> bool {
        self.content().is_some_and(|content| content.locked)
    }

    pub(super) fn is_hidden(&self) -> bool {
        self.content().is_some_and(|content| content.hidden)
    }

    fn actor(&self) -> Option<Actor> {
        Some(self.record()?.actor)
    }

    /// Returns whether the assistant made it.
    pub(super) fn is_models(&self) -> bool {
        self.actor() == Some(Actor::Model)
    }

    pub(super) fn who(&self) -> &str {
        let record = self.record();
        record.map_or(texts::drawings::UNKNOWN, |it| {
            who(it.actor, it.person.as_deref())
        })
    }

    pub(super) fn label(&self) -> String {
        text(self.content().map(|content| &content.label))
    }

    pub(super) fn note(&self) -> String {
        text(self.content().map(|content| &content.note))
    }

    pub(super) fn reason(&self) -> String {
        text(self.record().map(|record| &record.reason))
    }

    pub(super) fn importance(&self) -> Importance {
        self.content()
            .map_or_else(Importance::default, |content| content.importance)
    }

    pub(super) fn colour(&self) -> Colour {
        self.content()
            .map_or_else(Colour::default, |content| content.style.colour)
    }

    pub(super) fn created(&self) -> &str {
        self.record().map_or("", |record| &record.created_at)
    }

    /// Returns the market's time since which it says what it does.
    pub(super) fn known_at(&self) -> &str {
        let known = self.record().and_then(|it| it.known_at.as_deref());
        known.unwrap_or_else(|| self.created())
    }

    /// Returns the state of a position in its life cycle; empty for other drawings.
    pub(super) fn state(&self) -> &'static str {
        let life = self.record().and_then(|record| record.life.as_ref());
        life.map_or("", |life| texts::drawings::state(life.state, life.cause))
    }

    /// Returns the side of a position and its state; none for other drawings.
    pub(super) fn position(&self) -> Option<(Side, State)> {
        let life = self.record()?.life.as_ref()?;
        match self.shape()? {
            Shape::Position { side, .. } => Some((*side, life.state)),
            _ => None,
        }
    }

    pub(super) fn tags(&self) -> String {
        let tags = self.content().map(|content| content.tags.join(", "));
        upright(tags.unwrap_or_default())
    }

    /// Returns whether it is visible on a timeframe; without a list it is on all of them.
    pub(super) fn is_visible_on(&self, timeframe: Timeframe) -> bool {
        let on = self.content().map(|content| &content.visible_on);
        on.is_none_or(|on| on.is_empty() || on.contains(&timeframe))
    }

    /// Returns the text of a marker; empty for other drawings.
    pub(super) fn words(&self) -> String {
        text(match self.shape() {
            Some(Shape::Marker { text, .. }) => Some(text),
            _ => None,
        })
    }

    pub(super) fn is_marker(&self) -> bool {
        matches!(self.shape(), Some(Shape::Marker { .. }))
    }

    /// Returns the name of its kind for people.
    pub(super) fn kind_word(&self) -> &'static str {
        let Some(shape) = self.shape() else {
            return texts::drawings::DRAWING;
        };
        match shape {
            Shape::HorizontalLine { .. } => texts::drawings::LINE,
            Shape::HorizontalRay { .. } => texts::drawings::RAY,
            Shape::Trendline {
                extent: Extent::Arrow,
                ..
            } => texts::drawings::ARROW,
            Shape::Trendline { .. } => texts::drawings::TRENDLINE,
            Shape::Rectangle { .. } => texts::drawings::RECTANGLE,
            Shape::Circle { .. } => texts::drawings::CIRCLE,
            Shape::Fibonacci { .. } => texts::drawings::FIBONACCI,
            Shape::Position {
                side: Side::Short, ..
            } => texts::drawings::SHORT,
            Shape::Position { .. } => texts::drawings::LONG,
            Shape::Marker { .. } => texts::drawings::MARKER,
        }
    }

    /// Returns its title: its label, or the text of a marker.
    pub(super) fn title(&self) -> String {
        let name = match self.label() {
            label if label.is_empty() => self.words(),
            label => label,
        };
        if name.is_empty() {
            self.kind_word().to_owned()
        } else {
            format!("{}: {name}", self.kind_word())
        }
    }

    /// Formats its prices in one line, each with its name.
    pub(super) fn price_line(&self) -> String {
        let Some(shape) = self.shape() else {
            return String::new();
        };
        let anchors = shape.anchors().into_iter();
        let anchors = anchors.map(|(name, anchor)| (name, anchor.price));
        let prices = shape.levels().into_iter().chain(anchors);
        let prices = prices.map(|(name, price)| {
            let price = price_text(self.symbol(), price);
            match name {
                "price" | "at" => price,
                name => format!("{name} {price}"),
            }
        });
        prices.collect::<Vec<_>>().join(" · ")
    }

    /// Returns the times of its points on the chart, as far as it has any.
    pub(super) fn times(&self) -> Vec<&str> {
        let Some(shape) = self.shape() else {
            return Vec::new();
        };
        let anchors = shape.anchors().into_iter();
        let anchors = anchors.map(|(_, anchor)| &anchor.time[..]);
        let start = shape.start().map(|start| &start[..]);
        start.into_iter().chain(anchors).collect()
    }

    /// Returns the result of a position: of a closed one in words, of an open one the pips that it risked at first.
    pub(super) fn result(&self) -> Option<&Value> {
        self.0.json.get("result")
    }

    /// Returns the price at which a position was opened.
    pub(super) fn opened(&self) -> Option<Points> {
        Some(self.record()?.life.as_ref()?.opened.as_ref()?.price)
    }

    /// Returns the time at which a position was closed.
    pub(super) fn closed(&self) -> Option<&str> {
        let closed = self.record()?.life.as_ref()?.closed.as_ref()?;
        Some(&closed.time)
    }

    /// Formats these times in one line.
    pub(super) fn time_line(&self, clock: ChartClock) -> String {
        let times = self.times().into_iter().map(|it| time::shown(it, clock));
        times.collect::<Vec<_>>().join(texts::drawings::TO)
    }

    /// Describes how the price has touched it, and its distance.
    pub(super) fn check(&self, clock: ChartClock) -> Option<String> {
        // Most of it is for the assistant.
        let check = self.0.json.get("check")?;
        let last = check.get("last_touch").and_then(Value::as_str);
        let last = last.map(|it| time::shown(it, clock));
        Some(texts::drawings::touched(
            check.get("touches")?.as_u64()?,
            last.as_deref(),
            check.get("distance_pips")?.as_f64()?,
        ))
    }

    /// Returns the turn in which the assistant made it, or last changed it, for undoing that.
    pub(super) fn turn(&self) -> Option<&str> {
        let record = self.record()?;
        match record.changes.last() {
            Some(newest) => newest.group.as_deref(),
            None => record.group.as_deref(),
        }
    }

    /// Returns the conversation and the row in it that it came from.
    pub(super) fn origin(&self) -> Option<Origin> {
        let record = self.record()?;
        origin(
            record.conversation.as_deref(),
            record.message.as_deref(),
            record.call.as_deref(),
        )
    }

    pub(super) fn reference(&self) -> Reference {
        Reference::new("drawing", self.id())
    }

    /// Returns the record for the chart; nobody can drag a drawing that they may not change.
    pub(super) fn chart_json(&self, barred: bool) -> String {
        let mut record = Map::new();
        for name in ["id", "symbol", "content", "actor", "life"] {
            let field = self.0.json.get(name).cloned();
            record.insert(name.to_owned(), field.unwrap_or_default());
        }
        if barred && let Some(Value::Object(content)) = record.get_mut("content") {
            content.insert("locked".to_owned(), true.into());
        }
        Value::Object(record).to_string()
    }
}

fn text(text: Option<&String>) -> String {
    upright(text.cloned().unwrap_or_default())
}

/// Returns the name of an author. Records of earlier releases do not name people.
pub(super) fn who(actor: Actor, person: Option<&str>) -> &str {
    match actor {
        Actor::Model => texts::drawings::JARVIS,
        Actor::User => person.unwrap_or(texts::drawings::A_PERSON),
        Actor::Price => texts::drawings::THE_PRICE,
    }
}

/// Formats a price of a symbol.
pub(super) fn price_text(symbol: Symbol, price: f64) -> String {
    symbol.show(symbol.round(price))
}

/// Returns the tool and the input of the call that draws a shape, for everybody or for this person alone.
pub(super) fn call_of(
    shape: &Value,
    symbol: Symbol,
    is_private: bool,
) -> Option<(&'static str, Value)> {
    let Value::Object(mut input) = shape.clone() else {
        return None;
    };
    let kind = input.remove("kind")?;
    let tool = match kind.as_str()? {
        "horizontal_line" => "draw_horizontal_line",
        "horizontal_ray" => "draw_horizontal_ray",
        "trendline" => "draw_trendline",
        "rectangle" => "draw_rectangle",
        "circle" => "draw_circle",
        "fibonacci" => "draw_fibonacci",
        "marker" => {
            fill(&mut input, "text", texts::drawings::MARKER_TEXT.into());
            "draw_marker"
        }
        "position" => {
            let side = input.remove("side")?;
            match side.as_str()? {
                "short" => "draw_short_position",
                _ => "draw_long_position",
            }
        }
        _ => return None,
    };
    input.insert("symbol".to_owned(), symbol.name().into());
    input.insert("reason".to_owned(), texts::drawings::reasons::DRAWN.into());
    if is_private {
        input.insert("seen_by".to_owned(), "me".into());
    }
    Some((tool, Value::Object(input)))
}

/// Adds a field that drawing by hand does not provide.
fn fill(input: &mut Map<String, Value>, name: &str, value: Value) {
    let known = input.get(name);
    if known.is_none_or(|known| known.is_null() || known.as_str() == Some("")) {
        input.insert(name.to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn drawing(more: Value) -> Drawing {
        let at = "2017-03-10T13:00:00Z";
        let mut json = json!({
            "id": "call_01", "owner": "everyone", "symbol": "EURUSD", "version": 3,
            "actor": "model", "group": "trn_1", "reason": "a high", "created_at": at,
            "removed": false, "dropped": 0, "changes": [],
            "content": { "shape": { "kind": "horizontal_line", "price": 1.085 }, "label": "Top",
                "note": "", "tags": [], "importance": "high", "locked": false, "hidden": false,
                "style": { "colour": "red", "line": "solid", "width": 0 }, "visible_on": ["H4"] },
        });
        if let (Value::Object(json), Value::Object(more)) = (&mut json, more) {
            json.extend(more);
        }
        Drawing::from_json(json).unwrap()
    }

    #[test]
    fn a_record_is_told_in_words() {
        let line = drawing(json!({
            "message": "msg_1", "call": "call_01",
            "conversation": "cnv_01HF7YAT00000000000000000A",
            "check": { "of": "the price", "touches": 2, "last_touch": "2017-03-10T13:00:00Z",
                "distance_pips": 12.34, "prospective": false, "bars": 500 },
        }));
        assert_eq!(line.title(), "Line: Top");
        assert_eq!(line.price_line(), "1.08500");
        assert_eq!((line.who(), line.colour()), ("Jarvis", Colour::Red));
        assert!(line.is_visible_on(Timeframe::H4) && !line.is_visible_on(Timeframe::H1));
        let check = "touched 2 times, last on 2017-03-10 13:00 UTC, 12.3 pips from the price";
        assert_eq!(line.check(ChartClock::UTC).as_deref(), Some(check));
        assert_eq!(line.origin().unwrap().1, "msg_1-call_01");
        assert!(line.chart_json(true).contains(r#""locked":true"#));
        assert_eq!(Drawing::from_json(json!({ "id": "x" })), None);
    }

    #[test]
    fn points_have_prices_and_times() {
        let (from, to) = ("2017-03-10T13:00:00Z", "2017-03-13T13:00:00Z");
        let mut content = drawing(json!({})).0.json["content"].clone();
        content["shape"] = json!({ "kind": "trendline", "extent": "arrow",
            "from": { "time": from, "price": 1.08 }, "to": { "time": to, "price": 1.09 } });
        let arrow = drawing(json!({ "content": content }));
        assert_eq!(arrow.title(), "Arrow: Top");
        assert_eq!(arrow.price_line(), "from 1.08000 · to 1.09000");
        assert_eq!(arrow.times(), [from, to]);
        assert_eq!(
            arrow.time_line(ChartClock::UTC),
            "2017-03-10 13:00 UTC to 2017-03-13 13:00 UTC"
        );
    }

    /// A newer server may have kinds, colours or states that this page has no words for: they are
    /// listed, and can be removed.
    #[test]
    fn what_cannot_be_read_is_still_there() {
        let content = json!({ "shape": { "kind": "spiral" }, "locked": true });
        let spiral = drawing(json!({ "content": content }));
        assert_eq!((spiral.id(), spiral.version()), ("call_01", 3));
        assert_eq!(
            (spiral.title(), spiral.who()),
            ("Drawing".to_owned(), "Unknown")
        );
        assert!(spiral.chart_json(false).contains("spiral"));
    }

    #[test]
    fn what_somebody_changed_since_is_not_taken_back() {
        assert_eq!(drawing(json!({})).turn(), Some("trn_1"));
        let change = |group: Value| {
            json!({ "time": "2017-03-10T13:00:00Z", "actor": "user", "reason": "moved",
                "changes": [], "group": group })
        };
        let changed = |group| {
            let changes = [change("trn_0".into()), change(group)];
            drawing(json!({ "changes": changes }))
        };
        assert_eq!(changed("trn_2".into()).turn(), Some("trn_2"));
        assert_eq!(changed(Value::Null).turn(), None);
    }

    #[test]
    fn what_a_hand_draws_becomes_a_call() {
        let at = json!({ "time": "2017-03-10T13:00:00Z", "price": 1.08 });
        let (tool, input) = call_of(
            &json!({ "kind": "marker", "at": at, "text": "" }),
            Symbol::EurUsd,
            false,
        )
        .unwrap();
        assert_eq!(tool, "draw_marker");
        let expect =
            json!({ "at": at, "text": "Note", "symbol": "EURUSD", "reason": "drawn by hand" });
        assert_eq!(input, expect);
        let short = json!({ "kind": "position", "side": "short", "start": "2017-03-10T13:00:00Z",
            "entry": 1.08, "stop": 1.09, "target": 1.06, "account": 500.0 });
        let (tool, input) = call_of(&short, Symbol::EurUsd, true).unwrap();
        assert_eq!(tool, "draw_short_position");
        // Nothing is said for the person that they have not said; the server has the lot of the symbol.
        assert_eq!((input.get("risk"), input.get("leverage")), (None, None));
        assert_eq!((&input["account"], input.get("lot")), (&json!(500.0), None));
        assert_eq!((input.get("side"), &input["seen_by"]), (None, &json!("me")));
        let spiral = json!({ "kind": "spiral" });
        assert_eq!(call_of(&spiral, Symbol::EurUsd, false), None);
    }
}
