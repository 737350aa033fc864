//! The fate of commands, one by one.

use protocol::{ErrorCode, Timestamp};

use super::*;

fn command_id(n: u128) -> CommandId {
    CommandId::new(Timestamp(1), n)
}

fn conversation() -> ConversationId {
    ConversationId::new(Timestamp(1), 7)
}

fn message(text: &str) -> Command {
    Command::Send {
        conversation: conversation(),
        text: text.to_owned(),
        withdraw: false,
        references: Vec::new(),
    }
}

fn outbox(texts: &[&str]) -> Outbox {
    let mut outbox = Outbox::default();
    for (n, text) in (0..).zip(texts) {
        outbox.add(command_id(n), message(text));
    }
    outbox
}

#[test]
fn what_is_unanswered_survives_a_reload_with_its_id() {
    let mut before = outbox(&["one", "two", "three"]);
    before.accept(command_id(0));
    before.refuse(command_id(1), ErrorBody::new(ErrorCode::QueueFull, "Full."));
    let mut after = Outbox::restore(Some(&before.kept()));
    assert_eq!(after.pending(), &before.pending()[1..]);
    // A refused command waits for the person, not for a connection.
    assert_eq!(after.repeat(), [(command_id(2), message("three"))]);
    before.accept(command_id(2));
    before.remove(command_id(1));
    assert_eq!(before.kept(), "");
    assert!(Outbox::restore(Some("{no json")).pending().is_empty());
}

#[test]
fn what_cannot_be_read_takes_nothing_along() {
    let kept = outbox(&["one", "two"]).kept();
    let odd = kept.replacen('[', r#"[{"id":"nonsense"},"#, 1);
    assert_eq!(
        Outbox::restore(Some(&odd)).pending(),
        outbox(&["one", "two"]).pending()
    );
}

#[test]
fn a_message_is_shown_until_it_is_in_the_journal_whichever_comes_first() {
    let mut answer_first = outbox(&["hello"]);
    answer_first.accept(command_id(0));
    assert_eq!(answer_first.pending().len(), 1);
    answer_first.see(conversation(), "hello");
    assert!(answer_first.pending().is_empty());

    let mut event_first = outbox(&["hello"]);
    event_first.see(conversation(), "hello");
    assert_eq!(event_first.pending()[0].state, PendingState::Seen);
    assert_eq!(event_first.repeat().len(), 1);
    event_first.accept(command_id(0));
    assert!(event_first.pending().is_empty());
}

#[test]
fn a_repeated_message_that_was_in_the_journal_before_is_shown_until_that_was_read_again() {
    let mut once = outbox(&["hello"]);
    assert!(!once.accept(command_id(0)).unwrap().is_unseen);

    let mut again = Outbox::restore(Some(&outbox(&["hello"]).kept()));
    again.repeat();
    again.caught_up(conversation());
    assert!(again.accept(command_id(0)).unwrap().is_unseen);
    again.caught_up(conversation());
    assert!(again.pending().is_empty());
}

#[test]
fn the_same_text_twice_is_two_messages() {
    let mut outbox = outbox(&["again", "again"]);
    outbox.see(conversation(), "again");
    assert_eq!(outbox.pending()[0].state, PendingState::Seen);
    assert_eq!(outbox.pending()[1].state, PendingState::Sending);
}

#[test]
fn a_refused_message_keeps_its_text_and_a_refused_stop_does_not_stay() {
    let mut outbox = outbox(&["hello"]);
    let error = ErrorBody::new(ErrorCode::QueueFull, "Full.");
    outbox.refuse(command_id(0), error.clone());
    assert_eq!(
        outbox.pending()[0].state,
        PendingState::Refused(error.clone())
    );
    let stop = Command::Stop {
        conversation: conversation(),
        turn: protocol::TurnId::new(Timestamp(1), 1),
    };
    outbox.add(command_id(9), stop.clone());
    assert_eq!(outbox.refuse(command_id(9), error), Some(stop));
    assert_eq!(outbox.pending().len(), 1);
}
