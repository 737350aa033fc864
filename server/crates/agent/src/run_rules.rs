//! Rules for one run of the server, set by whatever starts it. They only ever narrow what
//! conversations may do.

use std::borrow::Cow;

use protocol::Mode;

/// Rules for one run of the server. A person's own calls are not a conversation's: these rules do
/// not concern them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunRules {
    /// In plan mode every new conversation is in plan mode.
    pub mode: Mode,
    /// The only tools that conversations may use; none for all that they have.
    pub allowed: Option<Vec<String>>,
    /// Tools that no conversation may use.
    pub disallowed: Vec<String>,
    /// The most calls of the model in a turn.
    pub max_turns: Option<u32>,
}

impl RunRules {
    /// The mode of a conversation that somebody starts in this one.
    pub(crate) fn mode(&self, asked: Mode) -> Mode {
        match (self.mode, asked) {
            (_, Mode::Unknown) => Mode::Unknown,
            (Mode::Default, asked) => asked,
            (Mode::Plan | Mode::Unknown, _) => Mode::Plan,
        }
    }

    pub(crate) fn allows(&self, tool: &str) -> bool {
        let names = |list: &[String]| list.iter().any(|name| name == tool);
        self.allowed.as_deref().is_none_or(names) && !names(&self.disallowed)
    }

    /// The tools among these that may be used.
    pub(crate) fn narrowed<'a>(&self, held: &'a [String]) -> Cow<'a, [String]> {
        if held.iter().all(|tool| self.allows(tool)) {
            return Cow::Borrowed(held);
        }
        held.iter()
            .filter(|tool| self.allows(tool))
            .cloned()
            .collect()
    }

    /// Steps of a turn before its last one, which is without tools.
    pub(crate) fn tool_steps(&self, max_steps: u32) -> u32 {
        let turns = self.max_turns.map(|turns| turns.saturating_sub(1));
        turns.map_or(max_steps, |turns| turns.min(max_steps))
    }

    /// The names in the rules, for a check that there are such tools.
    pub(crate) fn named(&self) -> impl Iterator<Item = &String> {
        self.allowed.iter().flatten().chain(&self.disallowed)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names() -> impl Strategy<Value = Vec<String>> {
        prop::collection::vec("[a-d]", 0..5)
    }

    proptest! {
        #[test]
        fn rules_only_narrow(
            held in names(),
            allowed in prop::option::of(names()),
            disallowed in names(),
        ) {
            let rules = RunRules { allowed: allowed.clone(), disallowed: disallowed.clone(), ..RunRules::default() };
            let left = rules.narrowed(&held);
            let expect: Vec<_> = held
                .iter()
                .filter(|tool| allowed.as_ref().is_none_or(|it| it.contains(tool)))
                .filter(|tool| !disallowed.contains(tool))
                .collect();
            prop_assert!(left.iter().all(|tool| held.contains(tool)));
            prop_assert_eq!(left.iter().collect::<Vec<_>>(), expect);
        }

        #[test]
        fn a_turn_never_gets_more_steps(max_steps in 1u32..200, turns in prop::option::of(1u32..200)) {
            let rules = RunRules { max_turns: turns, ..RunRules::default() };
            let steps = rules.tool_steps(max_steps);
            prop_assert!(steps <= max_steps);
            // The last step, without tools, is one of them.
            prop_assert!(turns.is_none_or(|turns| steps < turns));
        }
    }

    #[test]
    fn plan_mode_is_never_left() {
        let run = |mode| RunRules {
            mode,
            ..RunRules::default()
        };
        for (rule, asked, expect) in [
            (Mode::Default, Mode::Default, Mode::Default),
            (Mode::Default, Mode::Plan, Mode::Plan),
            (Mode::Plan, Mode::Default, Mode::Plan),
            (Mode::Plan, Mode::Plan, Mode::Plan),
            (Mode::Unknown, Mode::Default, Mode::Plan),
            (Mode::Plan, Mode::Unknown, Mode::Unknown),
        ] {
            assert_eq!(run(rule).mode(asked), expect, "{rule:?} {asked:?}");
        }
    }
}
