//! Many conversations over planted diagnostics: no hidden value is in anything that the model was sent.

mod planted;

use std::{collections::HashSet, time::SystemTime};

use protocol::{Command, Confirmation, ConversationId, EventBody, Mode, Reference, TurnOutcome};
use rehearsal::{Block, Fault, RetryAfter, Scripted};
use serde_json::{Value, json};

use self::planted::{ANSWERS, PlantedCase, QUESTIONS};
use super::{
    OFFICE,
    directed::{SeededNumbers, denied, next},
    hidden_values::{HiddenValue, SentTexts, vault},
    office,
};
use crate::{
    api::{post, program},
    client::{Browser, new_conversation},
    harness::{Folder, QUIET, Server},
};

/// Room for everything that the tests of many conversations do.
const ROOM: &str = "probes_per_hour = 1000\n[limits]\nuser_commands = 1000000\nuser_sockets = 1000\n\
    [budget]\nday_cents = 100000000\nday_tokens = 4000000000\n";
/// Cases whose diagnostics come in one bundle.
const OF_BUNDLE: usize = 10;
/// Beginnings of tokens, of which each stands for a class that was planted.
const TOKENS: [&str; 10] = [
    "ip-s1-", "ip6-s1-", "mac-s1-", "ssid-s1-", "host-s1-", "mail-s1-", "tel-s1-", "user-s1-",
    "sn-s1-", "imsi-s1-",
];

/// Starts a server for many conversations.
pub(super) async fn start_roomy(folder: &Folder) -> Server {
    Server::start_with(folder, &format!("{QUIET}{OFFICE}{ROOM}")).await
}

/// Milliseconds since 1970.
pub(super) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    i64::try_from(since.unwrap().as_millis()).unwrap()
}

/// The things of one case that calls name.
struct CaseThings<'a> {
    case: &'a PlantedCase,
    bundle: &'a str,
    device: &'a str,
}

impl CaseThings<'_> {
    /// The calls of one step of the model.
    fn calls(&self, kind: usize) -> Vec<Block> {
        let (bundle, device) = (self.bundle, self.device);
        let section = self.case.section();
        let of = |class: &str| self.case.value(class);
        let read = |more: Value| {
            let mut input = json!({ "bundle": bundle });
            for (name, value) in more.as_object().unwrap() {
                input[name] = value.clone();
            }
            Block::tool_use("get_diagnostics", input)
        };
        let probe =
            |step: Value| Block::tool_use("run_probe", json!({ "device": device, "step": step }));
        match kind {
            0 => vec![read(json!({ "section": section }))],
            1 => vec![read(json!({ "section": section, "find": of("ipv4") }))],
            2 => vec![
                Block::tool_use("list_devices", json!({})),
                Block::tool_use("get_device", json!({ "device": device })),
            ],
            3 => vec![probe(
                json!({ "run": "ping", "target": of("ipv4"), "count": 1 }),
            )],
            4 => vec![probe(json!({ "run": "dig", "name": of("host") }))],
            5 => vec![Block::tool_use(
                "check_script",
                json!({
                    "device": device,
                    "steps": [
                        { "run": "ping", "target": of("mac") },
                        { "run": "dig", "name": of("email") },
                    ],
                }),
            )],
            6 => vec![Block::tool_use(
                "propose_script",
                json!({
                    "device": device,
                    "title": format!("Ask {}", of("host")),
                    "why": format!("{} of {} answers as {}.", of("mac"), of("email"), of("ipv6")),
                    "steps": [{ "run": "ping", "target": of("ipv4") }, { "run": "links" }],
                }),
            )],
            // Errors quote what was written.
            7 => vec![Block::tool_use(
                "get_device",
                json!({ "device": of("email") }),
            )],
            8 => {
                let mut step = json!({ "run": "routes" });
                step[of("ssid")] = json!(of("phone"));
                vec![probe(step)]
            }
            9 => vec![
                probe(json!({ "run": "routes" })),
                probe(json!({ "run": "neighbours" })),
            ],
            10 => vec![read(json!({ "section": of("serial") }))],
            _ => vec![read(json!({}))],
        }
    }

    fn start(&self, conversation: ConversationId, text: String, mode_now: Mode) -> Command {
        let mut start = Command::start(conversation, text);
        if let Command::Start {
            mode, references, ..
        } = &mut start
        {
            *mode = mode_now;
            references.push(Reference::new("bundle", self.bundle));
            references.push(Reference::new("device", self.device));
        }
        start
    }
}

/// Kinds of steps in [`CaseThings::calls`].
const KINDS: usize = 12;

