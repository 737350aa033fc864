//! Tools for alerts: set, list, withdraw.

use agent::ports::{Recovery, Staging, ToolExample, ToolSpec};
use async_trait::async_trait;
use protocol::Tier;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{
    super::{Answer, ToolProblem, read, text},
    Planned,
    fields::{AlertLevel, SwingPart},
    on_chart::{Call, Chart, ChartTool, drawing},
};
use crate::{
    Symbol, Timeframe,
    maths::indicators::{self, ValueRange},
    texts,
    tools::alert::{AlertSubject, Crossing, DrawingLevel, Indicator, WantedAlert},
};

/// Bounds of the number of candles of an indicator.
const PERIODS: (u32, u32) = (2, 200);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SetAlertInput {
    /// Symbol of the instrument.
    symbol: Symbol,
    /// The price to watch, on the tick, in the digits of its symbol. With an indicator, its value,
    /// such as 70. Leave it out with a drawing.
    level: Option<AlertLevel>,
    /// The line, ray, trendline, rectangle, fibonacci or position to watch in place of a level, as the
    /// context or the result that drew it names it. The alert follows it when it is moved.
    #[schemars(length(min = 1, max = 80))]
    drawing: Option<String>,
    /// The level of the drawing, only with one that has several: top or bottom of a rectangle; entry,
    /// stop or target of a position.
    part: Option<DrawingLevel>,
    /// The level of a fibonacci, only with one, which needs it: a level that it has, such as 0.618 for
    /// 61.8 %.
    ratio: Option<SwingPart>,
    /// The indicator to watch in place of the price. It is judged when a candle closes.
    indicator: Option<Indicator>,
    /// The timeframe of the candles; only with an indicator, which needs it.
    timeframe: Option<Timeframe>,
    /// Number of candles, only with an indicator; the usual one if left out. macd and volume have none.
    #[schemars(range(min = 2, max = 200))]
    period: Option<u32>,
    /// up for above the level, down for below it; either way if left out.
    direction: Option<Crossing>,
    /// Note in the notice, to remind the person of the reason.
    #[schemars(length(min = 0, max = 200))]
    note: Option<String>,
    /// True to fire at each crossing, once in five minutes at most; it fires once if left out.
    repeats: Option<bool>,
}

