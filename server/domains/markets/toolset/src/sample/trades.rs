//! Made-up trade history on the real candles, which determine how each trade ends.

use super::{candles, chance::Chance};
use crate::{
    Points, Side, Symbol, Trade,
    maths::outcome::{Lines, Outcome, outcome},
};

/// Balance before the first trade, in hundredths.
pub const ACCOUNT: i64 = 1_000_000;

/// Longest time in a trade, in bars.
const HELD: usize = 120;

/// The trades, oldest first; the last one is open.
pub fn trades() -> Vec<Trade> {
    let candles = candles();
    let mut chance = Chance::new(41);
    let mut out: Vec<Trade> = Vec::new();
    let mut at = 60;
    let last = candles.len().saturating_sub(24);
    while let Some((first, later)) = candles.get(at..).and_then(<[_]>::split_first) {
        let side = if chance.within(0, 1) == 0 {
            Side::Long
        } else {
            Side::Short
        };
        let entry = first.close;
        // The last one is still open: its levels are farther away than a day's range.
        let risk = if at == last {
            3_000
        } else {
            chance.within(200, 600)
        };
        let reward = risk * chance.within(10, 25) / 10;
        let lines = Lines {
            side,
            entry,
            stop: Points(entry.0 - side.sign() * risk),
            target: Points(entry.0 + side.sign() * reward),
        };
        let opened_at = first.time.plus(3_600);
        let held = later.get(..HELD.min(later.len())).unwrap_or_default();
        // The entry is a close: the next bar may open elsewhere.
        let closed = match outcome(&lines, &with_entry(first, held)) {
            Outcome::Stopped { at, price, .. } | Outcome::Won { at, price, .. } => {
                Some((at, price))
            }
            Outcome::Open { last, .. } if held.len() == HELD => {
                held.last().map(|bar| (bar.time, last))
            }
            Outcome::Open { .. } | Outcome::Pending => None,
        };
        let millilots = chance.within(5, 20) * 10;
        // A point of a lot of 100,000 is worth one dollar, or a tenth of a cent per millilot.
        let money = |points: i64| points * millilots / 10;
        let gross = closed.map(|(_, price)| money(side.sign() * (price - entry).0));
        out.push(Trade {
            id: format!("made-up-{:03}", out.len() + 1),
            symbol: Symbol::EurUsd,
            side,
            millilots,
            opened_at,
            entry,
            stop: Some(lines.stop),
            target: Some(lines.target),
            closed_at: closed.map(|(time, _)| time.plus(3_600)),
            exit: closed.map(|(_, price)| price),
            gross,
            costs: millilots * 7 / 10,
            initial_risk: Some(money(risk)),
            note: String::new(),
            person: None,
            owner: None,
            synthetic: true,
        });
        if at == last {
            break;
        }
        at += usize::try_from(chance.within(40, 110)).unwrap_or(40);
        if at + HELD > last {
            at = last;
        }
    }
    out
}

/// A bar with only the entry, and those that followed.
fn with_entry(first: &crate::Candle, held: &[crate::Candle]) -> Vec<crate::Candle> {
    let price = first.close;
    let entry = crate::Candle {
        open: price,
        high: price,
        low: price,
        ..*first
    };
    std::iter::once(entry).chain(held.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::trades::{Reading, stats};

    #[test]
    fn a_history_with_wins_losses_and_an_open_trade() {
        let all = trades();
        assert!((50..150).contains(&all.len()), "{}", all.len());
        assert!(
            all.iter()
                .all(|trade| trade.synthetic && trade.initial_risk > Some(0))
        );
        assert_eq!(
            all.iter().filter(|trade| trade.closed_at.is_none()).count(),
            1
        );
        let reading = Reading {
            initial_balance: Some(ACCOUNT),
            tolerance: 0,
        };
        let stats = stats(&all, &reading);
        assert!(stats.wins > 10 && stats.losses > 10, "{stats:?}");
        assert!(stats.final_balance.known() > Some(0.0));
        // A trade closed at its stop loses the amount at risk plus the costs.
        let at_stop = all
            .iter()
            .filter(|trade| trade.exit.is_some() && trade.exit == trade.stop);
        for trade in at_stop {
            assert_eq!(
                trade.gross,
                trade.initial_risk.map(|risk| -risk),
                "{}",
                trade.id
            );
        }
    }
}
