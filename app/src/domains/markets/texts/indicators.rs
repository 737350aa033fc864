//! Indicators, with the numbers of bars that they are over.

pub(crate) const INDICATORS: &str = "Indicators";

pub(crate) const NOT_KEPT: &str =
    "Can't reach the server, so your choice of indicators isn't saved. Choose again later.";

pub(crate) const MA: &str = "Moving average (50, 200)";

pub(crate) const EMA: &str = "Exponential average (20, 50)";

pub(crate) const BOLL: &str = "Bollinger Bands (20, 2)";

pub(crate) const VOLUME: &str = "Volume";

pub(crate) const RSI: &str = "RSI (14)";

pub(crate) const MACD: &str = "MACD (12, 26, 9)";

pub(crate) const ATR: &str = "Average true range (14)";
