//! Figures on the positions of large traders, from the legacy report: noncommercial, commercial,
//! nonreportable.

use serde::Serialize;

use super::numbers::Figure;
use crate::{CotGroup, CotReport, Time, texts};

/// Default windows of the index, in reports.
pub const WINDOWS: [usize; 3] = [26, 52, 156];

/// Definitions of the figures.
pub const DEFINITIONS: [(&str, &str); 4] = [
    ("net", texts::maths::NET),
    ("change", texts::maths::CHANGE),
    (
        "percent_of_open_interest",
        texts::maths::PERCENT_OF_OPEN_INTEREST,
    ),
    ("index", texts::maths::INDEX),
];

/// A group of traders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    Noncommercial,
    Commercial,
    Nonreportable,
}

impl Group {
    pub const ALL: [Self; 3] = [Self::Noncommercial, Self::Commercial, Self::Nonreportable];

    /// The group's positions in a report.
    pub fn of(self, report: &CotReport) -> CotGroup {
        match self {
            Self::Noncommercial => report.noncommercial,
            Self::Commercial => report.commercial,
            Self::Nonreportable => report.nonreportable,
        }
    }
}

/// The figures of one group in one report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupFigures {
    pub group: Group,
    pub long: i64,
    pub short: i64,
    pub net: i64,
    pub change: Figure,
    pub percent_of_open_interest: Figure,
    /// In the order of the requested windows.
    pub index: Vec<IndexFigure>,
}

/// An index and the number of reports in its window.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IndexFigure {
    pub reports: usize,
    pub value: Figure,
}

/// The reports published by `now`; a report is never known earlier.
pub fn known(reports: &[CotReport], now: Time) -> &[CotReport] {
    let count = reports
        .iter()
        .take_while(|report| report.published_at <= now)
        .count();
    reports.get(..count).unwrap_or_default()
}

/// The figures of the newest report of a market; the reports are sorted oldest first.
pub fn figures(reports: &[CotReport], windows: &[usize]) -> Vec<GroupFigures> {
    let Some((last, before)) = reports.split_last() else {
        return Vec::new();
    };
    let of = |group: Group| {
        let holds = group.of(last);
        let net = holds.net();
        let week_before = before.last().filter(|report| {
            // A market may be missing for weeks; holidays shift a report by a day.
            let days = (last.as_of.0 - report.as_of.0) / 86_400;
            (5..=9).contains(&days)
        });
        let change = week_before.map(|report| net - group.of(report).net());
        let index = windows.iter().map(|window| IndexFigure {
            reports: *window,
            value: index(reports, group, *window),
        });
        GroupFigures {
            group,
            long: holds.long,
            short: holds.short,
            net,
            change: change.map_or(
                Figure::Unknown(texts::maths::NO_REPORT_OF_WEEK_BEFORE),
                |change| Figure::Known(change as f64),
            ),
            percent_of_open_interest: Figure::ratio(
                100.0 * net as f64,
                last.open_interest as f64,
                texts::maths::NO_OPEN_INTEREST,
            ),
            index: index.collect(),
        }
    };
    Group::ALL.into_iter().map(of).collect()
}

/// The position of the newest net between the lowest and the highest of the last `window` reports.
pub fn index(reports: &[CotReport], group: Group, window: usize) -> Figure {
    let Some(first) = reports.len().checked_sub(window).filter(|_| window > 0) else {
        return Figure::Unknown(texts::maths::TOO_FEW_REPORTS);
    };
    let mut nets = reports
        .iter()
        .skip(first)
        .map(|report| group.of(report).net());
    let (low, high) = nets.clone().fold((i64::MAX, i64::MIN), |(low, high), net| {
        (low.min(net), high.max(net))
    });
    let now = nets.next_back().unwrap_or_default();
    Figure::ratio(
        100.0 * (now - low) as f64,
        (high - low) as f64,
        texts::maths::NET_WAS_ALWAYS_THE_SAME,
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sample;

    fn net(week: i64, net: i64) -> CotReport {
        let small = CotGroup {
            long: 100,
            short: 100,
        };
        CotReport {
            market: "M".to_owned(),
            code: "1".to_owned(),
            as_of: Time(week * 7 * 86_400),
            published_at: Time(week * 7 * 86_400 + 300_000),
            open_interest: 10_000,
            noncommercial: CotGroup {
                long: 4_000 + net,
                short: 4_000,
            },
            spreading: 100,
            commercial: CotGroup {
                long: 4_000,
                short: 4_000 + net,
            },
            nonreportable: small,
            synthetic: true,
        }
    }

    #[test]
    fn golden() {
        let reports: Vec<_> = [100, 500, -100, 200]
            .iter()
            .zip(1..)
            .map(|(value, week)| net(week, *value))
            .collect();
        let all = figures(&reports, &[4, 3, 5]);
        let (large, hedgers) = (&all[0], &all[1]);
        assert_eq!((large.net, hedgers.net), (200, -200));
        assert_eq!(large.change, Figure::Known(300.0));
        assert_eq!(large.percent_of_open_interest, Figure::Known(2.0));
        assert_eq!(large.index[0].value, Figure::Known(50.0));
        assert_eq!(hedgers.index[1].value, Figure::Known(50.0));
        let few = Figure::Unknown("there are fewer reports than the window needs");
        assert_eq!(large.index[2].value, few);
        let gap = figures(&[net(1, 5), net(3, 7)], &[2]);
        assert_eq!(
            gap[0].change,
            Figure::Unknown("there is no report of the week before")
        );
        let same = figures(&[net(1, 5), net(2, 5)], &[2]);
        assert_eq!(same[0].index[0].value.known(), None);
    }

    #[test]
    fn nothing_is_known_before_it_is_published() {
        let reports = sample::cot();
        let friday = reports[9].published_at;
        assert_eq!(known(&reports, friday.plus(-1)).len(), 9);
        assert_eq!(known(&reports, friday).len(), 10);
    }

    proptest! {
        #[test]
        fn the_index_is_between_0_and_100(
            nets in prop::collection::vec(-4_000_i64..4_000, 2..60),
        ) {
            let reports: Vec<_> = nets.iter().zip(1..).map(|(value, week)| net(week, *value)).collect();
            for group in Group::ALL {
                if let Figure::Known(value) = index(&reports, group, nets.len()) {
                    prop_assert!((0.0..=100.0).contains(&value));
                }
            }
            let sum: i64 = figures(&reports, &[]).iter().map(|figures| figures.net).sum();
            prop_assert_eq!(sum, 0);
        }
    }
}
