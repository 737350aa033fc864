//! What the configuration accepts, and how it says what is wrong.

use std::path::Path;

use super::*;
use crate::domains::{
    homelab::{HomelabOptions, Proxmox},
    markets::MarketsOptions,
    sections,
};

fn read(text: &str, environment: &[(&str, &str)]) -> Result<Config, Vec<String>> {
    let environment = environment
        .iter()
        .map(|(name, value)| ((*name).into(), (*value).into()));
    let home = [("HOME".to_owned(), "/home/sam".to_owned())];
    Config::read(
        &Flags::default(),
        Path::new("jarvis.toml"),
        text,
        home.into_iter().chain(environment),
        &sections(),
    )
    .map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

fn proxmox(config: &Config) -> Option<&Proxmox> {
    config.domain::<HomelabOptions>()?.proxmox.as_ref()
}

#[test]
fn defaults_then_file_then_environment_then_flags() {
    let config = read("", &[]).expect("defaults are valid");
    assert_eq!(config.server.listen.to_string(), "127.0.0.1:7340");
    assert_eq!(
        *config.server.data_dir,
        Path::new("/home/sam/.local/share/jarvis")
    );
    assert_eq!(
        (config.agent.history_limit, config.agent.max_steps),
        (20, 10)
    );
    assert_eq!((config.agent.max_calls, config.agent.max_cards), (50, 20));

    let text = "[agent]\nhistory_limit = 30\nmax_steps = 4\n";
    let config = read(text, &[("CHAT_MAX_LOOP", "7")]).expect("valid");
    assert_eq!(
        (config.agent.history_limit, config.agent.max_steps),
        (30, 7)
    );

    let flags = Flags {
        listen: "127.0.0.1:0".parse().ok(),
        ..Flags::default()
    };
    let text = "[server]\nlisten = \"127.0.0.1:1\"\n";
    let environment = [("XDG_DATA_HOME".to_owned(), "/data".to_owned())];
    let config = Config::read(
        &flags,
        Path::new("jarvis.toml"),
        text,
        environment,
        &sections(),
    );
    let config = config.expect("valid");
    assert_eq!(config.server.listen.to_string(), "127.0.0.1:0");
    assert_eq!(config.server.listen.source, Source::Flag("--listen"));
    assert_eq!(*config.server.data_dir, Path::new("/data/jarvis"));
}

#[test]
fn whatever_starts_the_server_narrows_its_run() {
    let config = read("", &[]).expect("defaults are valid");
    assert_eq!(config.run.rules, ::agent::RunRules::default());
    assert!(!config.run.ignores_executable);
    let before = config.policy();
    let environment = [
        ("CLAUDE_PERMISSION_MODE", "plan"),
        ("CLAUDE_ALLOWED_TOOLS", r#"["one", "two"]"#),
        ("CLAUDE_DISALLOWED_TOOLS", r#"["two"]"#),
        ("CLAUDE_MAX_TURNS", "3"),
        ("CLAUDE_MAX_THINKING_TOKENS", "4000"),
        ("CLAUDE_CODE_EXECUTABLE", "/bin/other"),
    ];
    let config = read("[run]\nmax_turns = 9\n", &environment).expect("valid");
    let rules = ::agent::RunRules {
        mode: protocol::Mode::Plan,
        allowed: Some(vec!["one".to_owned(), "two".to_owned()]),
        disallowed: vec!["two".to_owned()],
        max_turns: Some(3),
    };
    assert_eq!(config.run.rules, rules);
    assert_eq!(config.run.max_thinking_tokens, Some(4000));
    assert!(config.run.ignores_executable);
    // A card from before does not run under other rules.
    assert_ne!(config.policy(), before);
}

#[test]
fn says_where_and_what_was_expected() {
    let kinds = sections().into_iter().flat_map(|section| section.notices);
    let kinds: Vec<_> = kinds.copied().chain(["mcp_server"]).collect();
    let kinds = format!(
        "jarvis.toml, line 2: notices.off: expected a list of kinds of notices, which are {}",
        kinds.join(", ")
    );
    for (text, environment, expect) in [
        (
            "[agent]\n\nhistory_limt = 3\n",
            ("A", "b"),
            "jarvis.toml, line 3: unknown key agent.history_limt; did you mean agent.history_limit?",
        ),
        ("[notices]\noff = [\"backups\"]\n", ("A", "b"), &kinds),
        (
            "[notices]\nstorage_percent = 96\nfull_percent = 90\n",
            ("A", "b"),
            "jarvis.toml, line 3: notices.full_percent: expected at least \
             notices.storage_percent, which is 96",
        ),
        (
            "[notices]\nhold_secods = 5\n",
            ("A", "b"),
            "jarvis.toml, line 2: unknown key notices.hold_secods; did you mean \
             notices.hold_seconds?",
        ),
        (
            "[agent]\nmax_steps = \"many\"\n",
            ("A", "b"),
            "jarvis.toml, line 2: agent.max_steps: expected a whole number from 1 to 100",
        ),
        (
            "",
            ("CHAT_MAX_LOOP", "1000"),
            "environment variable CHAT_MAX_LOOP: agent.max_steps: expected a whole number from 1 to 100",
        ),
        (
            "",
            ("CLAUDE_PERMISSION_MODE", "bypassPermissions"),
            "environment variable CLAUDE_PERMISSION_MODE: run.mode: expected default or plan; there is \
             no mode in which calls run without the gate",
        ),
        (
            "",
            ("CLAUDE_ALLOWED_TOOLS", "one,two"),
            "environment variable CLAUDE_ALLOWED_TOOLS: run.allowed_tools: expected a list of names of \
             tools (in the environment: a JSON array)",
        ),
        (
            "",
            ("CLAUDE_MAX_TURNS", "0"),
            "environment variable CLAUDE_MAX_TURNS: run.max_turns: expected a whole number from 1 to 100",
        ),
        (
            "",
            ("JARVIS_LISTN", "x"),
            "unknown environment variable JARVIS_LISTN; did you mean JARVIS_LISTEN?",
        ),
        (
            "[proxmox]\nurls = [\"https://pve:8006\"]\n",
            ("A", "b"),
            "jarvis.toml, line 2: proxmox: set token_id and token_secret, or user and password, beside urls",
        ),
        (
            "[server]\ntls_cert = \"a.pem\"\n",
            ("A", "b"),
            "jarvis.toml, line 2: server.tls_cert and server.tls_key go together",
        ),
    ] {
        assert_eq!(read(text, &[environment]).unwrap_err(), [expect]);
    }
    let text = "[proxmox]\nurls = [\"https://pve:8006\"]\ntoken_id = \"a@pve!b\"\n\
                token_secret = \"c\"\nprotected_guests = [100, 101]\nown_guest = 220\n";
    let config = read(text, &[]).expect("valid");
    let cluster = proxmox(&config).expect("configured");
    assert_eq!(
        (&*cluster.protected_guests, cluster.own_guest),
        (&[100, 101][..], Some(220))
    );
    let config = read(text, &[("PROXMOX_PROTECTED_GUESTS", "200, 201")]).expect("valid");
    assert_eq!(
        proxmox(&config).expect("configured").protected_guests,
        [200, 201]
    );
    assert_eq!(
        read("[proxmox]\nprotected_guests = [1]\n", &[]).unwrap_err(),
        [
            "jarvis.toml, line 2: proxmox.protected_guests: expected a list of whole numbers from 100 \
          to 999999999 (in the environment: separated by commas)"
        ]
    );
    let broken = read("[ssh]\nkeyfile = \"k\"\n", &[]).unwrap_err();
    assert_eq!(
        broken,
        ["jarvis.toml, line 2: unknown key ssh.keyfile; did you mean ssh.key_file?"]
    );
    let broken = read("[ssh.nodes.pve]\nhost = \"pve\"\nhostkeys = []\n", &[]).unwrap_err();
    assert!(
        broken[0].starts_with("jarvis.toml, line 3: ssh.nodes: unknown field `hostkeys`"),
        "{broken:?}"
    );
    let broken = read("[agent\n", &[]).unwrap_err();
    assert!(broken[0].starts_with("jarvis.toml, line 1: "), "{broken:?}");
}

#[test]
fn nodes_over_ssh() {
    let real = "[proxmox]\nurls = [\"https://pve:8006\"]\ntoken_id = \"a@pve!b\"\n\
                   token_secret = \"c\"\n";
    let config = read(real, &[]).expect("valid");
    assert!(proxmox(&config).expect("configured").ssh.is_none());

    let text = format!(
        "{real}[proxmox.services]\npve = [\"smbd\"]\n[ssh]\nkey_file = \"/k\"\n\
         [ssh.nodes.pve]\nhost = \"10.0.0.2\"\nhost_keys = [\"SHA256:x\"]\n"
    );
    let config = read(&text, &[("JARVIS_SSH_USER", "guard")]).expect("valid");
    let cluster = proxmox(&config).expect("configured");
    assert_eq!(cluster.services["pve"], ["smbd"]);
    let ssh = cluster.ssh.as_ref().expect("configured");
    assert_eq!((ssh.user.as_str(), ssh.nodes["pve"].port), ("guard", 22));
}

#[test]
fn refuses_other_addresses_without_tls() {
    let open = "[server]\nlisten = \"0.0.0.0:7340\"\n";
    let problem = &read(open, &[]).unwrap_err()[0];
    assert!(
        problem.starts_with("jarvis.toml, line 2: server.listen: 0.0.0.0:7340"),
        "{problem}"
    );
    for fix in [
        "tls_cert = \"c\"\ntls_key = \"k\"\n",
        "trusted_proxies = [\"127.0.0.1\"]\n",
    ] {
        assert!(read(&format!("{open}{fix}"), &[]).is_ok(), "{fix}");
    }
}

#[test]
fn a_proxy_is_believed_from_listed_addresses_alone() {
    assert!(read("", &[]).expect("valid").proxy_sign_in.is_none());
    let text = "[sign_in.proxy]\naddresses = [\"10.0.0.0/8\"]\n";
    let proxy = read(text, &[]).expect("valid").proxy_sign_in;
    let proxy = proxy.expect("configured");
    assert_eq!(
        (proxy.user_header.as_str(), proxy.rules.new_users),
        ("remote-user", None)
    );
    for (keys, expect) in [
        ("user_header = \"X-User\"", "set addresses"),
        (
            "addresses = [\"0.0.0.0/0\"]",
            "expected a list of addresses",
        ),
        (
            "addresses = [\"::1\"]\nuser_header = \"Cookie\"",
            "says something else",
        ),
        (
            "addresses = [\"::1\"]\nadmin_groups = [\"a\"]",
            "need groups_header",
        ),
        (
            "addresses = [\"::1\"]\ngroups_header = \"G\"",
            "set viewer_groups",
        ),
        (
            "addresses = [\"::1\"]\nnew_users = \"king\"",
            "expected refuse, viewer",
        ),
        (
            "addresses = [\"::1\"]\nsign_out_url = \"javascript:1\"",
            "expected http",
        ),
    ] {
        let problems = read(&format!("[sign_in.proxy]\n{keys}\n"), &[]).unwrap_err();
        assert!(problems[0].contains(expect), "{keys}: {problems:?}");
    }
}

#[test]
fn metrics_are_off_until_they_are_guarded() {
    let config = read("", &[]).expect("valid").metrics;
    assert!(config.token.is_none() && config.listen.is_none());
    let token = "token = \"0123456789abcdef\"\n";
    for keys in [
        token,
        "listen = \"127.0.0.1:9340\"\n",
        &format!("listen = \"0.0.0.0:9340\"\n{token}"),
    ] {
        assert!(read(&format!("[metrics]\n{keys}"), &[]).is_ok(), "{keys}");
    }
    for (keys, expect) in [
        ("listen = \"0.0.0.0:9340\"\n", "set metrics.token"),
        ("token = \"short\"\n", "at least 16 characters"),
    ] {
        let problems = read(&format!("[metrics]\n{keys}"), &[]).unwrap_err();
        assert!(problems[0].contains(expect), "{keys}: {problems:?}");
        assert!(!problems[0].contains("short"), "{problems:?}");
    }
}

#[test]
fn secrets_are_not_shown() {
    let config = read("[model]\napi_key = \"sk-hunter1\"\n", &[]).expect("valid");
    assert_eq!(
        config.model.key.as_ref().map(|key| key.reveal()),
        Some("sk-hunter1")
    );
    assert!(!format!("{config:?}").contains("hunter1"));
    let wrong = read(
        "[model]\napi_key = 5\n[proxmox]\ntoken_secret = [\"hunter2\"]\n",
        &[],
    );
    assert!(!format!("{wrong:?}").contains("hunter2"));
}

#[test]
fn each_domain_can_be_left_out_and_demonstrations_make_way_for_the_real_ones() {
    let names = |text: &str, environment: &[(&str, &str)]| -> Vec<&str> {
        let config = read(text, environment).expect("valid");
        config.domains.iter().map(|domain| domain.name).collect()
    };
    let real = "[proxmox]\nurls = [\"https://pve:8006\"]\ntoken_id = \"a@pve!b\"\n\
                token_secret = \"c\"\n";
    let told = "[markets]\nprice_file = \"/p\"\n";
    for (text, environment, expect) in [
        ("", &[][..], &["homelab", "field", "markets"][..]),
        ("[field]\nsimulated = false\n", &[], &["homelab", "markets"]),
        ("[domains]\nenabled = []\n", &[], &[]),
        ("[domains]\nenabled = [\"markets\"]\n", &[], &["markets"]),
        ("[markets]\nenabled = false\n", &[], &["homelab", "field"]),
        ("", &[("JARVIS_DOMAINS", "homelab")], &["homelab"]),
        // As soon as one real system is there, only real ones are, and what is asked for.
        (real, &[], &["homelab"]),
        (told, &[], &["markets"]),
        ("", &[("JARVIS_MARKETS_PRICE_PUSH", "true")], &["markets"]),
        (&format!("{real}{told}"), &[], &["homelab", "markets"]),
        (
            real,
            &[("JARVIS_DOMAINS_DEMO", "markets")],
            &["homelab", "markets"],
        ),
        (
            &format!("{real}[field]\nenabled = true\n"),
            &[],
            &["homelab", "field"],
        ),
        (
            &format!("{real}[domains]\nenabled = [\"markets\"]\n"),
            &[],
            &["markets"],
        ),
    ] {
        assert_eq!(names(text, environment), expect, "{text}");
    }
    let known: Vec<_> = sections().iter().map(|section| section.name).collect();
    assert_eq!(
        read("[domains]\ndemo = [\"desk\"]\n", &[]).unwrap_err(),
        [format!(
            "jarvis.toml, line 2: domains.demo: expected names of domains, which are {}",
            known.join(", ")
        )]
    );
    // What is left out is read all the same.
    let wrong = "[domains]\nenabled = []\n[markets]\nprice_sped = 1\n";
    assert!(read(wrong, &[]).unwrap_err()[0].contains("did you mean markets.price_speed?"));
    let both = read(&format!("{told}price_push = true\n"), &[]).unwrap_err();
    assert!(both[0].contains("exclude each other"), "{both:?}");
    let far = read("[markets]\nprice_file = \"http://192.0.2.7/\"\n", &[]).unwrap_err();
    assert!(far[0].contains("a URL of this machine"), "{far:?}");
    let text = "[markets]\nprice_speed = 0\n";
    let config = read(text, &[]).expect("valid");
    assert_eq!(
        config
            .domain::<MarketsOptions>()
            .expect("there")
            .price_speed,
        0
    );
}

#[test]
fn each_domain_of_the_table_can_be_left_out_and_be_alone() {
    let all: Vec<&str> = sections().iter().map(|section| section.name).collect();
    let mut on = String::new();
    for name in &all {
        match *name {
            "erp" | "field" => on.push_str(&format!("[{name}]\nsimulated = true\n")),
            "lamps" => on.push_str(&format!("[{name}]\nenabled = true\n")),
            _ => {}
        }
    }
    let names = |domains: &str| -> Vec<&str> {
        let config = read(&format!("{on}{domains}"), &[]).expect("valid");
        config.domains.iter().map(|domain| domain.name).collect()
    };
    assert_eq!(names(""), all);
    for name in &all {
        let mut rest = all.clone();
        rest.retain(|other| other != name);
        let without = names(&format!("[domains]\nenabled = {rest:?}\n"));
        assert_eq!(without, rest, "{name}");
        let alone = names(&format!("[domains]\nenabled = [{name:?}]\n"));
        assert_eq!(alone, [*name]);
    }
}

#[test]
fn what_is_told_can_be_chosen() {
    let settings = read("", &[]).expect("defaults are valid").notices;
    assert!(settings.enabled && settings.off.is_empty());
    assert_eq!((settings.hold_seconds, settings.clear_seconds), (60, 300));
    let text = "[notices]\nenabled = false\noff = [\"task\", \"backup\"]\nstorage_percent = 70\n";
    let environment = [("JARVIS_NOTICES_HOLD_SECONDS", "0")];
    let config = read(text, &environment).expect("valid");
    let settings = &config.notices;
    assert!(!settings.enabled);
    assert_eq!(settings.off, ["task", "backup"]);
    let limits = &config.domain::<HomelabOptions>().expect("there").limits;
    assert_eq!((settings.hold_seconds, limits.storage_percent), (0, 70));
}

#[test]
fn a_secret_in_a_file_that_everybody_reads_is_refused() {
    let text = "[agent]\nmax_steps = 4\n[model]\napi_key = \"sk-ant-secret\"\n";
    let flags = Flags {
        data_dir: Some("/data".into()),
        ..Flags::default()
    };
    let read = |exposed| {
        let path = Path::new("jarvis.toml");
        let found = file::Found {
            text: text.to_owned(),
            exposed,
        };
        Config::from_parts(&flags, path, &found, [], &sections())
    };
    assert!(read(false).is_ok());
    let problems = read(true).expect_err("it is refused");
    let told: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "jarvis.toml, line 4: model.api_key: every user of this machine can read it here; run \
             chmod 600 jarvis.toml, or set ANTHROPIC_API_KEY in the environment"
        ]
    );
}

/// The domains of a build for use.
fn released() -> Vec<Section> {
    let mut sections = sections();
    sections.retain(|section| section.name != "lamps");
    sections
}

#[test]
fn the_example_file_is_that_of_the_declarations() {
    let file = include_str!("../../../jarvis.example.toml");
    assert!(
        file == example(&released()),
        "run: cargo run -p server -- config example > jarvis.example.toml"
    );
    assert!(read(file, &[]).is_ok(), "it changes nothing as it is");
    for line in file.lines().filter(|line| line.len() > 100) {
        let indented = line.starts_with("#  ");
        assert!(indented || line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn every_example_is_accepted() {
    let text = settings::declared(&sections()).all_set();
    if let Err(problems) = read(&text, &[]) {
        panic!("{problems:#?} in {text}");
    }
}

#[test]
fn a_key_is_declared_once_and_has_help() {
    let declared = settings::declared(&sections());
    let mut names: Vec<_> = declared.names().chain(declared.variables()).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
    for line in example(&sections()).lines() {
        assert!(!line.ends_with('#') && !line.ends_with(": "), "{line}");
    }
}
