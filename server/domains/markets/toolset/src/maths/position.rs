//! Figures of a planned position: reward to risk, size, balance at target and at stop. For drawing
//! plans; nothing here places an order.

pub use markets_wire::{Bound, Risk};
use serde::{Deserialize, Serialize};

use crate::{Points, Side, Symbol, texts};

/// A planned position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    pub symbol: Symbol,
    pub side: Side,
    pub entry: Points,
    pub stop: Points,
    pub target: Points,
    /// Balance before, in the account's currency, if it is known.
    pub account: Option<f64>,
    pub risk: Option<Risk>,
    pub leverage: Option<f64>,
    /// Units of the base currency in a lot.
    pub lot: f64,
    /// Step of the size, in lots.
    pub lot_step: f64,
    /// Difference between bid and ask.
    pub spread: Points,
    /// Profit of one unit in the account's currency when the price rises by 1. It is 1 if the quote
    /// currency is the account's.
    pub point_value: f64,
}

/// Reason that a plan is invalid, with its field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct BadPlan {
    pub field: &'static str,
    pub reason: String,
}

/// Computed figures of a plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sized {
    pub reward_to_risk: f64,
    pub reward_pips: f64,
    pub risk_pips: f64,
    /// `None` without a risk in money, or in percent of a known account.
    pub lots: Option<f64>,
    /// The limit that determines the size.
    pub bound_by: Option<Bound>,
    /// `None` if the size or the account is unknown, like the next.
    pub balance_at_target: Option<f64>,
    pub balance_at_stop: Option<f64>,
    /// The reason that one of them is unknown.
    pub unknown: Option<&'static str>,
}

/// Maximum distance of stop and target, in percent of the entry.
const FARTHEST: i64 = 20;

impl Plan {
    /// Validates the prices' order and all other numbers.
    ///
    /// # Errors
    /// Names the first invalid field.
    pub fn check(&self) -> Result<(), BadPlan> {
        let bad = |field, reason: String| Err(BadPlan { field, reason });
        let show = |price| self.symbol.show(price);
        if self.entry.0 <= 0 {
            return bad("entry", texts::maths::NOT_ABOVE_ZERO.to_owned());
        }
        let sign = self.side.sign();
        let (above, below) = match self.side {
            Side::Long => ("above", "below"),
            Side::Short => ("below", "above"),
        };
        let name = match self.side {
            Side::Long => "long",
            Side::Short => "short",
        };
        if sign * (self.entry - self.stop).0 <= 0 {
            let (stop, entry) = (show(self.stop), show(self.entry));
            return bad(
                "stop",
                texts::maths::is_on_wrong_side(&stop, below, &entry, name),
            );
        }
        if sign * (self.target - self.entry).0 <= 0 {
            let (target, entry) = (show(self.target), show(self.entry));
            return bad(
                "target",
                texts::maths::is_on_wrong_side(&target, above, &entry, name),
            );
        }
        for (field, price) in [("stop", self.stop), ("target", self.target)] {
            if price.0 <= 0 || (price - self.entry).0.abs() * 100 > self.entry.0 * FARTHEST {
                let away = texts::maths::is_far_from_entry(&show(price), FARTHEST);
                return bad(field, away);
            }
        }
        if (self.entry - self.stop).0.abs() < self.spread.0 {
            let spread = self.symbol.pips(self.spread);
            return bad("stop", texts::maths::is_nearer_than_spread(spread));
        }
        let positive = [
            ("account", self.account),
            ("leverage", self.leverage),
            ("lot", Some(self.lot)),
            ("lot_step", Some(self.lot_step)),
            ("point_value", Some(self.point_value)),
        ];
        for (field, value) in positive {
            if value.is_some_and(|value| !(value.is_finite() && value > 0.0)) {
                return bad(field, texts::maths::NOT_ABOVE_ZERO.to_owned());
            }
        }
        let most = self.account.unwrap_or(f64::MAX);
        match self.risk {
            Some(Risk::Percent(percent)) if !(percent > 0.0 && percent <= 100.0) => {
                bad("risk", texts::maths::percent_is_out_of_range(percent))
            }
            Some(Risk::Money(money)) if !(money > 0.0 && money <= most) => {
                bad("risk", texts::maths::money_is_out_of_range(money))
            }
            _ => Ok(()),
        }
    }

