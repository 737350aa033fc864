//! Rules of a domain's own: they are asked first, and leave everything else as it is.

use super::*;
use crate::planner::routine::{self, Routine, RoutineStep, View, words};

/// Rules about the tide, which the description of no tool speaks of.
#[derive(Debug)]
struct TideTable;

impl Routine for TideTable {
    fn next(&self, view: &View<'_>, may_call: bool) -> Option<RoutineStep> {
        let gauge = view.tool("read_gauge")?;
        if !words(&view.question).iter().any(|word| word == "tide") {
            return None;
        }
        let read = view.done.iter().find(|done| done.name == gauge.name);
        Some(match read {
            Some(done) => RoutineStep::Say(format!("It is at {} m, sir.", done.data["metres"])),
            None if may_call => RoutineStep::Calls(vec![routine::Call {
                name: gauge.name.to_owned(),
                input: json!({}),
            }]),
            None => RoutineStep::Say("I may not look, sir.".to_owned()),
        })
    }
}

#[test]
fn a_routine_answers_first_and_only_what_is_its_own() {
    let areas = [Area {
        routine: Some(&TideTable),
        ..Area::default()
    }];
    let tools = json!([
        tool("read_gauge", &json!({}), &[]),
        tool("get_vms", &json!({}), &[])
    ]);
    let asked = |text: &str| json!({ "role": "user", "content": text });
    let called = |text: &str| answered_by(&tools, &areas, &json!([asked(text)])).0;
    assert_eq!(
        called("Is the tide in?"),
        [("read_gauge".to_owned(), json!({}))]
    );
    assert_eq!(
        called("List my VMs, please"),
        [("get_vms".to_owned(), json!({}))]
    );

    // Its answer is made of the result; where nothing may be called, it says so.
    let use_of = json!({ "type": "tool_use", "id": "toolu_1", "name": "read_gauge", "input": {} });
    let content = json!({ "source": "sea/read_gauge", "data": { "metres": 2 } });
    let result = json!({
        "type": "tool_result", "tool_use_id": "toolu_1", "content": content.to_string(),
    });
    let messages = json!([
        asked("Is the tide in?"),
        { "role": "assistant", "content": [use_of] },
        { "role": "user", "content": [result] },
    ]);
    let told = answered_by(&tools, &areas, &messages);
    assert_eq!(told, (Vec::new(), "It is at 2 m, sir.".to_owned()));
    let body = json!({
        "model": "rehearsal-1", "max_tokens": 1024, "tools": tools,
        "tool_choice": { "type": "none" }, "messages": [asked("Is the tide in?")],
    });
    let blocks = routine::answered(&body, &areas).unwrap();
    assert!(
        blocks.contains(&Block::text("I may not look, sir.")),
        "{blocks:?}"
    );
    assert_eq!(routine::answered(&json!({}), &areas), None);
}
