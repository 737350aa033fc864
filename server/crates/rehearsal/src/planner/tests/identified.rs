//! Things that people name and tools identify.

use super::*;
use crate::planner::AreaExample;

const HALL: &str = "box_9z8y7x6w5v4u3t2s1r0q9p8o7n";

/// The calls for words beside the data of two boxes.
fn calls(said: &str) -> Vec<(String, Value)> {
    let tools = json!([tool(
        "read_box",
        &json!({ "box": { "type": "string" } }),
        &["box"]
    )]);
    let example = |question: &str| AreaExample {
        question: question.to_owned(),
        input: Some(json!({ "box": "box_0123456789abcdefghijklmnop" })),
    };
    let areas = [Area {
        page: None,
        pack: None,
        routine: None,
        names: Vec::new(),
        tools: vec![(
            "read_box".to_owned(),
            vec![
                example("How is box_0123456789abcdefghijklmnop?"),
                example("Why is box_0123456789abcdefghijklmnop heavy?"),
            ],
        )],
    }];
    let data = json!({ "boxes": [
        { "room": "room_00000000000000000000000000", "box": "box_00000000000000000000000001", "name": "Hall" },
        { "box": HALL, "name": "Big hall" },
    ]});
    let context = format!("[Context]\n<context source=\"store\">{data}</context>");
    let messages = json!([{ "role": "user", "content": [
        { "type": "text", "text": context },
        { "type": "text", "text": said },
    ]}]);
    answered_by(&tools, &areas, &messages).0
}

#[test]
fn a_name_stands_for_its_identifier() {
    let of = |id: &str| vec![("read_box".to_owned(), json!({ "box": id }))];
    assert_eq!(calls("How is the big hall?"), of(HALL));
    assert_eq!(calls("why is the Big Hall so heavy"), of(HALL));
    let small = "box_00000000000000000000000001";
    assert_eq!(calls("How is Hall?"), of(small));
    assert_eq!(calls(&format!("How is {small}?")), of(small));
    // Of another kind, of another form, and not known.
    assert_eq!(calls("How is room_00000000000000000000000000?"), []);
    assert_eq!(calls("Burn the big hall."), []);
    assert_eq!(calls("How is the cellar?"), []);
}
