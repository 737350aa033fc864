//! Examples that the server handed in: they choose tools, and are offered where none fits.

use super::*;
use crate::planner::{Area, AreaExample};

fn areas() -> Vec<Area> {
    let area = |page: &str, tools: &[(&str, &str)]| Area {
        page: Some((page.to_uppercase(), format!("/{page}"))),
        pack: None,
        routine: None,
        names: Vec::new(),
        tools: tools
            .iter()
            .map(|(tool, question)| {
                let question = (*question).to_owned();
                let example = AreaExample {
                    question,
                    input: None,
                };
                ((*tool).to_owned(), vec![example])
            })
            .collect(),
    };
    vec![
        area(
            "hud",
            &[
                ("get_cluster_status", "How is the cluster doing?"),
                ("get_vms", "Which VMs are stopped?"),
                ("restart_vm", "Restart VM 101."),
                ("get_storage", "Is any storage filling up?"),
                ("get_backups", "Is there a wrong number?"),
            ],
        ),
        area(
            "chart",
            &[
                ("get_current_price", "What is the price of EURUSD?"),
                ("draw_circle", "Circle the newest trip of penguins."),
            ],
        ),
    ]
}

/// The calls and the text of the answer to the first words of a conversation.
fn asked(said: &str) -> (Vec<String>, String) {
    let body = json!({
        "model": "rehearsal-1", "max_tokens": 1024, "tools": homelab(),
        "messages": [{ "role": "user", "content": said }],
    });
    let request = validate::body(&body, Endpoint::Messages, Version::V2026, true).unwrap();
    let (mut calls, mut text) = (Vec::new(), String::new());
    for block in super::super::answer(&request, &areas()) {
        match block {
            Block::ToolUse { name, .. } => calls.push(name),
            Block::Text { text: words } => text.push_str(&words),
            _ => {}
        }
    }
    (calls, text)
}

#[test]
fn an_example_leads_to_its_tool_whatever_the_tool_is_called() {
    assert_eq!(asked("Is there a wrong number?").0, ["get_backups"]);
}

#[test]
fn where_nothing_fits_three_questions_are_offered_with_their_page() {
    // The tools of another page are not here; it says where the question can be asked.
    let (calls, text) = asked("What is the price of gold?");
    assert_eq!(calls, [""; 0]);
    let offers: Vec<&str> = text.lines().filter(|line| line.starts_with("- ")).collect();
    assert_eq!(
        offers[0],
        "- What is the price of EURUSD? ([CHART](/chart))"
    );
    assert_eq!(offers.len(), 3);
    for said in ["Tell me a joke about penguins", "Cancel my trip to Mars"] {
        let (calls, text) = asked(said);
        assert_eq!(calls, [""; 0], "{said}");
        assert_eq!(text.matches("\n- ").count(), 3, "{said}: {text}");
        // Nothing is offered that acts.
        assert!(!text.contains("Restart"), "{said}: {text}");
        assert!(!text.contains("Circle"), "{said}: {text}");
    }
}

#[test]
fn another_language_is_answered_in_english() {
    for said in [
        "Welche VMs laufen gerade?",
        "Wie geht es dem Cluster?",
        "Stoppe bitte den Medienserver",
        "Welcher Knoten ist am wärmsten?",
        "Stoppe media",
        "¿Cómo está el clúster?",
        "Quelles machines sont arrêtées ?",
        "クラスターの状態は?",
        "Как дела у кластера?",
    ] {
        let (calls, text) = asked(said);
        assert_eq!(calls, [""; 0], "{said}");
        assert!(
            text.starts_with("I read English only, sir"),
            "{said}: {text}"
        );
        assert_eq!(text.matches("\n- ").count(), 3, "{said}: {text}");
    }
    // Names of other tongues are no other language.
    assert_eq!(asked("Is café running?").0, ["get_vms", "get_containers"]);
}
