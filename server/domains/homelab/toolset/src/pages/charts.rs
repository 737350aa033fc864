//! History of a node, guest or storage as charts.

use std::collections::BTreeMap;

use homelab_wire::{Chart, ChartLine, ChartsPage};
use protocol::{ErrorBody, Timestamp};
use serde_json::{Map, Value};

use super::{PageSubject, nothing};
use crate::{api::EntryKind, cluster_access::ClusterAccess, lenient::as_number, texts};

/// Limit on the points of a chart; more than its pixels are useless.
pub(super) const MAX_POINTS: usize = 360;

/// A chart: its name, its unit, the field that limits it, and its lines with their fields.
struct Spec {
    name: &'static str,
    unit: &'static str,
    limit: Option<&'static str>,
    lines: &'static [(&'static str, &'static str)],
}

const NODE: &[Spec] = &[
    Spec {
        name: "CPU",
        unit: "percent",
        limit: None,
        lines: &[("used", "cpu"), (texts::pages::I_O_WAIT, "iowait")],
    },
    Spec {
        name: "Memory",
        unit: "bytes",
        limit: Some("memtotal"),
        lines: &[("used", "memused")],
    },
    Spec {
        name: "Load",
        unit: "",
        limit: None,
        lines: &[("load", "loadavg")],
    },
    Spec {
        name: "Network",
        unit: "bytes_per_second",
        limit: None,
        lines: &[("received", "netin"), ("sent", "netout")],
    },
    Spec {
        name: texts::pages::ROOT_DISK,
        unit: "bytes",
        limit: Some("roottotal"),
        lines: &[("used", "rootused")],
    },
    Spec {
        name: "Swap",
        unit: "bytes",
        limit: Some("swaptotal"),
        lines: &[("used", "swapused")],
    },
];

const GUEST: &[Spec] = &[
    Spec {
        name: "CPU",
        unit: "percent",
        limit: None,
        lines: &[("used", "cpu")],
    },
    Spec {
        name: "Memory",
        unit: "bytes",
        limit: Some("maxmem"),
        lines: &[("used", "mem")],
    },
    Spec {
        name: "Network",
        unit: "bytes_per_second",
        limit: None,
        lines: &[("received", "netin"), ("sent", "netout")],
    },
    Spec {
        name: texts::pages::DISK_TRAFFIC,
        unit: "bytes_per_second",
        limit: None,
        lines: &[("read", "diskread"), ("written", "diskwrite")],
    },
];

/// Disk usage is known for containers only.
const DISK: Spec = Spec {
    name: "Disk",
    unit: "bytes",
    limit: Some("maxdisk"),
    lines: &[("used", "disk")],
};

const STORAGE: &[Spec] = &[Spec {
    name: "Use",
    unit: "bytes",
    limit: Some("total"),
    lines: &[("used", "used")],
}];

/// The charts of an entity over a timeframe, with at most `most` points.
pub(super) async fn charts(
    access: &ClusterAccess,
    thing: &PageSubject,
    span: &str,
    most: usize,
) -> Result<ChartsPage, ErrorBody> {
    if !["hour", "day", "week", "month"].contains(&span) {
        return Err(nothing("span"));
    }
    let (path, specs): (Vec<String>, Vec<&Spec>) = match thing {
        PageSubject::Node(node) => (
            vec!["nodes".to_owned(), node.clone()],
            NODE.iter().collect(),
        ),
        PageSubject::Guest { vmid, node, kind } => {
            let mut specs: Vec<&Spec> = GUEST.iter().collect();
            if *kind == EntryKind::Lxc {
                specs.push(&DISK);
            }
            let kind = kind.word().to_owned();
            (
                vec!["nodes".to_owned(), node.clone(), kind, vmid.to_string()],
                specs,
            )
        }
        PageSubject::Storage { node, name, .. } => (
            ["nodes", node.as_str(), "storage", name.as_str()]
                .map(str::to_owned)
                .into(),
            STORAGE.iter().collect(),
        ),
    };
    let mut path: Vec<&str> = path.iter().map(String::as_str).collect();
    path.push("rrddata");
    let rows = access.api.history(&path, span).await;
    let rows = rows.map_err(|error| error.body())?;
    let source = format!("GET /{}?timeframe={span}", path.join("/"));
    Ok(drawn(&rows, &specs, source, access.now(), most))
}

