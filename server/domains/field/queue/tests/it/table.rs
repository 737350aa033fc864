//! The kill table: who dies where, and what must hold afterwards.

use field_queue::{
    message::JobEpoch,
    report::{JobEnding, UnknownReason},
    server::{FinalState, JobRefusal, ServerState, StartCheck},
};

use crate::world::{Packet, World};

/// A world with one job and one device, in which everything arrives until the network is empty.
fn world() -> World {
    World::new(1, 1)
}

fn next(world: &mut World, crash: Option<usize>) {
    world.deliver(0, false, StartCheck::Passed, crash);
}

/// Until the device has asked to start.
fn claimed(world: &mut World) {
    world.poll(0);
    next(world, None);
    next(world, None);
    world.local(0, None);
}

fn end(world: &World) -> &FinalState {
    match &world.jobs[0].state {
        ServerState::Final { state, .. } => state,
        other => panic!("no end: {other:?}"),
    }
}

fn runs(world: &World) -> u32 {
    world.runs.values().sum()
}

#[test]
fn nothing_dies() {
    let mut world = world();
    claimed(&mut world);
    next(&mut world, None);
    next(&mut world, None);
    world.finish(0, JobEnding::Exit(3), None);
    next(&mut world, None);
    assert!(matches!(end(&world), FinalState::Ended(report) if report.how == JobEnding::Exit(3)));
    next(&mut world, None);
    assert!(world.devices[0].state.as_ref().unwrap().is_idle());
    assert_eq!(runs(&world), 1);
}

#[test]
fn the_server_dies_after_the_claim_and_the_same_claim_is_answered_again() {
    let mut world = world();
    world.poll(0);
    next(&mut world, Some(1));
    assert!(world.network.is_empty(), "the answer was lost");
    world.tick(0, 1_000, None);
    next(&mut world, None);
    assert!(matches!(
        world.jobs[0].state,
        ServerState::Claimed {
            epoch: JobEpoch(1),
            ..
        }
    ));
    assert!(matches!(world.network[0], Packet::Answer { .. }));
    next(&mut world, None);
    assert_eq!(world.devices[0].local.len(), 1, "the package is checked");
}

#[test]
fn the_server_dies_after_the_start_and_the_same_nonce_goes_again() {
    let mut world = world();
    claimed(&mut world);
    next(&mut world, Some(1));
    assert!(matches!(world.jobs[0].state, ServerState::Running { .. }));
    assert_eq!(runs(&world), 0);
    world.tick(0, 1_000, None);
    next(&mut world, None);
    next(&mut world, None);
    assert_eq!(runs(&world), 1);
}

#[test]
fn the_server_dies_after_the_end_and_the_repeat_is_acknowledged() {
    let mut world = world();
    claimed(&mut world);
    next(&mut world, None);
    next(&mut world, None);
    world.finish(0, JobEnding::Exit(0), None);
    next(&mut world, Some(1));
    let stored = world.jobs[0].clone();
    world.tick(0, 1_000, None);
    next(&mut world, None);
    next(&mut world, None);
    assert_eq!(world.jobs[0], stored);
    assert!(world.devices[0].state.as_ref().unwrap().is_idle());
}

#[test]
fn the_runner_dies_before_its_claim_is_written_and_the_lease_lapses() {
    let mut world = world();
    world.poll(0);
    next(&mut world, None);
    next(&mut world, Some(0));
    world.restart(0, false);
    assert!(world.network.is_empty(), "there is nothing to report");
    world.pass(31);
    assert_eq!(
        world.jobs[0].state,
        ServerState::Queued { epoch: JobEpoch(2) }
    );
}

#[test]
fn the_runner_dies_before_the_start_and_the_job_is_queued_again() {
    let mut world = world();
    claimed(&mut world);
    // The start was sent, and is still on its way.
    world.restart(0, false);
    let start = world.network.remove(0);
    next(&mut world, None);
    assert_eq!(
        world.jobs[0].state,
        ServerState::Queued { epoch: JobEpoch(2) }
    );
    world.network = vec![start];
    next(&mut world, None);
    assert_eq!(
        world.jobs[0].state,
        ServerState::Queued { epoch: JobEpoch(2) }
    );
    next(&mut world, None);
    assert_eq!(runs(&world), 0);
}

#[test]
fn the_runner_dies_when_the_server_has_said_go_and_the_job_never_runs() {
    let mut world = world();
    claimed(&mut world);
    next(&mut world, None);
    world.restart(0, false);
    // First the report, then the answer to the start of the earlier life.
    world.deliver(1, false, StartCheck::Passed, None);
    assert_eq!(end(&world), &FinalState::Refused(JobRefusal::NotStarted));
    next(&mut world, None);
    assert_eq!(runs(&world), 0);
}

#[test]
fn the_runner_dies_between_started_and_the_job_and_nobody_knows() {
    let mut world = world();
    claimed(&mut world);
    next(&mut world, None);
    next(&mut world, Some(1));
    assert_eq!(runs(&world), 0);
    world.restart(0, false);
    world.local(0, None);
    next(&mut world, None);
    assert_eq!(
        end(&world),
        &FinalState::Unknown(UnknownReason::InterruptedAtStart)
    );
    assert_eq!(runs(&world), 0);
}

