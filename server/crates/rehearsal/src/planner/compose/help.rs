//! What the tools of a conversation can do, by their descriptions.

use super::{naming, offers, units};
use crate::{
    planner::{plan::PlanContext, view::Tool},
    texts::{manner, offers as texts},
};

/// The answer to "what can you do?"
pub(super) fn told(context: PlanContext<'_>) -> String {
    let view = context.view;
    if view.all_tools().next().is_none() {
        return texts::only_talk();
    }
    let line = |tool: &Tool<'_>| units::safe(&brief(tool.description));
    let (reads, acts): (Vec<&Tool<'_>>, Vec<&Tool<'_>>) = view.all_tools().partition(|tool| {
        context
            .toolbox
            .card(tool.name)
            .is_some_and(|card| card.reads)
    });
    let list = |tools: &[&Tool<'_>]| {
        let lines = tools.iter().map(|tool| {
            let name = tool.name.strip_prefix("get_").unwrap_or(tool.name);
            format!("- {}: {}\n", units::label(name), line(tool))
        });
        lines.collect::<String>()
    };
    let mut text = texts::what_i_can_do(reads.len(), acts.len());
    text.push_str(&format!(" {}\n\n", offers::sentence(context)));
    for (title, tools) in [(texts::I_LOOK_UP, &reads), (texts::I_ACT, &acts)] {
        if !tools.is_empty() {
            text.push_str(&format!("**{title}**\n\n{}\n", list(tools)));
        }
    }
    let there = view.areas.iter().filter(|area| {
        let mut tools = area.tools.iter();
        !tools.any(|(name, _)| view.tool(name).is_some())
    });
    let pages: Vec<String> = there
        .filter_map(|area| area.page.as_ref())
        .map(|(title, path)| format!("[{}]({path})", units::safe(title)))
        .collect();
    if !pages.is_empty() {
        text.push_str(&texts::more_on(&naming::and(&pages)));
    }
    text.push_str(manner::REHEARSAL);
    text
}

/// The beginning of a description, up to a place where it may end: "Lists the backups".
fn brief(description: &str) -> String {
    const MOST: usize = 100;
    let sentence = description
        .split(['.', '\n', ':'])
        .next()
        .unwrap_or_default();
    // Without what stands in brackets.
    let mut plain = String::new();
    let mut depth = 0_usize;
    for sign in sentence.chars() {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            sign if depth == 0 => plain.push(sign),
            _ => {}
        }
    }
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain = plain.replace(" ,", ",").replace(" ;", ";");
    if plain.chars().count() <= MOST {
        return plain;
    }
    let short: String = plain.chars().take(MOST).collect();
    let end = short.rfind([',', ';']).or_else(|| short.rfind(' '));
    short
        .get(..end.unwrap_or(short.len()))
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_with_a_whole_word() {
        assert_eq!(
            brief("Lists the virtual machines (QEMU and KVM), newest first. Use it often."),
            "Lists the virtual machines, newest first"
        );
        let listed = format!("Lists machines, {}", "long ".repeat(30));
        assert_eq!(brief(&listed), "Lists machines");
        let long = "Tells of something ".repeat(12);
        let line = brief(&long);
        assert!(line.len() <= 100, "{line}");
        assert!(long.starts_with(&format!("{line} ")), "{line}");
    }
}
