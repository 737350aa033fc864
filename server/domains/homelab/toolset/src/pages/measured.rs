//! Charts of what Jarvis has measured itself.

use homelab_wire::{Chart, ChartLine, ChartsPage};
use protocol::{ErrorBody, Timestamp};

use super::charts::rounded;
use crate::{
    cluster_access::ClusterAccess,
    measurements::{
        MeasuredQuantity, MeasuredSubject, MeasurementError, OwnMeasurements, STEP_SECONDS,
        StepMean,
    },
    texts::pages as texts,
};

/// A chart and its lines, with the names that they have in Proxmox's history, so that it is the same
/// series wherever it comes from.
struct MeasuredChart {
    name: &'static str,
    unit: &'static str,
    lines: &'static [(&'static str, MeasuredQuantity)],
}

const CHARTS: [MeasuredChart; 4] = [
    MeasuredChart {
        name: "CPU",
        unit: "percent",
        lines: &[
            ("used", MeasuredQuantity::CpuPercent),
            (texts::I_O_WAIT, MeasuredQuantity::IoWaitPercent),
        ],
    },
    MeasuredChart {
        name: "Memory",
        unit: "bytes",
        lines: &[("used", MeasuredQuantity::MemoryBytes)],
    },
    TEMPERATURE,
    MeasuredChart {
        name: "Use",
        unit: "bytes",
        lines: &[("used", MeasuredQuantity::UsedBytes)],
    },
];

const TEMPERATURE: MeasuredChart = MeasuredChart {
    name: "Temperature",
    unit: "celsius",
    lines: &[("temperature", MeasuredQuantity::Celsius)],
};

/// The steps of a chart: start in Unix seconds, length in seconds, and number.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ChartGrid {
    start: i64,
    step: i64,
    steps: usize,
}

impl ChartGrid {
    /// The steps up to the one that is still measured, at most `most`. `None` for a span that is
    /// longer than what is kept.
    fn of(span: &str, now: i64, most: usize) -> Option<Self> {
        let measured: usize = match span {
            "hour" => 12,
            "day" => 288,
            "week" => 2_016,
            _ => return None,
        };
        let joined = measured.div_ceil(most.max(1));
        let steps = measured / joined;
        let step = STEP_SECONDS * joined as i64;
        let end = now.div_euclid(STEP_SECONDS) * STEP_SECONDS;
        Some(Self {
            start: end - step * steps as i64,
            step,
            steps,
        })
    }

    fn end(self) -> i64 {
        // Times from outside may be any number.
        self.start
            .saturating_add(self.step.saturating_mul(self.steps as i64))
    }
}

/// The charts of the first of these subjects that was measured in the span. The source says why
/// they are not Proxmox's.
pub(super) async fn charts(
    access: &ClusterAccess,
    subjects: &[MeasuredSubject],
    span: &str,
    most: usize,
    reason: &ErrorBody,
) -> Option<ChartsPage> {
    let own = access.measurements()?;
    let now = access.now();
    let grid = ChartGrid::of(span, now, most)?;
    for subject in subjects {
        let mut charts = Vec::new();
        for chart in &CHARTS {
            match drawn(own, subject, chart, grid).await {
                Ok(chart) => charts.extend(chart),
                Err(error) => {
                    tracing::warn!(%error, "own measurements not read, nothing replaces those of Proxmox");
                    return None;
                }
            }
        }
        if !charts.is_empty() {
            return Some(ChartsPage {
                start: Timestamp(grid.start.saturating_mul(1000)),
                step: Some(grid.step.unsigned_abs()),
                source: texts::measured_as_proxmox_failed(reason.message.trim_end_matches('.')),
                at: Timestamp(now.saturating_mul(1000)),
                charts,
            });
        }
    }
    None
}

