//! The target of a scroll of the chart.

use markets_wire::Scroll;
use serde_json::json;

use super::{
    super::{Answer, ToolProblem},
    input::ScrollInput,
};
use crate::{session, texts, tools};

/// Validates the target of a scroll. Only a page can move its chart.
pub(super) fn scroll(input: ScrollInput) -> Result<Answer, ToolProblem> {
    let ScrollInput {
        symbol,
        timeframe,
        time,
        realtime,
        _reason: _,
    } = input;
    let wrong = |text: &str| ToolProblem::Input(text.to_owned());
    let place = match (time, realtime) {
        (Some(time), None) => {
            session::check_open(symbol, time)
                .map_err(|closed| ToolProblem::Input(format!("time: {closed}.")))?;
            format!("to {time}")
        }
        (None, Some(true)) => texts::drawings::TO_NEWEST_BAR.to_owned(),
        (None, Some(false)) => return Err(wrong(texts::drawings::REALTIME_IS_TRUE_OR_LEFT_OUT)),
        _ => return Err(wrong(texts::drawings::GIVE_EITHER_TIME_OR_REALTIME)),
    };
    Ok(Answer {
        summary: texts::drawings::moved_chart_of(&symbol, &place),
        data: json!({
            "scroll": tools::json(&Scroll { symbol, timeframe, time })?,
        }),
    })
}
