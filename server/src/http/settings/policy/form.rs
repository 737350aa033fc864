//! The rules as a form, and the form as rules.

use agent::{GrantRules, MOST_GRANTED, Policy, SecondRules, SecondScope, ports::ToolSpec};
use leptos::prelude::*;
use protocol::Tier;

use super::PATH;
use crate::{http::Http, rules::Protection};

/// The tiers with their words, the lowest first.
const TIERS: [(Tier, &str, &str); 4] = [
    (Tier::Green, "green", "GREEN"),
    (Tier::Yellow, "yellow", "YELLOW"),
    (Tier::Red, "red", "RED"),
    (Tier::Black, "black", "BLACK"),
];
/// The calls that need two persons.
const SCOPES: [(SecondScope, &str, &str); 3] = [
    (SecondScope::None, "none", "Only for tools marked above"),
    (
        SecondScope::Irreversible,
        "irreversible",
        "Also for irreversible calls",
    ),
    (SecondScope::All, "all", "For every request"),
];
/// The most protected objects in one form.
const MOST_OBJECTS: usize = 200;

/// The fields of a form, in order.
pub(super) struct Fields(Vec<(String, String)>);

impl From<Vec<(String, String)>> for Fields {
    fn from(fields: Vec<(String, String)>) -> Self {
        Self(fields)
    }
}

impl Fields {
    pub(super) fn one(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    fn has(&self, name: &str, value: &str) -> bool {
        let mut fields = self.0.iter();
        fields.any(|(known, is)| known == name && is == value)
    }

    /// Returns a number within bounds, or the problem.
    fn number(&self, name: &str, most: u32, what: &str) -> Result<u32, String> {
        let text = self.one(name).unwrap_or_default().trim();
        let number = text.parse().ok().filter(|n| (1..=most).contains(n));
        number.ok_or_else(|| format!("{what}: a whole number from 1 to {most}."))
    }

    /// Splits a field by commas, spaces or lines.
    fn list(&self, name: &str) -> impl Iterator<Item = &str> {
        let text = self.one(name).unwrap_or_default();
        text.split([',', ' ', '\n', '\r', '\t'])
            .filter(|part| !part.is_empty())
    }
}

fn word(tier: Tier) -> &'static str {
    let found = TIERS.iter().find(|(known, ..)| *known == tier);
    found.map_or("unknown", |(_, _, word)| word)
}

/// Returns the objects of a policy of one kind, without the kind.
fn named<'a>(policy: &'a Policy, kind: &'a str) -> impl Iterator<Item = &'a str> {
    let objects = policy.protected.iter();
    objects.filter_map(move |object| object.strip_prefix(kind)?.strip_prefix('/'))
}

/// Reads the form. Rules that it does not show stay as in `stored`: nothing is dropped unseen.
pub(super) fn read(
    fields: &Fields,
    stored: &Policy,
    tools: &[ToolSpec],
    protections: &[Protection],
) -> Result<Policy, String> {
    let mut policy = stored.clone();
    for tool in tools {
        let name = tool.name.as_str();
        let chosen = fields.one(&format!("tier.{name}"));
        let chosen = TIERS.iter().find(|(_, word, _)| Some(*word) == chosen);
        match chosen {
            Some((tier, ..)) if *tier > tool.tier => policy.tiers.insert(name.to_owned(), *tier),
            Some(_) => policy.tiers.remove(name),
            None if tool.tier == Tier::Black => None,
            None => return Err(format!("{name}: unknown tier.")),
        };
        if fields.has("two", name) {
            policy.second.tools.insert(name.to_owned())
        } else {
            policy.second.tools.remove(name)
        };
    }
    let kinds = || protections.iter().flat_map(|it| &it.kinds);
    let is_shown = |object: &String| {
        let kind = object.split_once('/').map(|(kind, _)| kind);
        kinds().any(|known| Some(known.name) == kind)
    };
    let mut protected = policy.protected.clone();
    protected.retain(|object| !is_shown(object));
    let listed = protections.iter().flat_map(|it| &it.listed);
    for (_, object) in listed.flat_map(|(_, listed)| listed) {
        if fields.has("may", object) {
            protected.remove(object)
        } else {
            protected.insert(object.clone())
        };
    }
    for kind in kinds() {
        for name in fields.list(kind.name) {
            protected.insert(format!("{}/{}", kind.name, (kind.check)(name)?));
        }
    }
    if protected.len() > MOST_OBJECTS {
        return Err(format!(
            "At most {MOST_OBJECTS} targets can be protected here."
        ));
    }
    let scope = SCOPES
        .iter()
        .find(|(_, word, _)| Some(*word) == fields.one("scope"));
    let (scope, ..) = scope.ok_or("Two people: choose one of the three options.")?;
    Ok(Policy {
        protected,
        grants: GrantRules {
            allowed: fields.has("grants", "on"),
            uses: fields.number("uses", MOST_GRANTED.uses, "Calls per grant")?,
            minutes: fields.number("minutes", MOST_GRANTED.minutes, "Minutes per grant")?,
        },
        second: SecondRules {
            scope: *scope,
            tools: policy.second.tools,
        },
        tiers: policy.tiers,
    })
}

