//! Progress of a running task, read from its log.

/// The state of a running task according to its log so far.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct TaskProgress {
    /// Lines read.
    pub lines: usize,
    pub percent: Option<u32>,
    /// The newest line that is not blank.
    pub line: Option<String>,
}

/// Limit for a line: it is a hint, not the log.
const MAX_CHARS: usize = 160;

impl TaskProgress {
    pub(super) fn read(&mut self, lines: &[String]) {
        self.lines += lines.len();
        for line in lines {
            self.percent = percent(line).or(self.percent);
        }
        let newest = lines.iter().rev().map(|line| line.trim());
        if let Some(line) = newest.into_iter().find(|line| !line.is_empty()) {
            self.line = Some(line.chars().take(MAX_CHARS).collect());
        }
    }
}

/// The first number before a percent sign, such as 45 in `INFO:  45% (4.5 GiB of 10.0 GiB) in 12s`
/// and in `transferred 4.5 GiB of 10.0 GiB (45.00%)`.
fn percent(line: &str) -> Option<u32> {
    let (before, _) = line.split_once('%')?;
    let from = before
        .rfind(|c: char| !(c.is_ascii_digit() || c == '.'))
        .map_or(0, |at| {
            at + before[at..].chars().next().map_or(1, char::len_utf8)
        });
    let number: f64 = before[from..].parse().ok()?;
    (0.0..=100.0).contains(&number).then_some(number as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_in_logs() {
        for (line, expect) in [
            (
                "INFO:  45% (4.5 GiB of 10.0 GiB) in 12s, read: 1 GiB/s",
                Some(45),
            ),
            ("transferred 4.5 GiB of 10.0 GiB (45.99%)", Some(45)),
            ("INFO: 100% done", Some(100)),
            ("7%", Some(7)),
            ("über%", None),
            ("load 250%", None),
            ("nothing of it", None),
            ("1.2.3%", None),
        ] {
            assert_eq!(percent(line), expect, "{line}");
        }
    }

    #[test]
    fn a_log_is_read_once() {
        let mut progress = TaskProgress::default();
        let lines = |lines: &[&str]| {
            lines
                .iter()
                .map(|line| (*line).to_owned())
                .collect::<Vec<_>>()
        };
        progress.read(&lines(&["begin", "INFO: 10% done", " "]));
        progress.read(&lines(&["no number here"]));
        progress.read(&[]);
        let expect = TaskProgress {
            lines: 4,
            percent: Some(10),
            line: Some("no number here".to_owned()),
        };
        assert_eq!(progress, expect);
    }
}
