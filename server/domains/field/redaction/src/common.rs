//! Names that belong to nobody: defaults of vendors, roles, words of messages.

/// Names of devices and networks that say nothing about whose they are. They get no token, so that a text
/// which uses the word in its ordinary sense is not changed or stopped.
const NAMES: [&str; 150] = [
    "access",
    "accesspoint",
    "adapter",
    "address",
    "admin",
    "alarm",
    "android",
    "any",
    "ap",
    "archlinux",
    "armbian",
    "backup",
    "bad",
    "board",
    "box",
    "branch",
    "bridge",
    "broadcasthost",
    "broker",
    "camera",
    "client",
    "cloud",
    "cluster",
    "computer",
    "connected",
    "connection",
    "console",
    "controller",
    "core",
    "daemon",
    "database",
    "debian",
    "default",
    "desktop",
    "destination",
    "device",
    "dhcp",
    "dns",
    "docker",
    "dongle",
    "eth0",
    "ethernet",
    "example",
    "failed",
    "fedora",
    "firewall",
    "fritz",
    "from",
    "ftp",
    "gateway",
    "guest",
    "hidden",
    "home",
    "homeassistant",
    "host",
    "hostname",
    "hotspot",
    "infra",
    "interface",
    "internet",
    "invalid",
    "ipad",
    "iphone",
    "kali",
    "kernel",
    "kiosk",
    "lab",
    "lan",
    "laptop",
    "local",
    "localdomain",
    "localhost",
    "lo",
    "loopback",
    "mail",
    "master",
    "mesh",
    "mobile",
    "modem",
    "monitor",
    "mqtt",
    "my",
    "name",
    "nas",
    "net",
    "network",
    "node",
    "none",
    "nobody",
    "ntp",
    "null",
    "office",
    "openwrt",
    "other",
    "peer",
    "phone",
    "pi",
    "pihole",
    "plug",
    "primary",
    "printer",
    "private",
    "probe",
    "proxy",
    "public",
    "radio",
    "raspberrypi",
    "raspberry",
    "remote",
    "resolver",
    "rockpi",
    "root",
    "router",
    "scanner",
    "secondary",
    "self",
    "sensor",
    "server",
    "service",
    "slave",
    "smtp",
    "source",
    "ssh",
    "ssid",
    "station",
    "storage",
    "switch",
    "system",
    "tablet",
    "target",
    "test",
    "time",
    "true",
    "tv",
    "ubuntu",
    "unifi",
    "unknown",
    "unnamed",
    "version",
    "update",
    "user",
    "vpn",
    "web",
    "wifi",
    "wlan",
    "wlan0",
    "workstation",
    "www",
    "yes",
    "_gateway",
];

/// Accounts of systems and defaults of images.
const ACCOUNTS: [&str; 39] = [
    "admin",
    "administrator",
    "all users",
    "avahi",
    "bin",
    "centos",
    "daemon",
    "debian",
    "default",
    "default user",
    "dietpi",
    "docker",
    "ec2-user",
    "fedora",
    "ftp",
    "git",
    "guest",
    "homeassistant",
    "linuxbrew",
    "lost+found",
    "mosquitto",
    "mysql",
    "nobody",
    "ntp",
    "openhab",
    "operator",
    "pi",
    "postgres",
    "public",
    "root",
    "runner",
    "shared",
    "sshd",
    "support",
    "systemd",
    "ubuntu",
    "user",
    "vagrant",
    "www-data",
];

/// Domains that everybody talks to: the names under them stay as they are.
const DOMAINS: [&str; 52] = [
    "akamai.net",
    "akamaiedge.net",
    "alpinelinux.org",
    "android.com",
    "apple.com",
    "archlinux.org",
    "asp.net",
    "balena-cloud.com",
    "bing.com",
    "centos.org",
    "cloudflare-dns.com",
    "cloudflare.com",
    "cloudfront.net",
    "debian.org",
    "dns.google",
    "docker.com",
    "docker.io",
    "fedoraproject.org",
    "fritz.box",
    "ghcr.io",
    "github.com",
    "github.io",
    "githubusercontent.com",
    "gitlab.com",
    "gnome.org",
    "google.com",
    "googleapis.com",
    "gstatic.com",
    "home-assistant.io",
    "iana.org",
    "icloud.com",
    "ietf.org",
    "java.io",
    "java.net",
    "kernel.org",
    "letsencrypt.org",
    "microsoft.com",
    "mozilla.org",
    "msftconnecttest.com",
    "ntp.org",
    "openwrt.org",
    "pypi.org",
    "quad9.net",
    "raspberrypi.com",
    "raspberrypi.org",
    "root-servers.net",
    "snapcraft.io",
    "speedport.ip",
    "system.io",
    "system.net",
    "ubuntu.com",
    "w3.org",
];

