//! Answers that a proxy before the site sends in a form that nobody asked for.

use protocol::ErrorCode;
use serde_json::json;
use simerp::{SimErpFault, SimErpTrigger, SimErpUser};

use crate::{
    drafts::order,
    simulated::{World, ask, data},
};

#[tokio::test]
async fn chunks_are_put_together_and_a_packed_answer_is_refused_by_its_reason() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let control = world.site.control();
        let pump = || json!({"doctype": "Item", "name": "PUMP"});
        let whole = data(&erp, "get_doc", pump()).await;
        control.fault(SimErpTrigger::next("Item/PUMP", SimErpFault::Chunked).times(9));
        assert_eq!(data(&erp, "get_doc", pump()).await, whole);
        control.clear_faults();

        control.fault(SimErpTrigger::next("Item/PUMP", SimErpFault::Gzip));
        let error = ask(&erp, "get_doc", pump()).await.unwrap_err();
        assert!(error.message.contains("it is compressed"), "{error}");
        assert_eq!(error.code, ErrorCode::ToolFailed, "{error}");
        control.clear_faults();
        assert_eq!(data(&erp, "get_doc", pump()).await, whole);
    }
}

#[tokio::test]
async fn a_write_whose_answer_is_packed_is_looked_up_and_not_sent_again() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let control = world.site.control();
        let before = control.names("Sales Order").len();
        let packed = SimErpTrigger::next("Sales Order", SimErpFault::Gzip).of_method("POST");
        control.fault(packed);
        let made = data(&erp, "create_doc", order(4)).await;
        assert_eq!(made["docstatus"], "draft", "{made}");
        assert_eq!(control.names("Sales Order").len(), before + 1);
    }
}
