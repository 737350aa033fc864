use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::{Points, Side, Symbol};

fn history(nets: &[i64]) -> Vec<Trade> {
    let each = nets.iter().enumerate().map(|(index, net)| {
        let at = Time(1_500_000_000 + index as i64 * 3_600);
        Trade {
            id: format!("{index:04}"),
            symbol: Symbol::EurUsd,
            side: Side::Long,
            millilots: 10,
            opened_at: at,
            entry: Points(110_000),
            stop: None,
            target: None,
            closed_at: Some(at.plus(1_800)),
            exit: Some(Points(110_000)),
            gross: Some(net + 7),
            costs: 7,
            initial_risk: Some(5_000),
            note: String::new(),
            person: None,
            owner: None,
            synthetic: true,
        }
    });
    each.collect()
}

const THOUSAND: Reading = Reading {
    initial_balance: Some(100_000),
    tolerance: 0,
};

const GOLDEN: [i64; 11] = [
    10_000, 15_000, -6_000, -4_000, 0, 8_000, -3_000, 6_000, 0, -3_000, 4_000,
];

fn near(figure: &Figure, expect: f64) {
    let known = figure.known().unwrap();
    assert!((known - expect).abs() < 1e-4, "{known} is not {expect}");
}

#[test]
fn golden_history() {
    let stats = stats(&history(&GOLDEN), &THOUSAND);
    assert_eq!((stats.wins, stats.losses, stats.breakeven), (5, 4, 2));
    near(&stats.win_rate, 0.4545);
    near(&stats.win_rate_decided, 0.5556);
    near(&stats.profit_factor, 2.6875);
    near(&stats.expectancy, 24.5454);
    assert_eq!((stats.longest_wins, stats.longest_losses), (2, 2));
    assert_eq!(stats.current_streak, 1);
    assert_eq!(stats.max_drawdown, 100.0);
    near(&stats.max_drawdown_ratio, 0.08);
    near(&stats.average_r, 270.0 / 11.0 / 50.0);
    near(&stats.final_balance, 1_270.0);
}

#[test]
fn the_curve_starts_at_the_initial_balance() {
    let stats = stats(&history(&[-10_000, -4_500, 20_000]), &THOUSAND);
    near(&stats.max_drawdown_ratio, 0.145);
    assert_eq!(stats.max_drawdown, 145.0);
}

#[test]
fn without_an_account_the_rest_is_the_same() {
    let known = stats(&history(&GOLDEN), &THOUSAND);
    let reading = Reading {
        initial_balance: None,
        ..THOUSAND
    };
    let unknown = || Figure::Unknown("no initial balance of the account was given");
    let expect = Stats {
        max_drawdown_ratio: unknown(),
        final_balance: unknown(),
        ..known
    };
    assert_eq!(stats(&history(&GOLDEN), &reading), expect);
    // From a first loss on as well.
    let losses = stats(&history(&[-10_000, -4_500, 20_000]), &reading);
    assert_eq!(losses.max_drawdown, 145.0);
}

#[test]
fn what_is_not_known_says_why() {
    let reading = THOUSAND;
    let none = stats(&[], &reading);
    assert_eq!(none.win_rate, Figure::Unknown("there are no closed trades"));
    assert_eq!(none.profit_factor, Figure::Unknown("there are no losses"));
    assert_eq!(none.max_drawdown_ratio, Figure::Known(0.0));
    let won = stats(&history(&[100, 0]), &reading);
    let shown = serde_json::to_value(&won).unwrap();
    assert_eq!(shown["profit_factor"]["unknown"], "there are no losses");
    assert_eq!(shown["win_rate"], 0.5);
    // An open trade is in no other figure.
    let mut trades = history(&GOLDEN);
    let closed = stats(&trades, &reading);
    let mut open = trades[0].clone();
    (open.id, open.closed_at, open.exit, open.gross) = ("open".into(), None, None, None);
    trades.push(open);
    assert_eq!(stats(&trades, &reading), Stats { open: 1, ..closed });
    // Amounts within the tolerance decide nothing.
    let reading = Reading {
        tolerance: 10,
        ..reading
    };
    let near_zero = stats(&history(&[9, -10, 11]), &reading);
    assert_eq!(
        (near_zero.wins, near_zero.losses, near_zero.breakeven),
        (1, 0, 2)
    );
}

