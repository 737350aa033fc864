//! Snapshots of page queries and their answers.

use super::check;
use crate::{PageAnswer, PageQuery, SystemStatus};

#[test]
fn query_and_answer() {
    let query = PageQuery {
        kind: "node".to_owned(),
        name: "pve".to_owned(),
        part: "charts/day".to_owned(),
    };
    check("page_query", &query);
    let answer = PageAnswer {
        system: SystemStatus {
            toolset: "homelab".to_owned(),
            name: "Home".to_owned(),
            simulated: true,
        },
        value: serde_json::json!({"any": "thing"}),
    };
    check("page_answer", &answer);
}
