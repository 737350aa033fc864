//! The rules as a form, and the form as rules.

use agent::{GrantRules, MOST_GRANTED, Policy, SecondRules, SecondScope, ports::ToolSpec};
use app::plain_pages::settings::{
    FilePeople, GrantLimits, ListedTarget, PolicyForm, ProtectedTargets, TIERS, TargetField,
    ToolRule, TwoPeople,
};
use mcp_client::ReviewedTool;
use protocol::Tier;

use crate::{
    rules::{Protection, Rules},
    texts,
};

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
        number.ok_or_else(|| texts::settings::no_number_up_to(what, most))
    }

    /// Splits a field by commas, spaces or lines.
    fn list(&self, name: &str) -> impl Iterator<Item = &str> {
        let text = self.one(name).unwrap_or_default();
        text.split([',', ' ', '\n', '\r', '\t'])
            .filter(|part| !part.is_empty())
    }
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
            None => return Err(texts::settings::unknown_tier(name)),
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
        return Err(texts::settings::too_many_targets(MOST_OBJECTS));
    }
    let people = fields.one("scope").and_then(TwoPeople::from_value);
    let people = people.ok_or(texts::settings::TWO_PEOPLE_OPTIONS)?;
    Ok(Policy {
        protected,
        grants: GrantRules {
            allowed: fields.has("grants", "on"),
            uses: fields.number("uses", MOST_GRANTED.uses, texts::settings::CALLS_PER_GRANT)?,
            minutes: fields.number(
                "minutes",
                MOST_GRANTED.minutes,
                texts::settings::MINUTES_PER_GRANT,
            )?,
        },
        second: SecondRules {
            scope: match people {
                TwoPeople::None => SecondScope::None,
                TwoPeople::Irreversible => SecondScope::Irreversible,
                TwoPeople::All => SecondScope::All,
            },
            tools: policy.second.tools,
        },
        tiers: policy.tiers,
    })
}

/// Returns the form with these rules.
pub(super) fn shown(
    policy: &Policy,
    tools: &[(String, Vec<ToolSpec>)],
    rules: &Rules,
) -> PolicyForm {
    let file = rules.file();
    let limits = |grants: &GrantRules| GrantLimits {
        allowed: grants.allowed,
        uses: grants.uses,
        minutes: grants.minutes,
    };
    PolicyForm {
        tools: tools
            .iter()
            .map(|(system, tools)| {
                let rules = tools.iter().map(|tool| tool_rule(policy, tool));
                (system.clone(), rules.collect())
            })
            .collect(),
        targets: rules
            .protections
            .iter()
            .map(|protection| targets(policy, protection))
            .collect(),
        grants: limits(&policy.grants),
        file_grants: (file.grants != GrantRules::default()).then(|| limits(&file.grants)),
        people: people(policy.second.scope),
        file_people: file.wants_second().then(|| FilePeople {
            scope: people(file.second.scope),
            tools: file.second.tools.iter().cloned().collect(),
        }),
    }
}

fn people(scope: SecondScope) -> TwoPeople {
    match scope {
        SecondScope::None => TwoPeople::None,
        SecondScope::Irreversible => TwoPeople::Irreversible,
        SecondScope::All => TwoPeople::All,
    }
}

fn tool_rule(policy: &Policy, tool: &ToolSpec) -> ToolRule {
    let raised = policy.tiers.get(&tool.name).copied();
    ToolRule {
        built_in: tool.tier,
        least: raised.map_or(tool.tier, |tier| tier.max(tool.tier)),
        two: policy.second.tools.contains(&tool.name),
        name: tool.name.clone(),
        source: None,
        is_out: false,
    }
}

/// Adds the tools of an MCP server to its group: the reason for each tier, and those that no conversation has.
/// A tool that the configuration does not list is not here.
pub(super) fn add_outside(
    groups: &mut Vec<(String, Vec<ToolRule>)>,
    server: &str,
    reviewed: &[ReviewedTool],
) {
    // Where another tool has a name, the tier under it is that one's.
    let named = reviewed.iter().filter(|tool| tool.name_holder.is_none());
    let known = named.filter_map(|tool| Some((tool, tool.tier?, tool.tier_source?)));
    for (tool, tier, source) in known {
        let place = groups.iter().position(|(system, _)| system == server);
        let place = place.unwrap_or_else(|| {
            groups.push((server.to_owned(), Vec::new()));
            groups.len() - 1
        });
        let Some((_, rules)) = groups.get_mut(place) else {
            continue;
        };
        let source = texts::mcp_servers::tier_source(source);
        match rules.iter_mut().find(|rule| rule.name == tool.name) {
            Some(rule) => rule.source = Some(source),
            None => {
                let state = texts::mcp_servers::standing(tool);
                rules.push(ToolRule {
                    name: tool.name.clone(),
                    built_in: tier,
                    least: tier,
                    two: false,
                    source: Some(texts::mcp_servers::source_and_state(&source, &state)),
                    is_out: true,
                });
            }
        }
    }
}

fn targets(policy: &Policy, protection: &Protection) -> ProtectedTargets {
    let kinds = protection.kinds.iter().map(|kind| TargetField {
        name: kind.name,
        label: kind.label,
        value: named(policy, kind.name).collect::<Vec<_>>().join(", "),
    });
    let listed = protection.listed.as_ref().map(|(heading, listed)| {
        let listed = listed.iter().map(|(name, object)| ListedTarget {
            name: name.clone(),
            object: object.clone(),
            may: !policy.protected.contains(object),
        });
        (*heading, listed.collect())
    });
    ProtectedTargets {
        fixed: protection.fixed.clone(),
        kinds: kinds.collect(),
        listed,
    }
}

#[cfg(test)]
mod tests;
