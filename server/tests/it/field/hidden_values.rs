//! Looks for hidden values in everything that was sent to a model, in each spelling that a text may have.

use std::collections::{BTreeSet, HashMap, HashSet};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field::{
    field_package::hex,
    field_redaction::{Class, Pseudonym, SealedEntry, VaultKeys},
};
use field_tables::FieldTables;
use serde_json::Value;
use store::Store;

use crate::harness::{Folder, Server};

/// The site of the simulated office.
const SITE: &str = "nordlicht";
/// Bytes by which a spelling is looked up. Shorter values are parts of words.
const KEY: usize = 8;
/// Characters from which a name without digits is no word of everyday texts.
const TELLING: usize = 12;
/// Classes of names, which are covered only once they are known as names.
const NAMES: [&str; 3] = ["host", "person", "ssid"];

/// A value that no model may read.
pub(super) struct HiddenValue {
    pub(super) class: String,
    pub(super) value: String,
    pub(super) first_seen_ms: i64,
}

impl HiddenValue {
    /// A value that a test planted.
    pub(super) fn planted(class: &str, value: impl Into<String>) -> Self {
        Self {
            class: class.to_owned(),
            value: value.into(),
            first_seen_ms: 0,
        }
    }

    pub(super) fn is_name(&self) -> bool {
        NAMES.contains(&self.class.as_str())
    }

    /// False for a name that is also a word, such as a machine that is called `printer`.
    pub(super) fn is_telling(&self) -> bool {
        let has_digit = self.value.bytes().any(|byte| byte.is_ascii_digit());
        has_digit || self.value.len() >= TELLING
    }
}

/// The values in the vault of the office of a server that has stopped.
pub(super) async fn vault(folder: &Folder) -> Vec<HiddenValue> {
    let file = folder.data().join("field-keys").join("vault.key");
    let text = std::fs::read_to_string(file).unwrap();
    let keys = text.lines().skip(1).map(|line| hex::read(line).unwrap());
    let keys: Vec<[u8; 32]> = keys.collect();
    let keys = VaultKeys::new(keys[0], keys[1]);
    let store = Store::open(&folder.data()).await.unwrap();
    let tables = FieldTables::open(&store).await.unwrap();
    let rows = tables.vault(SITE).await.unwrap().entries;
    store.close().await.unwrap();
    let values = rows.into_iter().map(|row| {
        let sealed = SealedEntry {
            class: Class::named(&row.class).unwrap(),
            token: Pseudonym::parse(&row.token).unwrap(),
            hash: row.hash,
            sealed: String::from_utf8(row.sealed).unwrap(),
        };
        HiddenValue {
            value: sealed.open(SITE, &keys).unwrap().value().to_owned(),
            class: row.class,
            first_seen_ms: row.first_seen_ms,
        }
    });
    values.collect()
}

/// All texts in the requests that reached the model, each once.
#[derive(Default)]
pub(super) struct SentTexts {
    texts: HashSet<String>,
    /// Texts of instructions and definitions, in lower case.
    fixed: HashSet<String>,
    requests: usize,
}

