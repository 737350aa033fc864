//! The tables of domains in the code: what a domain adds to them.

use crate::domains::{code, modules};

/// Its module and its row, apart from an attribute above one of them.
#[test]
fn a_domain_is_two_lines_in_each_table() {
    for table in ["app/src/domains", "server/src/domains"] {
        let code = code(&format!("{table}.rs"));
        for name in modules(table) {
            let is_named = |line: &&str| {
                let is_attribute = line.starts_with("#[") && line.ends_with(']');
                let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
                !is_attribute && words.any(|word| word == name)
            };
            let lines: Vec<_> = code.lines().map(str::trim).filter(is_named).collect();
            assert_eq!(lines.len(), 2, "{table}.rs: {lines:?}");
            assert!(lines[0].ends_with(&format!("mod {name};")), "{lines:?}");
        }
    }
}

/// The benchmarks start the server as a process and cannot read its table, so this does.
#[test]
fn a_measured_domain_is_one_of_the_server_and_has_a_line() {
    let measured = modules("server/crates/bench/src/domains");
    let domains = modules("server/src/domains");
    assert!(
        !measured.is_empty() && measured.is_subset(&domains),
        "{measured:?} of {domains:?}"
    );
    let table = code("server/crates/bench/src/domains.rs");
    for name in measured {
        let line = format!("MeasuredDomain::of::<{name}::");
        assert_eq!(table.matches(line.as_str()).count(), 1, "{name}");
    }
}
