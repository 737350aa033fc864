//! Prints what streaming 40 kB costs, token by token: `cargo run -p markdown --example cost`.

use std::time::{Duration, Instant};

use markdown::MarkdownStream;

const SIZE: usize = 40_000;
const TOKEN: usize = 4;

#[expect(clippy::print_stdout, reason = "its only purpose")]
fn main() {
    let shapes = [
        (
            "mixed",
            "## A heading\n\nSome *text* with `code` and [a link](/x).\n\n- one\n- two\n\n",
        ),
        (
            "one list",
            "- `node` **pve** has 12 guests, 3 of them *stopped*\n",
        ),
        ("one table", "| 101 | web | running | 12 % | 4 GiB |\n"),
        ("one code block", "    println!(\"{}\", value);\n"),
        ("one paragraph", "Some *text* with `code` and more of it. "),
        ("one quote", "> Some *text* with `code` and more of it.\n"),
        (
            "one nested list",
            "  - `node` **pve** has 12 guests, 3 of them *stopped*\n",
        ),
    ];
    println!(
        "{:16} {:>10} {:>12} {:>12}",
        "40 kB of", "all", "mean refresh", "worst refresh"
    );
    for (name, unit) in shapes {
        let head = match name {
            "one table" => "| id | name | state | cpu | memory |\n|---|---|---|---|---|\n",
            "one code block" => "```rust\n",
            "one nested list" => "- all of it\n",
            _ => "",
        };
        let text: String = head
            .chars()
            .chain(unit.chars().cycle().take(SIZE))
            .collect();
        let mut stream = MarkdownStream::new();
        let (mut all, mut worst, mut count) = (Duration::ZERO, Duration::ZERO, 0);
        for token in text.as_bytes().chunks(TOKEN) {
            let token = String::from_utf8_lossy(token);
            let start = Instant::now();
            stream.push(&token);
            stream.refresh();
            let took = start.elapsed();
            all += took;
            worst = worst.max(took);
            count += 1;
        }
        let mean = all / count;
        println!("{name:16} {all:>10.1?} {mean:>12.1?} {worst:>12.1?}");
    }
}