/// `golden.json` has the results of vectorbt and empyrical-reloaded; `oracle.py` records it.
#[test]
fn the_oracles_agree() {
    let golden: Vec<Value> = serde_json::from_str(include_str!("golden.json")).unwrap();
    assert!(golden.len() >= 8);
    for case in golden {
        let nets: Vec<i64> = serde_json::from_value(case["net"].clone()).unwrap();
        let stats = stats(&history(&nets), &THOUSAND);
        let name = &case["name"];
        for (field, figure) in [
            ("win_rate", &stats.win_rate),
            ("profit_factor", &stats.profit_factor),
            ("expectancy", &stats.expectancy),
            ("max_drawdown_ratio", &stats.max_drawdown_ratio),
        ] {
            let (ours, theirs) = (figure.known(), case[field].as_f64());
            let same = match (ours, theirs) {
                (Some(ours), Some(theirs)) => (ours - theirs).abs() < 1e-9 * (1.0 + theirs.abs()),
                (ours, theirs) => ours.is_none() && theirs.is_none(),
            };
            assert!(same, "{name} {field}: {ours:?} and {theirs:?}");
        }
        for (field, count) in [
            ("wins", stats.wins),
            ("losses", stats.losses),
            ("longest_wins", stats.longest_wins),
            ("longest_losses", stats.longest_losses),
        ] {
            assert_eq!(case[field].as_u64(), Some(count as u64), "{name} {field}");
        }
    }
}

proptest! {
    #[test]
    fn what_order_and_scale_change(
        nets in prop::collection::vec(-5_000_i64..5_000, 1..40),
        swaps in prop::collection::vec((0_usize..40, 0_usize..40), 0..20),
        factor in 2_i64..9,
    ) {
        let all = stats(&history(&nets), &THOUSAND);
        prop_assert_eq!(all.wins + all.losses + all.breakeven, all.closed);
        let mut mixed = nets.clone();
        for (one, other) in swaps {
            let length = mixed.len();
            mixed.swap(one % length, other % length);
        }
        // Another order changes only the streaks and the curve.
        let other = stats(&history(&mixed), &THOUSAND);
        prop_assert_eq!(&Stats {
            max_drawdown: all.max_drawdown,
            max_drawdown_ratio: all.max_drawdown_ratio.clone(),
            longest_wins: all.longest_wins,
            longest_losses: all.longest_losses,
            current_streak: all.current_streak,
            average_r: all.average_r.clone(),
            ..other
        }, &all);
        // A trade of zero changes neither the profit factor nor the streaks.
        let mut more = nets.clone();
        more.push(0);
        let more = stats(&history(&more), &THOUSAND);
        prop_assert_eq!(&more.profit_factor, &all.profit_factor);
        prop_assert_eq!(more.current_streak, all.current_streak);
        // Money scales, ratios do not.
        let scaled: Vec<_> = nets.iter().map(|net| net * factor).collect();
        let balance = THOUSAND.initial_balance.map(|balance| balance * factor);
        let reading = Reading { initial_balance: balance, tolerance: 0 };
        let scaled = stats(&history(&scaled), &reading);
        let same = |a: &Figure, b: &Figure| match (a.known(), b.known()) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-9 * (1.0 + b.abs()),
            (a, b) => a.is_none() && b.is_none(),
        };
        prop_assert!(same(&scaled.profit_factor, &all.profit_factor));
        prop_assert!(same(&scaled.win_rate, &all.win_rate));
        prop_assert!(same(&scaled.max_drawdown_ratio, &all.max_drawdown_ratio));
        prop_assert!((scaled.net - all.net * factor as f64).abs() < 1e-6);
        prop_assert!((scaled.max_drawdown - all.max_drawdown * factor as f64).abs() < 1e-6);
    }
}
