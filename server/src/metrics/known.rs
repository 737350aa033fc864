//! The tools and models that get a label of their own.

use std::sync::Arc;

use agent::ports::Toolset;

use super::Metrics;
use crate::config::Config;

/// Returns the figures of a server with these toolsets; `usual` is the model of new conversations. A
/// model that the vendor lists and neither the table nor the configuration has shares its label with
/// others like it.
pub(crate) fn of_server(config: &Config, toolsets: &[Arc<dyn Toolset>], usual: &str) -> Metrics {
    let tools = toolsets.iter().flat_map(|toolset| toolset.tools());
    let tools = tools.map(|tool| tool.spec().name);
    // Those of MCP servers come later, and are as many as the configuration lists.
    let tools = tools.chain(outside_tools(config));
    let catalogue = ::model::Catalogue::new(&config.model.models);
    let mut models: Vec<Arc<str>> = catalogue.iter().map(|(id, _)| id.into()).collect();
    models.extend(rehearsal::MODELS.iter().map(|(id, _)| Arc::from(*id)));
    let configured = config.model.offered.iter().flatten();
    let configured = configured.chain(&config.model.title_model);
    models.extend(configured.map(|id| Arc::from(id.as_str())));
    models.push(usual.into());
    Metrics::new(tools, models)
}

/// The tools of MCP servers that the configuration lists, by their names here.
pub(crate) fn outside_tools(config: &Config) -> impl Iterator<Item = String> {
    config.mcp.iter().flat_map(|server| {
        let tools = server.tools.keys();
        tools.map(move |tool| mcp_client::tool_name(&server.name, tool))
    })
}
