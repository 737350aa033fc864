//! COT reports on EURO FX for the Tuesdays of 2017, made up, in the CFTC's own format.

use super::chance::Chance;
use crate::{CotGroup, CotReport, Time, import, session};

const MARKET: &str = "EURO FX - CHICAGO MERCANTILE EXCHANGE";
const CODE: &str = "099741";
/// Index of the first column with changes.
const CHANGES: usize = 37;

/// The reports, oldest first.
pub fn cot() -> Vec<CotReport> {
    let mut chance = Chance::new(21);
    let tuesdays = (0..365).filter_map(|day| {
        let date = session::date(2017, 1, 1)? + day;
        (session::weekday(date) == 1).then_some(Time(date * 86_400))
    });
    // These drift from week to week; all others are derived so that the sums are right.
    let (mut long, mut short, mut spreading) = (130_000, 195_000, 25_000);
    let (mut small_long, mut small_short) = (60_000, 75_000);
    let mut open_interest = 410_000;
    let reports = tuesdays.map(|as_of| {
        let mut drift = |value: &mut i64, most: i64, low: i64, high: i64| {
            *value = (*value + chance.around(most)).clamp(low, high);
        };
        drift(&mut long, 14_000, 90_000, 260_000);
        drift(&mut short, 14_000, 80_000, 240_000);
        drift(&mut spreading, 4_000, 10_000, 50_000);
        drift(&mut small_long, 4_000, 40_000, 90_000);
        drift(&mut small_short, 4_000, 40_000, 90_000);
        drift(&mut open_interest, 15_000, 380_000, 560_000);
        // Commercials get the rest of each side, which is always positive.
        let others = |side: i64, small: i64| side + spreading + small;
        let (longs, shorts) = (others(long, small_long), others(short, small_short));
        open_interest = open_interest.max(longs.max(shorts) + 20_000);
        CotReport {
            market: MARKET.to_owned(),
            code: CODE.to_owned(),
            as_of,
            published_at: import::published(as_of),
            open_interest,
            noncommercial: CotGroup { long, short },
            spreading,
            commercial: CotGroup {
                long: open_interest - longs,
                short: open_interest - shorts,
            },
            nonreportable: CotGroup {
                long: small_long,
                short: small_short,
            },
            synthetic: true,
        }
    });
    reports.collect()
}

/// The reports as a CFTC file: 126 columns without a header, quoted names, padded numbers. Columns
/// that the toolset does not read are zero.
pub fn cot_file() -> String {
    let reports = cot();
    let mut out = String::new();
    for (index, report) in reports.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| reports.get(index));
        let mut fields = vec!["       0".to_owned(); import::COT_COLUMNS];
        let day = report.as_of.day();
        let head = [
            format!("\"{:<60}\"", report.market),
            day.get(2..).unwrap_or_default().replace('-', ""),
            day,
            report.code.clone(),
            "CME ".to_owned(),
            "00".to_owned(),
            "099 ".to_owned(),
        ];
        let now = positions(report);
        let changes = before.map(|before| {
            let pairs = now.into_iter().zip(positions(before));
            pairs.map(|(now, before)| now - before).collect::<Vec<_>>()
        });
        let padded = |value: &i64| format!("{value:>8}");
        let all = now.iter().map(padded).enumerate();
        let all = all.map(|(index, text)| (head.len() + index, text));
        let changes = changes.unwrap_or_default();
        let changes = changes.iter().map(padded).enumerate();
        let changes = changes.map(|(index, text)| (CHANGES + index, text));
        let head = head.iter().cloned().enumerate();
        for (index, text) in head.chain(all).chain(changes) {
            if let Some(field) = fields.get_mut(index) {
                *field = text;
            }
        }
        out.push_str(&fields.join(","));
        out.push_str("\r\n");
    }
    out
}

