//! Dependencies allowed between crates: the layout's rules over `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, PackageId};

/// The crates that a domain may have in `server/domains/NAME`.
const DOMAIN_PARTS: [&str; 13] = [
    "dispatch",
    "machine",
    "package",
    "queue",
    "redaction",
    "routine",
    "runner",
    "simerp",
    "simfleet",
    "simlab",
    "tables",
    "testkit",
    "toolset",
];

/// Those of them that are pure: the toolset of their domain uses them, and they know nothing of ours.
const PURE_PARTS: [&str; 3] = ["package", "queue", "redaction"];

/// Those of them that stand in for a real system.
const SIMULATORS: [&str; 3] = ["simerp", "simfleet", "simlab"];

pub(crate) static METADATA: LazyLock<Metadata> = LazyLock::new(|| {
    MetadataCommand::new()
        .manifest_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .exec()
        .expect("cargo metadata")
});

#[test]
fn protocol_depends_on_its_macro_only() {
    allows("protocol", &Kinds::ALL, ["from-json"]);
    known_only_by("from-json", BTreeSet::from(["protocol"]));
    allows("from-json", &Kinds::ALL, []);
    allows("units", &Kinds::ALL, []);
}

#[test]
fn pure_crates_do_no_io() {
    for name in below("app/crates").into_iter().chain(wires().into_keys()) {
        forbids_within(
            name,
            &["tokio", "sqlx", "sqlx-core", "reqwest", "leptos", "hyper"],
        );
        let native = server_crates();
        let known: Vec<_> = direct(name, &Kinds::ALL)
            .intersection(&native)
            .copied()
            .collect();
        assert!(
            known.is_empty(),
            "{name} knows {known:?}, which compile for the server only"
        );
    }
}

/// The two halves of a domain share their words in one crate, which nobody else knows.
/// `a_panel_knows_the_wire_types_of_its_own_domain_only` checks which part of `app` may name it.
#[test]
fn wire_types_of_a_domain_are_known_by_its_two_halves_only() {
    let wires = wires();
    assert!(!wires.is_empty(), "the wire crates were not found");
    for (name, domain) in wires {
        assert_eq!(name, format!("{domain}-wire"), "the name of its crate");
        allows(name, &Kinds::ALL, ["protocol"]);
        known_only_by(name, BTreeSet::from(["app", domain]));
    }
}

#[test]
fn server_crates_do_not_know_the_user_interface() {
    for name in server_crates() {
        forbids_within(
            name,
            &[
                "app",
                "frontend",
                "kit",
                "leptos",
                "leptos_axum",
                "wasm-bindgen-cli-support",
            ],
        );
        let known = direct(name, &Kinds::ALL);
        assert!(
            !known.contains("app") && !known.contains("leptos"),
            "{name} knows the UI"
        );
    }
}

#[test]
fn the_agent_knows_the_words_and_the_fold() {
    allows(
        "agent",
        &Kinds::SHIPPED,
        ["protocol", "transcript", "units"],
    );
}

#[test]
fn implementations_know_the_ports_and_not_each_other() {
    let ports = ["agent", "protocol", "transcript", "units"];
    allows("model", &Kinds::SHIPPED, ports);
    allows("agui", &Kinds::SHIPPED, ["protocol", "units"]);
    allows("mcp", &Kinds::SHIPPED, ["protocol"]);
    allows("mcp-client", &Kinds::SHIPPED, ["agent", "protocol"]);
    let parts = ["agent", "mcp-client", "pinned-trust"];
    allows("mcp-connection", &Kinds::SHIPPED, parts);
    allows("otlp", &Kinds::ALL, []);
    allows("webhooks", &Kinds::ALL, []);
    for name in toolsets() {
        let own = wires().into_iter().find(|(_, domain)| *domain == name);
        let own = own.map(|(wire, _)| wire);
        let shared = ports.into_iter().chain(["pinned-trust"]);
        let pure = PURE_PARTS.into_iter().flat_map(part);
        let pure = pure.filter(|(_, domain)| *domain == name);
        let pure = pure.map(|(pure, _)| pure);
        allows(name, &Kinds::SHIPPED, shared.chain(own).chain(pure));
    }
    allows(
        "store",
        &Kinds::SHIPPED,
        ["agent", "markdown", "protocol", "transcript"],
    );
    // What it promises are transactions of the one database.
    allows("sign-in", &Kinds::SHIPPED, ["agent", "protocol", "store"]);
    // The tables of a domain implement its stores on the one database, with its one writer.
    assert_ne!(
        part("tables").count(),
        0,
        "the crates of tables were not found"
    );
    for (name, domain) in part("tables") {
        assert_eq!(name, format!("{domain}-tables"), "the name of its crate");
        allows(name, &Kinds::SHIPPED, ["agent", domain, "store"]);
    }
    for (name, domain) in part("testkit") {
        assert_eq!(name, format!("{domain}-testkit"), "the name of its crate");
        allows(name, &Kinds::SHIPPED, [domain]);
    }
    for (name, domain) in part("toolset") {
        assert_eq!(name, domain, "the name of its crate");
    }
}

