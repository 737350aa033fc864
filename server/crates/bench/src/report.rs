//! Figures as a table and as JSON, and the change between two runs.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use clap::Args;
use serde::{Deserialize, Serialize};

use crate::{
    machine::{self, Machine},
    samples::Samples,
    texts,
};

/// The destination of the figures.
#[derive(Args)]
pub(crate) struct ReportOutput {
    /// File for the figures, as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Figures of an earlier run, to print the change
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
}

/// Figures that another program has collected.
#[derive(Args)]
pub(crate) struct ReportLines {
    /// One figure in a line, as JSON
    #[arg(long, value_name = "FILE")]
    lines: PathBuf,
    /// Load of the machine before
    #[arg(long)]
    load: f64,
    #[command(flatten)]
    output: ReportOutput,
}

impl ReportLines {
    pub(crate) fn table(&self, bench: &str) -> Result<()> {
        let mut report = Report::start(bench);
        report.load[0] = self.load;
        for line in fs::read_to_string(&self.lines)?.lines() {
            report.figures.push(serde_json::from_str(line)?);
        }
        report.finish(&self.output)
    }
}

/// One figure. Smaller is better unless it says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReportFigure {
    /// The group of figures that it belongs to, such as `20 sessions`.
    pub(crate) group: String,
    pub(crate) name: String,
    pub(crate) unit: String,
    /// The median, or the only value.
    pub(crate) value: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) p99: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max: Option<f64>,
    /// The number of samples behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) samples: Option<u64>,
}

/// The figures of one run.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) bench: String,
    /// Seconds since 1970.
    when: u64,
    machine: Machine,
    /// Load of the machine before and after.
    load: [f64; 2],
    pub(crate) figures: Vec<ReportFigure>,
    #[serde(default)]
    pub(crate) notes: Vec<String>,
}

impl Report {
    pub(crate) fn start(bench: &str) -> Self {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Self {
            bench: bench.to_owned(),
            when: since.map_or(0, |since| since.as_secs()),
            machine: Machine::this(),
            load: [machine::load(), 0.0],
            figures: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds a single value.
    pub(crate) fn value(&mut self, group: &str, name: &str, unit: &str, value: f64) {
        self.figures.push(ReportFigure {
            group: group.to_owned(),
            name: name.to_owned(),
            unit: unit.to_owned(),
            value,
            p99: None,
            max: None,
            samples: None,
        });
    }

    /// Adds measured times; none is a note.
    pub(crate) fn times(&mut self, group: &str, name: &str, samples: &Samples) {
        let Some([p50, p99, max]) = samples.quantiles([0.5, 0.99, 1.0]) else {
            self.note(texts::no_samples(group, name));
            return;
        };
        self.figures.push(ReportFigure {
            group: group.to_owned(),
            name: name.to_owned(),
            unit: "ms".to_owned(),
            value: p50,
            p99: Some(p99),
            max: Some(max),
            samples: Some(samples.len() as u64),
        });
    }

    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Prints the table, writes the file, prints the change.
    pub(crate) fn finish(mut self, output: &ReportOutput) -> Result<()> {
        self.load[1] = machine::load();
        // Read first: both may be the same file.
        let before = output.compare.as_deref().map(Self::read).transpose()?;
        self.show(before.as_ref());
        if let Some(path) = &output.json {
            let text = serde_json::to_string_pretty(&self)?;
            fs::write(path, text + "\n")
                .with_context(|| format!("cannot write {}", path.display()))?;
            println!("written to {}", path.display());
        }
        Ok(())
    }

    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("{} is no report", path.display()))
    }

    /// Prints the table, beside another run if there is one.
    pub(crate) fn show(&self, before: Option<&Self>) {
        let [load_before, load_after] = self.load;
        println!("\n{} on {}", self.bench, self.machine);
        println!("load before {load_before:.2}, after {load_after:.2}");
        let wide = self
            .figures
            .iter()
            .map(|figure| figure.name.chars().count());
        let wide = wide.max().unwrap_or(0).max(6);
        let changed = if before.is_some() {
            "   before   change"
        } else {
            ""
        };
        let mut group = "";
        for figure in &self.figures {
            if figure.group != group {
                group = &figure.group;
                println!(
                    "\n{group:wide$}   {:>10} {:>10} {:>10} {:>9}  {:6}{changed}",
                    "p50/value", "p99", "max", "samples", "unit"
                );
            }
            let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), plain);
            let samples = figure
                .samples
                .map_or_else(|| "-".to_owned(), |n| n.to_string());
            let change = before.map_or_else(String::new, |before| before.change(figure));
            println!(
                "  {:wide$} {:>10} {:>10} {:>10} {samples:>9}  {:6}{change}",
                figure.name,
                plain(figure.value),
                number(figure.p99),
                number(figure.max),
                figure.unit,
            );
        }
        for note in &self.notes {
            println!("\nnote: {note}");
        }
        println!();
    }

    /// The difference of a figure from another run's.
    fn change(&self, figure: &ReportFigure) -> String {
        let same = |other: &&ReportFigure| other.group == figure.group && other.name == figure.name;
        let Some(old) = self.figures.iter().find(same) else {
            return "       new".to_owned();
        };
        let mut text = changed(old.value, figure.value);
        if let (Some(old), Some(new)) = (old.p99, figure.p99) {
            text += &changed(old, new);
        }
        text
    }
}

/// The old value, and the change from it.
fn changed(old: f64, new: f64) -> String {
    let change = if old == 0.0 {
        "-".to_owned()
    } else {
        format!("{:+.1}%", (new / old - 1.0) * 100.0)
    };
    format!(" {:>8} {change:>8}", plain(old))
}

/// Three significant digits.
fn plain(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        ..0.1 => format!("{value:.3}"),
        ..10.0 => format!("{value:.2}"),
        ..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}
