//! The completeness of the matrix: a row for everything that there is.

use std::{collections::BTreeSet, fs, path::Path};

use super::{functions, routes::ROUTES};

fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(fs::read_to_string(path).unwrap());
        }
    }
}

/// The text between an opening and its closing parenthesis.
fn inside(text: &str) -> &str {
    let mut depth = 1_usize;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[..at];
        }
    }
    panic!("not closed: {text}");
}

#[test]
fn nothing_is_left_out() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = Vec::new();
    sources(&root.join("src"), &mut texts);
    let mut routes = BTreeSet::new();
    let mut declared = 0;
    for text in &texts {
        // Unit tests have their own routers.
        let text = text.split("#[cfg(test)]").next().unwrap();
        for opening in [".route(", ".fallback("] {
            for rest in text.split(opening).skip(1) {
                let call = inside(rest);
                // Of a domain: `every_route_of_a_domain_by_role` has a row for each, and behind its
                // door is nobody else.
                if ["&route.right.address, handler", "&address, handler"].contains(&call) {
                    declared += 1;
                    continue;
                }
                let (route, methods) = match opening {
                    ".route(" => {
                        let rest = call.trim_start().strip_prefix('"').expect(call);
                        rest.split_once('"').unwrap()
                    }
                    _ => ("*", call),
                };
                for method in [
                    "any", "delete", "get", "head", "options", "patch", "post", "put",
                ] {
                    let named = methods.match_indices(&format!("{method}(")).any(|(at, _)| {
                        !methods[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
                    });
                    if named {
                        routes.insert((method.to_owned(), route.to_owned()));
                    }
                }
            }
        }
        for other in [
            ".route_service(",
            ".nest(",
            ".nest_service(",
            ".fallback_service(",
        ] {
            assert!(!text.contains(other), "{other} is not looked for here");
        }
    }
    let rows: BTreeSet<_> = ROUTES
        .iter()
        // Not a route: its method is not there.
        .filter(|(method, route, ..)| (*method, *route) != ("get", "/sign-out"))
        .map(|(method, route, ..)| ((*method).to_owned(), (*route).to_owned()))
        .collect();
    assert_eq!(routes, rows);
    assert_eq!(declared, 2);

    let mut texts = Vec::new();
    sources(&root.join("../app/src"), &mut texts);
    let endpoints: BTreeSet<_> = texts
        .iter()
        .flat_map(|text| text.split("#[server(").skip(1))
        .map(|rest| {
            let (_, named) = inside(rest).split_once("endpoint = \"").expect(rest);
            named.split_once('"').unwrap().0.to_owned()
        })
        .collect();
    let rows = functions().into_iter().map(|(name, ..)| name.to_owned());
    assert_eq!(endpoints, rows.collect());
}
