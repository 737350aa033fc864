//! Where a domain may be named, and which modules of a crate may know each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::tree::{is_test, read_shipped, root, rust_files};

/// Words of the domains, beside their names. Some words of a domain are the engine's or the page's as well,
/// and are left out: any domain may have devices with a door of their own and hide values from the model
/// (redaction), a browser runs in a sandbox, and a site has a manifest.
const WORDS: [&str; 35] = [
    "hud",
    "proxmox",
    "guest",
    "vmid",
    "cluster",
    "backup",
    "upid",
    "lxc",
    "qemu",
    "quorum",
    "chart",
    "candle",
    "timeframe",
    "symbol",
    "indicator",
    "trendline",
    "erpnext",
    "frappe",
    "erp",
    "voucher",
    "supplier",
    "warehouse",
    "customer",
    "simfleet",
    "nordlicht",
    "bundle",
    "enrol",
    "enrolled",
    "enrolment",
    "fleet",
    "lease",
    "probe",
    "pseudonym",
    "runner",
    "vault",
];

/// Names of domains that any code has as a word: forms and types have fields.
const EVERYDAY: [&str; 1] = ["field"];

/// Code in which such a name means the domain all the same: addresses, modules and crates.
const EVERYDAY_MARKS: [&str; 4] = ["\"/field", "/field/", "domains::field", "field_wire"];

/// Folders of code that belongs to no domain, and the words that count there besides: in a page, a
/// node is one of the document.
const SHARED: [(&str, &[&str]); 19] = [
    ("app/src", &[]),
    ("app/kit/src", &[]),
    ("app/crates", &["node"]),
    ("frontend/src", &[]),
    ("server/src", &[]),
    ("server/crates/agent/src", &[]),
    ("server/crates/agui/src", &[]),
    ("server/crates/bench/src", &[]),
    ("server/crates/mcp/src", &[]),
    ("server/crates/mcp-client/src", &[]),
    ("server/crates/mcp-connection/src", &[]),
    ("server/crates/model/src", &[]),
    ("server/crates/otlp/src", &[]),
    ("server/crates/pinned-trust/src", &[]),
    ("server/crates/sign-in/src", &[]),
    ("server/crates/store/src", &[]),
    ("server/crates/testkit/src", &[]),
    ("server/crates/webhooks/src", &[]),
    (
        "server/crates/rehearsal/src",
        &[
            "node",
            "vm",
            "storage",
            "quorate",
            "ssh",
            "cot",
            "fibonacci",
            "pip",
        ],
    ),
];

/// Files and modules in them that say one of the words all the same, and why. This list may only become
/// shorter.
const NAMED: [(&str, &str); 1] = [(
    "server/crates/store/src/migrations.rs",
    "a table that was made before domains had migrations of their own",
)];

/// The engine and the page: programs come in by ways of their own, and neither knows which.
const INTERFACE_FREE: [&str; 7] = [
    "app/src",
    "app/kit/src",
    "app/crates",
    "app/domains",
    "server/crates/agent/src",
    "server/crates/model/src",
    "server/crates/store/src",
];

/// Files there that name an interface of programs all the same, and why.
const INTERFACES_NAMED: [(&str, &str); 8] = [
    ("app/src/palette/entries.rs", ITS_PAGE),
    ("app/src/plain_pages/settings.rs", ITS_PAGE),
    ("app/src/plain_pages/settings/mcp_servers.rs", ITS_PAGE),
    ("app/src/plain_pages/settings/mcp_state.rs", ITS_PAGE),
    ("app/src/plain_pages/settings/mcp_test.rs", ITS_PAGE),
    ("app/src/plain_pages/texts/settings.rs", ITS_PAGE),
    ("app/src/texts/palette.rs", ITS_PAGE),
    (
        "server/crates/model/src/accumulate/block.rs",
        "a kind of content block of the Messages API, which is read past",
    ),
];
const ITS_PAGE: &str = "the settings page where an admin looks at MCP servers, and the way there";

