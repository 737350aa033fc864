//! The form of the rules.

use leptos::prelude::*;
use protocol::Tier;

use super::{PATH, table};
use crate::{plain_pages::texts, words::tool_name};

/// The tiers, each with its value in the form and its word, the lowest first.
pub const TIERS: [(Tier, &str, &str); 4] = [
    (Tier::Green, "green", texts::policy::GREEN),
    (Tier::Yellow, "yellow", texts::policy::YELLOW),
    (Tier::Red, "red", texts::policy::RED),
    (Tier::Black, "black", texts::policy::BLACK),
];

/// The rules that the form shows.
pub struct PolicyForm {
    /// The tools of each system.
    pub tools: Vec<(String, Vec<ToolRule>)>,
    /// The targets of each system that has any to protect.
    pub targets: Vec<ProtectedTargets>,
    pub grants: GrantLimits,
    /// The grants of the configuration file; none if it says nothing.
    pub file_grants: Option<GrantLimits>,
    pub people: TwoPeople,
    /// The calls that need two people by the configuration file; none if it names none.
    pub file_people: Option<FilePeople>,
}

/// The rule of a tool.
pub struct ToolRule {
    pub name: String,
    /// The tool's own tier.
    pub built_in: Tier,
    /// The tier by these rules; not below its own.
    pub least: Tier,
    /// True if it needs two people.
    pub two: bool,
    /// The reason for its own tier; none for a built-in tool.
    pub source: Option<String>,
    /// True if no conversation has it, so that there is nothing to decide yet.
    pub is_out: bool,
}

/// Targets of a system that can be protected.
pub struct ProtectedTargets {
    /// Those that the configuration protects, in words.
    pub fixed: Vec<String>,
    pub kinds: Vec<TargetField>,
    /// Those that the configuration allows acting on, under a heading.
    pub listed: Option<(&'static str, Vec<ListedTarget>)>,
}

/// The field of a kind of targets.
pub struct TargetField {
    /// The name of the form's field.
    pub name: &'static str,
    pub label: &'static str,
    /// The protected targets, separated by commas.
    pub value: String,
}

/// A target that the configuration allows acting on.
pub struct ListedTarget {
    pub name: String,
    /// The object that a policy protects.
    pub object: String,
    /// True if these rules allow acting on it.
    pub may: bool,
}

/// Limits of grants.
pub struct GrantLimits {
    pub allowed: bool,
    pub uses: u32,
    pub minutes: u32,
}

/// The calls that need two people by the configuration file.
pub struct FilePeople {
    pub scope: TwoPeople,
    /// The tools that it names.
    pub tools: Vec<String>,
}

/// The calls that need two people, besides the tools that are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TwoPeople {
    None,
    Irreversible,
    All,
}

impl TwoPeople {
    const EACH: [Self; 3] = [Self::None, Self::Irreversible, Self::All];

    /// Returns the choice of a value in the form.
    pub fn from_value(value: &str) -> Option<Self> {
        Self::EACH.into_iter().find(|scope| scope.value() == value)
    }

    fn value(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Irreversible => "irreversible",
            Self::All => "all",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::None => texts::policy::people::ONLY_MARKED,
            Self::Irreversible => texts::policy::people::ALSO_IRREVERSIBLE,
            Self::All => texts::policy::people::EVERY_REQUEST,
        }
    }
}

impl PolicyForm {
    pub(super) fn view(self, proposed: bool) -> AnyView {
        let title = if proposed {
            texts::policy::PROPOSED_RULES
        } else {
            texts::policy::RULES_IN_EFFECT
        };
        view! {
            <form method="post" action=PATH>
                <input type="hidden" name="do" value="preview" />
                <section>
                    <h2>{title}</h2>
                    <h3>{texts::policy::tools::TOOLS}</h3>
                    {tools(self.tools)}
                </section>
                {self.targets.into_iter().map(targets).collect_view()}
                {grants(&self.grants, self.file_grants.as_ref())}
                {people(self.people, self.file_people)}
                <p class="plain-row">
                    <button type="submit" class="button button--primary">
                        {texts::policy::PREVIEW}
                    </button>
                    <span>{texts::policy::NOTHING_CHANGES_YET}</span>
                </p>
            </form>
        }
        .into_any()
    }
}

fn tools(tools: Vec<(String, Vec<ToolRule>)>) -> AnyView {
    if tools.is_empty() {
        return view! { <p>{texts::policy::tools::NO_TOOLS}</p> }.into_any();
    }
    let groups = tools.into_iter();
    let groups: Vec<_> = groups.map(|(system, tools)| group(system, tools)).collect();
    view! {
        <p>{texts::policy::tools::LEAD}</p>
        {groups}
    }
    .into_any()
}

/// The tools of a system, in a folded table for each of their own tiers, the lowest first.
fn group(system: String, mut tools: Vec<ToolRule>) -> AnyView {
    tools.sort_by(|a, b| (a.built_in, &a.name).cmp(&(b.built_in, &b.name)));
    let count = texts::policy::tools::count(tools.len());
    let tiers: Vec<_> = tools
        .chunk_by(|a, b| a.built_in == b.built_in)
        .filter_map(|rules| Some(tier(rules.first()?.built_in, rules)))
        .collect();
    view! {
        <h3 class="plain-tiers__head">{system} <small>{count}</small></h3>
        {tiers}
    }
    .into_any()
}