/// Draws the form with these rules.
pub(super) fn view(policy: &Policy, http: &Http, proposed: bool) -> AnyView {
    let rows: Vec<_> = http
        .engine
        .tools()
        .iter()
        .map(|tool| tool_row(tool, policy))
        .collect();
    let tools = if rows.is_empty() {
        view! { <p>"No domain is enabled, so there are no tools."</p> }.into_any()
    } else {
        view! {
            <p>
                "GREEN runs at once, YELLOW runs at once and is recorded prominently, RED waits \
                for approval, BLACK never runs. A tool's tier can be raised, never lowered. A tool \
                that needs two people is at least RED."
            </p>
            <div class="plain-scroll" role="region" aria-label="Tools" tabindex="0">
                <table class="plain-table">
                    <thead>
                        <tr>
                            <th scope="col">"Tool"</th>
                            <th scope="col">"Built in"</th>
                            <th scope="col">"At least"</th>
                            <th scope="col">"Two people"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        }
        .into_any()
    };
    let title = if proposed {
        "Proposed rules"
    } else {
        "Rules in effect"
    };
    view! {
        <form method="post" action=PATH>
            <input type="hidden" name="do" value="preview" />
            <section>
                <h2>{title}</h2>
                <h3>"Tools"</h3>
                {tools}
            </section>
            {http.rules.protections.iter().map(|it| targets(policy, it)).collect_view()}
            {grants(policy, http.rules.file())}
            {persons(policy, http.rules.file())}
            <p class="plain-row">
                <button type="submit" class="button button--primary">
                    "Preview"
                </button>
                <span>"Nothing changes until you have seen a preview."</span>
            </p>
        </form>
    }
    .into_any()
}

fn tool_row(tool: &ToolSpec, policy: &Policy) -> AnyView {
    let name = tool.name.clone();
    let black = tool.tier == Tier::Black;
    let now = policy.tiers.get(&name).copied().unwrap_or(tool.tier);
    let now = now.max(tool.tier);
    let choice = if black {
        view! { <span>"BLACK"</span> }.into_any()
    } else {
        let options: Vec<_> = TIERS
            .iter()
            .filter(|(tier, ..)| *tier >= tool.tier)
            .map(|(tier, value, word)| {
                view! { <option value=*value selected=*tier == now>{*word}</option> }
            })
            .collect();
        view! {
            <select name=format!("tier.{name}") aria-label=format!("{name}: at least")>
                {options}
            </select>
        }
        .into_any()
    };
    view! {
        <tr>
            <th scope="row"><code>{name.clone()}</code></th>
            <td>{word(tool.tier)}</td>
            <td>{choice}</td>
            <td>
                <input
                    type="checkbox"
                    name="two"
                    value=name.clone()
                    checked=policy.second.tools.contains(&name)
                    disabled=black
                    aria-label=format!("{name}: two people")
                />
            </td>
        </tr>
    }
    .into_any()
}

