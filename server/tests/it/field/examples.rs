//! Every example question about the field devices leads the rehearsal model to its tool, about things of the
//! simulated office.

use protocol::Reference;
use rehearsal::AreaExample;
use serde_json::json;

use super::{APPROVE, data, office, start};
use crate::{
    client::{Browser, new_conversation},
    examples::{check, is_of_field, with},
    harness::{Folder, Server},
};

/// Identifiers and tokens in examples, each with one that the office has.
type Places = [(&'static str, String); 6];

/// Makes what the examples are about: two versions of a proposal, and a run of the first.
async fn places(server: &Server, browser: &Browser) -> Places {
    let office = office(browser).await;
    let room = office.device("Meeting room");
    let mut bundles = office.of("bundle");
    let bundle = bundles.find(|bundle| bundle["device"] == room).unwrap();
    let bundle = bundle["id"].as_str().unwrap().to_owned();

    let mut tab = browser.socket().await;
    let conversation = new_conversation();
    let gateway = tab.gateway(server, conversation, &room).await;
    let mut proposal = json!({
        "device": room, "title": "Check the gateway", "why": "It is slow.",
        "steps": [{ "run": "ping", "target": gateway, "count": 4 }, { "run": "neighbours" }],
    });
    let said = "Propose a check of its gateway.";
    let call = ("propose_script", proposal.clone());
    let kept = tab.turn(server, conversation, said, &[call]).await;
    let proposed = data(&kept[0])["proposal"].as_str().unwrap().to_owned();
    let run = json!({ "proposal": proposed, "version": 1, "device": room });
    let said = "Run it on Meeting room.";
    tab.ask(server, conversation, said, &[("run_script", run)])
        .await;
    let question = tab.question().await;
    tab.decide(conversation, &question, APPROVE).await.unwrap();
    tab.see(|view| view.finished() == 3).await;
    let outcomes = tab.outcomes();
    let run = data(outcomes.last().unwrap())["run"].as_str().unwrap();
    proposal["of"] = json!(proposed);
    proposal["steps"] = json!([{ "run": "ping", "target": gateway, "count": 2 }]);
    let said = "Propose a shorter one.";
    let call = ("propose_script", proposal);
    let kept = tab.turn(server, conversation, said, &[call]).await;
    assert_eq!(data(&kept[0])["version"], 2);

    // The network of `ip-s1-n2.1` is `net-s1-2`.
    let place = gateway.strip_prefix("ip-").unwrap();
    let (site, host) = place.split_once("-n").unwrap();
    let (network, _) = host.split_once('.').unwrap();
    [
        ("dev_0123456789abcdefghijklmnop", room),
        ("bun_0123456789abcdefghijklmnop", bundle),
        ("pro_0123456789abcdefghijklmnop", proposed),
        ("run_0123456789abcdefghijklmnop", run.to_owned()),
        ("net-s1-1", format!("net-{site}-{network}")),
        ("ip-s1-n1.1", gateway),
    ]
}

/// A conversation has these tools only if it is about one of their things, so each begins at the device.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_about_field_devices_leads_to_its_tool() {
    let folder = Folder::new();
    let server = start(&folder).await;
    let browser = server.sign_in().await;
    let places = places(&server, &browser).await;
    let here = |example: &AreaExample| {
        let mut example = example.clone();
        for (from, to) in &places {
            example = with(&example, from, to);
        }
        example
    };
    let (mut asked, mut strays) = (0, Vec::<String>::new());
    for area in server.areas() {
        let path = area.page.as_ref().map_or("", |(_, path)| path.as_str());
        let tools = area.tools.iter();
        for (tool, examples) in tools.filter(|(tool, _)| is_of_field(path, tool)) {
            for example in examples.iter().map(here) {
                let mut tab = browser.socket().await;
                let about = vec![Reference::new("device", places[0].1.as_str())];
                let fault = check(&mut tab, tool, &example, about, &[]).await;
                let stray = |fault: String| format!("{} ({tool})\n{fault}", example.question);
                strays.extend(fault.map(stray));
                asked += 1;
            }
        }
    }
    assert!(asked > 25, "{asked}");
    assert_eq!(strays, [""; 0]);
    server.stop().await;
}
