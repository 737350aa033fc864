//! A drawing as the board has it, in the words of the page, and the calls for edits by hand.

use std::sync::Arc;

use protocol::{FromJson, Reference};
use serde_json::{Map, Value, json};

use super::{place::Symbol, time};
use crate::format::upright;

/// A record of the server. Clones are cheap.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Drawing(Arc<Value>);

impl FromJson for Drawing {
    fn from_json(json: Value) -> Option<Self> {
        let drawing = Self(Arc::new(json));
        let is_whole = !drawing.id().is_empty()
            && drawing.symbol().is_some()
            && drawing.0.pointer("/content/shape/kind").is_some();
        is_whole.then_some(drawing)
    }
}

impl Drawing {
    fn text(&self, at: &str) -> &str {
        let value = self.0.pointer(at);
        value.and_then(Value::as_str).unwrap_or_default()
    }

    fn is(&self, at: &str) -> bool {
        self.0.pointer(at).and_then(Value::as_bool) == Some(true)
    }

    pub(super) fn id(&self) -> &str {
        self.text("/id")
    }

    pub(super) fn symbol(&self) -> Option<Symbol> {
        Symbol::of(self.text("/symbol"))
    }

    pub(super) fn version(&self) -> u64 {
        self.0
            .get("version")
            .and_then(Value::as_u64)
            .unwrap_or_default()
    }

    pub(super) fn is_removed(&self) -> bool {
        self.is("/removed")
    }

    pub(super) fn is_locked(&self) -> bool {
        self.is("/content/locked")
    }

    pub(super) fn is_hidden(&self) -> bool {
        self.is("/content/hidden")
    }

    /// Returns whether the assistant made it.
    pub(super) fn is_models(&self) -> bool {
        self.text("/actor") == "model"
    }