    /// Computes the size and the figures that depend on it.
    ///
    /// # Errors
    /// Names the first invalid field.
    pub fn size(&self) -> Result<Sized, BadPlan> {
        self.check()?;
        let sign = self.side.sign();
        let reward = Points(sign * (self.target - self.entry).0);
        let risk = Points(sign * (self.entry - self.stop).0);
        let number = |points| self.symbol.number(points);
        let size = self.lots(number(risk), number(self.entry));
        let balance = |distance: Points, sign: f64| {
            let (lots, _) = size?;
            let value = lots * self.lot * self.point_value;
            Some(self.account? + sign * number(distance) * value)
        };
        Ok(Sized {
            reward_to_risk: reward.0 as f64 / risk.0 as f64,
            reward_pips: self.symbol.pips(reward),
            risk_pips: self.symbol.pips(risk),
            lots: size.map(|(lots, _)| lots),
            bound_by: size.map(|(_, bound)| bound),
            balance_at_target: balance(reward, 1.0),
            balance_at_stop: balance(risk, -1.0),
            unknown: match (self.risk, self.account) {
                (None, _) => Some(texts::maths::NO_RISK_IS_KNOWN),
                (Some(_), None) => Some(texts::maths::NO_ACCOUNT_IS_KNOWN),
                (Some(_), Some(_)) => None,
            },
        })
    }