#[test]
fn the_runner_dies_while_the_job_runs_and_follows_it_to_its_end() {
    let mut world = world();
    claimed(&mut world);
    next(&mut world, None);
    next(&mut world, None);
    world.restart(0, false);
    world.local(0, None);
    world.finish(0, JobEnding::Exit(0), None);
    next(&mut world, None);
    assert!(matches!(end(&world), FinalState::Ended(_)));
    assert_eq!(runs(&world), 1);
}

/// Whatever its device calls it: the sandbox died, or the launcher with it.
#[test]
fn a_lost_job_is_unknown_and_a_repeat_changes_nothing() {
    let mut world = world();
    claimed(&mut world);
    next(&mut world, None);
    next(&mut world, None);
    world.finish(0, JobEnding::Lost, None);
    world.deliver(0, true, StartCheck::Passed, None);
    assert_eq!(end(&world), &FinalState::Unknown(UnknownReason::Lost));
    let stored = world.jobs[0].clone();
    next(&mut world, None);
    assert_eq!(world.jobs[0], stored, "it was said before");
    next(&mut world, None);
    assert!(world.devices[0].state.as_ref().unwrap().is_idle());
}

#[test]
fn the_launcher_dies_under_a_runner_that_lives_and_nobody_knows() {
    for (begun, reason) in [
        (false, UnknownReason::InterruptedAtStart),
        (true, UnknownReason::Lost),
    ] {
        let mut world = world();
        claimed(&mut world);
        next(&mut world, None);
        next(&mut world, None);
        world.lose_unit(0, begun);
        next(&mut world, None);
        assert_eq!(end(&world), &FinalState::Unknown(reason));
        next(&mut world, None);
        assert!(world.devices[0].state.as_ref().unwrap().is_idle());
    }
}

/// The launcher lives and has it on its disk, whichever life of the runner asks.
#[test]
fn the_sandbox_dies_before_its_first_step_and_nothing_ran() {
    for restarts in [false, true] {
        let mut world = world();
        claimed(&mut world);
        next(&mut world, None);
        next(&mut world, None);
        if restarts {
            world.crash(0);
        }
        world.fail_unit(0);
        if restarts {
            world.restart(0, false);
            world.local(0, None);
        }
        next(&mut world, None);
        assert_eq!(end(&world), &FinalState::Refused(JobRefusal::NotStarted));
        next(&mut world, None);
        assert!(world.devices[0].state.as_ref().unwrap().is_idle());
    }
}

#[test]
fn the_launcher_refuses_behind_the_go_and_nothing_ran() {
    let mut world = world();
    world.refuses = true;
    claimed(&mut world);
    next(&mut world, None);
    next(&mut world, None);
    world.local(0, None);
    next(&mut world, None);
    assert_eq!(end(&world), &FinalState::Refused(JobRefusal::NotStarted));
    assert_eq!(runs(&world), 0);
    // Its journal says the same after a restart, and it is never run.
    world.restart(0, false);
    while !world.network.is_empty() {
        next(&mut world, None);
    }
    assert_eq!(end(&world), &FinalState::Refused(JobRefusal::NotStarted));
    assert_eq!(runs(&world), 0);
}

#[test]
fn the_power_goes_while_the_job_runs_and_nobody_knows() {
    let mut world = world();
    claimed(&mut world);
    next(&mut world, None);
    next(&mut world, None);
    world.restart(0, true);
    world.local(0, None);
    next(&mut world, None);
    assert!(matches!(end(&world), FinalState::Unknown(_)));
}

#[test]
fn a_silent_device_is_unknown_and_its_late_result_is_kept_beside() {
    let mut world = world();
    claimed(&mut world);
    next(&mut world, None);
    next(&mut world, None);
    world.pass(121);
    assert_eq!(end(&world), &FinalState::Unknown(UnknownReason::Silent));
    world.finish(0, JobEnding::Exit(0), None);
    next(&mut world, None);
    assert_eq!(end(&world), &FinalState::Unknown(UnknownReason::Silent));
    assert!(matches!(
        &world.jobs[0].state,
        ServerState::Final { late: Some(_), .. }
    ));
}

#[test]
fn a_start_whose_check_fails_ends_the_job() {
    let mut world = world();
    claimed(&mut world);
    world.deliver(0, false, StartCheck::Failed("kill_switch"), None);
    assert_eq!(
        end(&world),
        &FinalState::Refused(JobRefusal::Server("kill_switch"))
    );
    next(&mut world, None);
    assert!(world.devices[0].state.as_ref().unwrap().is_idle());
    assert_eq!(runs(&world), 0);
}

#[test]
fn cancelled_before_the_start_is_certain_and_afterwards_it_is_asked() {
    let mut before = world();
    claimed(&mut before);
    before.cancel(0);
    assert_eq!(end(&before), &FinalState::Cancelled);
    next(&mut before, None);
    next(&mut before, None);
    assert_eq!(runs(&before), 0);

    let mut after = world();
    claimed(&mut after);
    next(&mut after, None);
    next(&mut after, None);
    after.cancel(0);
    after.tick(0, 10_000, None);
    next(&mut after, None);
    next(&mut after, None);
    after.local(0, None);
    next(&mut after, None);
    assert!(matches!(end(&after), FinalState::Cut(report) if report.how == JobEnding::Cancelled));
}

#[test]
fn nobody_claims_it_in_time() {
    let mut world = world();
    world.pass(601);
    assert_eq!(end(&world), &FinalState::NotDelivered);
    world.poll(0);
    next(&mut world, None);
    next(&mut world, None);
    assert!(world.devices[0].state.as_ref().unwrap().is_idle());
}