/// Domains of sites, which the name before them tells nothing about.
pub(crate) const SITE_SUFFIXES: [&str; 15] = [
    ".fritz.box",
    ".home.arpa",
    ".internal",
    ".intranet",
    ".local",
    ".localdomain",
    ".lan",
    ".home",
    ".corp",
    ".private",
    ".box",
    ".speedport.ip",
    ".domain",
    ".localnet",
    ".mshome.net",
];

/// Top level domains that texts are likely to mean, in lower case.
const TOPS: [&str; 93] = [
    "ae", "app", "ar", "arpa", "au", "ba", "bg", "biz", "br", "ca", "ch", "cl", "cloud", "cn",
    "co", "com", "cz", "de", "dev", "dk", "edu", "ee", "es", "eu", "fi", "fr", "gmbh", "gov", "gr",
    "hk", "hr", "hu", "ie", "il", "info", "int", "io", "ir", "jp", "ke", "kr", "kz", "li", "lt",
    "lu", "lv", "ma", "me", "mil", "mx", "net", "ng", "nl", "nz", "org", "pe", "ph", "pk", "pt",
    "ro", "ru", "sa", "se", "sg", "shop", "site", "si", "sk", "swiss", "tech", "th", "tn", "tr",
    "tv", "tw", "ua", "ug", "uk", "us", "uy", "ve", "vn", "wien", "xyz", "za", "berlin", "hamburg",
    "koeln", "ai", "ac", "cy", "mt", "onion",
];

/// Top level domains that are also ends of files or words: they count with three labels, or in an address.
const UNSURE_TOPS: [&str; 27] = [
    "am", "as", "id", "is", "online", "at", "be", "by", "cc", "do", "in", "it", "la", "md", "mk",
    "ms", "my", "no", "pl", "ps", "py", "rs", "sh", "so", "st", "to", "zip",
];

/// True if a name of a device or network belongs to nobody.
pub(crate) fn is_common_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    let plain = lower.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == '-');
    // A number after a common word, as in `camera-2`, makes it no more telling.
    [lower.as_str(), plain]
        .iter()
        .any(|name| NAMES.contains(name))
}

pub(crate) fn is_common_account(name: &str) -> bool {
    ACCOUNTS.contains(&name.to_lowercase().as_str()) || name.starts_with("systemd-")
}

/// True if a domain, or the one above it, is known to everybody.
pub(crate) fn is_common_domain(name: &str) -> bool {
    let lower = name.to_lowercase();
    DOMAINS.iter().any(|domain| {
        let rest = lower.strip_suffix(domain);
        // The router of a vendor is at every site; what is named below it is not.
        let is_site = SITE_SUFFIXES.iter().any(|suffix| suffix[1..] == **domain);
        rest.is_some_and(|rest| rest.is_empty() || (rest.ends_with('.') && !is_site))
    })
}

/// True if names can end like this. `is_address`: the name stands in an address, so it is surely one.
pub(crate) fn is_top(top: &str, labels: usize, is_address: bool) -> bool {
    let lower = top.to_lowercase();
    let is_code = lower.starts_with("xn--");
    let is_unsure = UNSURE_TOPS.contains(&lower.as_str());
    is_code || TOPS.contains(&lower.as_str()) || (is_unsure && (labels > 2 || is_address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_nobody_is_known() {
        for name in ["router", "Camera-2", "raspberrypi", "wlan1", "FritzBox"] {
            assert_eq!(is_common_name(name), name != "FritzBox", "{name}");
        }
        for (name, expected) in [
            ("deb.debian.org", true),
            ("fritz.box", true),
            ("anna.fritz.box", false),
            ("notdebian.org", false),
        ] {
            assert_eq!(is_common_domain(name), expected, "{name}");
        }
        assert!(!is_top("rs", 2, false) && is_top("rs", 3, false) && is_top("rs", 2, true));
    }
}
