//! The example questions of the tools: for the rehearsal model, the empty chat and `/help`.

use agent::{
    ToolsetPage,
    ports::{Audience, ToolExample, ToolSpec, Toolset},
};
use protocol::Questions;

/// Returns the first question of each tool. Those for every installation come apart.
pub(crate) fn questions(toolset: &dyn Toolset) -> Questions {
    let first = specs(toolset).filter_map(|spec| {
        let question = spec.examples.first()?.question().to_owned();
        Some((question, spec.suggested))
    });
    let (suggested, more): (Vec<_>, Vec<_>) = first.partition(|(_, suggested)| *suggested);
    let texts = |list: Vec<(String, bool)>| list.into_iter().map(|(text, _)| text).collect();
    Questions {
        toolset: toolset.name().to_owned(),
        suggested: texts(suggested),
        more: texts(more),
    }
}

/// Returns the tools of a toolset with their questions, as the rehearsal model is told of them. The
/// questions are not sent with each request: real models would pay for them, and older conversations
/// lack them.
pub(crate) fn area(toolset: &dyn Toolset) -> rehearsal::Area {
    rehearsal::Area {
        page: page_of(toolset).map(|page| (page.title, page.path)),
        pack: toolset.pack().map(str::to_owned),
        routine: None,
        names: Vec::new(),
        tools: specs(toolset)
            .map(|spec| (spec.name, spec.examples.iter().map(asked).collect()))
            .collect(),
    }
}

fn asked(example: &ToolExample) -> rehearsal::AreaExample {
    rehearsal::AreaExample {
        question: example.question().to_owned(),
        input: example.input(),
    }
}

/// Returns the page of a toolset; none if it has none.
pub(crate) fn page_of(toolset: &dyn Toolset) -> Option<ToolsetPage> {
    let (title, path) = app::tab(toolset.name())?;
    Some(ToolsetPage {
        toolset: toolset.name().to_owned(),
        title: title.to_owned(),
        path: path.to_owned(),
    })
}

/// The tools that a model may call.
fn specs(toolset: &dyn Toolset) -> impl Iterator<Item = ToolSpec> {
    let specs = toolset.tools().into_iter().map(|tool| tool.spec());
    specs.filter(|spec| spec.audience == Audience::Everyone)
}
