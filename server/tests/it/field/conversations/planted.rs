//! Diagnostics with values of every class, other ones for each case, and words that quote them.

use base64::{Engine as _, prelude::BASE64_STANDARD};

use crate::field::hidden_values::HiddenValue;

const SYLLABLES: [&str; 16] = [
    "zor", "vik", "mul", "tek", "ran", "pol", "dun", "gal", "hes", "jor", "kal", "lem", "nof",
    "pes", "sut", "wid",
];

/// Questions of a person, with the values that the person knows.
pub(super) const QUESTIONS: [&str; 12] = [
    "Is {ipv4} up? Yesterday it was {host}.",
    "Who is {email}, and why does {mac} answer?",
    "Call {phone} if SSID: {ssid} is weak.",
    "What is wrong here?",
    "The machine with Serial Number: {serial} sends from {ipv6}.",
    "IMSI: {imsi} is the modem of /home/{person}/report.txt, is it not?",
    "The log has {secret} in it. Is that bad?",
    "Compare {ipv4} with {second} and [{ipv6}]:443, please.",
    "{mac-upper} or {mac-bare}: which one is it, and is {bssid} an access point?",
    "Write to {email-percent} about {host-upper}.",
    "{\"ip\":\"{ipv4}\",\"mail\":\"{email}\",\"ssid\":\"{ssid}\"}",
    "mailto:{email} http://{host}/x?from={ipv4}",
];

/// Answers of a model that quotes values which it may have guessed, and tokens.
pub(super) const ANSWERS: [&str; 12] = [
    "That is all, sir.",
    "It is {ipv4}, at {mac}.",
    "ip-s1-n1.1 answers as mac-s1-1, and {host} does not.",
    "Ask {email} or {phone}.",
    "SSID: {ssid} is weak, and {bssid} is its access point.",
    "In base64 that is {email-base64}.",
    "As a link: http://x.example/?q={email-percent}",
    "The addresses are {ipv6} and {mac-bare}, {mac-upper}.",
    "| serial | {serial} |\n|---|---|\n| IMSI: {imsi} | /home/{person}/report.txt |",
    "The key is {secret}, sir.",
    "`{host-upper}` and ssid-s1-1.",
    "{\"mail\":\"{email-json}\"}",
];

/// One case: its values by the names of their slots.
pub(super) struct PlantedCase {
    number: usize,
    slots: Vec<PlantedSlot>,
}

struct PlantedSlot {
    name: &'static str,
    class: &'static str,
    value: String,
    /// The line of diagnostics that has it.
    line: String,
}

impl PlantedCase {
    pub(super) fn new(number: usize) -> Self {
        let syllable = |size: usize| SYLLABLES[number / size % SYLLABLES.len()];
        let word = [syllable(1), syllable(16), syllable(256)].concat();
        let (high, low) = (number / 100 % 100, number % 100);
        let mut case = Self {
            number,
            slots: Vec::new(),
        };
        // Other addresses for each case, in fewer networks than one site may have.
        let ipv4 = format!("10.{}.{}.{}", 100 + high, 100 + low / 10, 101 + low % 10);
        case.plant("ipv4", "ipv4", &ipv4, "connect to {}.");
        let second = format!("172.{}.{}.{}", 16 + number % 16, 100 + high, 100 + low);
        case.plant("second", "ipv4", &second, "src={},dst=ip");
        let ipv6 = format!("fd77:1a2b:3c4d:{:x}::77", 0x1000 + number);
        case.plant("ipv6", "ipv6", &ipv6, "inet6 {}/64 scope global");
        let tail = format!("{:02x}:{:02x}", number / 256, number % 256);
        let mac = format!("b8:27:eb:5a:{tail}");
        case.plant("mac", "mac", &mac, "link/ether {} brd ff:ff:ff:ff:ff:ff");
        let bssid = format!("2c:91:ab:5b:{tail}");
        case.plant("bssid", "mac", &bssid, "BSS {}(on wlan0)");
        let ssid = format!("{word}-{number}-Gast");
        case.plant("ssid", "ssid", &ssid, "\tSSID: {}");
        let host = format!("{word}-{number}.example.com");
        case.plant("host", "host", &host, "https://{}/login");
        let email = format!("{word}.{number}@example.com");
        case.plant("email", "email", &email, "mail {} now");
        let phone = format!("+49 30 {}", 5_550_000 + number);
        case.plant("phone", "phone", &phone, "call {} now");
        let person = format!("{word}{number}");
        case.plant("person", "person", &person, "/home/{}/report.txt");
        let serial = format!("10000000{:08x}", 0xabcd_0000_usize + number);
        case.plant("serial", "serial", &serial, "Serial\t\t: {}");
        let imsi = format!("26201{}", 1_234_567_890 + number * 7);
        case.plant("imsi", "imsi", &imsi, "IMSI: {}");
        let secret = format!("ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9v{number:04}zA5k");
        case.plant("secret", "secret", &secret, "remote: https://x/ {}");
        case
    }

    fn plant(&mut self, name: &'static str, class: &'static str, value: &str, line: &str) {
        self.slots.push(PlantedSlot {
            name,
            class,
            value: value.to_owned(),
            line: line.replace("{}", value),
        });
    }

    /// The name of its section.
    pub(super) fn section(&self) -> String {
        format!("case_{}", self.number)
    }

    pub(super) fn diagnostics(&self) -> String {
        let lines: Vec<_> = self.slots.iter().map(|slot| slot.line.as_str()).collect();
        lines.join("\n")
    }

    /// The value of a slot.
    pub(super) fn value(&self, name: &str) -> &str {
        let slot = self.slots.iter().find(|slot| slot.name == name);
        &slot.unwrap().value
    }

    pub(super) fn values(&self) -> impl Iterator<Item = HiddenValue> {
        let slots = self.slots.iter();
        slots.map(|slot| HiddenValue::planted(slot.class, slot.value.as_str()))
    }

    /// A text with the values in place of the names of slots.
    pub(super) fn filled(&self, text: &str) -> String {
        let (mac, email) = (self.value("mac"), self.value("email"));
        let units = email.encode_utf16();
        let mut filled = text
            .replace("{mac-upper}", &mac.to_uppercase().replace(':', "-"))
            .replace("{mac-bare}", &format!("ether {}", mac.replace(':', "")))
            .replace("{host-upper}", &self.value("host").to_uppercase())
            .replace("{email-percent}", &email.replace('@', "%40"))
            .replace("{email-base64}", &BASE64_STANDARD.encode(email))
            .replace(
                "{email-json}",
                &units
                    .map(|unit| format!("\\u{unit:04x}"))
                    .collect::<String>(),
            );
        for slot in &self.slots {
            filled = filled.replace(&format!("{{{}}}", slot.name), &slot.value);
        }
        filled
    }
}