impl SetAlertInput {
    fn wanted(self) -> Result<WantedAlert, ToolProblem> {
        let wrong = |text: String| Err(ToolProblem::Input(text));
        let level = self.level.map(|level| level.0);
        let ratio = self.ratio.map(|ratio| ratio.0);
        let one = || wrong(texts::alerts::GIVE_ONE_SUBJECT.to_owned());
        let is_bare = self.timeframe.is_none() && self.period.is_none();
        let subject = match (level, self.drawing, self.indicator) {
            (None, Some(drawing), None) if is_bare => AlertSubject::Drawing {
                drawing,
                part: self.part,
                ratio,
            },
            _ if self.part.is_some() || ratio.is_some() => return one(),
            (Some(level), None, None) if is_bare => AlertSubject::Price { level },
            (Some(level), None, Some(indicator)) => {
                let Some(timeframe) = self.timeframe else {
                    return one();
                };
                let kind = indicators::kind(indicator);
                let (least, most) = PERIODS;
                let period = match self.period {
                    None => kind.period,
                    Some(_) if kind.is_fixed => {
                        return wrong(texts::alerts::has_no_period(kind.name));
                    }
                    Some(period) if (least..=most).contains(&period) => period,
                    Some(_) => return wrong(texts::alerts::period_is_out_of_range(least, most)),
                };
                let ValueRange { least, most } = kind.between;
                if level <= least || level >= most {
                    return wrong(texts::alerts::level_is_between(kind.name, least, most));
                }
                AlertSubject::Indicator {
                    indicator,
                    period,
                    timeframe,
                    level,
                }
            }
            _ => return one(),
        };
        Ok(WantedAlert {
            symbol: self.symbol,
            subject,
            crossing: self.direction.unwrap_or_default(),
            note: self.note.unwrap_or_default(),
            repeats: self.repeats.unwrap_or_default(),
        })
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListAlertsInput {
    /// Symbol of the instrument. Without it: all symbols.
    symbol: Option<Symbol>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WithdrawAlertInput {
    /// The alert, as list_alerts or the result that set it names it.
    #[schemars(length(min = 1, max = 80))]
    alert: String,
}

/// Sets an alert.
pub(super) struct SetAlert;

#[async_trait]
impl ChartTool for SetAlert {
    fn spec(&self) -> ToolSpec {
        drawing::<SetAlertInput>(
            "set_alert",
            "Sets an alert: people get a notice when the price, or an indicator, crosses a level, or \
             when the price crosses a line on the chart. The server watches also while no page is \
             open. It fires once, and places no order. A value that is unknown fires nothing; \
             the first known one after it does, and the notice says so.",
            &[
                ToolExample::new("Tell me when EURUSD crosses 1.09."),
                ToolExample::new("Alert me when the RSI goes above 70 on 1h."),
                ToolExample::new("Warn me when EURUSD falls below 1.05."),
            ],
        )
    }

    fn staging(&self) -> Staging {
        Staging::None
    }

    async fn plan(&self, call: Call<'_>) -> Result<Option<Planned>, ToolProblem> {
        let input: SetAlertInput = read(call.input)?;
        let plan = call.alerts.plan(input.wanted()?, &call.by, call.at);
        Ok(Some(Planned {
            sentence: plan.await?,
            drawing: None,
        }))
    }

    async fn run(&self, call: Call<'_>) -> Result<Answer, ToolProblem> {
        let input: SetAlertInput = read(call.input)?;
        call.alerts.set(input.wanted()?, &call.by, call.at).await
    }
}

/// Lists alerts.
pub(super) struct ListAlerts;

#[async_trait]
impl ChartTool for ListAlerts {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Green,
            recovery: Recovery::Pure,
            ..drawing::<ListAlertsInput>(
                "list_alerts",
                "Reads the alerts that wait, and those that fired, were withdrawn or lost their \
                 drawing within a week: what each watches, its state, and when it fired at which \
                 value. A reason in unknown says why one cannot be judged now.",
                &[
                    ToolExample::new("Which alerts are set?"),
                    ToolExample::new("List the alerts on EURUSD."),
                ],
            )
        }
    }

    fn staging(&self) -> Staging {
        Staging::None
    }

    fn target(&self, _: &Chart, _: &Value) -> Option<String> {
        Some(texts::alerts::ALERTS.to_owned())
    }

    async fn plan(&self, _: Call<'_>) -> Result<Option<Planned>, ToolProblem> {
        Ok(None)
    }

    async fn run(&self, call: Call<'_>) -> Result<Answer, ToolProblem> {
        let input: ListAlertsInput = read(call.input)?;
        call.alerts.listed(input.symbol, call.at).await
    }
}

/// Withdraws an alert.
pub(super) struct WithdrawAlert;

#[async_trait]
impl ChartTool for WithdrawAlert {
    fn spec(&self) -> ToolSpec {
        drawing::<WithdrawAlertInput>(
            "withdraw_alert",
            "Withdraws an alert that waits, so that it does not fire. It stays on record.",
            &[
                ToolExample::new("Withdraw the alert at 1.09."),
                ToolExample::new("Cancel the alert at 1.05."),
            ],
        )
    }

    fn staging(&self) -> Staging {
        Staging::None
    }

    fn target(&self, chart: &Chart, input: &Value) -> Option<String> {
        let id = text(input, "alert")?;
        let name = chart.alerts.name_of(&id);
        Some(name.unwrap_or_else(|| texts::alerts::alert_of(&id)))
    }

    async fn plan(&self, call: Call<'_>) -> Result<Option<Planned>, ToolProblem> {
        let input: WithdrawAlertInput = read(call.input)?;
        Ok(Some(Planned {
            sentence: call.alerts.plan_withdrawal(&input.alert).await?,
            drawing: None,
        }))
    }

    async fn run(&self, call: Call<'_>) -> Result<Answer, ToolProblem> {
        let input: WithdrawAlertInput = read(call.input)?;
        call.alerts.withdraw(&input.alert, &call.by, call.at).await
    }
}
