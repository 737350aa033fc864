use super::*;

const FINGERPRINT: &str = "00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:\
                           00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff";

fn good() -> Config {
    Config {
        endpoints: vec![EndpointConfig {
            url: "https://pve.lan".to_owned(),
            fingerprints: vec![FINGERPRINT.to_owned()],
        }],
        token_id: Some("jarvis@pve!console".to_owned()),
        token_secret: Some("s3cret".to_owned().into()),
        ..Config::default()
    }
}

fn check(change: impl FnOnce(&mut Config), expect: Option<&str>) {
    let mut config = good();
    change(&mut config);
    let error = config.check().err().map(|error| error.to_string());
    assert_eq!(error.as_deref(), expect);
}

#[test]
fn values_are_checked() {
    check(|_| {}, None);
    check(
        |config| config.endpoints.clear(),
        Some("endpoints at least one is needed"),
    );
    check(
        |config| config.endpoints[0].fingerprints = vec!["00:11".to_owned()],
        Some(
            "endpoints.fingerprints \"00:11\" is not a SHA-256 fingerprint of 32 hexadecimal bytes",
        ),
    );
    check(
        |config| config.token_secret = None,
        Some("token_secret is missing beside token_id"),
    );
    check(
        |config| config.username = Some("root@pam".to_owned()),
        Some("token_id give either token_id and token_secret, or username and password"),
    );
    check(
        |config| config.token_id = Some("jarvis@pve".to_owned()),
        Some("token_id must look like user@realm!name"),
    );
    check(
        |config| config.token_id = Some("jarvis@pve!a\r\nX: y".to_owned()),
        Some("token_id must look like user@realm!name"),
    );
    check(
        |config| {
            let mac = ("pve".to_owned(), "01:00:5E:00:00:01".to_owned());
            config.node_macs.extend([mac]);
        },
        Some("node_macs pve: \"01:00:5E:00:00:01\" is the address of a group of machines"),
    );
    check(
        |config| config.max_concurrent_requests = 0,
        Some("max_concurrent_requests must be at least 1"),
    );
}

#[test]
fn addresses() {
    for (url, expect) in [
        ("https://pve.lan", Some("https://pve.lan:8006/")),
        ("https://pve.lan/", Some("https://pve.lan:8006/")),
        ("https://pve.lan:443", Some("https://pve.lan/")),
        ("https://[fd00::1]:9000", Some("https://[fd00::1]:9000/")),
        ("http://pve.lan:8006", None),
        ("pve.lan:8006", None),
        ("https://pve.lan/api2/json", None),
        ("https://root:x@pve.lan", None),
        ("https://pve.lan?x=1", None),
    ] {
        let endpoint = EndpointConfig {
            url: url.to_owned(),
            fingerprints: Vec::new(),
        };
        let base = endpoint.base().ok().map(|url| url.to_string());
        assert_eq!(base.as_deref(), expect, "{url}");
    }
}

#[test]
fn a_file_is_read_strictly_and_secrets_stay_secret() {
    let config: Config = toml::from_str(
        r#"
        name = "Home lab"
        token_id = "jarvis@pve!console"
        token_secret = "s3cret"
        protected_nodes = ["agent1"]
        request_timeout_ms = 5000
        [node_roles]
        pve = "compute and NAS"
        [[endpoints]]
        url = "https://pve.lan:8006"
        "#,
    )
    .unwrap();
    config.check().unwrap();
    assert_eq!(
        (config.request_timeout_ms, config.connect_timeout_ms),
        (5000, 3000)
    );
    let debug = format!("{config:?}");
    assert!(
        !debug.contains("s3cret") && debug.contains("[secret]"),
        "{debug}"
    );

    let error = toml::from_str::<Config>("tokenid = 1")
        .unwrap_err()
        .to_string();
    assert!(error.contains("unknown field `tokenid`"), "{error}");
}
