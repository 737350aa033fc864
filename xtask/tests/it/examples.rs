//! Examples that documents show are files too, which are checked and run.

use serde_json::Value;

use crate::tree::read;

const FOLDER: &str = "docs/examples/agui";

#[test]
fn documents_show_the_examples_as_they_are() {
    let document = read("docs/agui.md");
    for (language, name) in [("html", "page.html"), ("tsx", "assistant-ui.tsx")] {
        let example = read(&format!("{FOLDER}/{name}"));
        let shown = format!("\n```{language}\n{example}```\n");
        assert!(
            document.contains(&shown),
            "docs/agui.md shows another {name}"
        );
        let of_the_language = document.matches(&format!("\n```{language}\n")).count();
        assert_eq!(of_the_language, 1, "{language} of docs/agui.md is no file");
    }
}

/// Types are checked against the versions that the document names.
#[test]
fn examples_have_the_versions_of_their_document() {
    let package = read(&format!("{FOLDER}/package.json"));
    let package: Value = serde_json::from_str(&package).expect("JSON");
    let version = |name: &str| {
        let version = package["devDependencies"][name].as_str();
        version.expect("a version").to_owned()
    };
    let document = read("docs/agui.md");
    for named in [
        format!(
            "`@assistant-ui/react-ag-ui` ({}, with `@ag-ui/client` {})",
            version("@assistant-ui/react-ag-ui"),
            version("@ag-ui/client")
        ),
        version("ag-ui-client-1").replace("npm:", "'https://esm.sh/") + "'",
    ] {
        assert!(document.contains(&named), "docs/agui.md lacks {named}");
    }
}
