//! Prints precision and recall of each class over the table of cases.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a program for a terminal"
)]

#[path = "../tests/it/table.rs"]
mod table;

use field_redaction::Class;

fn main() {
    let cases = table::cases();
    println!("{} cases", cases.len());
    println!(
        "{:10} {:>8} {:>6} {:>6} {:>10} {:>7}",
        "class", "expected", "extra", "missed", "precision", "recall"
    );
    let mut differences = Vec::new();
    for case in &cases {
        differences.push((case, case.differences()));
    }
    for class in Class::ALL {
        let count =
            |values: &[(Class, String)]| values.iter().filter(|(of, _)| *of == class).count();
        let expected: usize = cases.iter().map(|case| count(&case.expected)).sum();
        let extra: usize = differences.iter().map(|(_, (extra, _))| count(extra)).sum();
        let missed: usize = differences
            .iter()
            .map(|(_, (_, missed))| count(missed))
            .sum();
        if expected + extra == 0 {
            continue;
        }
        let found = expected - missed;
        let share = |part: usize, whole: usize| {
            format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
        };
        println!(
            "{:10} {expected:>8} {extra:>6} {missed:>6} {:>10} {:>7}",
            class.name(),
            share(found, found + extra),
            share(found, expected)
        );
    }
    for (case, (extra, missed)) in differences {
        if !extra.is_empty() || !missed.is_empty() {
            println!(
                "{}: {:?}: extra {extra:?}, missed {missed:?}",
                case.file, case.text
            );
        }
    }
}
