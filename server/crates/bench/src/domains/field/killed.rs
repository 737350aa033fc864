//! The server is killed while runs write, and started again: devices and readers come back, and nothing is lost
//! or done twice.

use std::{cell::RefCell, collections::HashSet, rc::Rc, time::Duration};

use anyhow::{Context, Result, bail, ensure};
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};

use super::{
    FieldBenchOptions, PATIENCE, begin,
    readers::{self, ReaderFigures, ReaderKind},
    shared::SharedFleet,
    still, times,
};
use crate::{
    clock,
    process::{MeasuredWorld, Server},
    report::Report,
};

/// Time after which all devices should be back, in milliseconds.
const WANTED_BACK: f64 = 10_000.0;
/// Time between two looks.
const LOOK: Duration = Duration::from_millis(20);

/// A server with devices that wait for work.
pub(super) struct KilledServer<'a> {
    pub(super) world: &'a MeasuredWorld,
    /// All devices.
    pub(super) ids: &'a [String],
    pub(super) options: &'a FieldBenchOptions,
}

impl KilledServer<'_> {
    pub(super) async fn measure(
        &self,
        server: &mut Server,
        shared: &Rc<SharedFleet>,
        living: &mut JoinSet<Result<()>>,
        report: &mut Report,
    ) -> Result<()> {
        let (devices, count) = (self.ids.len(), self.options.readers);
        let runs = usize::try_from(self.options.runs)?.min(devices);
        eprintln!("kill -9 while {runs} runs write …");
        shared.go.send_replace(false);
        shared.forget_runs();
        if let Err(error) = begin(server, shared, &self.ids[..runs]).await {
            still(living).await?;
            return Err(error.context(self.world.log()));
        }
        let figures = Rc::new(RefCell::new(ReaderFigures::default()));
        let quick = |_: u32| ReaderKind::Quick;
        let readers = readers::follow_all(&server.browser, shared, &figures, count, quick).await?;
        shared.go.send_replace(true);
        sleep(shared.span / 2).await;
        // Nobody else runs before it is noted: all of them are on this thread.
        shared.killed.set(Some(clock::now()));
        server.process.kill()?;
        server.process = self.world.spawn(&server.browser.address)?;
        let over = timeout(
            shared.span + 2 * PATIENCE,
            all_over(shared, readers, [devices, runs]),
        );
        let over = over.await.context("devices or readers wait for an end");
        still(living).await?;
        if let Err(error) = over.and_then(|over| over) {
            let back = shared.back.borrow().len();
            bail!(
                "{error:#}; {back} of {devices} devices are back; {}",
                self.world.log()
            );
        }

        let group = format!("kill -9: {devices} devices, {runs} runs, {count} readers");
        let name = "kill to a device's next session";
        times(report, &group, name, &shared.back.borrow());
        let last = shared.back.borrow().quantiles([1.0]);
        if last.is_some_and(|[last]| last > WANTED_BACK) {
            report.note(format!(
                "Devices are away for more than the wanted {WANTED_BACK} ms."
            ));
        }
        let twice = {
            let started = shared.started.borrow();
            let different: HashSet<_> = started.iter().collect();
            started.len() - different.len()
        };
        let figures = figures.borrow();
        let values = [
            ("runs that ended", shared.ended.get() as f64),
            ("runs started twice", twice as f64),
            ("readers that connected again", f64::from(figures.again)),
            ("lines read", figures.read as f64),
            ("lines lost or doubled", figures.wrong as f64),
            ("gaps told to readers", f64::from(figures.gaps)),
        ];
        for (name, value) in values {
            report.value(&group, name, "", value);
        }
        let is_good = (twice, figures.wrong, figures.gaps) == (0, 0, 0);
        if !is_good {
            report.note("After the kill something was lost or done twice.".to_owned());
        }
        ensure!(!self.options.strict || is_good, "the kill left traces");
        Ok(())
    }
}

/// Waits until all devices are back, all readers are done, and the server has the end of each run.
async fn all_over(
    shared: &SharedFleet,
    mut readers: JoinSet<Result<()>>,
    [devices, runs]: [usize; 2],
) -> Result<()> {
    while shared.back.borrow().len() < devices {
        sleep(LOOK).await;
    }
    while let Some(ended) = readers.join_next().await {
        ended?.context("a reader failed")?;
    }
    while shared.ended.get() < runs {
        sleep(LOOK).await;
    }
    Ok(())
}
