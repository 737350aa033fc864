//! Life cycle of a position: signal, pending, open, closed. Impossible transitions are refused.

pub use markets_wire::{Cause, Life, Mark, State};
use serde::{Deserialize, Serialize};

use super::outcome::Lines;
use crate::{Candle, Points, Side, Time};

/// Event in the life of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum Event {
    /// A signal becomes a pending plan.
    Accept,
    Reject,
    Cancel,
    Expire,
    Fill {
        price: Points,
    },
    Close {
        cause: Cause,
        price: Points,
    },
}

/// Reason that an event is impossible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("a position that is {0} cannot be {1}")]
    Transition(&'static str, &'static str),
    #[error("{0} is before {1}, when the position came to where it is")]
    Backwards(Time, Time),
    #[error("a price must be above zero")]
    Price,
    /// A finished position does not change.
    #[error("the position is {0} and can no longer change")]
    Over(&'static str),
}

/// Returns whether a state is final.
pub fn is_over(state: State) -> bool {
    !matches!(state, State::Signal | State::Pending | State::Open)
}

impl Event {
    /// The next state, if the event is possible in a state.
    fn after(self, state: State) -> Result<State, Refused> {
        let next = match self {
            Self::Accept => State::Pending,
            Self::Reject => State::Rejected,
            Self::Cancel => State::Cancelled,
            Self::Expire => State::Expired,
            Self::Fill { .. } => State::Open,
            Self::Close { .. } => State::Closed,
        };
        let can = matches!(
            (state, next),
            (State::Signal, State::Pending | State::Rejected)
                | (
                    State::Pending,
                    State::Open | State::Cancelled | State::Expired
                )
                | (State::Open, State::Closed)
        );
        if can {
            return Ok(next);
        }
        let word = match next {
            State::Open => "opened",
            State::Pending => "accepted",
            other => other.name(),
        };
        Err(Refused::Transition(state.name(), word))
    }
}

/// A new signal.
pub fn signal(time: Time) -> Life<Time> {
    Life {
        state: State::Signal,
        since: time,
        opened: None,
        closed: None,
        cause: None,
        planned: None,
    }
}

/// The life after an event.
///
/// # Errors
/// It is impossible now, or earlier than the current state.
pub fn after(life: &Life<Time>, event: Event, time: Time) -> Result<Life<Time>, Refused> {
    let state = event.after(life.state)?;
    if time < life.since {
        return Err(Refused::Backwards(time, life.since));
    }
    let mut next = Life {
        state,
        since: time,
        ..life.clone()
    };
    match event {
        Event::Fill { price } => next.opened = Some(mark(time, price)?),
        Event::Close { cause, price } => {
            next.closed = Some(mark(time, price)?);
            next.cause = Some(cause);
        }
        _ => {}
    }
    Ok(next)
}

/// Verifies that its prices may still be changed.
///
/// # Errors
/// The position is over.
pub fn check_editable(life: &Life<Time>) -> Result<(), Refused> {
    if is_over(life.state) {
        Err(Refused::Over(life.state.name()))
    } else {
        Ok(())
    }
}

fn mark(time: Time, price: Points) -> Result<Mark<Time>, Refused> {
    if price.0 > 0 {
        Ok(Mark { time, price })
    } else {
        Err(Refused::Price)
    }
}

/// The event that a bar of ask prices causes in a pending or open position. Longs enter at the ask
/// and exit at the bid, shorts the reverse; a gap through a level fills at the open. One event per
/// bar: a position filled in a bar is closed in a later one at the earliest.
pub fn by_bar(life: &Life<Time>, lines: &Lines, ask: &Candle, spread: Points) -> Option<Event> {
    let bid = Candle {
        open: ask.open - spread,
        high: ask.high - spread,
        low: ask.low - spread,
        close: ask.close - spread,
        ..*ask
    };
    by_bars(life, lines, ask, &bid)
}

