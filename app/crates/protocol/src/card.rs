//! The parts of a card beside its sentence: its risks, and sections for diffs, tables and the like.

use serde::{Deserialize, Serialize};

use crate::{Fact, FromJson};

/// The risks of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct CardRisk {
    /// The gravest weight of its reasons, unless the tool knows better.
    pub level: RiskWeight,
    /// In the order in which they are shown.
    pub reasons: Vec<RiskReason>,
}

/// One thing to know before a decision. It may be a good one, such as a fresh backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct RiskReason {
    /// The rule that found it, such as `backup_missing`. The same rule always has the same name.
    pub rule: String,
    pub weight: RiskWeight,
    /// In a few words, such as `No backup`.
    pub sentence: String,
    /// Its consequence, in one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The line of a section that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<RiskSpan>,
}

/// The weight of a reason, from the lightest to the gravest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "snake_case")]
pub enum RiskWeight {
    /// It speaks for the call.
    Good,
    Note,
    Warning,
    Grave,
    #[serde(other)]
    Unknown,
}

/// A line of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct RiskSpan {
    /// Place among the sections, from 0.
    pub section: u32,
    /// From 1.
    pub line: u32,
}

/// A part of a card. All text is plain: nothing in it is read as Markdown or HTML.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CardSection {
    Fields {
        title: String,
        fields: Vec<Fact>,
    },
    /// The lines before and after.
    Diff {
        title: String,
        lines: Vec<DiffLine>,
    },
    Table {
        title: String,
        columns: Vec<TableColumn>,
        /// As many cells in each as there are columns.
        rows: Vec<Vec<String>>,
        /// The last line; empty if there is none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sums: Vec<String>,
    },
    /// A text such as a script, with the change from the version before if there is one.
    Text {
        title: String,
        /// As in a fenced block, such as `bash`; empty for plain text.
        language: String,
        lines: Vec<DiffLine>,
    },
    Links {
        title: String,
        links: Vec<CardLink>,
    },
    /// A kind that this build does not know: it cannot be approved here.
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct TableColumn {
    pub name: String,
    /// True for numbers, which stand at the right.
    pub numeric: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct DiffLine {
    pub change: LineChange,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "snake_case")]
pub enum LineChange {
    Kept,
    Removed,
    Added,
    #[serde(other)]
    Unknown,
}

/// A link. It is shown with its address, because its text may say something else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct CardLink {
    pub text: String,
    /// A path of Jarvis such as `/guest/101`, or an `https` address.
    pub href: String,
}

impl CardRisk {
    /// The level is the gravest weight of the reasons. None without reasons.
    pub fn of(reasons: Vec<RiskReason>) -> Option<Self> {
        let level = reasons.iter().map(|reason| reason.weight).max()?;
        Some(Self { level, reasons })
    }
}

impl RiskReason {
    pub fn new(rule: &str, weight: RiskWeight, sentence: impl Into<String>) -> Self {
        Self {
            rule: rule.to_owned(),
            weight,
            sentence: sentence.into(),
            detail: None,
            span: None,
        }
    }

    #[must_use]
    pub fn meaning(self, detail: impl Into<String>) -> Self {
        Self {
            detail: Some(detail.into()),
            ..self
        }
    }
}

impl CardSection {
    /// A text as it is, without a version before.
    pub fn text(title: &str, language: &str, text: &str) -> Self {
        let line = |text: &str| DiffLine {
            change: LineChange::Kept,
            text: text.to_owned(),
        };
        Self::Text {
            title: title.to_owned(),
            language: language.to_owned(),
            lines: text.lines().map(line).collect(),
        }
    }

    /// Returns each text in it.
    pub fn texts_mut(&mut self) -> Vec<&mut String> {
        match self {
            Self::Fields { title, fields } => {
                let fields = fields.iter_mut();
                let fields = fields.flat_map(|it| [&mut it.label, &mut it.value]);
                [title].into_iter().chain(fields).collect()
            }
            Self::Diff { title, lines } => {
                let lines = lines.iter_mut().map(|line| &mut line.text);
                [title].into_iter().chain(lines).collect()
            }
            Self::Text {
                title,
                language,
                lines,
            } => {
                let lines = lines.iter_mut().map(|line| &mut line.text);
                [title, language].into_iter().chain(lines).collect()
            }
            Self::Table {
                title,
                columns,
                rows,
                sums,
            } => {
                let columns = columns.iter_mut().map(|column| &mut column.name);
                let cells = rows.iter_mut().flatten().chain(sums);
                [title].into_iter().chain(columns).chain(cells).collect()
            }
            Self::Links { title, links } => {
                let links = links.iter_mut();
                let links = links.flat_map(|link| [&mut link.text, &mut link.href]);
                [title].into_iter().chain(links).collect()
            }
            Self::Unknown => Vec::new(),
        }
    }
}