    pub(super) fn who(&self) -> &'static str {
        who(self.text("/actor"))
    }

    pub(super) fn label(&self) -> String {
        upright(self.text("/content/label").to_owned())
    }

    pub(super) fn note(&self) -> String {
        upright(self.text("/content/note").to_owned())
    }

    pub(super) fn reason(&self) -> String {
        upright(self.text("/reason").to_owned())
    }

    pub(super) fn importance(&self) -> &str {
        match self.text("/content/importance") {
            "" => "medium",
            word => word,
        }
    }

    pub(super) fn colour(&self) -> &str {
        match self.text("/content/style/colour") {
            "" => "cyan",
            word => word,
        }
    }

    pub(super) fn created(&self) -> &str {
        self.text("/created_at")
    }

    /// Returns the state of a position in its life cycle.
    pub(super) fn state(&self) -> &str {
        self.text("/life/state")
    }

    pub(super) fn tags(&self) -> Vec<String> {
        let tags = self.0.pointer("/content/tags").and_then(Value::as_array);
        let tags = tags.into_iter().flatten().filter_map(Value::as_str);
        tags.map(|tag| upright(tag.to_owned())).collect()
    }

    /// Returns whether it is visible on a timeframe; without a list it is on all of them.
    pub(super) fn is_visible_on(&self, timeframe: &str) -> bool {
        let on = self
            .0
            .pointer("/content/visible_on")
            .and_then(Value::as_array);
        on.is_none_or(|on| on.is_empty() || on.iter().any(|it| it.as_str() == Some(timeframe)))
    }

    fn shape(&self) -> &Value {
        self.0.pointer("/content/shape").unwrap_or(&Value::Null)
    }

    fn kind(&self) -> &str {
        self.text("/content/shape/kind")
    }

    pub(super) fn is_marker(&self) -> bool {
        self.kind() == "marker"
    }

    /// Returns the text of a marker.
    pub(super) fn words(&self) -> String {
        upright(self.text("/content/shape/text").to_owned())
    }

    /// Returns the name of its kind for people.
    pub(super) fn kind_word(&self) -> &'static str {
        match (self.kind(), self.text("/content/shape/side")) {
            ("horizontal_line", _) => "Line",
            ("horizontal_ray", _) => "Ray",
            ("trendline", _) => match self.text("/content/shape/extent") {
                "arrow" => "Arrow",
                _ => "Trendline",
            },
            ("rectangle", _) => "Rectangle",
            ("circle", _) => "Circle",
            ("fibonacci", _) => "Fibonacci",
            ("position", "short") => "Short",
            ("position", _) => "Long",
            ("marker", _) => "Marker",
            _ => "Drawing",
        }
    }

    /// Returns its title: its label, or the text of a marker.
    pub(super) fn title(&self) -> String {
        let name = match self.label() {
            label if label.is_empty() => self.words(),
            label => label,
        };
        match name.is_empty() {
            true => self.kind_word().to_owned(),
            false => format!("{}: {name}", self.kind_word()),
        }
    }

    /// Returns its prices, each with its name.
    pub(super) fn prices(&self) -> Vec<(&'static str, f64)> {
        let number = |at: &str| self.shape().pointer(at).and_then(Value::as_f64);
        let named = [
            ("", "/price"),
            ("entry", "/entry"),
            ("stop", "/stop"),
            ("target", "/target"),
            ("from", "/from/price"),
            ("to", "/to/price"),
            ("centre", "/centre/price"),
            ("edge", "/edge/price"),
            ("at", "/at/price"),
        ];
        let found = named.into_iter();
        let found = found.filter_map(|(name, at)| Some((name, number(at)?)));
        found.collect()
    }

    /// Formats its prices in one line.
    pub(super) fn price_line(&self) -> String {
        let symbol = self.symbol().unwrap_or_default();
        let prices = self.prices().into_iter().map(|(name, price)| {
            let price = symbol.price(price);
            match name {
                "" | "at" => price,
                name => format!("{name} {price}"),
            }
        });
        prices.collect::<Vec<_>>().join(" · ")
    }

    /// Formats the times of its points on the chart, as far as it has any.
    pub(super) fn times(&self) -> Vec<String> {
        let at = [
            "/start",
            "/from/time",
            "/to/time",
            "/centre/time",
            "/edge/time",
            "/at/time",
        ];
        let found = at.into_iter();
        let found = found.filter_map(|at| self.shape().pointer(at).and_then(Value::as_str));
        found.map(time::shown).collect()
    }

    /// Returns the time at which it begins on the chart; none if it spans all of it.
    pub(super) fn first_time(&self) -> Option<String> {
        let at = ["/start", "/from/time", "/centre/time", "/at/time"];
        let mut found = at.into_iter();
        let time = found.find_map(|at| self.shape().pointer(at).and_then(Value::as_str));
        time.map(str::to_owned)
    }

    /// Describes how the price has touched it, and its distance.
    pub(super) fn check(&self) -> Option<String> {
        let check = self.0.get("check")?;
        let mut said = Vec::new();
        if let Some(touches) = check.get("touches").and_then(Value::as_u64) {
            said.push(match touches {
                1 => "touched once".to_owned(),
                n => format!("touched {n} times"),
            });
        }
        if let Some(last) = check.get("last_touch").and_then(Value::as_str) {
            said.push(format!("last on {}", time::shown(last)));
        }
        if let Some(pips) = check.get("distance_pips").and_then(Value::as_f64) {
            said.push(format!("{pips:.1} pips from the price"));
        }
        (!said.is_empty()).then(|| said.join(", "))
    }

    /// Returns the turn in which the assistant made it, or last changed it, for undoing that.
    pub(super) fn turn(&self) -> Option<&str> {
        let changes = self.0.get("changes").and_then(Value::as_array);
        let newest = changes.and_then(|changes| changes.last());
        let group = newest.unwrap_or(&*self.0).get("group");
        group
            .and_then(Value::as_str)
            .filter(|group| !group.is_empty())
    }

    /// Returns the conversation and the row in it that it came from.
    pub(super) fn origin(&self) -> Option<(protocol::ConversationId, String)> {
        let conversation = self.text("/conversation").parse().ok()?;
        let (message, call) = (self.text("/message"), self.text("/call"));
        if message.is_empty() {
            return None;
        }
        Some((
            conversation,
            match call.is_empty() {
                true => message.to_owned(),
                false => format!("{message}-{call}"),
            },
        ))
    }

    /// Returns its changes, newest first: when, by whom, why, and which fields.
    pub(super) fn changes(&self) -> Vec<(String, &'static str, String, Vec<String>)> {
        let changes = self.0.get("changes").and_then(Value::as_array);
        let changes = changes.into_iter().flatten().rev();
        let read = changes.map(|change| {
            let text = |name: &str| change.get(name).and_then(Value::as_str).unwrap_or_default();
            let fields = change.get("changes").and_then(Value::as_array);
            let fields = fields.into_iter().flatten();
            let fields = fields.filter_map(|it| it.get("field").and_then(Value::as_str));
            (
                time::shown(text("time")),
                who(text("actor")),
                upright(text("reason").to_owned()),
                fields.map(|field| upright(field.to_owned())).collect(),
            )
        });
        read.collect()
    }

    pub(super) fn reference(&self) -> Reference {
        Reference::new("drawing", self.id())
    }

    /// Returns the record for the chart; nobody can drag a drawing that they may not change.
    pub(super) fn record(&self, barred: bool) -> String {
        let mut record = json!({
            "id": self.id(),
            "symbol": self.0.get("symbol"),
            "content": self.0.get("content"),
            "actor": self.0.get("actor"),
            "life": self.0.get("life"),
        });
        if barred && let Some(locked) = record.pointer_mut("/content/locked") {
            *locked = true.into();
        }
        record.to_string()
    }
}