    /// The size in lots with the limit that determines it; `None` if the amount at risk is unknown.
    fn lots(&self, risk: f64, entry: f64) -> Option<(f64, Bound)> {
        let money = match self.risk? {
            Risk::Percent(percent) => self.account? * percent / 100.0,
            Risk::Money(money) => money,
        };
        let by_risk = money / (risk * self.point_value);
        let by_leverage = self
            .account
            .zip(self.leverage)
            .map(|(account, leverage)| account * leverage / (entry * self.point_value));
        let (units, bound) = match by_leverage {
            Some(by_leverage) if by_leverage < by_risk => (by_leverage, Bound::Leverage),
            _ => (by_risk, Bound::Risk),
        };
        // Slightly more, or else 0.3 in steps of 0.1 would give 2.
        let steps = (units / self.lot / self.lot_step * (1.0 + 1e-12)).floor();
        Some((steps * self.lot_step, bound))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plan() -> Plan {
        Plan {
            symbol: Symbol::EurUsd,
            side: Side::Long,
            entry: Points(110_000),
            stop: Points(109_500),
            target: Points(111_000),
            account: Some(10_000.0),
            risk: Some(Risk::Percent(1.0)),
            leverage: Some(30.0),
            lot: 100_000.0,
            lot_step: 0.01,
            spread: Points(10),
            point_value: 1.0,
        }
    }

    #[test]
    fn golden() {
        let sized = plan().size().unwrap();
        assert_eq!(sized.reward_to_risk, 2.0);
        assert_eq!((sized.reward_pips, sized.risk_pips), (100.0, 50.0));
        assert_eq!((sized.lots, sized.bound_by), (Some(0.2), Some(Bound::Risk)));
        assert!((sized.balance_at_target.unwrap() - 10_200.0).abs() < 1e-6);
        assert!((sized.balance_at_stop.unwrap() - 9_900.0).abs() < 1e-6);

        // 10,000 * 2 / 1.1 = 18,181.8 units: less than the risk allows.
        let levered = Plan {
            leverage: Some(2.0),
            ..plan()
        }
        .size()
        .unwrap();
        assert_eq!(levered.bound_by, Some(Bound::Leverage));
        assert!((levered.lots.unwrap() - 0.18).abs() < 1e-9);

        let short = Plan {
            side: Side::Short,
            stop: Points(110_250),
            target: Points(109_625),
            risk: Some(Risk::Money(50.0)),
            ..plan()
        };
        let sized = short.size().unwrap();
        assert_eq!((sized.reward_to_risk, sized.lots), (1.5, Some(0.2)));
        assert!((sized.balance_at_target.unwrap() - 10_075.0).abs() < 1e-6);
    }

    #[test]
    fn what_nobody_has_said_is_unknown() {
        let bare = Plan {
            account: None,
            risk: None,
            leverage: None,
            ..plan()
        };
        let sized = bare.size().unwrap();
        assert_eq!((sized.reward_to_risk, sized.risk_pips), (2.0, 50.0));
        assert_eq!((sized.lots, sized.bound_by), (None, None));
        assert_eq!(
            (sized.balance_at_target, sized.balance_at_stop),
            (None, None)
        );
        assert_eq!(sized.unknown, Some(texts::maths::NO_RISK_IS_KNOWN));
        // A percentage of an unknown account is no amount.
        let percent = Plan {
            risk: Some(Risk::Percent(1.0)),
            ..bare
        };
        let sized = percent.size().unwrap();
        assert_eq!(
            (sized.lots, sized.unknown),
            (None, Some(texts::maths::NO_ACCOUNT_IS_KNOWN))
        );
        let money = Plan {
            risk: Some(Risk::Money(100.0)),
            ..bare
        };
        let sized = money.size().unwrap();
        assert_eq!((sized.lots, sized.bound_by), (Some(0.2), Some(Bound::Risk)));
        assert_eq!(sized.balance_at_stop, None);
    }

    #[test]
    fn mistakes_name_their_field() {
        let check = |plan: Plan, expect: &str| {
            assert_eq!(plan.size().unwrap_err().to_string(), expect);
        };
        check(
            Plan {
                stop: Points(110_000),
                ..plan()
            },
            "stop: 1.10000 is not below the entry 1.10000 of a long position",
        );
        check(
            Plan {
                target: Points(109_900),
                ..plan()
            },
            "target: 1.09900 is not above the entry 1.10000 of a long position",
        );
        check(
            Plan {
                side: Side::Short,
                ..plan()
            },
            "stop: 1.09500 is not above the entry 1.10000 of a short position",
        );
        check(
            Plan {
                target: Points(132_001),
                ..plan()
            },
            "target: 1.32001 is more than 20 % from the entry",
        );
        check(
            Plan {
                stop: Points(109_995),
                ..plan()
            },
            "stop: it is nearer than the spread of 1 pips",
        );
        check(
            Plan {
                account: Some(0.0),
                ..plan()
            },
            "account: it is not above zero",
        );
        check(
            Plan {
                leverage: Some(f64::NAN),
                ..plan()
            },
            "leverage: it is not above zero",
        );
        check(
            Plan {
                risk: Some(Risk::Percent(101.0)),
                ..plan()
            },
            "risk: 101 % is not between 0 and 100",
        );
        check(
            Plan {
                risk: Some(Risk::Money(10_001.0)),
                ..plan()
            },
            "risk: 10001 is not between 0 and the account",
        );
    }

    proptest! {
        #[test]
        fn sizes_keep_their_bounds(
            long in any::<bool>(),
            entry in 60_000_i64..200_000,
            risk in 20_i64..5_000,
            reward in 20_i64..5_000,
            percent in 0.1_f64..10.0,
            leverage in 1.0_f64..500.0,
        ) {
            let side = if long { Side::Long } else { Side::Short };
            let plan = Plan {
                side,
                entry: Points(entry),
                stop: Points(entry - side.sign() * risk),
                target: Points(entry + side.sign() * reward),
                risk: Some(Risk::Percent(percent)),
                leverage: Some(leverage),
                ..plan()
            };
            let sized = plan.size().unwrap();
            prop_assert_eq!(sized.reward_to_risk, reward as f64 / risk as f64);
            // Never more than intended, and one more step would be.
            let account = plan.account.unwrap();
            let lots = sized.lots.unwrap();
            let lost = account - sized.balance_at_stop.unwrap();
            let most = account * percent / 100.0;
            prop_assert!(lost <= most + 1e-6);
            let held = |lots: f64| lots * plan.lot * plan.symbol.number(plan.entry);
            prop_assert!(held(lots) <= account * leverage * (1.0 + 1e-9));
            let more = lots + plan.lot_step;
            let loses = plan.symbol.number(Points(risk)) * more * plan.lot;
            prop_assert!(loses > most * (1.0 - 1e-9) || held(more) > account * leverage * (1.0 - 1e-9));
            // Profit and loss have the ratio of reward to risk.
            let won = sized.balance_at_target.unwrap() - account;
            prop_assert!((won - lost * sized.reward_to_risk).abs() < 1e-6 * (1.0 + won.abs()));
        }
    }
}