/// They are checked by tables and properties alone, and may run on a device.
#[test]
fn pure_parts_of_a_domain_know_nothing_of_ours() {
    for kind in PURE_PARTS {
        assert_ne!(part(kind).count(), 0, "no crate of {kind} was found");
        for (name, domain) in part(kind) {
            assert_eq!(name, format!("{domain}-{kind}"), "the name of its crate");
            // The life of a job names it as its package does.
            let [package, queue, runner, dispatch] =
                ["package", "queue", "runner", "dispatch"].map(|part| format!("{domain}-{part}"));
            let below = (kind == "queue").then_some(package.as_str());
            allows(name, &Kinds::ALL, below);
            known_only_by(
                name,
                BTreeSet::from([domain, &*queue, &*runner, &*dispatch]),
            );
            forbids_within(name, &["tokio", "sqlx-core", "reqwest", "hyper"]);
        }
    }
}

/// The logic behind a domain's API for its devices: it implements the ports of the toolset on the tables,
/// and whoever serves HTTP maps routes to it.
#[test]
fn a_dispatch_serves_no_http_and_implements_the_ports_of_its_domain() {
    assert_ne!(part("dispatch").count(), 0, "no dispatch was found");
    for (name, domain) in part("dispatch") {
        assert_eq!(name, format!("{domain}-dispatch"), "the name of its crate");
        let [package, queue, redaction, tables] =
            ["package", "queue", "redaction", "tables"].map(|part| format!("{domain}-{part}"));
        let own = [domain, &*package, &*queue, &*redaction, &*tables];
        allows(
            name,
            &Kinds::SHIPPED,
            own.into_iter().chain(["agent", "protocol"]),
        );
        known_only_by(name, BTreeSet::from(["server", "bench"]));
        forbids_within(name, &["axum", "reqwest", "hyper"]);
    }
}

/// A program of its own on a device: it shares with the server only what is pure, and nothing is built on it.
#[test]
fn a_runner_knows_the_pure_parts_of_its_domain() {
    assert_ne!(part("runner").count(), 0, "no runner was found");
    for (name, domain) in part("runner") {
        assert_eq!(name, format!("{domain}-runner"), "the name of its crate");
        let pure = PURE_PARTS.map(|part| format!("{domain}-{part}"));
        let pure = pure.iter().map(String::as_str);
        allows(name, &Kinds::SHIPPED, pure.clone());
        // A device with systemd, which its tests install it on.
        let machine = format!("{domain}-machine");
        allows(name, &Kinds::ALL, pure.chain([&*machine]));
        known_only_by(name, BTreeSet::new());
        forbids_within(name, &["axum", "sqlx-core", "openssl-sys"]);
    }
}

/// A stand-in that shared code with the client of the real system would share its mistakes. A figure's
/// format is no protocol: a model's answer and the page beside it agree by using one function.
#[test]
fn stand_ins_know_nothing_of_ours() {
    allows("rehearsal", &Kinds::SHIPPED, ["units"]);
    for name in simulators() {
        allows(name, &Kinds::SHIPPED, []);
    }
}

#[test]
fn the_user_interface_knows_the_pure_crates() {
    let pure = ["markdown", "outbox", "protocol", "transcript", "units"];
    allows(
        "app",
        &Kinds::SHIPPED,
        pure.into_iter().chain(["kit"]).chain(wires().into_keys()),
    );
    allows("frontend", &Kinds::SHIPPED, pure.into_iter().chain(["app"]));
}

/// Any page of any domain is made of these pieces: what they need of the page, the page hands in.
#[test]
fn the_kit_knows_no_page_and_no_domain() {
    allows("kit", &Kinds::ALL, ["markdown", "protocol", "units"]);
    known_only_by("kit", BTreeSet::from(["app", "server"]));
}

