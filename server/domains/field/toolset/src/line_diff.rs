//! The lines of a script that changed since another one.

use protocol::{DiffLine, LineChange};

/// Cells of the table of common lines; larger scripts are shown as a whole before and after.
const MOST_CELLS: usize = 1 << 20;

/// Changes of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LineDiff {
    pub(crate) lines: Vec<DiffLine>,
    /// For each line of the text, its place among the lines, from 1.
    pub(crate) places: Vec<u32>,
}

impl LineDiff {
    /// A text as it is, if there is none before.
    pub(crate) fn of(before: Option<&str>, after: &str) -> Self {
        let after: Vec<_> = after.lines().collect();
        let changes = match before {
            None => after.iter().map(|line| (LineChange::Kept, *line)).collect(),
            Some(before) => changes(&before.lines().collect::<Vec<_>>(), &after),
        };
        let mut diff = Self {
            lines: Vec::with_capacity(changes.len()),
            places: Vec::with_capacity(after.len()),
        };
        for (change, text) in changes {
            diff.lines.push(DiffLine {
                change,
                text: text.to_owned(),
            });
            if change != LineChange::Removed {
                let place = u32::try_from(diff.lines.len()).unwrap_or(u32::MAX);
                diff.places.push(place);
            }
        }
        diff
    }

    /// The place of a line of the text, from 1.
    pub(crate) fn place(&self, line: u32) -> Option<u32> {
        let at = usize::try_from(line).ok()?.checked_sub(1)?;
        self.places.get(at).copied()
    }
}

fn changes<'a>(before: &[&'a str], after: &[&'a str]) -> Vec<(LineChange, &'a str)> {
    let width = after.len() + 1;
    if (before.len() + 1).saturating_mul(width) > MOST_CELLS {
        let removed = before.iter().map(|line| (LineChange::Removed, *line));
        let added = after.iter().map(|line| (LineChange::Added, *line));
        return removed.chain(added).collect();
    }
    // Length of the longest list of common lines behind each pair of places.
    let mut common = vec![0_u32; (before.len() + 1) * width];
    for row in (0..before.len()).rev() {
        for column in (0..after.len()).rev() {
            common[row * width + column] = if before[row] == after[column] {
                common[(row + 1) * width + column + 1] + 1
            } else {
                common[(row + 1) * width + column].max(common[row * width + column + 1])
            };
        }
    }
    let (mut row, mut column) = (0, 0);
    let mut found = Vec::with_capacity(before.len() + after.len());
    while row < before.len() && column < after.len() {
        if before[row] == after[column] {
            found.push((LineChange::Kept, after[column]));
            (row, column) = (row + 1, column + 1);
        } else if common[(row + 1) * width + column] >= common[row * width + column + 1] {
            found.push((LineChange::Removed, before[row]));
            row += 1;
        } else {
            found.push((LineChange::Added, after[column]));
            column += 1;
        }
    }
    found.extend(
        before[row..]
            .iter()
            .map(|line| (LineChange::Removed, *line)),
    );
    found.extend(
        after[column..]
            .iter()
            .map(|line| (LineChange::Added, *line)),
    );
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_places() {
        let diff = LineDiff::of(Some("a\nb\nc\nd"), "a\nc\nx\nd\ny");
        let shown: Vec<_> = diff
            .lines
            .iter()
            .map(|line| {
                let sign = match line.change {
                    LineChange::Kept => ' ',
                    LineChange::Removed => '-',
                    LineChange::Added => '+',
                    LineChange::Unknown => '?',
                };
                format!("{sign}{}", line.text)
            })
            .collect();
        assert_eq!(shown, [" a", "-b", " c", "+x", " d", "+y"]);
        let places = (1..=6).map(|line| diff.place(line)).collect::<Vec<_>>();
        assert_eq!(places, [Some(1), Some(3), Some(4), Some(5), Some(6), None]);
        let alone = LineDiff::of(None, "a\nb");
        assert!(
            alone
                .lines
                .iter()
                .all(|line| line.change == LineChange::Kept)
        );
        let long = "x\n".repeat(2_000);
        assert_eq!(LineDiff::of(Some(&long), &long).lines.len(), 4_000);
    }
}
