//! The table of cases.

use field_redaction::Class;

use crate::table::{CaseValues, cases};

/// Cases that the table has at least.
const LEAST: usize = 300;

#[test]
fn each_line_of_the_table_is_found_and_nothing_else() {
    let cases = cases();
    assert!(cases.len() >= LEAST, "{} cases", cases.len());
    print_quality();
    let wrong: Vec<_> = cases
        .iter()
        .filter_map(|case| {
            let (extra, missing) = case.differences();
            let is_right = extra.is_empty() && missing.is_empty();
            (!is_right).then(|| {
                format!(
                    "{}: {:?}: extra {extra:?}, missing {missing:?}",
                    case.file, case.text
                )
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
}

/// Precision and recall of each class; `--no-capture` shows them when all is right.
fn print_quality() {
    let cases = cases();
    let all: Vec<_> = cases.iter().map(|case| case.differences()).collect();
    let count =
        |values: &CaseValues, class: Class| values.iter().filter(|(of, _)| *of == class).count();
    for class in Class::ALL {
        let expected: usize = cases.iter().map(|case| count(&case.expected, class)).sum();
        let extra: usize = all.iter().map(|(extra, _)| count(extra, class)).sum();
        let missed: usize = all.iter().map(|(_, missed)| count(missed, class)).sum();
        let found = expected - missed;
        eprintln!(
            "{}: precision {found}/{}, recall {found}/{expected}",
            class.name(),
            found + extra
        );
    }
}

/// Everything that is found is covered, comes back, and is covered only once.
#[test]
fn each_line_of_the_table_is_covered() {
    for case in cases() {
        let mut vault = crate::vault();
        let covered = vault.cover(&case.text);
        for (class, value) in &case.expected {
            assert!(
                !covered.text.contains(value.as_str()),
                "{}: {value} of {class:?} is in {:?}",
                case.file,
                covered.text
            );
        }
        assert_eq!(vault.leaks(covered.text.as_bytes()), None, "{}", case.text);
        let again = vault.cover_again(&covered.text);
        assert_eq!(again.text, covered.text, "{}: {:?}", case.file, case.text);
        assert!(vault.restore(&covered.text).is_ok(), "{}", case.text);
    }
}