#[test]
fn only_the_server_builds_concrete_things() {
    for name in [
        "agui",
        "mcp",
        "mcp-connection",
        "mcp-stdio",
        "model",
        "otlp",
        "sign-in",
        "webhooks",
    ] {
        known_only_by(name, BTreeSet::from(["server"]));
    }
    known_only_by("mcp-client", BTreeSet::from(["mcp-connection", "server"]));
    for name in simulators() {
        known_only_by(name, BTreeSet::from(["server", "bench"]));
    }
    for name in toolsets() {
        // The ports of a domain with stores: the crates that implement them, that hold their
        // contract, and that measure them.
        let stores = ["dispatch", "tables", "testkit"].into_iter().flat_map(part);
        let mut owners: BTreeSet<_> = stores
            .filter(|(_, domain)| *domain == name)
            .map(|(store, _)| store)
            .collect();
        owners.extend(["bench", "server"]);
        known_only_by(name, owners);
    }
    // A tool for developers writes and measures databases, and uses scripted models.
    let owners = part("tables").map(|(name, _)| name);
    known_only_by(
        "store",
        owners.chain(["server", "sign-in", "bench"]).collect(),
    );
    for (name, domain) in part("tables") {
        let dispatch = format!("{domain}-dispatch");
        known_only_by(name, BTreeSet::from(["server", "bench", &*dispatch]));
    }
    known_only_by("testkit", BTreeSet::from(["bench"]));
    for (name, _) in part("testkit").chain(part("machine")) {
        known_only_by(name, BTreeSet::new());
    }
    for name in ["bench", "server", "frontend", "xtask"] {
        known_only_by(name, BTreeSet::new());
    }
}

#[test]
fn each_way_out_has_its_owners() {
    let owners = part("tables").map(|(name, _)| name).chain(["store"]);
    known_only_by("sqlx", owners.collect());
    // Trust is decided in one place, which makes no connection itself.
    allows("pinned-trust", &Kinds::ALL, []);
    let trusting = toolsets().chain(["mcp-connection"]);
    known_only_by("pinned-trust", trusting.collect());
    forbids_within("pinned-trust", &["tokio", "reqwest", "hyper"]);
    known_only_by(
        "rustls-platform-verifier",
        BTreeSet::from(["model", "otlp", "pinned-trust", "webhooks"]),
    );
    // Devices are clients, simulated ones too: the server is what they are tested against.
    let others = [
        "mcp-connection",
        "mcp-stdio",
        "model",
        "otlp",
        "simfleet",
        "field-runner",
        "webhooks",
    ];
    let clients = toolsets().chain(others);
    known_only_by("reqwest", clients.collect());
    known_only_by(
        "axum",
        simulators().chain(["server", "rehearsal"]).collect(),
    );
    // The protocol for models elsewhere on the server's side, and for tools elsewhere.
    known_only_by("rmcp", BTreeSet::from(["mcp-connection", "server"]));
    known_only_by("leptos_axum", BTreeSet::from(["server", "app"]));
    // Encryption of what is stored, and signatures of a client; TLS brings its own way to it.
    known_only_by("ring", BTreeSet::from(["mcp-connection", "store"]));
    // Signatures of packages, and their second implementation.
    let signing = part("package").chain(part("simfleet"));
    known_only_by("ed25519-dalek", signing.map(|(name, _)| name).collect());
    // Values of a site, which a device or a model must not see in plain.
    let redaction = || part("redaction").map(|(name, _)| name);
    known_only_by("aes-gcm", redaction().collect());
    // Secrets and their proofs; requests reach them as text.
    for name in ["argon2", "webauthn-rs"] {
        known_only_by(name, BTreeSet::from(["sign-in"]));
    }
    known_only_by("hmac", redaction().chain(["sign-in", "webhooks"]).collect());
}

/// The kinds of dependencies that count: those of the product, or those of its tests too.
pub(crate) struct Kinds(&'static [DependencyKind]);

impl Kinds {
    const SHIPPED: Self = Self(&[DependencyKind::Normal, DependencyKind::Build]);
    pub(crate) const ALL: Self = Self(&[
        DependencyKind::Normal,
        DependencyKind::Build,
        DependencyKind::Development,
    ]);
}

/// Checks that among our crates `name` depends on these at most.
pub(crate) fn allows<'a>(name: &str, kinds: &Kinds, allowed: impl IntoIterator<Item = &'a str>) {
    let allowed: BTreeSet<_> = allowed.into_iter().collect();
    let ours: BTreeSet<_> = METADATA
        .workspace_packages()
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    let extra: Vec<_> = direct(name, kinds)
        .into_iter()
        .filter(|other| ours.contains(other) && !allowed.contains(other))
        .collect();
    assert!(
        extra.is_empty(),
        "{name} may depend on {allowed:?}, and depends on {extra:?} too"
    );
}

