//! The headings of the list of conversations.

use protocol::{ConversationSummary, Shelf};

use crate::texts::frame as texts;

const MONTHS: [&str; 12] = [
    texts::JANUARY,
    texts::FEBRUARY,
    texts::MARCH,
    texts::APRIL,
    texts::MAY,
    texts::JUNE,
    texts::JULY,
    texts::AUGUST,
    texts::SEPTEMBER,
    texts::OCTOBER,
    texts::NOVEMBER,
    texts::DECEMBER,
];

/// An item of the list: a heading, or a conversation.
pub(super) enum DayItem {
    Head(String),
    Line(Box<ConversationSummary>),
}

/// Returns the conversations under their headings, pinned ones first. `day` gives the number of a
/// conversation's day, `today` is today's.
pub(super) fn items(
    lines: Vec<ConversationSummary>,
    today: i64,
    day: impl Fn(&ConversationSummary) -> i64,
) -> Vec<DayItem> {
    let (pinned, by_date): (Vec<_>, Vec<_>) = lines
        .into_iter()
        .partition(|line| line.shelf == Shelf::Pinned);
    let mut items = Vec::with_capacity(pinned.len() + by_date.len() + 8);
    let mut last = String::new();
    for line in pinned.into_iter().chain(by_date) {
        let head = match line.shelf {
            Shelf::Pinned => texts::PINNED.to_owned(),
            _ => name(today, day(&line)),
        };
        if head != last {
            last.clone_from(&head);
            items.push(DayItem::Head(head));
        }
        items.push(DayItem::Line(Box::new(line)));
    }
    items
}

fn name(today: i64, day: i64) -> String {
    match today - day {
        ..=0 => texts::TODAY.to_owned(),
        1 => texts::YESTERDAY.to_owned(),
        2..=7 => texts::PREVIOUS_7_DAYS.to_owned(),
        8..=30 => texts::PREVIOUS_30_DAYS.to_owned(),
        _ => {
            let (year, month, _) = units::civil::date(day);
            let month = usize::try_from(month - 1).ok();
            let month = month.and_then(|month| MONTHS.get(month)).unwrap_or(&"");
            if units::civil::date(today).0 == year {
                (*month).to_owned()
            } else {
                format!("{month} {year}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_names_months_have_theirs() {
        // 22 November 2026.
        let today = 20_779;
        for (ago, expect) in [
            (-1, "Today"),
            (0, "Today"),
            (1, "Yesterday"),
            (2, "Previous 7 days"),
            (7, "Previous 7 days"),
            (8, "Previous 30 days"),
            (30, "Previous 30 days"),
            (31, "October"),
            (325, "January"),
            (326, "December 2025"),
            (400, "October 2025"),
        ] {
            assert_eq!(name(today, today - ago), expect, "{ago} days ago");
        }
    }
}
