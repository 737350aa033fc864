//! Columns and sizes in the formats of the programs.

/// Alignment of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnSide {
    Left,
    Right,
}

/// Aligns rows, each column as wide as its widest cell. The last column is never padded.
pub(super) fn columns(rows: &[Vec<String>], sides: &[ColumnSide], gap: usize) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..sides.len()).map(width).collect();
    let mut text = String::new();
    for row in rows {
        for (column, cell) in row.iter().enumerate() {
            if column > 0 {
                text.extend(std::iter::repeat_n(' ', gap));
            }
            let width = widths.get(column).copied().unwrap_or(0);
            match sides.get(column) {
                Some(ColumnSide::Right) => text.push_str(&format!("{cell:>width$}")),
                _ if column + 1 == row.len() => text.push_str(cell),
                _ => text.push_str(&format!("{cell:<width$}")),
            }
        }
        text.push('\n');
    }
    text
}

/// A row of cells.
pub(super) fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

/// The format of `df -h` and `free -h`: `3.1G`.
pub(super) fn human(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["", "K", "M", "G"] {
        if value < 1024.0 {
            return if value < 10.0 && !unit.is_empty() {
                format!("{value:.1}{unit}")
            } else {
                format!("{value:.0}{unit}")
            };
        }
        value /= 1024.0;
    }
    format!("{value:.1}T")
}

/// The format of ZFS: `61.0G`, with three digits.
pub(super) fn zfs(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes}B");
    }
    let mut value = bytes as f64;
    let mut units = ["B", "K", "M", "G", "T"].into_iter();
    let mut unit = units.next();
    while value >= 1024.0 && units.len() > 0 {
        value /= 1024.0;
        unit = units.next();
    }
    let unit = unit.unwrap_or_default();
    match value {
        value if value < 10.0 => format!("{value:.2}{unit}"),
        value if value < 100.0 => format!("{value:.1}{unit}"),
        value => format!("{value:.0}{unit}"),
    }
}

/// The format of `ps` for elapsed time: `7-03:14:09`.
pub(super) fn elapsed(seconds: f64) -> String {
    let seconds = seconds.max(0.0) as u64;
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    let seconds = seconds % 60;
    match (days, hours) {
        (0, 0) => format!("{minutes:02}:{seconds:02}"),
        (0, hours) => format!("{hours:02}:{minutes:02}:{seconds:02}"),
        (days, hours) => format!("{days}-{hours:02}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inventory::{GIB, MIB};

    #[test]
    fn sizes_are_those_of_the_programs() {
        for (bytes, expect) in [
            (0, ["0", "0B"]),
            (96 * 1024, ["96K", "96.0K"]),
            (MIB, ["1.0M", "1.00M"]),
            (94 * GIB, ["94G", "94.0G"]),
            (500_107_862_016, ["466G", "466G"]),
            (14_900 * GIB, ["14.6T", "14.6T"]),
        ] {
            assert_eq!([human(bytes), zfs(bytes)], expect, "{bytes}");
        }
        assert_eq!(elapsed(9_737_400.0), "112-16:50:00");
        assert_eq!(elapsed(61.0), "01:01");
    }
}