/// Checks that among our crates these at most depend on `name`, tests aside.
pub(crate) fn known_only_by(name: &str, owners: BTreeSet<&str>) {
    let knowing: Vec<_> = METADATA
        .workspace_packages()
        .into_iter()
        .map(|package| package.name.as_str())
        .filter(|other| direct(other, &Kinds::SHIPPED).contains(name) && !owners.contains(other))
        .collect();
    assert!(
        knowing.is_empty(),
        "{knowing:?} depend on {name}; only {owners:?} may"
    );
}

/// Checks that none of these is in the product because of `name`, however indirectly.
fn forbids_within(name: &str, forbidden: &[&str]) {
    let resolve = METADATA.resolve.as_ref().expect("resolved");
    let mut came_from: BTreeMap<&PackageId, &PackageId> = BTreeMap::new();
    let mut open = vec![&package(name).id];
    while let Some(id) = open.pop() {
        let found = METADATA[id].name.as_str();
        if forbidden.contains(&found) {
            let mut way = vec![found];
            let mut at = id;
            while let Some(from) = came_from.get(at) {
                way.push(METADATA[*from].name.as_str());
                at = from;
            }
            way.reverse();
            panic!("{name} must not bring {found}: {}", way.join(" → "));
        }
        let node = resolve
            .nodes
            .iter()
            .find(|node| node.id == *id)
            .expect("node");
        for dependency in &node.deps {
            let shipped = dependency
                .dep_kinds
                .iter()
                .any(|kind| Kinds::SHIPPED.0.contains(&kind.kind));
            if shipped
                && dependency.pkg != package(name).id
                && !came_from.contains_key(&dependency.pkg)
            {
                came_from.insert(&dependency.pkg, id);
                open.push(&dependency.pkg);
            }
        }
    }
}

fn direct(name: &str, kinds: &Kinds) -> BTreeSet<&'static str> {
    package(name)
        .dependencies
        .iter()
        .filter(|dependency| kinds.0.contains(&dependency.kind))
        .map(|dependency| dependency.name.as_str())
        .collect()
}

fn package(name: &str) -> &'static Package {
    METADATA
        .workspace_packages()
        .into_iter()
        .find(|package| *package.name == name)
        .unwrap_or_else(|| panic!("there is no crate {name}"))
}

/// Returns the crates in a folder of the workspace.
fn below(part: &str) -> BTreeSet<&'static str> {
    let parent = METADATA.workspace_root.as_std_path().join(part);
    METADATA
        .workspace_packages()
        .into_iter()
        .filter(|package| folder(package).parent() == Some(&parent))
        .map(|package| package.name.as_str())
        .collect()
}

/// Returns the crates of wire types, with the domain of each.
fn wires() -> BTreeMap<&'static str, &'static str> {
    let domains = METADATA.workspace_root.as_std_path().join("app/domains");
    METADATA
        .workspace_packages()
        .into_iter()
        .filter_map(|package| {
            let inner = folder(package).strip_prefix(&domains).ok()?;
            let domain = inner.to_str()?.strip_suffix("/wire")?;
            Some((package.name.as_str(), domain))
        })
        .collect()
}

/// Returns the crates in `server/domains/*` with this name of a folder, with the domain of each.
pub(crate) fn part(part: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let domains = METADATA.workspace_root.as_std_path().join("server/domains");
    METADATA
        .workspace_packages()
        .into_iter()
        .filter_map(move |package| {
            let inner = folder(package).strip_prefix(&domains).ok()?;
            let domain = inner.to_str()?.strip_suffix(part)?.strip_suffix('/')?;
            Some((package.name.as_str(), domain))
        })
}

fn simulators() -> impl Iterator<Item = &'static str> {
    SIMULATORS.into_iter().flat_map(part).map(|(name, _)| name)
}

fn toolsets() -> impl Iterator<Item = &'static str> {
    part("toolset").map(|(name, _)| name)
}

/// Returns the crates that compile for the server only.
fn server_crates() -> BTreeSet<&'static str> {
    let of_domains = DOMAIN_PARTS.into_iter().flat_map(part);
    let mut crates = below("server/crates");
    crates.extend(of_domains.map(|(name, _)| name));
    crates
}

fn folder(package: &Package) -> &Path {
    package
        .manifest_path
        .as_std_path()
        .parent()
        .expect("folder")
}