/// Top modules that know each other in a circle, by crate. These lists may only become shorter.
const LOOPS: [(&str, &str); 1] = [(
    "server/crates/agent/src",
    "conversation_entry driver notices shared storage_outage",
)];

#[test]
fn a_domain_is_named_in_its_folders_only() {
    let mut forbidden: BTreeSet<_> = WORDS.map(str::to_owned).into();
    forbidden.extend(names());
    let named: BTreeSet<_> = SHARED
        .iter()
        .flat_map(|(folder, more)| rust_files(folder).into_iter().map(move |file| (file, more)))
        .filter(|(file, _)| !file.contains("/src/domains") && !is_test(file))
        .filter(|(file, more)| {
            let code = code(file);
            let words = words(&code);
            !words.is_disjoint(&forbidden)
                || more.iter().any(|word| words.contains(*word))
                || EVERYDAY_MARKS.iter().any(|mark| code.contains(*mark))
        })
        .map(|(file, _)| listed(file))
        .collect();
    assert_eq!(named, NAMED.map(|(file, _)| file.to_owned()).into());
}

#[test]
fn the_engine_names_no_interface_of_programs() {
    for (text, expect) in [
        ("McpServer::start()", true),
        ("MCPTool", true),
        (r#""by the mcp_tool""#, true),
        ("encode_ag_ui(&event)", true),
        ("AgUi", true),
        (r#""/agui""#, true),
        ("OtlpSpan", true),
        ("memcpy(flag, uid)", false),
    ] {
        assert_eq!(names_interface(text), expect, "{text}");
    }
    let mut named = Vec::new();
    for folder in INTERFACE_FREE {
        let mut files = rust_files(folder);
        assert!(!files.is_empty(), "{folder}");
        files.retain(|file| !is_test(file) && names_interface(&code(file)));
        named.append(&mut files);
    }
    assert_eq!(named, INTERFACES_NAMED.map(|(file, _)| file.to_owned()));
}

/// True if code has AG-UI, MCP or OTLP in a name or a text.
fn names_interface(code: &str) -> bool {
    let text = code.to_ascii_lowercase();
    let is_named = |word: &String| word == "agui" || word == "otlp" || word.starts_with("mcp");
    words(code).iter().any(is_named)
        || ["agui", "ag-ui", "ag_ui"]
            .iter()
            .any(|name| text.contains(name))
}

#[test]
fn the_style_of_a_domain_is_in_its_folder() {
    let mut forbidden: BTreeSet<_> = WORDS.map(str::to_owned).into();
    forbidden.extend(names());
    let files = fs::read_dir(root().join("style")).expect("the style");
    let files = files.map(|entry| entry.expect("an entry").path());
    let named: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|end| end == "css"))
        .filter(|file| !file.ends_with("main.css"))
        .filter(|file| {
            let text = fs::read_to_string(file).expect("a style sheet");
            !words(&text).is_disjoint(&forbidden)
        })
        .collect();
    assert!(named.is_empty(), "they name a domain: {named:?}");
}

/// The entry of the list that a file belongs to, else the file itself.
fn listed(file: String) -> String {
    let mut modules = NAMED.iter().map(|(name, _)| *name);
    let belongs = |name: &&str| {
        let rest = file.strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with(['/', '.']))
    };
    modules.find(belongs).map_or(file.clone(), str::to_owned)
}

#[test]
fn a_panel_knows_the_wire_types_of_its_own_domain_only() {
    let wires = wires();
    assert!(!wires.is_empty(), "the wire crates were not found");
    for domain in wires {
        let (own, wire) = (
            format!("app/src/domains/{domain}"),
            format!("{domain}_wire"),
        );
        let strangers: Vec<_> = rust_files("app/src")
            .into_iter()
            .filter(|file| code(file).contains(&wire))
            .filter(|file| {
                let rest = file.strip_prefix(&own);
                !rest.is_some_and(|rest| rest.starts_with(['/', '.']))
            })
            .collect();
        assert!(
            strangers.is_empty(),
            "not of {domain}, and know {wire}: {strangers:?}"
        );
    }
}

