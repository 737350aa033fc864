//! Statistics of a trade history. Their definitions are part of every answer.

use serde::Serialize;

use super::numbers::Figure;
use crate::{Time, Trade, texts};

/// Definitions of the figures, for readers of the numbers.
pub const DEFINITIONS: [(&str, &str); 10] = [
    ("counts", texts::maths::COUNTS),
    ("win_rate", texts::maths::WIN_RATE),
    ("win_rate_decided", texts::maths::WIN_RATE_DECIDED),
    ("profit_factor", texts::maths::PROFIT_FACTOR),
    ("expectancy", texts::maths::EXPECTANCY),
    ("max_drawdown", texts::maths::MAX_DRAWDOWN),
    ("streaks", texts::maths::STREAKS),
    ("average_r", texts::maths::AVERAGE_R),
    ("open", texts::maths::OPEN),
    ("money", texts::maths::MONEY),
];

/// Parameters of the statistics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// In hundredths of the account's currency; what needs it is unknown without it.
    pub initial_balance: Option<i64>,
    /// Range around zero that counts as breakeven, in hundredths.
    pub tolerance: i64,
}

/// Statistics of a history. Money is in the account's currency.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stats {
    pub closed: usize,
    pub open: usize,
    pub wins: usize,
    pub losses: usize,
    pub breakeven: usize,
    pub win_rate: Figure,
    pub win_rate_decided: Figure,
    pub net: f64,
    pub gross_wins: f64,
    pub gross_losses: f64,
    pub profit_factor: Figure,
    pub expectancy: Figure,
    pub max_drawdown: f64,
    /// Relative to the high before it.
    pub max_drawdown_ratio: Figure,
    pub longest_wins: usize,
    pub longest_losses: usize,
    /// Positive for wins, negative for losses.
    pub current_streak: i64,
    pub average_r: Figure,
    pub trades_with_r: usize,
    pub final_balance: Figure,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TradeResult {
    Win,
    Loss,
    Breakeven,
}

/// Computes the statistics of a history.
pub fn stats(trades: &[Trade], reading: &Reading) -> Stats {
    let mut closed: Vec<(Time, &str, i64, Option<i64>)> = trades
        .iter()
        .filter_map(|trade| {
            Some((
                trade.closed_at?,
                trade.id.as_str(),
                trade.net()?,
                trade.initial_risk,
            ))
        })
        .collect();
    closed.sort_by_key(|(time, id, ..)| (*time, *id));
    let kind = |net: i64| match net {
        net if net.abs() <= reading.tolerance => TradeResult::Breakeven,
        net if net > 0 => TradeResult::Win,
        _ => TradeResult::Loss,
    };
    let count = |wanted| {
        closed
            .iter()
            .filter(|(.., net, _)| kind(*net) == wanted)
            .count()
    };
    let sum = |wanted| -> i64 {
        let some = closed.iter().filter(|(.., net, _)| kind(*net) == wanted);
        some.map(|(.., net, _)| net).sum()
    };
    let (wins, losses, breakeven) = (
        count(TradeResult::Win),
        count(TradeResult::Loss),
        count(TradeResult::Breakeven),
    );
    let (won, lost) = (sum(TradeResult::Win), sum(TradeResult::Loss));
    let net: i64 = closed.iter().map(|(.., net, _)| net).sum();

    // A fall in money is the same wherever the curve starts.
    let mut balance = reading.initial_balance.unwrap_or_default();
    let mut high = balance;
    let mut worst: (i64, Figure) = (0, Figure::Known(0.0));
    let mut worst_part = 0.0;
    for (.., net, _) in &closed {
        balance += net;
        high = high.max(balance);
        let fall = high - balance;
        worst.0 = worst.0.max(fall);
        match Figure::ratio(
            fall as f64,
            high as f64,
            texts::maths::BALANCE_WAS_NEVER_ABOVE_ZERO,
        ) {
            Figure::Known(part) if high > 0 => worst_part = f64::max(worst_part, part),
            _ => worst.1 = Figure::Unknown(texts::maths::BALANCE_WAS_NEVER_ABOVE_ZERO),
        }
    }
    if worst.1.known().is_some() {
        worst.1 = Figure::Known(worst_part);
    }
    let of_account = |figure: Figure| match reading.initial_balance {
        Some(_) => figure,
        None => Figure::Unknown(texts::maths::NO_INITIAL_BALANCE),
    };

    let (mut longest_wins, mut longest_losses, mut streak) = (0, 0, 0_i64);
    for (.., net, _) in &closed {
        streak = match kind(*net) {
            TradeResult::Breakeven => streak,
            TradeResult::Win => streak.max(0) + 1,
            TradeResult::Loss => streak.min(0) - 1,
        };
        longest_wins = longest_wins.max(streak);
        longest_losses = longest_losses.max(-streak);
    }
    let multiples: Vec<f64> = closed
        .iter()
        .filter_map(|(.., net, risk)| Some(*net as f64 / (*risk)?.max(1) as f64))
        .collect();
    let none = texts::maths::NO_CLOSED_TRADES;
    let size = |number: i64| usize::try_from(number).unwrap_or_default();
    Stats {
        closed: closed.len(),
        open: trades
            .iter()
            .filter(|trade| trade.closed_at.is_none())
            .count(),
        wins,
        losses,
        breakeven,
        win_rate: Figure::ratio(wins as f64, closed.len() as f64, none),
        win_rate_decided: Figure::ratio(
            wins as f64,
            (wins + losses) as f64,
            texts::maths::NEITHER_WINS_NOR_LOSSES,
        ),
        net: money(net),
        gross_wins: money(won),
        gross_losses: money(-lost),
        profit_factor: Figure::ratio(won as f64, -lost as f64, texts::maths::NO_LOSSES),
        expectancy: Figure::ratio(money(net), closed.len() as f64, none),
        max_drawdown: money(worst.0),
        max_drawdown_ratio: of_account(worst.1),
        longest_wins: size(longest_wins),
        longest_losses: size(longest_losses),
        current_streak: streak,
        average_r: Figure::ratio(
            multiples.iter().sum(),
            multiples.len() as f64,
            texts::maths::NO_INITIAL_RISK,
        ),
        trades_with_r: multiples.len(),
        final_balance: of_account(Figure::Known(money(balance))),
    }
}

/// Converts hundredths to the currency.
pub fn money(hundredths: i64) -> f64 {
    hundredths as f64 / 100.0
}

#[cfg(test)]
mod tests;
