use std::path::Path;

use crate::{
    config::{Config, Flags},
    domains::sections,
};

use super::*;

fn read(text: &str) -> Result<Config, Vec<String>> {
    let flags = Flags {
        data_dir: Some("/data".into()),
        ..Flags::default()
    };
    let config = Config::read(&flags, Path::new("jarvis.toml"), text, [], &sections());
    config.map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

#[test]
fn a_server_is_a_command_or_an_address_with_rules_for_its_tools() {
    let text = "[mcp.files]\ncommand = [\"mcp-files\", \"/srv\"]\nenv = [\"FILES_TOKEN\"]\n\
                readable = [\"/srv\"]\ncall_seconds = 5\nmemory_mib = 64\n\
                resources = true\n[mcp.files.tools]\n\
                read = { tier = \"green\", recovery = \"pure\" }\nwrite = {}\n\
                [mcp.tools-2]\nurl = \"https://tools.lan/mcp\"\nsecret_file = \"/etc/jarvis/tools\"\n\
                header = \"X-Key\"\n";
    let config = read(text).unwrap();
    let [files, tools] = &config.mcp[..] else {
        panic!("{:?}", config.mcp);
    };
    let McpTransport::Command {
        program,
        args,
        env,
        sandbox,
        network,
        limits,
        ..
    } = &files.transport
    else {
        panic!("{files:?}");
    };
    assert_eq!(
        (program.as_path(), &args[..]),
        (Path::new("mcp-files"), &["/srv".to_owned()][..])
    );
    assert_eq!(env, &["FILES_TOKEN"]);
    assert!(*sandbox && !*network);
    assert_eq!(
        (limits.processes, limits.memory_bytes),
        (256, 64 * 1024 * 1024)
    );
    assert_eq!((files.call.as_secs(), files.start.as_secs()), (5, 30));
    assert_eq!(files.result_bytes, 64 * 1024);
    assert!(files.resources && !files.prompts && !tools.resources);
    let rule = |tool: &str| files.tools[tool];
    assert_eq!(rule("read").tier, Some(Tier::Green));
    assert_eq!(rule("read").recovery, Recovery::Pure);
    assert_eq!(rule("write"), OutsideToolRule::default());
    let McpTransport::Http { url, header, .. } = &tools.transport else {
        panic!("{tools:?}");
    };
    assert_eq!(
        (url.as_str(), header.as_str()),
        ("https://tools.lan/mcp", "X-Key")
    );
    // Another tier is another policy, which cards are bound to; without servers it is as before.
    let red = read(&text.replace("green", "yellow")).unwrap();
    assert_ne!(red.policy(), config.policy());
    assert!(!read("").unwrap().policy().contains("files"));
}

#[test]
fn a_sign_in_has_a_secret_in_a_file_or_a_variable_or_a_key() {
    let text = "[mcp.a]\nurl = \"https://a.lan/mcp\"\n[mcp.a.oauth]\nclient_id = \"jarvis\"\n\
                client_secret_file = \"/etc/jarvis/a\"\nissuer = \"http://10.0.0.2:8080/realm\"\n\
                scope = \"files.read files.write\"\nprivate = true\n";
    let oauth = |text: &str| match read(text).unwrap().mcp.remove(0).transport {
        McpTransport::Http { oauth, .. } => oauth.unwrap(),
        other => panic!("{other:?}"),
    };
    let found = oauth(text);
    assert_eq!(found.client_id, "jarvis");
    assert_eq!(found.issuer.as_deref(), Some("http://10.0.0.2:8080/realm"));
    assert_eq!(found.scope.as_deref(), Some("files.read files.write"));
    assert!(found.private && found.token_endpoint.is_none());
    let McpCredential::SecretFile(file) = &found.credential else {
        panic!("{found:?}");
    };
    assert_eq!(**file, Path::new("/etc/jarvis/a"));
    assert_eq!(file.source.to_string(), "jarvis.toml, line 5");
    let variable = "client_secret_env = \"A_SECRET\"";
    let found = oauth(&text.replace("client_secret_file = \"/etc/jarvis/a\"", variable));
    let McpCredential::SecretVariable(name) = &found.credential else {
        panic!("{found:?}");
    };
    assert_eq!(name, "A_SECRET");
    let key = "private_key_file = \"/etc/jarvis/a\"\nkey_id = \"2027\"\naudience = \"https://a.lan/token\"";
    let found = oauth(&text.replace("client_secret_file = \"/etc/jarvis/a\"", key));
    let McpCredential::KeyFile { file, id, audience } = &found.credential else {
        panic!("{found:?}");
    };
    assert_eq!(**file, Path::new("/etc/jarvis/a"));
    assert_eq!(id.as_deref(), Some("2027"));
    assert_eq!(audience.as_deref(), Some("https://a.lan/token"));
}

#[test]
fn what_is_wrong_with_a_sign_in_is_said_without_its_values() {
    let server = |url: &str, oauth: &str| {
        format!("[mcp.a]\nurl = \"{url}\"\n[mcp.a.oauth]\nclient_id = \"a\"\n{oauth}\n")
    };
    let https = "https://a.lan/mcp";
    let file = "client_secret_file = \"/etc/a\"";
    for (text, expect) in [
        (
            server("http://a.lan/mcp", file),
            "line 2: mcp.a.url: expected https://",
        ),
        (
            server(https, ""),
            "mcp.a.oauth: set client_secret_file, client_secret_env or private_key_file",
        ),
        (
            server(https, &format!("{file}\nclient_secret_env = \"A\"")),
            "mcp.a.oauth: set client_secret_file, client_secret_env or private_key_file",
        ),
        (
            server(https, &format!("{file}\nprivate_key_file = \"/etc/b\"")),
            "mcp.a.oauth: set client_secret_file, client_secret_env or private_key_file",
        ),
        (
            server(https, &format!("{file}\nkey_id = \"b\"")),
            "mcp.a.oauth.key_id: only with private_key_file",
        ),
        (
            server(https, "private_key_file = \"/etc/b\"\naudience = \"\""),
            "line 6: mcp.a.oauth.audience: expected the name or address",
        ),
        (
            server(https, "client_secret_env = \"hunter2\""),
            "line 5: mcp.a.oauth.client_secret_env: expected the name of a variable",
        ),
        (
            server(https, "client_secret_env = \"JARVIS_A\""),
            "mcp.a.oauth.client_secret_env: expected the name",
        ),
        (
            server(https, "client_secret = \"hunter2\""),
            "unknown field `client_secret`",
        ),
        (
            server(https, &format!("{file}\nissuer = \"http://b.lan/\"")),
            "line 6: mcp.a.oauth.issuer: expected https://",
        ),
        (
            server(https, &format!("{file}\ntoken_endpoint = \"b\"")),
            "mcp.a.oauth.token_endpoint: expected https://",
        ),
        (
            server(https, &format!("{file}\nscope = \" \"")),
            "mcp.a.oauth.scope: expected scopes",
        ),
        (
            server(https, file).replace("[mcp.a.oauth]", "secret_file = \"/a\"\n[mcp.a.oauth]"),
            "mcp.a.oauth: it needs no secret_file",
        ),
        (
            server(https, file).replace("url = \"https://a.lan/mcp\"", "command = [\"a\"]"),
            "mcp.a.oauth: only with url",
        ),
    ] {
        let problems = read(&text).unwrap_err().join("\n");
        assert!(problems.contains(expect), "{text}: {problems}");
        assert!(!problems.contains("hunter2"), "{problems}");
    }
}

#[test]
fn what_is_wrong_with_a_server_is_said_with_its_line() {
    let command = "command = [\"a\"]\n";
    for (text, expect) in [
        (format!("[mcp.a_b]\n{command}"), "mcp: a name has 1 to 20"),
        (
            format!("[mcp.homelab]\n{command}"),
            "mcp.homelab: a domain has this name",
        ),
        (
            "[mcp.a]\n".to_owned(),
            "mcp.a: set command or url, one of them",
        ),
        (
            format!("[mcp.a]\n{command}url = \"http://b/\"\n"),
            "mcp.a: set command or url",
        ),
        (
            "[mcp.a]\ncommand = []\n".to_owned(),
            "line 2: mcp.a.command: expected",
        ),
        (
            format!("[mcp.a]\n{command}header = \"x\"\n"),
            "mcp.a.header: only with url",
        ),
        (
            "[mcp.a]\nurl = \"http://b/\"\nsandbox = false\n".to_owned(),
            "mcp.a.sandbox: only with command",
        ),
        (
            "[mcp.a]\nurl = \"http://u:hunter2@b/\"\n".to_owned(),
            "line 2: mcp.a.url: expected",
        ),
        (
            "[mcp.a]\nurl = \"ftp://b/\"\n".to_owned(),
            "mcp.a.url: expected",
        ),
        (
            "[mcp.a]\nurl = \"http://b/\"\nfingerprints = [\"12\"]\n".to_owned(),
            "line 3: mcp.a.fingerprints: expected",
        ),
        (
            format!("[mcp.a]\n{command}readable = [\"srv\"]\n"),
            "mcp.a.readable: expected",
        ),
        (
            format!("[mcp.a]\n{command}call_seconds = 0\n"),
            "line 3: mcp.a.call_seconds: expected a whole number",
        ),
        (
            format!("[mcp.a]\n{command}processes = 1\n"),
            "line 3: mcp.a.processes: expected a whole number",
        ),
        (
            "[mcp.a]\nurl = \"http://b/\"\nmemory_mib = 64\n".to_owned(),
            "mcp.a.memory_mib",
        ),
        (
            format!("[mcp.a]\n{command}tools.x = {{ tier = \"black\" }}\n"),
            "mcp.a.tools.x.tier: expected green, yellow or red",
        ),
        (
            format!("[mcp.a]\n{command}tools.x = {{ recovery = \"ask\" }}\n"),
            "mcp.a.tools.x.recovery: expected",
        ),
        (
            format!("[mcp.a]\n{command}shell = true\n"),
            "unknown field `shell`",
        ),
    ] {
        let problems = read(&text).unwrap_err().join("\n");
        assert!(problems.contains(expect), "{text}: {problems}");
        assert!(!problems.contains("hunter2"), "{problems}");
    }
}

#[test]
fn servers_that_could_not_run_at_once_are_refused() {
    let server = |name: &str, more: &str| format!("[mcp.{name}]\ncommand = [\"a\"]\n{more}");
    let servers = format!(
        "{}{}{}",
        server("a", "memory_mib = 600\n"),
        server("b", "memory_mib = 400\n"),
        // Outside of a sandbox nothing bounds it, and nothing is said about it.
        server("c", "sandbox = false\n"),
    );
    let bounded = |children: u32, mib: u32| {
        let limits = format!("[mcp_limits]\nchildren = {children}\nmemory_mib = {mib}\n");
        read(&format!("{servers}{limits}"))
    };
    let bounds = bounded(2, 1000).unwrap().mcp_limits;
    assert_eq!(
        (bounds.children, bounds.memory_bytes),
        (2, 1000 * 1024 * 1024)
    );
    for (children, mib, code) in [
        (1, 1000, "mcp_too_many_children"),
        (2, 999, "mcp_too_much_memory"),
    ] {
        let problems = bounded(children, mib).unwrap_err().join("\n");
        assert!(problems.contains(code), "{problems}");
    }
}
