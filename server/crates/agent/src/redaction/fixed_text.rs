//! The text of the server itself in requests, which no cover replaces.

use protocol::Mode;

use crate::{
    EngineConfig, Persona,
    ports::{Scope, Toolset},
    prompt,
    tools::Tools,
};

/// Words of the JSON of a request, and the names of the fields that the engine adds around data.
const WORDS: &str = "role user assistant type text thinking redacted_thinking signature tool_use \
    tool_use_id tool_result id name input content is_error media_type cache_control ephemeral \
    context source data cut bytes error code message help blocked denied comment cancelled expired \
    withdrawn unavailable unknown kind utc file plan true false null";

/// Tells each toolset that hides values which words are the server's own in its conversations. What
/// people write into a persona is not among them.
pub(crate) fn tell(tools: &Tools, config: &EngineConfig) {
    for toolset in &tools.toolsets {
        if let Some(redaction) = toolset.redaction() {
            redaction.fixed_text(&of(toolset.name(), tools, config));
        }
    }
}

fn of(name: &str, tools: &Tools, config: &EngineConfig) -> String {
    let is_alone = |toolset: &dyn Toolset| toolset.name() == name && toolset.stands_alone();
    let alone = tools.toolsets.iter().any(|it| is_alone(&**it));
    let scope = if alone {
        Scope::Only([name.to_owned()].into())
    } else {
        Scope::All
    };
    let (held, absent): (Vec<_>, Vec<_>) = tools
        .toolsets
        .iter()
        .cloned()
        .partition(|toolset| scope.has(toolset.name()));
    let elsewhere = prompt::elsewhere(&absent, &config.pages);
    let mut parts = vec![WORDS.to_owned()];
    for mode in [Mode::Default, Mode::Plan] {
        parts.push(prompt::system(mode, &held, &elsewhere, &Persona::default()));
    }
    let definitions = tools.definitions(&scope, &config.run);
    parts.extend(definitions.array.map(|array| array.get().to_owned()));
    parts.join("\n")
}