/// Brings the diagnostics of some cases; returns the bundle.
async fn bring(program: &Browser, cases: &[PlantedCase]) -> String {
    let sections = cases
        .iter()
        .map(|case| json!({ "name": case.section(), "text": case.diagnostics() }));
    let body = json!({ "site": "nordlicht", "sections": sections.collect::<Vec<_>>() });
    let taken = post(program, "/api/v1/field/diagnostics", "", &body).await;
    assert_eq!(taken.status(), 200, "{:?}", taken.text().await);
    let taken: Value = taken.json().await.unwrap();
    taken["bundle"].as_str().unwrap().to_owned()
}

/// Letters and digits alone, in lower case: the same for all ways to write a number or an address.
fn bare(text: &str) -> String {
    let letters = text.chars().filter(|sign| sign.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

async fn no_hidden_value_is_sent_in(count: usize) {
    let folder = Folder::new();
    let server = start_roomy(&folder).await;
    let browser = server.sign_in().await;
    let device = office(&browser).await.device("Meeting room");
    let program = program(&server, &browser, "operator", &["field"]).await;
    let cases: Vec<_> = (0..count).map(PlantedCase::new).collect();
    let mut bundles = Vec::new();
    for cases in cases.chunks(OF_BUNDLE) {
        bundles.push(bring(&program, cases).await);
    }
    let asked_ms = now_ms();

    let mut sent = SentTexts::default();
    let mut numbers = SeededNumbers(0x5eed_0020);
    let mut answered = 0;
    for (number, case) in cases.iter().enumerate() {
        let things = CaseThings {
            case,
            bundle: &bundles[number / OF_BUNDLE],
            device: &device,
        };
        let script = server.script();
        if numbers.below(7) == 0 {
            let retry_after = Some(RetryAfter::Milliseconds(1));
            script.push(Scripted::fault(Fault::RateLimit { retry_after }));
        }
        // A plan has no tools, and the whole text of the bundle.
        let is_plan = number % 5 == 1;
        if !is_plan {
            for _ in 0..=numbers.below(3) {
                script.reply(things.calls(numbers.below(KINDS)));
            }
        }
        script.reply([Block::text(case.filled(numbers.one_of(&ANSWERS)))]);
        let mode = if is_plan { Mode::Plan } else { Mode::Default };
        let conversation = new_conversation();
        let asked = case.filled(numbers.one_of(&QUESTIONS));
        let mut tab = browser.socket().await;
        let decides = &mut |_: &Confirmation| denied();
        tab.directed(
            conversation,
            things.start(conversation, asked, mode),
            decides,
        )
        .await;
        // What the model said is sent again.
        script.reply([Block::text(case.filled(numbers.one_of(&ANSWERS)))]);
        let asked = case.filled(numbers.one_of(&QUESTIONS));
        tab.directed(conversation, next(conversation, asked), decides)
            .await;
        answered += tab.view.count(|body| {
            matches!(
                body,
                EventBody::TurnFinished {
                    outcome: TurnOutcome::Answered,
                    ..
                }
            )
        });
        sent.take(&server);
    }
    server.stop().await;

    // The controls: all of it was hidden, its tokens were sent, and turns came to an answer.
    let mut hidden = vault(&folder).await;
    let known: HashSet<_> = hidden.iter().map(|value| bare(&value.value)).collect();
    let planted: Vec<_> = cases.iter().flat_map(PlantedCase::values).collect();
    for value in planted.iter().filter(|value| value.class != "secret") {
        let (class, value) = (&value.class, &value.value);
        assert!(known.contains(&bare(value)), "{class} {value} is no value");
    }
    for token in TOKENS {
        assert!(sent.contains(token), "no {token} was sent");
    }
    assert!(answered * 4 > count * 2 * 3, "{answered} turns of {count}");

    // Names that became known later may have been words before.
    hidden.retain(|value| {
        let is_old = value.first_seen_ms <= asked_ms && !sent.is_fixed(&value.value);
        value.is_telling() && value.class != "network" && (!value.is_name() || is_old)
    });
    let values: Vec<HiddenValue> = planted.into_iter().chain(hidden).collect();
    sent.have_none_of(&values);
    eprintln!(
        "{count} conversations, {} requests, {answered} answers, {} values: 0 sent",
        sent.requests(),
        values.len()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_hidden_value_is_sent_in_thirty_conversations() {
    Box::pin(no_hidden_value_is_sent_in(30)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "long: cargo xtask test long"]
async fn no_hidden_value_is_sent_in_three_hundred_conversations() {
    Box::pin(no_hidden_value_is_sent_in(300)).await;
}
