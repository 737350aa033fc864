//! What the file adds to the built-in rules of the gate.

use agent::{GrantRules, Policy, SecondRules, SecondScope};

use super::{
    reader::Reader,
    value::{TwoPersons, Whole},
};

/// Section `policy`. It has no variables: rules belong where they are kept.
pub(super) fn read_rules(r: &mut Reader<'_>) -> Policy {
    let scope = r.with_default("policy.two_persons", None, TwoPersons::Off);
    let tools = r.optional::<Vec<String>>("policy.two_person_tools", None);
    let grants = r.with_default("policy.grants", None, true);
    let uses = r.with_default("policy.grant_uses", None, Whole::<1, 100>(100));
    let minutes = r.with_default("policy.grant_minutes", None, Whole::<1, 1440>(1440));
    Policy {
        grants: GrantRules {
            allowed: *grants,
            uses: uses.0,
            minutes: minutes.0,
        },
        second: SecondRules {
            scope: match *scope {
                TwoPersons::Off => SecondScope::None,
                TwoPersons::Irreversible => SecondScope::Irreversible,
                TwoPersons::All => SecondScope::All,
            },
            tools: tools.map_or_else(Default::default, |tools| tools.value.into_iter().collect()),
        },
        ..Policy::default()
    }
}
