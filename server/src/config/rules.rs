//! What the file adds to the built-in rules of the gate.

use agent::{GrantRules, Policy, SecondRules, SecondScope};

use super::{
    reader::Reader,
    value::{TwoPersons, Whole},
};

/// Section `policy`. It has no variables: rules belong where they are kept.
pub(super) fn read(r: &mut Reader<'_>) -> Policy {
    r.section(
        "policy",
        "Admins can make these rules stricter in Settings, never weaker.",
    );
    let scope = r
        .key(
            "policy.two_persons",
            "off, irreversible or all: the person who asked may not confirm these alone",
        )
        .or(TwoPersons::Off);
    let tools = r
        .key::<Vec<String>>(
            "policy.two_person_tools",
            "tools that need two persons for every call",
        )
        .optional("[\"stop_vm\"]");
    let grants = r
        .key("policy.grants", "allow people to approve calls in advance")
        .or(true);
    let uses = r
        .key("policy.grant_uses", "maximum calls per grant")
        .or(Whole::<1, 100>(100));
    let minutes = r
        .key("policy.grant_minutes", "maximum lifetime of a grant")
        .or(Whole::<1, 1440>(1440));
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