fn targets(policy: &Policy, protection: &Protection) -> AnyView {
    let fixed = if protection.fixed.is_empty() {
        "The configuration protects no targets.".to_owned()
    } else {
        format!(
            "The configuration protects {}.",
            protection.fixed.join(", ")
        )
    };
    let kinds = protection.kinds.iter().map(|kind| {
        let named = named(policy, kind.name).collect::<Vec<_>>().join(", ");
        view! {
            <label>
                {kind.label} <input name=kind.name value=named autocomplete="off" />
            </label>
        }
    });
    let listed = protection.listed.as_ref().map(|(heading, listed)| {
        let boxes: Vec<_> = listed
            .iter()
            .map(|(name, object)| {
                let may = !policy.protected.contains(object);
                view! {
                    <label class="plain-check">
                        <input type="checkbox" name="may" value=object.clone() checked=may />
                        {name.clone()}
                    </label>
                }
            })
            .collect();
        let none = boxes
            .is_empty()
            .then(|| view! { <p>"The configuration lists none."</p> });
        view! {
            <h3>{*heading}</h3>
            <p>"The configuration lists them; you can remove them here."</p>
            {none}
            <div class="plain-checks">{boxes}</div>
        }
    });
    view! {
        <section>
            <h2>"Protected targets"</h2>
            <p>{fixed} " On protected targets only GREEN tools run."</p>
            <div class="plain-form">{kinds.collect_view()}</div>
            {listed}
        </section>
    }
    .into_any()
}

fn grants(policy: &Policy, file: &Policy) -> AnyView {
    let (own, fixed) = (&policy.grants, &file.grants);
    let fixed = match (fixed.allowed, *fixed == GrantRules::default()) {
        (false, _) => Some("The configuration file disables them.".to_owned()),
        (true, false) => Some(format!(
            "The configuration file allows at most {} calls and {} minutes; the stricter limit \
            applies.",
            fixed.uses, fixed.minutes
        )),
        (true, true) => None,
    };
    let fixed = fixed.map(|text| view! { <p>{text}</p> });
    view! {
        <section>
            <h2>"Grants"</h2>
            <p>
                "With a grant, exactly the same call runs again without asking. Changes also \
                apply to existing grants."
            </p>
            {fixed}
            <div class="plain-form">
                <label class="plain-check">
                    <input type="checkbox" name="grants" value="on" checked=own.allowed />
                    "Allow grants"
                </label>
                <label>
                    "Maximum calls"
                    <input type="number" name="uses" min="1" max="100" value=own.uses.to_string() />
                </label>
                <label>
                    "Maximum minutes"
                    <input
                        type="number"
                        name="minutes"
                        min="1"
                        max="1440"
                        value=own.minutes.to_string()
                    />
                </label>
            </div>
        </section>
    }
    .into_any()
}

fn persons(policy: &Policy, file: &Policy) -> AnyView {
    let scope = policy.second.scope;
    let fixed = file.wants_second().then(|| {
        let tools: Vec<_> = file.second.tools.iter().map(String::as_str).collect();
        let scope = match file.second.scope {
            SecondScope::None => None,
            SecondScope::Irreversible => Some("for irreversible calls"),
            SecondScope::All => Some("for every request"),
        };
        let named = (!tools.is_empty()).then(|| format!("for {}", tools.join(", ")));
        let what: Vec<_> = scope
            .map(ToOwned::to_owned)
            .into_iter()
            .chain(named)
            .collect();
        let text = format!(
            "The configuration file requires two people {}.",
            what.join(" and ")
        );
        view! { <p>{text}</p> }
    });
    let choices: Vec<_> = SCOPES
        .iter()
        .map(|(value, word, text)| {
            view! {
                <label class="plain-check">
                    <input type="radio" name="scope" value=*word checked=*value == scope />
                    {*text}
                </label>
            }
        })
        .collect();
    view! {
        <section>
            <h2>"Two people"</h2>
            <p>
                "The person who made such a request can't approve it: another operator or admin \
                must. They see only the request, not the conversation. A token of the same user \
                counts as the same person. Grants never cover such calls. A call is irreversible \
                if the card says so or asks for a typed word, or if its outcome is unknown after \
                a crash."
            </p>
            {fixed}
            <fieldset class="plain-checks">
                <legend class="visually-hidden">"Calls that need two people"</legend>
                {choices}
            </fieldset>
        </section>
    }
    .into_any()
}

#[cfg(test)]
mod tests;
