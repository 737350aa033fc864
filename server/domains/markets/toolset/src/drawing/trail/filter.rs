//! The filter of the trail, and how an address says it.

use markets_wire::{ALERT_KIND, SHAPE_KINDS};

use super::TrailPlace;
use crate::{Symbol, Time, drawing::Actor, texts};

/// Part of the trail; everything by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrailFilter {
    pub symbol: Option<Symbol>,
    pub drawing: Option<String>,
    /// Kind of drawing, such as `horizontal_line`, or `alert`.
    pub kind: Option<String>,
    pub actor: Option<Actor>,
    /// Changes at this time or later.
    pub from: Option<Time>,
    /// Changes before this time.
    pub until: Option<Time>,
}

/// A filter that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadTrailFilter(String);

/// Seconds of a day.
const DAY: i64 = 86_400;
/// The field of a query that has a cursor.
const BEFORE: &str = "before";
/// Longest value.
const MOST: usize = 80;

impl TrailFilter {
    /// Reads the fields of an address: `symbol`, `drawing`, `kind`, `by` (user, model or price), `from`
    /// and `until`. A time is one in UTC or a day, which is whole. An empty value is none.
    ///
    /// # Errors
    /// A field is unknown, or its value is.
    pub fn of<'a>(
        fields: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, BadTrailFilter> {
        let mut filter = Self::default();
        for (name, value) in fields {
            let wrong = || BadTrailFilter(texts::no_value_of_filter(name));
            if value.is_empty() {
                continue;
            }
            if value.len() > MOST {
                return Err(wrong());
            }
            match name {
                "symbol" => filter.symbol = Some(value.parse().map_err(|_| wrong())?),
                "drawing" => filter.drawing = Some(value.to_owned()),
                "kind" if value == ALERT_KIND || SHAPE_KINDS.contains(&value) => {
                    filter.kind = Some(value.to_owned());
                }
                "by" => {
                    filter.actor = Some(Actor::named(value).ok_or_else(wrong)?);
                }
                "from" => filter.from = Some(time(value, 0).ok_or_else(wrong)?),
                "until" => filter.until = Some(time(value, DAY).ok_or_else(wrong)?),
                "kind" => return Err(wrong()),
                _ => return Err(BadTrailFilter(texts::no_such_field_of_filter(name))),
            }
        }
        Ok(filter)
    }
}

/// A filter, and the place before which a page has its changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TrailQuery {
    pub(crate) filter: TrailFilter,
    pub(crate) before: Option<TrailPlace>,
}

impl TrailQuery {
    /// Reads the query of an address whose values need no escapes: the fields of a filter, and `before`
    /// with the cursor of an earlier page.
    ///
    /// # Errors
    /// See [`TrailFilter::of`].
    pub(crate) fn of(query: &str) -> Result<Self, BadTrailFilter> {
        let fields = query.split('&').filter(|field| !field.is_empty());
        let fields = fields.map(|field| field.split_once('=').unwrap_or((field, "")));
        let (cursors, fields): (Vec<_>, Vec<_>) = fields.partition(|(name, _)| *name == BEFORE);
        let wrong = || BadTrailFilter(texts::no_value_of_filter(BEFORE));
        let place = |(_, text): &(&str, &str)| TrailPlace::of_cursor(text).ok_or_else(wrong);
        Ok(Self {
            filter: TrailFilter::of(fields)?,
            before: cursors.last().map(place).transpose()?,
        })
    }
}

/// A time, or `later` seconds after the beginning of a day in UTC.
fn time(text: &str, later: i64) -> Option<Time> {
    match Time::parse(text) {
        Ok(time) => Some(time),
        Err(_) => Time::parse(&format!("{text}T00:00:00Z"))
            .ok()
            .map(|day| day.plus(later)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_read_or_refused() {
        let of = |query: &str| TrailQuery::of(query).map_err(|error| error.to_string());
        let read = |query: &str| of(query).map(|read| read.filter);
        assert_eq!(read(""), Ok(TrailFilter::default()));
        assert_eq!(read("by=&from=&kind="), Ok(TrailFilter::default()));
        assert_eq!(read("kind=alert").unwrap().kind.as_deref(), Some("alert"));
        let time = |text| Some(Time::parse(text).unwrap());
        let all = "symbol=EURUSD&by=price&kind=position&from=2017-03-10T13:00:00Z&until=2017-03-10\
            &drawing=call_1";
        let expect = TrailFilter {
            symbol: Some(Symbol::EurUsd),
            drawing: Some("call_1".to_owned()),
            kind: Some("position".to_owned()),
            actor: Some(Actor::Price),
            from: time("2017-03-10T13:00:00Z"),
            until: time("2017-03-11T00:00:00Z"),
        };
        assert_eq!(read(all), Ok(expect));
        for bad in [
            "by=admin",
            "kind=spiral",
            "symbol=DOGE",
            "from=yesterday",
            "until=2017-02-29",
            "owner=usr_1",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
        let long = format!("drawing={}", "x".repeat(MOST + 1));
        assert!(read(&long).is_err());
        let place = TrailPlace {
            time: Time(1_489_150_800),
            drawing: "call_1".to_owned(),
            version: 2,
            owner: "everyone".to_owned(),
        };
        let next = of(&format!("by=price&before={}", place.cursor())).unwrap();
        assert_eq!(next.before, Some(place));
        assert_eq!(next.filter.actor, Some(Actor::Price));
        for bad in [
            "before=",
            "before=yesterday",
            "before=2017-03-10T13:00:00Z~2",
        ] {
            assert!(of(bad).is_err(), "{bad}");
        }
    }
}