#[test]
fn the_table_is_handed_in() {
    let known: Vec<_> = rust_files("app/src")
        .into_iter()
        .filter(|file| !file.starts_with("app/src/domains"))
        .filter(|file| !file.ends_with("tests.rs"))
        .filter(|file| known_modules(&code(file)).contains("domains"))
        .collect();
    assert_eq!(known, ["app/src/app.rs"]);
}

#[test]
fn modules_know_each_other_in_no_circle() {
    let mut crates: BTreeSet<String> = [
        "app/src",
        "app/kit/src",
        "server/src",
        "frontend/src",
        "xtask/src",
    ]
    .map(str::to_owned)
    .into();
    for folder in ["app/crates", "server/crates"] {
        let found = fs::read_dir(root().join(folder)).expect("a folder of crates");
        crates.extend(found.map(|entry| {
            let name = entry.expect("an entry").file_name();
            format!("{folder}/{}/src", name.display())
        }));
    }
    for folder in ["app/domains", "server/domains"] {
        crates.extend(rust_files(folder).iter().filter_map(|file| {
            let (name, _) = file.split_once("/src/")?;
            Some(format!("{name}/src"))
        }));
    }
    let found: Vec<_> = crates
        .iter()
        .map(|name| (name.as_str(), in_circles(name)))
        .filter(|(_, modules)| !modules.is_empty())
        .collect();
    let allowed = LOOPS.map(|(name, modules)| {
        let modules = modules.split(' ').map(str::to_owned);
        (name, modules.collect::<Vec<_>>())
    });
    assert_eq!(found, allowed);
}

/// The modules of the agent that decide: what the conversation is, what may run, what is recorded.
const DECIDING: [&str; 8] = [
    "decide",
    "digest",
    "gate",
    "input_edit",
    "machine",
    "policy",
    "rights",
    "taint",
];

#[test]
fn decisions_wait_for_nothing_and_are_made_in_one_place() {
    let source = "server/crates/agent/src";
    let files: Vec<_> = rust_files(source)
        .into_iter()
        .map(|file| (code(&file), file))
        .collect();
    let top = |file: &str| {
        let inner = file.trim_start_matches(source).trim_start_matches('/');
        word(inner)
    };
    let deciding = |file: &str| DECIDING.contains(&&*top(file));
    for name in DECIDING {
        assert!(files.iter().any(|(_, file)| top(file) == name), "{name}");
    }
    for (code, file) in files.iter().filter(|(_, file)| deciding(file)) {
        for word in [
            "async",
            ".await",
            "tokio",
            "Instant",
            "SystemTime",
            "random(",
            "std::fs",
            "dyn Env",
        ] {
            assert!(!code.contains(word), "{file} has {word}");
        }
        let known = known_modules(code);
        for module in [
            "admission",
            "conversation_entry",
            "driver",
            "engine",
            "hub",
            "shared",
            "stages",
        ] {
            assert!(!known.contains(module), "{file} knows {module}");
        }
    }
    let asks_the_gate: Vec<_> = files
        .iter()
        .filter(|(code, _)| code.contains("gate::decide("))
        .map(|(_, file)| file.as_str())
        .collect();
    // The replay asks what another policy would have decided, and runs nothing.
    let expected = ["decide/judgement.rs", "replay.rs"].map(|file| format!("{source}/{file}"));
    assert_eq!(asks_the_gate, expected);
}

