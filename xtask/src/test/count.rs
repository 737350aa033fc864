//! Reads the totals of cargo-nextest, and of cargo's own runner.

use crate::report::ReportCounts;

/// Sums the closing lines in a text, which may be coloured. If nextest has a closing line, lines of
/// cargo's runner are the output of single tests.
pub(super) fn read(text: &str) -> ReportCounts {
    let text = plain(text);
    let closing = |start: &str| {
        text.lines()
            .map(str::trim)
            .filter(|line| line.starts_with(start))
            .fold(None, add)
    };
    closing("Summary [")
        .or_else(|| closing("test result:"))
        .unwrap_or_default()
}

fn add(sum: Option<ReportCounts>, line: &str) -> Option<ReportCounts> {
    let sum = sum.unwrap_or_default();
    Some(ReportCounts {
        passed: sum.passed + before(line, "passed"),
        // nextest counts a test that timed out separately from one that failed.
        failed: sum.failed + before(line, "failed") + before(line, "timed out"),
    })
}

/// Returns the number before a word: `12` in `12 passed`.
fn before(line: &str, word: &str) -> usize {
    line.find(&format!(" {word}"))
        .and_then(|end| line.get(..end)?.rsplit(' ').next()?.parse().ok())
        .unwrap_or(0)
}

/// Removes the colours.
fn plain(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + part.split_once('m').map_or(part, |(_, rest)| rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, passed: usize, failed: usize) {
        assert_eq!(read(text), ReportCounts { passed, failed }, "{text}");
    }

    #[test]
    fn totals() {
        check("", 0, 0);
        check(
            "     Summary [   1.204s] 20 tests run: 20 passed, 3 skipped\n",
            20,
            0,
        );
        check(
            "\u{1b}[32;1m Summary\u{1b}[0m [ 0.1s] \u{1b}[1m3\u{1b}[0m tests run: \u{1b}[1m2\u{1b}[0m passed, \u{1b}[1m1\u{1b}[0m failed, 0 skipped",
            2,
            1,
        );
        check(
            "Summary [ 9s] 5 tests run: 2 passed (1 slow), 1 failed, 2 timed out, 0 skipped",
            2,
            3,
        );
        check(
            "test result: FAILED. 0 passed; 1 failed\nSummary [ 1s] 1 tests run: 0 passed, 1 failed",
            0,
            1,
        );
        check(
            "test result: ok. 4 passed; 0 failed; 1 ignored; finished in 0.2s\n\
             test result: FAILED. 1 passed; 2 failed; 0 ignored\n",
            5,
            2,
        );
    }
}