impl SentTexts {
    /// Takes in what a server has sent since the last time, and clears its script.
    pub(super) fn take(&mut self, server: &Server) {
        let script = server.script();
        let requests = script.requests();
        script.clear();
        assert!(!requests.is_empty(), "each conversation asks the model");
        self.requests += requests.len();
        for request in &requests {
            for part in ["system", "tools"] {
                let text = request.body[part].to_string().to_lowercase();
                if !self.fixed.contains(&text) {
                    self.fixed.insert(text);
                }
            }
            self.add(&request.body);
        }
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.keep(text),
            Value::Number(number) => self.keep(&number.to_string()),
            Value::Array(items) => items.iter().for_each(|item| self.add(item)),
            Value::Object(fields) => {
                for (name, item) in fields {
                    self.keep(name);
                    self.add(item);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn keep(&mut self, text: &str) {
        if !self.texts.contains(text) {
            self.texts.insert(text.to_owned());
        }
    }

    /// The number of requests.
    pub(super) fn requests(&self) -> usize {
        self.requests
    }

    pub(super) fn contains(&self, text: &str) -> bool {
        self.texts.iter().any(|sent| sent.contains(text))
    }

    /// True if a name is a word of the instructions, which are the same whatever a vault has.
    pub(super) fn is_fixed(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.fixed.iter().any(|text| text.contains(&name))
    }

    /// Fails if one of the values is in one of the texts.
    pub(super) fn have_none_of(&self, values: &[HiddenValue]) {
        let spellings = Spellings::of(values);
        let mut leaks: Vec<_> = self
            .texts
            .iter()
            .filter_map(|text| Some((spellings.found(text)?, text)))
            .collect();
        leaks.truncate(5);
        assert!(leaks.is_empty(), "hidden values were sent: {leaks:#?}");
    }
}

/// The spellings of some values, by their first bytes in lower case.
struct Spellings(HashMap<[u8; KEY], Vec<SoughtSpelling>>);

struct SoughtSpelling {
    text: String,
    about: String,
}

impl Spellings {
    fn of(values: &[HiddenValue]) -> Self {
        let mut known: HashMap<[u8; KEY], Vec<SoughtSpelling>> = HashMap::new();
        for hidden in values {
            for text in spellings(hidden) {
                let Some(key) = text.as_bytes().first_chunk::<KEY>().copied() else {
                    continue;
                };
                let about = format!("{} {}", hidden.class, hidden.value);
                known
                    .entry(key)
                    .or_default()
                    .push(SoughtSpelling { text, about });
            }
        }
        Self(known)
    }

    /// The first value that a text has.
    fn found(&self, text: &str) -> Option<&str> {
        let text = text.to_lowercase();
        let bytes = text.as_bytes();
        for at in 0..bytes.len() {
            let Some(key) = bytes[at..].first_chunk::<KEY>() else {
                break;
            };
            let Some(known) = self.0.get(key) else {
                continue;
            };
            let mut known = known.iter();
            if let Some(found) = known.find(|it| bytes[at..].starts_with(it.text.as_bytes())) {
                return Some(&found.about);
            }
        }
        None
    }
}

/// The spellings of a value, in lower case.
fn spellings(hidden: &HiddenValue) -> BTreeSet<String> {
    let value = hidden.value.as_str();
    let mut plain = BTreeSet::from([value.to_owned()]);
    if hidden.class == "mac" {
        let digits: String = value.chars().filter(char::is_ascii_hexdigit).collect();
        for (length, between) in [(12, ""), (2, ":"), (2, "-"), (2, " "), (4, "."), (6, "-")] {
            plain.insert(grouped(&digits, length, between));
        }
    }
    if hidden.class == "phone" {
        plain.insert(value.chars().filter(char::is_ascii_digit).collect());
    }
    for text in plain.clone() {
        plain.insert(text.to_lowercase());
        plain.insert(text.to_uppercase());
    }
    let mut all = BTreeSet::new();
    for text in &plain {
        all.insert(text.clone());
        let json = Value::from(text.as_str()).to_string();
        all.insert(json.trim_matches('"').to_owned());
        let units = text.encode_utf16();
        all.insert(units.map(|unit| format!("\\u{unit:04x}")).collect());
        all.insert(text.bytes().map(|byte| format!("%{byte:02x}")).collect());
        all.insert(text.bytes().map(percent_encoded).collect());
        for encoded in base64_within(text) {
            all.insert(encoded.replace('+', "-").replace('/', "_"));
            all.insert(encoded);
        }
    }
    all.iter().map(|text| text.to_lowercase()).collect()
}

fn grouped(digits: &str, length: usize, between: &str) -> String {
    let bytes: Vec<_> = digits.bytes().collect();
    let groups = bytes.chunks(length).map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(between)
}

fn percent_encoded(byte: u8) -> String {
    if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
        char::from(byte).to_string()
    } else {
        format!("%{byte:02x}")
    }
}

/// The letters of base64 that a text has at any place of a longer one.
fn base64_within(text: &str) -> Vec<String> {
    let places = (0..3_usize).map(|before| {
        let mut bytes = vec![0; before];
        bytes.extend_from_slice(text.as_bytes());
        let encoded = BASE64_STANDARD.encode(&bytes);
        let (start, end) = ((before * 8).div_ceil(6), bytes.len() * 8 / 6);
        encoded[start..end].to_owned()
    });
    places.collect()
}

#[test]
fn each_spelling_of_a_value_is_found() {
    let spellings = Spellings::of(&[
        HiddenValue::planted("mac", "b8:27:eb:5a:12:f6"),
        HiddenValue::planted("phone", "+49305550017"),
        HiddenValue::planted("email", "anna.mueller@example.com"),
        HiddenValue::planted("ssid", "Haus \"Nord\" 5G"),
    ]);
    let encoded = |text: &str| BASE64_STANDARD.encode(text);
    let found = [
        "at b8:27:eb:5a:12:f6,".to_owned(),
        "B8-27-EB-5A-12-F6".to_owned(),
        "b827.eb5a.12f6 dynamic".to_owned(),
        "xb827eb5a12f6x".to_owned(),
        "%62%38%3A%32%37%3aeb%3A5a%3A12%3Af6 or b8%3A27%3Aeb%3A5a%3A12%3Af6".to_owned(),
        "call 49305550017".to_owned(),
        "ANNA.MUELLER@EXAMPLE.COM".to_owned(),
        "anna.mueller%40example.com".to_owned(),
        r"\u0061\u006e\u006e\u0061\u002e\u006d\u0075\u0065\u006c\u006c\u0065\u0072\u0040\u0065\u0078\u0061\u006d\u0070\u006c\u0065\u002e\u0063\u006f\u006d"
            .to_owned(),
        r#"{"ssid":"Haus \"Nord\" 5G"}"#.to_owned(),
        encoded("anna.mueller@example.com"),
        encoded("m:anna.mueller@example.com;"),
        encoded("to anna.mueller@example.com"),
        encoded("b8:27:eb:5a:12:f6"),
    ];
    for text in found {
        assert!(spellings.found(&text).is_some(), "{text}");
    }
    let others = ["b8:27:eb:5a:12:f7", "anna.mueller@example.org", "", "Haus"];
    for text in others {
        assert_eq!(spellings.found(text), None, "{text}");
    }
    assert!(!HiddenValue::planted("host", "printer").is_telling());
}
