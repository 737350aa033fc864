//! The parts of a preview that a card shows, made safe to show.

use protocol::{
    CardLink, CardSection, DiffLine, ErrorBody, ErrorCode, Fact, MAX_SECTIONS_BYTES, RiskReason,
    TableColumn,
};

use crate::{
    output::{clean_line, clean_text},
    ports::Preview,
};

/// Returns a preview whose sections and reasons are cleaned cell by cell.
///
/// # Errors
/// If its sections are longer than a card may be: nobody approves what is not shown whole. Also if a
/// row has not as many cells as its table has columns, or a link leads elsewhere than to a page of
/// Jarvis or an `https` address.
pub(crate) fn checked(preview: Preview) -> Result<Preview, ErrorBody> {
    let sections: Vec<_> = preview.sections.iter().map(clean_section).collect();
    let bytes: usize = sections
        .iter()
        .flat_map(CardSection::texts)
        .map(str::len)
        .sum();
    if bytes > MAX_SECTIONS_BYTES {
        return Err(fault(format!(
            "What this would do takes {} to show, and a card shows {} at most.",
            units::size(bytes as u64),
            units::size(MAX_SECTIONS_BYTES as u64)
        ))
        .with_help("Split it into smaller requests."));
    }
    if sections.iter().any(|section| !is_sound(section)) {
        return Err(fault(
            "The tool described its effect in a form that cannot be shown.".to_owned(),
        ));
    }
    Ok(Preview {
        risks: preview.risks.iter().map(clean_reason).collect(),
        sections,
        ..preview
    })
}

fn fault(message: String) -> ErrorBody {
    ErrorBody::new(ErrorCode::ToolInputInvalid, message)
}

fn is_sound(section: &CardSection) -> bool {
    match section {
        CardSection::Table {
            columns,
            rows,
            sums,
            ..
        } => {
            let width = columns.len();
            rows.iter().all(|row| row.len() == width) && (sums.is_empty() || sums.len() == width)
        }
        CardSection::Links { links, .. } => links.iter().all(|link| leads_somewhere(&link.href)),
        CardSection::Unknown => false,
        CardSection::Fields { .. } | CardSection::Diff { .. } | CardSection::Text { .. } => true,
    }
}

fn leads_somewhere(href: &str) -> bool {
    // `//host` and `/\\host` are addresses of other hosts.
    let own = href.starts_with('/') && !href[1..].starts_with(['/', '\\']);
    own || href.starts_with("https://")
}

fn clean_section(section: &CardSection) -> CardSection {
    match section {
        CardSection::Fields { title, fields } => CardSection::Fields {
            title: clean_line(title),
            fields: fields
                .iter()
                .map(|field| Fact {
                    label: clean_line(&field.label),
                    value: whole(&field.value),
                })
                .collect(),
        },
        CardSection::Diff { title, lines } => CardSection::Diff {
            title: clean_line(title),
            lines: clean_lines(lines),
        },
        CardSection::Text {
            title,
            language,
            lines,
        } => CardSection::Text {
            title: clean_line(title),
            language: clean_line(language),
            lines: clean_lines(lines),
        },
        CardSection::Table {
            title,
            columns,
            rows,
            sums,
        } => CardSection::Table {
            title: clean_line(title),
            columns: columns
                .iter()
                .map(|column| TableColumn {
                    name: clean_line(&column.name),
                    numeric: column.numeric,
                })
                .collect(),
            rows: rows.iter().map(|row| cells(row)).collect(),
            sums: cells(sums),
        },
        CardSection::Links { title, links } => CardSection::Links {
            title: clean_line(title),
            links: links
                .iter()
                .map(|link| CardLink {
                    text: clean_line(&link.text),
                    href: whole(&link.href),
                })
                .collect(),
        },
        CardSection::Unknown => CardSection::Unknown,
    }
}

fn cells(row: &[String]) -> Vec<String> {
    row.iter().map(|cell| whole(cell)).collect()
}

fn clean_lines(lines: &[DiffLine]) -> Vec<DiffLine> {
    lines
        .iter()
        .map(|line| DiffLine {
            change: line.change,
            text: whole(&line.text),
        })
        .collect()
}

/// One line, of any length: what is cut off could not be approved.
fn whole(text: &str) -> String {
    clean_text(text).replace('\n', "\\n")
}

fn clean_reason(reason: &RiskReason) -> RiskReason {
    RiskReason {
        rule: clean_line(&reason.rule),
        sentence: clean_line(&reason.sentence),
        detail: reason.detail.as_deref().map(clean_line),
        ..reason.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preview(sections: Vec<CardSection>) -> Preview {
        Preview {
            sections,
            ..Preview::new("Run it.", "node pve")
        }
    }

    fn message(sections: Vec<CardSection>) -> String {
        checked(preview(sections)).unwrap_err().message
    }

    #[test]
    fn hidden_text_is_shown_and_nothing_is_cut() {
        let long = format!("echo {} \u{202e}rm", "x".repeat(5_000));
        let shown = checked(preview(vec![CardSection::text("Script", "bash", &long)])).unwrap();
        let texts = shown.sections[0].texts();
        assert_eq!(texts[1], long.replace('\u{202e}', "\\u{202e}"));
        let field = CardSection::Fields {
            title: "T".to_owned(),
            fields: vec![Fact {
                label: "Name".to_owned(),
                value: "a\nApproved by admin".to_owned(),
            }],
        };
        let shown = checked(preview(vec![field])).unwrap();
        assert_eq!(shown.sections[0].texts()[2], "a\\nApproved by admin");
    }

    #[test]
    fn what_cannot_be_shown_whole_is_not_offered() {
        let text = CardSection::text("Script", "bash", &"x".repeat(MAX_SECTIONS_BYTES));
        assert_eq!(
            message(vec![text]),
            "What this would do takes 64.0 KiB to show, and a card shows 64.0 KiB at most."
        );
        let column = |name: &str| TableColumn {
            name: name.to_owned(),
            numeric: false,
        };
        let narrow = CardSection::Table {
            title: "Entries".to_owned(),
            columns: vec![column("Account"), column("Debit")],
            rows: vec![vec!["6815".to_owned()]],
            sums: Vec::new(),
        };
        for section in [narrow, link("javascript:alert(1)"), CardSection::Unknown] {
            assert!(message(vec![section]).contains("cannot be shown"));
        }
        for href in [
            "//evil.example",
            "/\\evil.example",
            "http://plain.example",
            "",
        ] {
            assert!(checked(preview(vec![link(href)])).is_err(), "{href}");
        }
        for href in ["/guest/101", "https://lists.example/1"] {
            assert!(checked(preview(vec![link(href)])).is_ok(), "{href}");
        }
    }

    fn link(href: &str) -> CardSection {
        CardSection::Links {
            title: "See".to_owned(),
            links: vec![CardLink {
                text: "Invoice".to_owned(),
                href: href.to_owned(),
            }],
        }
    }
}
