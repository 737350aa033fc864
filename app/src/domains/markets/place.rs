//! Addresses of charts: symbol, timeframe, drawing.

/// A traded instrument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Symbol {
    #[default]
    EurUsd,
    GbpUsd,
    UsdJpy,
}

impl Symbol {
    pub(super) const ALL: [Self; 3] = [Self::EurUsd, Self::GbpUsd, Self::UsdJpy];

    /// Returns its name as identifiers have it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::EurUsd => "EURUSD",
            Self::GbpUsd => "GBPUSD",
            Self::UsdJpy => "USDJPY",
        }
    }

    /// Returns its name for people.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::EurUsd => "EUR/USD",
            Self::GbpUsd => "GBP/USD",
            Self::UsdJpy => "USD/JPY",
        }
    }

    pub(super) fn digits(self) -> usize {
        match self {
            Self::EurUsd | Self::GbpUsd => 5,
            Self::UsdJpy => 3,
        }
    }

    pub(super) fn pip(self) -> f64 {
        match self {
            Self::EurUsd | Self::GbpUsd => 0.0001,
            Self::UsdJpy => 0.01,
        }
    }

    /// Formats a price of it.
    pub(super) fn price(self, price: f64) -> String {
        format!("{price:.*}", self.digits())
    }

    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// The duration of a candle, among those that the page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Timeframe {
    #[default]
    H1,
    H4,
    D1,
    W1,
}

impl Timeframe {
    pub(super) const ALL: [Self; 4] = [Self::H1, Self::H4, Self::D1, Self::W1];

    /// Returns its name as identifiers have it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::H1 => "H1",
            Self::H4 => "H4",
            Self::D1 => "D1",
            Self::W1 => "W1",
        }
    }

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::H1 => "1 hour",
            Self::H4 => "4 hours",
            Self::D1 => "1 day",
            Self::W1 => "1 week",
        }
    }

    /// Returns the seconds between the openings of two candles.
    pub(super) fn seconds(self) -> i64 {
        match self {
            Self::H1 => 3_600,
            Self::H4 => 14_400,
            Self::D1 => 86_400,
            Self::W1 => 604_800,
        }
    }

    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// A chart, perhaps with a drawing to select on it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct ChartAt {
    pub(crate) symbol: Symbol,
    pub(crate) timeframe: Timeframe,
    pub(crate) drawing: Option<String>,
}

impl ChartAt {
    /// Returns the symbol and timeframe, which decide the candles on it.
    pub(super) fn market(&self) -> (Symbol, Timeframe) {
        (self.symbol, self.timeframe)
    }

    /// Returns its name: `EURUSD/H1`.
    pub(crate) fn name(&self) -> String {
        format!("{}/{}", self.symbol.name(), self.timeframe.name())
    }

    /// Returns the chart of the part of an address after `/chart`.
    pub(crate) fn of(rest: &str) -> Option<Self> {
        let mut parts = rest.strip_prefix('/').unwrap_or(rest).split('/');
        let symbol = match parts.next() {
            None | Some("") => Symbol::default(),
            Some(name) => Symbol::of(name)?,
        };
        let timeframe = match parts.next() {
            None => Timeframe::default(),
            Some(name) => Timeframe::of(name)?,
        };
        let drawing = match parts.next() {
            None => None,
            Some(id) if is_plain(id) => Some(id.to_owned()),
            Some(_) => return None,
        };
        parts.next().is_none().then_some(Self {
            symbol,
            timeframe,
            drawing,
        })
    }

    pub(crate) fn path(&self) -> String {
        let name = self.name();
        match &self.drawing {
            Some(id) => format!("/chart/{name}/{id}"),
            None => format!("/chart/{name}"),
        }
    }
}

/// Returns whether it can be the identifier of a drawing.
fn is_plain(id: &str) -> bool {
    let sign = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    (1..=80).contains(&id.len()) && id.chars().all(sign)
}

/// Returns the path of the chart with a result's drawing, if the result has one that still exists.
pub(crate) fn path_of_drawing(data: &serde_json::Value, timeframe: Timeframe) -> Option<String> {
    let drawing = data.get("drawing")?;
    if drawing.get("removed").and_then(serde_json::Value::as_bool) == Some(true) {
        return None;
    }
    let text = |name: &str| drawing.get(name).and_then(serde_json::Value::as_str);
    let id = text("id").filter(|id| is_plain(id))?;
    let at = ChartAt {
        symbol: Symbol::of(text("symbol")?)?,
        timeframe,
        drawing: Some(id.to_owned()),
    };
    Some(at.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_charts_belong_together() {
        for (rest, path) in [
            ("", Some("/chart/EURUSD/H1")),
            ("/USDJPY", Some("/chart/USDJPY/H1")),
            ("/EURUSD/W1", Some("/chart/EURUSD/W1")),
            ("/EURUSD/H1/call_01", Some("/chart/EURUSD/H1/call_01")),
            ("/EURUSD/M1", None),
            ("/eurusd/H1", None),
            ("/EURUSD/H1/a b", None),
            ("/EURUSD/H1/..", None),
            ("/EURUSD/H1/a/b", None),
            ("/EURUSD/H1/", None),
        ] {
            let found = ChartAt::of(rest).map(|at| at.path());
            assert_eq!(found.as_deref(), path, "{rest}");
        }
    }
}
