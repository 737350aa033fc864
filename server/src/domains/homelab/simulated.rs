//! How the homelab toolset reaches the simulated cluster.

use std::{
    fs::OpenOptions,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::Context;

use super::texts;

/// The toolset's configuration for a running simulation. The key for SSH goes into the data
/// folder, which nobody else can read.
pub(crate) fn config(running: &simlab::Simlab, data: &Path) -> anyhow::Result<homelab::Config> {
    let (token_id, token_secret) = running
        .admin_token()
        .split_once('=')
        .map(|(id, secret)| (id.to_owned(), secret.to_owned()))
        .context(texts::SIMULATED_CLUSTER_GAVE_NO_TOKEN)?;
    let (user, key) = running.ssh_login();
    let key_file = data.join("simulated-ssh-key");
    write_key(&key_file, key).with_context(|| texts::cannot_write(&key_file.display()))?;
    let named = |list: &[(&str, &str)]| {
        let entries = list.iter();
        entries
            .map(|(node, text)| ((*node).to_owned(), (*text).to_owned()))
            .collect()
    };
    Ok(homelab::Config {
        endpoints: vec![homelab::EndpointConfig {
            url: running.base_url(),
            fingerprints: vec![running.fingerprint()],
        }],
        token_id: Some(token_id),
        token_secret: Some(homelab::TokenSecret::from(token_secret)),
        protected_nodes: vec!["agent1".to_owned()],
        own_guest: Some(220),
        node_roles: named(&[
            ("Home", "master"),
            ("pve", texts::COMPUTE_AND_NAS),
            ("agent1", texts::COMPUTE_PROTECTED),
            ("agent", "utility"),
        ]),
        node_macs: running
            .macs()
            .map(|(node, mac)| (node.to_owned(), mac.to_owned()))
            .collect(),
        wake_address: running.wake_addr(),
        // What is late here is this machine, which may be busy with something else.
        context_ms: 700,
        services: [
            ("Home", &["pveproxy", "nut-server"][..]),
            ("pve", &["pveproxy", "smbd", "nfs-server"]),
            ("agent", &["pveproxy", "zigbee2mqtt"]),
        ]
        .map(|(node, names)| {
            let names = names.iter().map(|&name| name.to_owned()).collect();
            (node.to_owned(), names)
        })
        .into(),
        ssh: Some(homelab::SshConfig {
            user: user.to_owned(),
            key_file,
            nodes: running
                .nodes()
                .filter_map(|node| {
                    let address = running.ssh_addr(node)?;
                    let way = homelab::SshNode {
                        host: address.ip().to_string(),
                        port: address.port(),
                        host_keys: vec![running.ssh_host_key(node)?.to_owned()],
                    };
                    Some((node.to_owned(), way))
                })
                .collect(),
            ..homelab::SshConfig::default()
        }),
        ..homelab::Config::default()
    })
}

fn write_key(file: &PathBuf, key: &str) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)?.write_all(key.as_bytes())
}
