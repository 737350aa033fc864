//! The life of a change: armed, made, and kept or undone.

/// State of one remedy on its device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemedyState {
    /// The timer was ordered and has not reported yet. Nothing is changed.
    Arming,
    /// The timer runs, and the change was ordered.
    Making,
    /// The change is made, and the timer runs.
    Made,
    /// The undo was ordered.
    Undoing,
    /// A person or a check kept the change before the timer fired.
    Kept,
    Undone,
    /// The undo failed: a person has to look.
    Stuck,
    /// The timer could not be armed, so nothing was changed.
    NotMade,
}

/// An event in the life of a remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemedyInput {
    Armed,
    ArmingFailed,
    MakeEnded {
        succeeded: bool,
    },
    /// From a person, or from a check that was approved with the pair.
    Keep,
    Fired,
    UndoEnded {
        succeeded: bool,
    },
    /// The runner started again: what it had ordered may or may not have happened.
    Restarted,
}

/// An order to the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemedyEffect {
    Make,
    Undo,
    Disarm,
}

/// The next state, with the order that follows.
pub fn advance(state: RemedyState, input: RemedyInput) -> (RemedyState, Option<RemedyEffect>) {
    use RemedyInput as In;
    use RemedyState as At;
    match (state, input) {
        (At::Arming, In::Armed) => (At::Making, Some(RemedyEffect::Make)),
        (At::Arming, In::ArmingFailed | In::Fired) => (At::NotMade, None),
        // Nobody knows whether the timer runs. It was not reported, so nothing was changed; a timer
        // that does run finds nothing to undo.
        (At::Arming, In::Restarted) => (At::NotMade, Some(RemedyEffect::Disarm)),
        (At::Making, In::MakeEnded { succeeded: true }) => (At::Made, None),
        // Half a change is a change.
        (At::Making, In::MakeEnded { succeeded: false } | In::Fired | In::Restarted)
        | (At::Made, In::Fired | In::Restarted)
        | (At::Undoing, In::Restarted) => (At::Undoing, Some(RemedyEffect::Undo)),
        (At::Made, In::Keep) => (At::Kept, Some(RemedyEffect::Disarm)),
        (At::Undoing, In::UndoEnded { succeeded: true }) => {
            (At::Undone, Some(RemedyEffect::Disarm))
        }
        (At::Undoing, In::UndoEnded { succeeded: false }) => (At::Stuck, None),
        (state, _) => (state, None),
    }
}
