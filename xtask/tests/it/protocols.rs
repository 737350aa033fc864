//! Protocols by which other programs come in.

use crate::tree::{read_shipped, rust_files};

/// One engine serves them all.
#[test]
fn the_engine_names_no_protocol_of_other_programs() {
    let folders = [
        "server/crates/agent/src",
        "server/crates/store/src",
        "app/crates",
    ];
    for file in folders.into_iter().flat_map(rust_files) {
        let text = read_shipped(&file).to_lowercase();
        for word in ["mcp", "agui", "ag-ui", "ag_ui"] {
            assert!(!text.contains(word), "{file} says {word}");
        }
    }
}
