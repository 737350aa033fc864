//! Prints precision and recall of each class over the table of cases.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a program for a terminal"
)]

#[path = "../tests/it/table.rs"]
mod table;

fn main() {
    let cases = table::cases();
    println!("{} cases", cases.len());
    for class in table::ClassQuality::of(&cases) {
        println!("{class}");
    }
    let differences = cases.iter().map(|case| (case, case.differences()));
    for (case, (extra, missed)) in differences {
        if !extra.is_empty() || !missed.is_empty() {
            println!(
                "{}: {:?}: extra {extra:?}, missed {missed:?}",
                case.file, case.text
            );
        }
    }
}
