//! Calls of different conversations that ask for the same at the same time, and processes that end between
//! what the ERP does and the note of it: no document is taken for that of another call.

use std::sync::Arc;

use agent::ports::{Progress, Reconciled, ToolCall};
use async_trait::async_trait;
use erp::{Erp, MadeDocument, MadeDocuments, MadeDocumentsError, OpenDraft};
use erp_testkit::MemoryMadeDocuments;
use protocol::{CallId, ErrorCode, Timestamp};
use serde_json::json;
use simerp::{SimErpFault, SimErpTrigger, SimErpUser};
use tokio::sync::Notify;

use crate::{
    acting::just_now,
    drafts::order,
    simulated::{World, ask},
    stub::{call, tool},
};

/// A moment in which the process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CutAt {
    /// The document is noted, and not sent.
    Noted,
    /// The ERP has it, and who made it is not noted.
    Made,
}

/// Notes of a process that ends.
struct CutNotes {
    notes: MemoryMadeDocuments,
    at: CutAt,
    reached: Arc<Notify>,
}

impl CutNotes {
    async fn end(&self) {
        self.reached.notify_one();
        std::future::pending().await
    }
}

#[async_trait]
impl MadeDocuments for CutNotes {
    async fn open(&self, draft: &OpenDraft) -> Result<(), MadeDocumentsError> {
        self.notes.open(draft).await?;
        if self.at == CutAt::Noted {
            self.end().await;
        }
        Ok(())
    }

    async fn close(&self, draft: &OpenDraft) -> Result<(), MadeDocumentsError> {
        self.notes.close(draft).await
    }

    async fn opened(
        &self,
        site: &str,
        doctype: &str,
    ) -> Result<Vec<OpenDraft>, MadeDocumentsError> {
        self.notes.opened(site, doctype).await
    }

    async fn keep(
        &self,
        made: &MadeDocument,
        call: &str,
        at_ms: i64,
    ) -> Result<(), MadeDocumentsError> {
        if self.at == CutAt::Made {
            self.end().await;
        }
        self.notes.keep(made, call, at_ms).await
    }

    async fn maker(&self, made: &MadeDocument) -> Result<Option<String>, MadeDocumentsError> {
        self.notes.maker(made).await
    }
}

/// A company, and the notes that outlive its clients.
struct NotedWorld {
    world: World,
    notes: MemoryMadeDocuments,
}

impl NotedWorld {
    async fn new() -> Self {
        let [world, _] = World::both().await;
        Self {
            world,
            notes: MemoryMadeDocuments::default(),
        }
    }

    /// A new process.
    fn erp(&self) -> Erp {
        let erp = self.world.erp(SimErpUser::Agent);
        erp.with_made_documents(Arc::new(self.notes.clone()))
    }

    /// Runs a call until its process ends.
    async fn cut(&self, call: &ToolCall, at: CutAt) {
        let reached = Arc::new(Notify::new());
        let notes = CutNotes {
            notes: self.notes.clone(),
            at,
            reached: Arc::clone(&reached),
        };
        let erp = self.world.erp(SimErpUser::Agent);
        let erp = erp.with_made_documents(Arc::new(notes));
        let tool = tool(&erp, &call.name);
        tokio::select! {
            done = tool.call(call.clone(), Progress::ignored()) => panic!("{done:?}"),
            () = reached.notified() => {}
        }
    }

    fn orders(&self) -> Vec<String> {
        self.world.site.control().names("Sales Order")
    }

    /// The one order that was not there before.
    fn new_order(&self, before: &[String]) -> String {
        let mut new = self.orders();
        new.retain(|it| !before.contains(it));
        assert_eq!(new.len(), 1, "{new:?}");
        new.remove(0)
    }
}

async fn reconcile_call(erp: &Erp, call: &ToolCall, since: Timestamp) -> Reconciled {
    tool(erp, &call.name).reconcile(call, since).await
}

/// The same of another conversation.
fn another(call: &ToolCall, number: u64) -> ToolCall {
    ToolCall {
        id: CallId::new(Timestamp(2), number.into()),
        ..call.clone()
    }
}