/// The positions in the order of the columns.
fn positions(report: &CotReport) -> [i64; 10] {
    let (large, small) = (report.noncommercial, report.nonreportable);
    let (hedgers, spreading) = (report.commercial, report.spreading);
    [
        report.open_interest,
        large.long,
        large.short,
        spreading,
        hedgers.long,
        hedgers.short,
        large.long + spreading + hedgers.long,
        large.short + spreading + hedgers.short,
        small.long,
        small.short,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_up_reports_keep_the_rules_of_real_ones() {
        let reports = cot();
        assert_eq!(reports.len(), 52);
        for report in &reports {
            let (a, b, c) = (
                report.noncommercial,
                report.commercial,
                report.nonreportable,
            );
            assert_eq!(
                a.long + report.spreading + b.long + c.long,
                report.open_interest
            );
            assert_eq!(
                a.short + report.spreading + b.short + c.short,
                report.open_interest
            );
            assert_eq!(a.net() + b.net() + c.net(), 0);
            assert!(
                [a, b, c]
                    .iter()
                    .all(|group| group.long > 0 && group.short > 0)
            );
            assert!(report.synthetic && report.as_of < report.published_at);
        }
        let first = &reports[0];
        assert_eq!(first.as_of.to_string(), "2017-01-03T00:00:00Z");
        assert_eq!(first.published_at.to_string(), "2017-01-06T20:30:00Z");
        assert_eq!(reports[26].published_at.to_string(), "2017-07-07T19:30:00Z");
    }

    #[test]
    fn the_file_reads_back() {
        let text = cot_file();
        let read: Result<Vec<_>, _> = import::cot(text.as_bytes()).collect();
        // A file does not say that it was made up.
        let real = cot().into_iter().map(|report| CotReport {
            synthetic: false,
            ..report
        });
        assert_eq!(read.unwrap(), real.collect::<Vec<_>>());
        // "Change in" is the difference from the week before.
        let rows: Vec<Vec<&str>> = text
            .lines()
            .map(|line| line.split(',').map(str::trim).collect())
            .collect();
        for pair in rows.windows(2) {
            assert_eq!(pair[1].len(), import::COT_COLUMNS);
            for column in 7..17 {
                let number = |row: &[&str], column: usize| row[column].parse::<i64>().unwrap();
                assert_eq!(
                    number(&pair[1], column) - number(&pair[0], column),
                    number(&pair[1], column + 30)
                );
            }
        }
    }

    #[test]
    fn mistakes_in_a_file() {
        let text = cot_file();
        let line = text.lines().next().unwrap();
        let check = |text: String, expect: &str| {
            let error = import::cot(text.as_bytes()).find_map(Result::err).unwrap();
            assert_eq!(error.to_string(), expect);
        };
        let open = cot()[0].open_interest.to_string();
        check(
            line.replacen(&open, "1", 1),
            &format!(
                "line 1: the long positions are {open}, and the open interest is 1 (contradiction)"
            ),
        );
        check(
            line.replacen("170103", "170110", 1),
            "line 1: the report is of 2017-01-03 and of 170110 (contradiction)",
        );
        check(
            format!("{line}\n{}", &line[..200]),
            "line 2: a report has 126 values, and here are 19 (columns)",
        );
        check(
            line.replacen("2017-01-03", "2017-13-03", 1),
            "line 1: \"2017-13-03\" is no date (time)",
        );
    }

    #[test]
    fn names_of_the_file_and_of_the_portal() {
        let numbers = "10,1,2,3,4,5,6,4,2,0";
        let file = format!(
            "\"Market and Exchange Names\",\"As of Date in Form YYYY-MM-DD\",\
             \"CFTC Contract Market Code\",\"Open Interest (All)\",\
             \"Noncommercial Positions-Long (All)\",\"Noncommercial Positions-Short (All)\",\
             \"Noncommercial Positions-Spreading (All)\",\"Commercial Positions-Long (All)\",\
             \"Commercial Positions-Short (All)\",\" Total Reportable Positions-Long (All)\",\
             \"Nonreportable Positions-Long (All)\",\"Nonreportable Positions-Short (All)\",\"x\"\n\
             EURO FX,2025-01-07,099741,{numbers}\n"
        );
        let portal = format!(
            "market_and_exchange_names,report_date_as_yyyy_mm_dd,cftc_contract_market_code,\
             open_interest_all,noncomm_positions_long_all,noncomm_positions_short_all,\
             noncomm_postions_spread_all,comm_positions_long_all,comm_positions_short_all,\
             tot_rept_positions_long_all,nonrept_positions_long_all,nonrept_positions_short_all,x\n\
             EURO FX,2025-01-07T00:00:00.000,099741,{numbers}\n"
        );
        let read = |text: &str| import::cot(text.as_bytes()).next().unwrap();
        assert_eq!(read(&file), read(&portal));
        // 1 + 3 + 4 + 4 is not 10: the columns were found, and the check was applied.
        let error = read(&file).unwrap_err().to_string();
        let expect =
            "line 2: the long positions are 12, and the open interest is 10 (contradiction)";
        assert_eq!(error, expect);
        assert!(read(&file.replace("10,1,2,3,4,5,6,4,2", "12,1,2,3,4,5,6,4,2")).is_ok());
    }
}
