//! Judges the alerts on each price.

use std::{
    future::Future,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use agent::ports::Env;

use super::{Alert, AlertState, ChartAlerts, after_each, ended, trail_rows, value::AlertLook};
use crate::{StoreError, Symbol, Time, passed_prices::PriceMark, simulate::Quote, texts};

/// Interval between rounds.
const PACE: Duration = Duration::from_secs(1);

/// The alerts that wait, with the number of the write before they were read.
type WaitingAlerts = Option<(u64, Arc<Vec<Alert>>)>;

/// Judges alerts. Clones share what was seen so far.
#[derive(Clone)]
pub struct AlertWatcher {
    alerts: ChartAlerts,
    env: Arc<dyn Env>,
    waiting: Arc<Mutex<WaitingAlerts>>,
}

impl AlertWatcher {
    pub(crate) fn new(alerts: ChartAlerts, env: Arc<dyn Env>) -> Self {
        Self {
            alerts,
            env,
            waiting: Arc::default(),
        }
    }

    /// Judges until `stop` is ready.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let judges = async {
            loop {
                if let Err(error) = self.round().await {
                    tracing::warn!(%error, "alerts not judged, trying again");
                }
                tokio::time::sleep(PACE).await;
            }
        };
        tokio::select! {
            biased;
            () = stop => {}
            () = judges => {}
        }
    }

    /// Looks once at all symbols. Returns the number of alerts that fired or lost their drawing.
    ///
    /// # Errors
    /// The store fails.
    pub async fn round(&self) -> Result<usize, StoreError> {
        let waiting = self.waiting().await?;
        let mut ends = 0;
        for symbol in Symbol::all() {
            let alerts: Vec<&Alert> = waiting.iter().filter(|it| it.symbol == symbol).collect();
            if alerts.is_empty() {
                self.alerts.leaves(symbol);
                continue;
            }
            let mark = self.alerts.live.price_mark();
            let quote = match self.alerts.live.quote(symbol).await {
                Ok(Some(quote)) => Ok(quote),
                // An unknown price fires nothing; those that were known before it do.
                Ok(None) => Err(texts::alerts::NO_PRICE.to_owned()),
                Err(StoreError::Source(unknown)) => Err(unknown.reason),
                Err(error) => return Err(error),
            };
            let was_known = quote.is_err() || self.alerts.knows(symbol);
            for alert in alerts {
                // After a start, one is judged from the first look on.
                let mark = self.alerts.mark(&alert.id).unwrap_or(mark);
                ends += self.judge(alert, mark, &quote, !was_known).await?;
            }
        }
        Ok(ends)
    }

    /// The alerts that wait, read again after each write of alerts and drawings.
    async fn waiting(&self) -> Result<Arc<Vec<Alert>>, StoreError> {
        // Noted before the read, so that a write meanwhile triggers another one.
        let written = *self.alerts.charts.written().borrow();
        if let Some((at, waiting)) = self.lock().clone()
            && at == written
        {
            return Ok(waiting);
        }
        let mut waiting = self.alerts.alerts(self.now()).await?;
        for over in waiting.extract_if(.., |it| it.state != AlertState::Waiting) {
            self.alerts.forget(&over.id);
        }
        let waiting = Arc::new(waiting);
        *self.lock() = Some((written, Arc::clone(&waiting)));
        Ok(waiting)
    }

    /// Judges an alert on the prices that have passed since a mark. `quote` is the price now, or the reason
    /// that it is unknown.
    async fn judge(
        &self,
        alert: &Alert,
        mark: PriceMark,
        quote: &Result<Quote, String>,
        is_gap: bool,
    ) -> Result<usize, StoreError> {
        let live = &self.alerts.live;
        let now = quote.as_ref().ok();
        let (prices, mark) = live.passed_since(alert.symbol, mark, now);
        let price_unknown = quote.as_ref().err().cloned();
        if prices.is_empty() {
            self.alerts.found(&alert.id, price_unknown);
            // After a start there is no mark yet, and what comes until the next look is after this one.
            self.alerts.judged(&alert.id, mark);
            return Ok(0);
        }
        let next = match self.alerts.look(alert, &prices).await? {
            AlertLook::Seen { readings, unknown } => {
                let was_unknown = self.alerts.found(&alert.id, price_unknown.or(unknown));
                after_each(alert, &readings, is_gap || was_unknown, self.now())
            }
            AlertLook::Lost => {
                self.alerts.found(&alert.id, None);
                Some(ended(alert, AlertState::Lost, self.now()))
            }
        };
        let mut is_end = false;
        if let Some(next) = next {
            let condition = self.alerts.condition(&next).await?;
            let told = trail_rows::of_look(alert, &next, &condition);
            if !self.alerts.replace(&next, told.as_ref()).await? {
                // Somebody else has changed it: the next round reads it again, and judges the same prices.
                *self.lock() = None;
                return Ok(0);
            }
            is_end = next.state == AlertState::Lost || next.fired > alert.fired;
        }
        self.alerts.judged(&alert.id, mark);
        Ok(usize::from(is_end))
    }

    fn now(&self) -> Time {
        Time(self.env.now().0.div_euclid(1_000))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, WaitingAlerts> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