#[tokio::test]
async fn what_a_call_has_made_and_did_not_live_to_note_is_its_own_alone() {
    let world = NotedWorld::new().await;
    let before = world.orders();
    let first = call("create_doc", order(4));
    world.cut(&first, CutAt::Made).await;
    let name = world.new_order(&before);
    // The other was cut off before it was noted, so it has sent nothing. It is asked first.
    let second = another(&first, 2);
    let erp = world.erp();
    match reconcile_call(&erp, &second, just_now()).await {
        Reconciled::Unknown(why) => assert!(why.contains(&name), "{why}"),
        other => panic!("{other:?}"),
    }
    match reconcile_call(&erp, &first, just_now()).await {
        Reconciled::Done(Ok(output)) => assert_eq!(output.data["name"], name),
        other => panic!("{other:?}"),
    }
    // Now that it has a maker, nothing is there that could be the other's.
    match reconcile_call(&world.erp(), &second, just_now()).await {
        Reconciled::Unknown(why) => assert!(!why.contains(&name), "{why}"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn two_calls_alike_that_were_both_cut_off_claim_nothing() {
    for order_of in [[0, 1], [1, 0]] {
        let world = NotedWorld::new().await;
        let before = world.orders();
        let first = call("create_doc", order(4));
        let calls = [first.clone(), another(&first, 2)];
        world.cut(&calls[0], CutAt::Made).await;
        world.cut(&calls[1], CutAt::Noted).await;
        let name = world.new_order(&before);
        let erp = world.erp();
        for at in order_of {
            match reconcile_call(&erp, &calls[at], just_now()).await {
                Reconciled::Unknown(why) => assert!(why.contains(&name), "{why}"),
                other => panic!("{order_of:?} {at}: {other:?}"),
            }
        }
        assert_eq!(world.new_order(&before), name);
    }
}

#[tokio::test]
async fn a_call_that_asked_for_something_else_stands_in_nobodys_way() {
    let world = NotedWorld::new().await;
    let before = world.orders();
    let other = another(&call("create_doc", order(5)), 2);
    world.cut(&other, CutAt::Noted).await;
    // One that the ERP refused made nothing either.
    let refused = another(&call("create_doc", order(4)), 3);
    let no = SimErpFault::Message("Credit limit crossed".to_owned());
    let trigger = SimErpTrigger::next("Sales ", no).of_method("POST");
    world.world.site.control().fault(trigger);
    let erp = world.erp();
    let tool = tool(&erp, "create_doc");
    let done = tool.call(refused, Progress::ignored()).await;
    let error = done.unwrap_err().0;
    assert_ne!(error.code, ErrorCode::ToolOutcomeUnknown, "{error}");
    let own = call("create_doc", order(4));
    world.cut(&own, CutAt::Made).await;
    let name = world.new_order(&before);
    match reconcile_call(&world.erp(), &own, just_now()).await {
        Reconciled::Done(Ok(output)) => assert_eq!(output.data["name"], name),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn of_two_comments_alike_that_were_cut_off_none_is_claimed() {
    let world = NotedWorld::new().await;
    let name = world.orders().remove(0);
    let note = json!({"doctype": "Sales Order", "name": name, "text": "They called"});
    let first = call("add_comment", note.clone());
    let second = another(&first, 2);
    world.cut(&first, CutAt::Made).await;
    // Nobody else has sent it so far.
    let found = reconcile_call(&world.erp(), &second, just_now()).await;
    assert!(matches!(found, Reconciled::Unknown(_)), "{found:?}");
    world.cut(&second, CutAt::Noted).await;
    for call in [&first, &second] {
        let found = reconcile_call(&world.erp(), call, just_now()).await;
        match found {
            Reconciled::Unknown(why) => assert!(why.contains("another call"), "{why}"),
            other => panic!("{other:?}"),
        }
    }
    let other = json!({"doctype": "Sales Order", "name": name, "text": "They called again"});
    let other = another(&call("add_comment", other), 3);
    world.cut(&other, CutAt::Made).await;
    let found = reconcile_call(&world.erp(), &other, just_now()).await;
    assert!(matches!(found, Reconciled::Done(Ok(_))), "{found:?}");
}

/// Notes that cannot be written.
struct FullNotes;

#[async_trait]
impl MadeDocuments for FullNotes {
    async fn open(&self, _: &OpenDraft) -> Result<(), MadeDocumentsError> {
        Err(MadeDocumentsError("no room".to_owned()))
    }

    async fn close(&self, _: &OpenDraft) -> Result<(), MadeDocumentsError> {
        Ok(())
    }

    async fn opened(&self, _: &str, _: &str) -> Result<Vec<OpenDraft>, MadeDocumentsError> {
        Ok(Vec::new())
    }

    async fn keep(&self, _: &MadeDocument, _: &str, _: i64) -> Result<(), MadeDocumentsError> {
        Ok(())
    }

    async fn maker(&self, _: &MadeDocument) -> Result<Option<String>, MadeDocumentsError> {
        Ok(None)
    }
}

#[tokio::test]
async fn nothing_is_sent_that_could_not_be_noted() {
    let world = NotedWorld::new().await;
    let digest = world.world.site.control().digest();
    let erp = world.world.erp(SimErpUser::Agent);
    let erp = erp.with_made_documents(Arc::new(FullNotes));
    let note = json!({"doctype": "Sales Order", "name": world.orders()[0], "text": "They called"});
    for (name, input) in [("create_doc", order(4)), ("add_comment", note)] {
        let error = ask(&erp, name, input).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::ToolFailed, "{error}");
        assert!(error.message.contains("not sent"), "{error}");
    }
    assert_eq!(world.world.site.control().digest(), digest);
}
