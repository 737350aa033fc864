//! Quotas of users, on a paused clock.

use protocol::{ConversationId, Timestamp, TurnId};

use super::*;

const SOCKETS: usize = 5;

fn allowances() -> Allowances {
    let limits = UserLimits {
        sockets: 5,
        commands: 240,
        stored_mb: 1024,
    };
    Allowances::new(limits, SOCKETS + 1)
}

fn user(n: u128) -> UserId {
    UserId::new(Timestamp(1_700_000_000_000), n)
}

fn act(input: &str) -> Command {
    Command::Act {
        conversation: ConversationId::new(Timestamp(0), 1),
        tool: "get_vms".to_owned(),
        input: serde_json::json!({ "x": input }),
    }
}

fn code<T>(result: Result<T, impl Into<ErrorBody>>) -> Option<ErrorCode> {
    result.err().map(|error| error.into().code)
}

#[tokio::test(start_paused = true)]
async fn commands_are_of_the_user_and_come_again() {
    let allowances = allowances();
    let sent = |n| {
        let tries = (0..1000).filter(|_| allowances.command(user(n), &act("")).is_ok());
        tries.count()
    };
    assert_eq!(sent(1), 120);
    assert_eq!(sent(2), 120, "another user has an own allowance");
    let refused = allowances.command(user(1), &act(""));
    assert_eq!(code(refused), Some(ErrorCode::RateLimited));
    let stop = Command::Stop {
        conversation: ConversationId::new(Timestamp(0), 1),
        turn: TurnId::new(Timestamp(0), 1),
    };
    assert_eq!(code(allowances.command(user(1), &stop)), None);
    tokio::time::advance(Duration::from_secs(10)).await;
    assert_eq!(sent(1), 40);
}

#[tokio::test(start_paused = true)]
async fn outcomes_and_feeds_hold_up_no_command_and_no_command_them() {
    for take in [Allowances::outcome, Allowances::feed] {
        let allowances = allowances();
        let taken = (0..1000).filter(|_| take(&allowances, user(1)).is_ok());
        assert_eq!(taken.count(), 120);
        let refused = take(&allowances, user(1));
        assert_eq!(code(refused), Some(ErrorCode::RateLimited));
        assert!(take(&allowances, user(2)).is_ok());
        let sent = (0..1000).filter(|_| allowances.command(user(1), &act("")).is_ok());
        assert_eq!(sent.count(), 120);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(take(&allowances, user(1)).is_ok());
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_kept_is_bounded_in_the_long_run() {
    let allowances = allowances();
    let large = Command::Send {
        conversation: ConversationId::new(Timestamp(0), 1),
        text: "x".repeat(200 * 1024),
        withdraw: false,
        references: Vec::new(),
    };
    let mut kept = 0_u64;
    for _ in 0..24 * 60 {
        tokio::time::advance(Duration::from_secs(60)).await;
        for _ in 0..1000 {
            kept += u64::from(allowances.command(user(1), &large).is_ok()) * 200 * 1024;
        }
    }
    // The burst, and then the rate over a day.
    assert!(kept <= 2 * 1024 * 1024 * 1024, "{kept}");
}

#[tokio::test(start_paused = true)]
async fn a_call_of_ones_own_counts_what_it_may_bring_back() {
    let allowances = Allowances::new(
        UserLimits {
            sockets: 5,
            commands: 1_000_000,
            stored_mb: 16,
        },
        SOCKETS,
    );
    let ran = (0..16 * 1024).filter(|_| allowances.command(user(1), &act("")).is_ok());
    let stored = ran.count() * 2 * MAX_RESULT_BYTES;
    assert!((15 << 20..=16 << 20).contains(&stored), "{stored}");
}

#[tokio::test(start_paused = true)]
async fn sockets_are_counted_and_given_back() {
    let allowances = allowances();
    let mine: Vec<_> = (0..SOCKETS)
        .map(|_| allowances.socket(user(1)).unwrap())
        .collect();
    let one_more = allowances.socket(user(1));
    assert_eq!(code(one_more), Some(ErrorCode::RateLimited));
    let other = allowances.socket(user(2)).unwrap();
    assert_eq!(
        code(allowances.socket(user(3))),
        Some(ErrorCode::RateLimited)
    );
    drop((mine, other));
    let waits = || allowances.waiting_program(user(1));
    let programs: Vec<_> = std::iter::from_fn(|| waits().ok()).take(SOCKETS).collect();
    assert_eq!(programs.len(), SOCKETS / 2);
    assert!(allowances.socket(user(1)).is_ok());
}

#[tokio::test(start_paused = true)]
async fn slow_uploads_of_one_user_hold_up_no_other() {
    let allowances = allowances();
    let mut slow = Vec::new();
    for _ in 0..UPLOADS {
        slow.push(allowances.upload(user(1)).await.unwrap());
    }
    let waits = allowances.upload(user(1));
    assert_eq!(code(waits.await), Some(ErrorCode::RateLimited));
    let other = allowances.upload(user(2)).await;
    assert!(other.is_ok());
    slow.pop();
    assert!(allowances.upload(user(1)).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn imports_go_one_by_one_and_not_for_ever() {
    let allowances = allowances();
    let first = allowances.import(user(1)).await.unwrap();
    let second = allowances.import(user(1)).await;
    assert_eq!(code(second), Some(ErrorCode::RateLimited));
    assert!(allowances.import(user(2)).await.is_ok());
    drop(first);
    let mut taken = 1;
    while allowances.import(user(1)).await.is_ok() {
        taken += 1;
    }
    assert_eq!(taken, 20);
    tokio::time::advance(Duration::from_secs(181)).await;
    assert!(allowances.import(user(1)).await.is_ok());
}