fn who(actor: &str) -> &'static str {
    match actor {
        "model" => "Jarvis",
        "user" => "A person",
        _ => "Unknown",
    }
}

/// Returns the tool and the input of the call that draws a shape.
pub(super) fn call_of(shape: &Value, symbol: Symbol) -> Option<(&'static str, Value)> {
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
            fill(&mut input, "text", "Note".into());
            "draw_marker"
        }
        "position" => {
            let side = input.remove("side")?;
            fill(&mut input, "account", json!(10_000.0));
            fill(&mut input, "risk", json!({ "percent": 1.0 }));
            fill(&mut input, "leverage", json!(30.0));
            fill(&mut input, "lot", json!(100_000.0));
            fill(&mut input, "lot_step", json!(0.01));
            match side.as_str()? {
                "short" => "draw_short_position",
                _ => "draw_long_position",
            }
        }
        _ => return None,
    };
    input.insert("symbol".to_owned(), symbol.name().into());
    input.insert("reason".to_owned(), "drawn by hand".into());
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
    use super::*;

    fn drawing(more: Value) -> Drawing {
        let mut json = json!({
            "id": "call_01", "symbol": "EURUSD", "version": 3, "actor": "model", "group": "trn_1",
            "content": { "shape": { "kind": "horizontal_line", "price": 1.085 }, "label": "Top",
                "locked": false, "visible_on": ["H4"] },
            "changes": [],
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
            "check": { "touches": 2, "last_touch": "2017-03-10T13:00:00Z", "distance_pips": 12.34 },
        }));
        assert_eq!(line.title(), "Line: Top");
        assert_eq!(line.price_line(), "1.08500");
        assert_eq!(line.who(), "Jarvis");
        assert!(line.is_visible_on("H4") && !line.is_visible_on("H1"));
        let check = "touched 2 times, last on 2017-03-10 13:00 UTC, 12.3 pips from the price";
        assert_eq!(line.check().as_deref(), Some(check));
        assert_eq!(line.origin().unwrap().1, "msg_1-call_01");
        assert!(line.record(true).contains(r#""locked":true"#));
        assert_eq!(Drawing::from_json(json!({ "id": "x" })), None);
    }

    #[test]
    fn what_somebody_changed_since_is_not_taken_back() {
        assert_eq!(drawing(json!({})).turn(), Some("trn_1"));
        let changed = |group: Value| {
            drawing(json!({ "changes": [{ "group": "trn_0" }, { "group": group }] }))
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
        )
        .unwrap();
        assert_eq!(tool, "draw_marker");
        let expect =
            json!({ "at": at, "text": "Note", "symbol": "EURUSD", "reason": "drawn by hand" });
        assert_eq!(input, expect);
        let short = json!({ "kind": "position", "side": "short", "start": "2017-03-10T13:00:00Z",
            "entry": 1.08, "stop": 1.09, "target": 1.06, "account": 500.0 });
        let (tool, input) = call_of(&short, Symbol::EurUsd).unwrap();
        assert_eq!(tool, "draw_short_position");
        assert_eq!(
            (&input["account"], &input["lot_step"]),
            (&json!(500.0), &json!(0.01))
        );
        assert_eq!(input.get("side"), None);
        assert_eq!(call_of(&json!({ "kind": "spiral" }), Symbol::EurUsd), None);
    }
}