/// Like [`by_bar`], if the bid prices of the bar are known too.
pub fn by_bars(life: &Life<Time>, lines: &Lines, ask: &Candle, bid: &Candle) -> Option<Event> {
    let (enters, leaves) = match lines.side {
        Side::Long => (ask, bid),
        Side::Short => (bid, ask),
    };
    let sign = lines.side.sign();
    match life.state {
        State::Pending => {
            // It may wait for a better price or for a breakout; a level between two bars is filled
            // at a gap.
            let is_filled = enters.holds(lines.entry);
            is_filled.then_some(Event::Fill { price: lines.entry })
        }
        State::Open => {
            let beyond = |price: Points, level: Points, way: i64| way * (price - level).0 >= 0;
            let (worst, best) = match lines.side {
                Side::Long => (leaves.low, leaves.high),
                Side::Short => (leaves.high, leaves.low),
            };
            let at_open = |level, way| {
                if beyond(leaves.open, level, way) {
                    leaves.open
                } else {
                    level
                }
            };
            let close = |cause, price| Some(Event::Close { cause, price });
            if beyond(leaves.open, lines.target, sign) {
                return close(Cause::Tp, leaves.open);
            }
            if beyond(worst, lines.stop, -sign) {
                return close(Cause::Sl, at_open(lines.stop, -sign));
            }
            if beyond(best, lines.target, sign) {
                return close(Cause::Tp, lines.target);
            }
            None
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICE: Points = Points(110_000);

    #[test]
    fn only_these_transitions() {
        let events = [
            Event::Accept,
            Event::Reject,
            Event::Cancel,
            Event::Expire,
            Event::Fill { price: PRICE },
            Event::Close {
                cause: Cause::Manual,
                price: PRICE,
            },
        ];
        let states = [
            State::Signal,
            State::Pending,
            State::Open,
            State::Closed,
            State::Cancelled,
            State::Expired,
            State::Rejected,
        ];
        let allowed: Vec<String> = states
            .into_iter()
            .flat_map(|state| {
                let next = events
                    .iter()
                    .filter_map(move |event| event.after(state).ok());
                next.map(move |next| format!("{} to {}", state.name(), next.name()))
            })
            .collect();
        assert_eq!(
            allowed,
            [
                "signal to pending",
                "signal to rejected",
                "pending to cancelled",
                "pending to expired",
                "pending to open",
                "open to closed",
            ]
        );
        let open = after(&signal(Time(5)), Event::Fill { price: PRICE }, Time(6));
        assert_eq!(
            open.unwrap_err().to_string(),
            "a position that is signal cannot be opened"
        );
    }

    #[test]
    fn a_whole_life() {
        let life = signal(Time(10));
        let life = after(&life, Event::Accept, Time(20)).unwrap();
        let early = after(&life, Event::Fill { price: PRICE }, Time(19)).unwrap_err();
        assert_eq!(early, Refused::Backwards(Time(19), Time(20)));
        assert_eq!(
            after(&life, Event::Fill { price: Points(0) }, Time(20)),
            Err(Refused::Price)
        );
        let life = after(&life, Event::Fill { price: PRICE }, Time(20)).unwrap();
        assert_eq!(check_editable(&life), Ok(()));
        let close = Event::Close {
            cause: Cause::Tp,
            price: Points(111_000),
        };
        let life = after(&life, close, Time(30)).unwrap();
        assert_eq!(
            life.opened,
            Some(Mark {
                time: Time(20),
                price: PRICE
            })
        );
        assert_eq!(life.cause, Some(Cause::Tp));
        let over = check_editable(&life).unwrap_err().to_string();
        assert_eq!(over, "the position is closed and can no longer change");
        assert!(after(&life, close, Time(31)).is_err());
    }

    #[test]
    fn bids_and_asks() {
        let lines = |side, stop, target| Lines {
            side,
            entry: Points(100),
            stop: Points(stop),
            target: Points(target),
        };
        let (long, short) = (lines(Side::Long, 90, 120), lines(Side::Short, 110, 80));
        let bar = |open, high, low| Candle {
            time: Time(50),
            open: Points(open),
            high: Points(high),
            low: Points(low),
            close: Points(low),
            volume: 0,
        };
        let pending = after(&signal(Time(0)), Event::Accept, Time(0)).unwrap();
        let open = after(&pending, Event::Fill { price: Points(100) }, Time(1)).unwrap();
        let check = |life: &Life<Time>, lines: &Lines, bar: Candle, expect: Option<Event>| {
            assert_eq!(by_bar(life, lines, &bar, Points(2)), expect);
        };
        let close = |cause, price| {
            Some(Event::Close {
                cause,
                price: Points(price),
            })
        };
        let fill = Some(Event::Fill { price: Points(100) });
        // A long enters at an ask of 100; a short enters at a bid of 100, with an ask of 102.
        check(&pending, &long, bar(105, 106, 100), fill);
        check(&pending, &short, bar(95, 101, 94), None);
        check(&pending, &short, bar(95, 102, 94), fill);
        // A long's stop at 90 needs a bid of 90, which is an ask of 92.
        check(&open, &long, bar(105, 106, 93), None);
        check(&open, &long, bar(105, 106, 92), close(Cause::Sl, 90));
        check(&open, &long, bar(105, 121, 100), None);
        check(&open, &long, bar(105, 122, 100), close(Cause::Tp, 120));
        check(&open, &long, bar(85, 122, 80), close(Cause::Sl, 83));
        check(&open, &long, bar(130, 131, 80), close(Cause::Tp, 128));
        check(&open, &short, bar(100, 110, 79), close(Cause::Sl, 110));
        check(&open, &short, bar(100, 105, 80), close(Cause::Tp, 80));
        check(&signal(Time(0)), &long, bar(100, 130, 80), None);
        // A spread that widens makes up no price: neither side has touched a level.
        let (ask, bid) = (bar(109, 109, 101), bar(96, 100, 96));
        assert_eq!(by_bars(&open, &long, &ask, &bid), None);
        assert_eq!(by_bars(&open, &short, &ask, &bid), None);
    }
}