/// Resamples to an even grid; missing samples leave gaps.
fn drawn(rows: &Value, specs: &[&Spec], source: String, now: i64, most: usize) -> ChartsPage {
    let mut samples: BTreeMap<i64, &Map<String, Value>> = BTreeMap::new();
    for row in rows.as_array().into_iter().flatten() {
        if let Some(row) = row.as_object()
            && let Some(time) = row.get("time").and_then(as_number)
        {
            samples.insert(time as i64, row);
        }
    }
    // A step still in progress has nothing but its time.
    if let Some(last) = samples.last_entry()
        && last.get().len() == 1
    {
        last.remove();
    }
    let times: Vec<i64> = samples.keys().copied().collect();
    let start = times.first().copied().unwrap_or(now);
    let steps = times.windows(2).map(|pair| pair[1] - pair[0]);
    let told = steps.min();
    // A single sample is a single point, whatever its span.
    let step = told.unwrap_or(1).max(1);
    let length = times.last().map_or(0, |last| (last - start) / step + 1);
    let length = usize::try_from(length).unwrap_or(0);
    let joined = length.div_ceil(most).max(1);
    let line = |field: &str, scale: f64| {
        let mut sums = vec![(0.0, 0_u32); length.div_ceil(joined)];
        for (time, row) in &samples {
            let at = usize::try_from((time - start) / step).unwrap_or(0) / joined;
            if let (Some(sum), Some(value)) = (sums.get_mut(at), row.get(field).and_then(as_number))
            {
                *sum = (sum.0 + value * scale, sum.1 + 1);
            }
        }
        let means = sums
            .into_iter()
            .map(|(sum, count)| (count > 0).then(|| rounded(sum / f64::from(count))));
        means.collect()
    };
    let charts = specs.iter().map(|spec| {
        let scale = if spec.unit == "percent" { 100.0 } else { 1.0 };
        let newest = |field: &str| {
            let mut rows = samples.values().rev();
            rows.find_map(|row| row.get(field).and_then(as_number))
        };
        Chart {
            name: spec.name.to_owned(),
            unit: spec.unit.to_owned(),
            limit: spec.limit.and_then(newest),
            lines: spec
                .lines
                .iter()
                .map(|(name, field)| ChartLine {
                    name: (*name).to_owned(),
                    values: line(field, scale),
                })
                .collect(),
        }
    });
    ChartsPage {
        charts: charts.collect(),
        start: Timestamp(start.saturating_mul(1000)),
        step: told.map(|_| step.unsigned_abs().saturating_mul(joined as u64)),
        source,
        at: Timestamp(now.saturating_mul(1000)),
    }
}

/// Rounds to the precision of a chart: whole bytes, otherwise three decimals.
pub(super) fn rounded(value: f64) -> f64 {
    if value.abs() < 1_000.0 {
        (value * 1_000.0).round() / 1_000.0
    } else {
        value.round()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line(page: &ChartsPage, chart: usize, line: usize) -> &[Option<f64>] {
        &page.charts[chart].lines[line].values
    }

    #[test]
    fn gaps_stay_gaps() {
        let rows = json!([
            {"time": 120, "cpu": 0.5, "iowait": "0.01", "memused": 10, "memtotal": 40},
            {"time": 60, "cpu": 0.25},
            {"time": 180},
            // A row is missing.
            {"time": 300, "cpu": 0.125, "memtotal": 50},
            {"time": 360},
        ]);
        let specs: Vec<&Spec> = NODE.iter().collect();
        let page = drawn(&rows, &specs, "x".to_owned(), 400, MAX_POINTS);
        assert_eq!((page.start, page.step), (Timestamp(60_000), Some(60)));
        let cpu = [Some(25.0), Some(50.0), None, None, Some(12.5)];
        assert_eq!(line(&page, 0, 0), cpu);
        assert_eq!(line(&page, 0, 1)[1], Some(1.0));
        assert_eq!(page.charts[1].limit, Some(50.0));
        assert_eq!(line(&page, 1, 0), [None, Some(10.0), None, None, None]);
        // No samples at all.
        for nothing in [json!([]), json!(null), json!([{"time": 60}])] {
            let page = drawn(&nothing, &specs, "x".to_owned(), 400, MAX_POINTS);
            assert!(page.charts[0].lines[0].values.is_empty(), "{nothing}");
            assert_eq!(page.step, None, "{nothing}");
        }
        let one = json!([{"time": 60, "cpu": 0.25}, {"time": 120}]);
        let page = drawn(&one, &specs, "x".to_owned(), 400, MAX_POINTS);
        assert_eq!(line(&page, 0, 0), [Some(25.0)]);
        assert_eq!((page.start, page.step), (Timestamp(60_000), None));
    }

    #[test]
    fn many_samples_become_means() {
        let rows: Vec<Value> = (0..1_440)
            .map(|minute| match minute {
                700..720 => json!({"time": minute * 60}),
                _ => json!({"time": minute * 60, "total": 100, "used": minute % 4}),
            })
            .collect();
        let page = drawn(
            &Value::from(rows),
            &[&STORAGE[0]],
            "x".to_owned(),
            1_440 * 60,
            MAX_POINTS,
        );
        let values = line(&page, 0, 0);
        assert_eq!((values.len(), page.step), (360, Some(240)));
        assert_eq!(values[0], Some(1.5));
        assert_eq!(
            values[174..181],
            [Some(1.5), None, None, None, None, None, Some(1.5)]
        );
    }
}