/// Draws the tools of one tier. It is open where these rules differ from the tools' own.
fn tier(tier: Tier, rules: &[ToolRule]) -> AnyView {
    let value = TIERS.iter().find(|(known, ..)| *known == tier);
    let value = value.map_or("black", |(_, value, _)| *value);
    let differs = rules.iter().any(|rule| rule.least != tier || rule.two);
    let rows: Vec<_> = rules.iter().map(tool_row).collect();
    view! {
        <details class="plain-tier" open=differs>
            <summary>
                <span class="plain-tier__name">{word(tier)}</span>
                <span>{texts::policy::tools::count(rules.len())}</span>
                <span class=format!("tier tier--{value}")>{value.to_ascii_uppercase()}</span>
            </summary>
            {table(word(tier), texts::policy::tools::COLUMNS, [rows])}
        </details>
    }
    .into_any()
}

fn word(tier: Tier) -> &'static str {
    let found = TIERS.iter().find(|(known, ..)| *known == tier);
    found.map_or(texts::policy::UNKNOWN_TIER, |(_, _, word)| word)
}

fn tool_row(tool: &ToolRule) -> AnyView {
    let name = tool.name.clone();
    let is_fixed = tool.built_in == Tier::Black || tool.is_out;
    let source = tool
        .source
        .clone()
        .map(|source| view! { <small>{source}</small> });
    let choice = if is_fixed {
        view! { <span>{word(tool.built_in)}</span> }.into_any()
    } else {
        let options: Vec<_> = TIERS
            .iter()
            .filter(|(tier, ..)| *tier >= tool.built_in)
            .map(|(tier, value, word)| {
                view! { <option value=*value selected=*tier == tool.least>{*word}</option> }
            })
            .collect();
        view! {
            <select name=format!("tier.{name}") aria-label=texts::policy::tools::at_least(&name)>
                {options}
            </select>
        }
        .into_any()
    };
    view! {
        <tr>
            <th scope="row">{tool_name(&name)} <code>{name.clone()}</code> {source}</th>
            <td>{choice}</td>
            <td>
                <input
                    type="checkbox"
                    name="two"
                    value=name.clone()
                    checked=tool.two
                    disabled=is_fixed
                    aria-label=texts::policy::tools::two_people(&name)
                />
            </td>
        </tr>
    }
    .into_any()
}

fn targets(targets: ProtectedTargets) -> AnyView {
    let fixed = texts::policy::targets::protected(&targets.fixed);
    let kinds = targets.kinds.into_iter().map(|kind| {
        view! {
            <label>
                {kind.label} <input name=kind.name value=kind.value autocomplete="off" />
            </label>
        }
    });
    let listed = targets.listed.map(|(heading, listed)| {
        let boxes: Vec<_> = listed
            .into_iter()
            .map(|target| {
                view! {
                    <label class="plain-check">
                        <input type="checkbox" name="may" value=target.object checked=target.may />
                        {target.name}
                    </label>
                }
            })
            .collect();
        let none = boxes
            .is_empty()
            .then(|| view! { <p>{texts::policy::targets::CONFIGURATION_LISTS_NONE}</p> });
        view! {
            <h3>{heading}</h3>
            <p>{texts::policy::targets::CONFIGURATION_LISTS_THEM}</p>
            {none}
            <div class="plain-checks">{boxes}</div>
        }
    });
    view! {
        <section>
            <h2>{texts::policy::targets::HEADING}</h2>
            <p>{fixed}</p>
            <div class="plain-form">{kinds.collect_view()}</div>
            {listed}
        </section>
    }
    .into_any()
}

fn grants(own: &GrantLimits, file: Option<&GrantLimits>) -> AnyView {
    let fixed = file.map(|file| {
        let text = if file.allowed {
            texts::policy::grants::allowed_by_file(file.uses, file.minutes)
        } else {
            texts::policy::grants::DISABLED_BY_FILE.to_owned()
        };
        view! { <p>{text}</p> }
    });
    view! {
        <section>
            <h2>{texts::policy::grants::GRANTS}</h2>
            <p>{texts::policy::grants::LEAD}</p>
            {fixed}
            <div class="plain-form">
                <label class="plain-check">
                    <input type="checkbox" name="grants" value="on" checked=own.allowed />
                    {texts::policy::grants::ALLOW}
                </label>
                <label>
                    {texts::policy::grants::MAXIMUM_CALLS}
                    <input type="number" name="uses" min="1" max="100" value=own.uses.to_string() />
                </label>
                <label>
                    {texts::policy::grants::MAXIMUM_MINUTES}
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

fn people(own: TwoPeople, file: Option<FilePeople>) -> AnyView {
    let fixed = file.map(|FilePeople { scope, tools }| {
        let scope = match scope {
            TwoPeople::None => None,
            TwoPeople::Irreversible => Some(texts::policy::people::FOR_IRREVERSIBLE.to_owned()),
            TwoPeople::All => Some(texts::policy::people::FOR_EVERY_REQUEST.to_owned()),
        };
        let named = (!tools.is_empty()).then(|| texts::policy::people::for_tools(&tools));
        let what: Vec<_> = scope.into_iter().chain(named).collect();
        view! { <p>{texts::policy::people::required_by_file(&what)}</p> }
    });
    let choices: Vec<_> = TwoPeople::EACH
        .into_iter()
        .map(|scope| {
            view! {
                <label class="plain-check">
                    <input type="radio" name="scope" value=scope.value() checked=scope == own />
                    {scope.label()}
                </label>
            }
        })
        .collect();
    view! {
        <section>
            <h2>{texts::policy::people::HEADING}</h2>
            <p>{texts::policy::people::LEAD}</p>
            {fixed}
            <fieldset class="plain-checks">
                <legend class="visually-hidden">{texts::policy::people::LEGEND}</legend>
                {choices}
            </fieldset>
        </section>
    }
    .into_any()
}