/// The engine says what a sign-in sees of events; the server neither reads them past it nor says so itself.
#[test]
fn events_leave_the_journal_through_a_sight() {
    let files = rust_files("server/src");
    assert!(!files.is_empty());
    for file in files.iter().filter(|file| !is_test(file)) {
        let code = code(file);
        for way in [".events_after(", ".records(", "Sight::Values"] {
            assert!(!code.contains(way), "{file} has {way}");
        }
    }
}

/// Top modules of a crate from which `use` leads back to them.
fn in_circles(source: &str) -> Vec<String> {
    let mut knows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in rust_files(source) {
        let inner = file.strip_prefix(source).expect("a file of the crate");
        let top = inner.trim_start_matches('/').split(['/', '.']).next();
        let top = top.expect("a module").to_owned();
        if top != "lib" && top != "main" && !file.ends_with("tests.rs") {
            let known = known_modules(&code(&file));
            knows.entry(top).or_default().extend(known);
        }
    }
    let reached = |from: &str| {
        let mut seen = BTreeSet::new();
        let mut next = vec![from];
        while let Some(module) = next.pop() {
            for known in knows.get(module).into_iter().flatten() {
                if known != module && seen.insert(known.as_str()) {
                    next.push(known);
                }
            }
        }
        seen.contains(from)
    };
    knows.keys().filter(|top| reached(top)).cloned().collect()
}

/// The top modules of its own crate that a file names, behind `crate::` or in `crate::{…}`.
fn known_modules(code: &str) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    for (_, rest) in code
        .match_indices("crate::")
        .map(|(at, mark)| (at, &code[at + mark.len()..]))
    {
        let Some(list) = rest.strip_prefix('{') else {
            known.insert(word(rest));
            continue;
        };
        let mut depth = 0;
        let mut begins = true;
        for (at, sign) in list.char_indices() {
            match sign {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => begins = true,
                _ if begins && !sign.is_whitespace() => {
                    known.insert(word(&list[at..]));
                    begins = false;
                }
                _ => {}
            }
        }
    }
    known
}

fn word(text: &str) -> String {
    let signs = text.chars();
    signs
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

/// The words of code, in lower case and the singular; `GuestParts` are two.
fn words(code: &str) -> BTreeSet<String> {
    let mut apart = String::with_capacity(code.len());
    let mut last = ' ';
    for sign in code.chars() {
        if sign.is_ascii_uppercase() && last.is_ascii_lowercase() {
            apart.push(' ');
        }
        apart.push(sign.to_ascii_lowercase());
        last = sign;
    }
    let words = apart.split(|c: char| !c.is_ascii_alphabetic());
    words
        .map(|word| word.strip_suffix('s').unwrap_or(word).to_owned())
        .collect()
}

/// The telling names of all domains, in the singular: each has a module in the table of a half.
fn names() -> BTreeSet<String> {
    let names = ["app/src/domains", "server/src/domains"].into_iter();
    let names = names.flat_map(modules);
    let names = names.map(|name| name.strip_suffix('s').unwrap_or(&name).to_owned());
    let is_telling = |name: &String| !EVERYDAY.contains(&name.as_str());
    names.filter(is_telling).collect()
}

/// The modules of a table of domains.
pub(crate) fn modules(folder: &str) -> BTreeSet<String> {
    let found = fs::read_dir(root().join(folder)).expect("a folder of domains");
    let names = found.map(|entry| {
        let name = entry.expect("an entry").file_name().display().to_string();
        name.trim_end_matches(".rs").to_owned()
    });
    names.collect()
}

/// The domains that have a crate of wire types.
fn wires() -> Vec<String> {
    let found = fs::read_dir(root().join("app/domains")).expect("a folder of domains");
    let mut domains: Vec<_> = found
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.path().join("wire/Cargo.toml").exists())
        .map(|entry| entry.file_name().display().to_string())
        .collect();
    domains.sort();
    domains
}

/// A file without its comments and its tests.
pub(crate) fn code(file: &str) -> String {
    let text = read_shipped(file);
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}