/// Adds a node's temperature to the history that Proxmox has of it.
pub(super) async fn add_temperature(
    access: &ClusterAccess,
    node: &str,
    span: &str,
    page: &mut ChartsPage,
) {
    let lines = page.charts.iter().flat_map(|chart| &chart.lines);
    let steps = lines.map(|line| line.values.len()).max();
    let known = access.measurements().zip(MeasuredSubject::node(node));
    let (Some((own, subject)), Some(step), Some(steps)) = (known, page.step, steps) else {
        return;
    };
    if ChartGrid::of(span, 0, steps).is_none() {
        return;
    }
    let grid = ChartGrid {
        start: page.start.0.div_euclid(1000),
        step: i64::try_from(step).unwrap_or(i64::MAX),
        steps,
    };
    match drawn(own, &subject, &TEMPERATURE, grid).await {
        Ok(None) => {}
        Ok(Some(chart)) => {
            page.charts.push(chart);
            page.source = texts::with_measured_temperature(&page.source);
        }
        Err(error) => {
            tracing::warn!(%error, node, "history of the temperature not read");
            page.source = texts::without_temperature(&page.source, &error.to_string());
        }
    }
}

/// A chart with the lines that were measured; `None` if none was.
async fn drawn(
    own: &OwnMeasurements,
    subject: &MeasuredSubject,
    chart: &MeasuredChart,
    grid: ChartGrid,
) -> Result<Option<Chart>, MeasurementError> {
    let mut lines = Vec::new();
    for (name, quantity) in chart.lines {
        let from = grid.start - STEP_SECONDS;
        let means = own.series(subject, *quantity, from, grid.end()).await?;
        let values = resampled(&means, grid.start, grid.step, grid.steps);
        if values.iter().any(Option::is_some) {
            let values = values.into_iter().map(|value| value.map(rounded));
            lines.push(ChartLine {
                name: (*name).to_owned(),
                values: values.collect(),
            });
        }
    }
    Ok((!lines.is_empty()).then(|| Chart {
        name: chart.name.to_owned(),
        unit: chart.unit.to_owned(),
        // How much there is of it altogether is not kept.
        limit: None,
        lines,
    }))
}

/// The mean over each step of another grid, `None` where nothing was measured. A mean that reaches
/// over the end of a step counts by its share in it.
fn resampled(means: &[StepMean], start: i64, step: i64, steps: usize) -> Vec<Option<f64>> {
    let mut sums = vec![(0.0, 0_i64); steps];
    let step = step.max(1);
    for mean in means {
        let end = mean.at.saturating_add(STEP_SECONDS);
        let first = usize::try_from((mean.at - start).div_euclid(step)).unwrap_or(0);
        for (at, sum) in sums.iter_mut().enumerate().skip(first) {
            let from = start.saturating_add(step.saturating_mul(at as i64));
            if from >= end {
                break;
            }
            let shared = end.min(from.saturating_add(step)) - mean.at.max(from);
            if shared > 0 {
                *sum = (sum.0 + mean.value * shared as f64, sum.1 + shared);
            }
        }
    }
    let means = sums.into_iter();
    means
        .map(|(sum, seconds)| (seconds > 0).then(|| sum / seconds as f64))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_ends_with_the_last_step_that_is_over() {
        let day = ChartGrid::of("day", 864_299, 48).unwrap();
        assert_eq!((day.step, day.steps, day.end()), (1_800, 48, 864_000));
        assert_eq!(day.start, 864_000 - 86_400);
        for (span, most, step, steps) in [
            ("hour", 360, 300, 12),
            ("hour", 48, 300, 12),
            ("day", 360, 300, 288),
            ("week", 360, 1_800, 336),
            ("week", 48, 12_600, 48),
        ] {
            let grid = ChartGrid::of(span, 864_000, most).unwrap();
            assert_eq!((grid.step, grid.steps), (step, steps), "{span} {most}");
        }
        assert_eq!(ChartGrid::of("month", 864_000, 48), None);
    }

    #[test]
    fn another_grid_has_means_by_share() {
        let means = [(0, 10.0), (300, 20.0), (900, 40.0)].map(|(at, value)| StepMean { at, value });
        let each = resampled(&means, 0, 300, 4);
        assert_eq!(each, [Some(10.0), Some(20.0), None, Some(40.0)]);
        // Shorter steps repeat a mean, longer ones join several.
        let shorter = resampled(&means, 240, 120, 4);
        assert_eq!(shorter, [Some(15.0), Some(20.0), Some(20.0), None]);
        assert_eq!(resampled(&means, 0, 600, 2), [Some(15.0), Some(40.0)]);
        assert_eq!(resampled(&means, -600, 600, 1), [None]);
        assert_eq!(resampled(&means, 600, 300, 1), [None]);
    }
}
