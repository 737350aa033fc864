//! Terms that a tool sets for the approval of one call.

use super::*;

/// A tool knows of risks that no policy can name, and one approval from before is not enough for them.
#[test]
fn a_tool_may_want_two_persons_whatever_the_policy_says() {
    let mut world = World::new(&[("stop", "pve")]);
    let wants = Preview {
        second: Some("Its risk is high.".to_owned()),
        ..preview(1)
    };
    let call = world.conversation.open_call(id(0)).unwrap();
    let record = world.moment().previewed(world.turn, call, Ok(&wants));
    let EventBody::ConfirmationRequested { confirmation, .. } = &record.body else {
        panic!("{:?}", record.body);
    };
    let second = confirmation.second.as_ref().unwrap();
    assert_eq!(second.why, "Its risk is high.");
    assert!(!confirmation.grantable);
    world.approve(None);
    let call = world.conversation.open_call(id(0)).unwrap();
    let record = world.moment().previewed(world.turn, call, Ok(&wants));
    assert_eq!(outcome(&record.body), "asked");
}

#[test]
fn a_call_that_is_asked_for_each_time_is_covered_by_no_grant() {
    let mut world = World::new(&[("stop", "pve"), ("stop", "pve")]);
    world.approve(Some(GrantTerms {
        uses: 2,
        until: Timestamp(AT.0 + 60_000),
    }));
    let call = world.conversation.open_call(id(1)).unwrap();
    for grantable in [true, false] {
        let found = Preview {
            grantable,
            ..preview(1)
        };
        let record = world.moment().previewed(world.turn, call, Ok(&found));
        assert_ne!(outcome(&record.body) == "asked", grantable);
        if let EventBody::ConfirmationRequested { confirmation, .. } = record.body {
            assert!(!confirmation.grantable);
        }
    }
}
