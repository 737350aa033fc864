//! Snapshots of what a card shows beside its sentence.

use super::{confirmations::confirmation, golden};
use crate::{
    CardLink, CardRisk, CardSection, Confirmation, DiffLine, Fact, LineChange, RiskReason,
    RiskSpan, RiskWeight, TableColumn,
};

fn line(change: LineChange, text: &str) -> DiffLine {
    DiffLine {
        change,
        text: text.to_owned(),
    }
}

fn diff() -> CardSection {
    CardSection::Diff {
        title: "Configuration".to_owned(),
        lines: vec![
            line(LineChange::Kept, "cores: 4"),
            line(LineChange::Removed, "memory: 16384"),
            line(LineChange::Added, "memory: 24576"),
        ],
    }
}

fn table() -> CardSection {
    let column = |name: &str, numeric| TableColumn {
        name: name.to_owned(),
        numeric,
    };
    CardSection::Table {
        title: "Entries".to_owned(),
        columns: vec![column("Account", false), column("Debit", true)],
        rows: vec![vec!["6815".to_owned(), "412.00".to_owned()]],
        sums: vec!["Sum, EUR".to_owned(), "412.00".to_owned()],
    }
}

golden!(section: CardSection {
    CardSection::Fields { .. } => "fields": CardSection::Fields {
        title: "New values".to_owned(),
        fields: vec![Fact { label: "Due".to_owned(), value: "7 Dec".to_owned() }],
    },
    CardSection::Diff { .. } => "diff": diff(),
    CardSection::Table { .. } => "table": table(),
    CardSection::Text { .. } => "text": CardSection::text("Script", "bash", "set -e\nreboot"),
    CardSection::Links { .. } => "links": CardSection::Links {
        title: "See".to_owned(),
        links: vec![CardLink { text: "truenas".to_owned(), href: "/guest/110".to_owned() }],
    },
    CardSection::Unknown => "unknown": CardSection::Unknown,
});

#[test]
fn what_is_at_stake() {
    let reason = RiskReason::new(
        "script_deletes",
        RiskWeight::Grave,
        "Line 2 deletes recursively",
    );
    let reason = RiskReason {
        span: Some(RiskSpan {
            section: 0,
            line: 2,
        }),
        ..reason.meaning("CACHE is not set in this script.")
    };
    let good = RiskReason::new("backup_there", RiskWeight::Good, "Backup is 6 h old");
    let whole = Confirmation {
        risk: CardRisk::of(vec![good, reason]),
        sections: vec![
            CardSection::text("Script", "bash", "set -e\nrm -rf $CACHE"),
            diff(),
        ],
        said: vec!["node".to_owned(), "vmid".to_owned()],
        ..confirmation()
    };
    assert_eq!(whole.risk.as_ref().unwrap().level, RiskWeight::Grave);
    super::check("confirmation_with_sections", &whole);
}
