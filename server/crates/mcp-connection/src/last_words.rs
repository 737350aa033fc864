//! The line among a program's last ones that says why it ended.

/// Lines that are looked at, from the end.
const LOOKED_AT: usize = 40;
/// Words that lines about a failure have, in small letters.
const TELLING: [&str; 12] = [
    "error",
    "exception",
    "panic",
    "fatal",
    "fail",
    "cannot",
    "can't",
    "could not",
    "not found",
    "no such",
    "denied",
    "unable to",
];

/// The last line that names a failure. Below it are what belongs to it, which is indented, and what says less,
/// such as the version of an interpreter. Without one, the last line.
pub(crate) fn last_words(lines: &[String]) -> Option<&str> {
    let written = || {
        let lines = lines.iter().rev().map(|line| line.trim_end());
        lines.filter(|line| !line.is_empty()).take(LOOKED_AT)
    };
    let told = written().find(|line| is_telling(line));
    told.or_else(|| written().next()).map(str::trim_start)
}

fn is_telling(line: &str) -> bool {
    let line_in_small = line.to_lowercase();
    !line.starts_with([' ', '\t']) && TELLING.iter().any(|word| line_in_small.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_names_the_failure_is_told() {
        let node = "node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\n\
            Error: Cannot find module '/srv/none.js'\n    at Module._load (node:internal/errors:1)\n  \
            code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n\nNode.js v20.20.2\n";
        let python = "Traceback (most recent call last):\n  File \"x.py\", line 1\n\
            ModuleNotFoundError: No module named 'mcp'\n";
        for (written, told) in [
            (node, Some("Error: Cannot find module '/srv/none.js'")),
            (python, Some("ModuleNotFoundError: No module named 'mcp'")),
            (
                "bwrap: execvp /none: No such file or directory\n",
                Some("bwrap: execvp /none: No such file or directory"),
            ),
            // Nothing names one.
            (
                "starting\n  usage: server PATH\n\n",
                Some("usage: server PATH"),
            ),
            ("\n \n", None),
            ("", None),
        ] {
            let lines: Vec<_> = written.lines().map(str::to_owned).collect();
            assert_eq!(last_words(&lines), told, "{written}");
        }
        // What was long ago is not why.
        let mut lines = vec!["error: of long ago".to_owned()];
        lines.extend((0..LOOKED_AT).map(|n| format!("step {n}")));
        assert_eq!(last_words(&lines), Some("step 39"));
    }
}
