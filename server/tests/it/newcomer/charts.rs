//! Questions beside a chart.

use super::talks::{Turn, ask};

/// Conversations beside a chart.
pub(super) const CHART_TALKS: &[&[Turn]] = &[
    &[
        ask(
            "where would you see support on EURUSD?",
            &["get_candles"],
            &["The main support of EURUSD is **1."],
        ),
        ask(
            "why there?",
            &["get_candles"],
            &[
                "The main support of EURUSD is **1.",
                "where the price turned ",
            ],
        ),
    ],
    &[ask(
        "where is EUR/USD?",
        &["get_current_price"],
        &["EURUSD is at **1."],
    )],
    &[ask(
        "is the euro trending up or down on the daily chart?",
        &["get_candles"],
        &["EURUSD is trending "],
    )],
    &[ask(
        "what was the highest price in the last week?",
        &["get_candles"],
        &["The highest price of EURUSD in the last week was **1."],
    )],
    &[ask(
        "draw a line at 1.1950",
        &["draw_horizontal_line"],
        &["One drawing is on the EURUSD chart, sir."],
    )],
];
