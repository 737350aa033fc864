//! Removal of code that nothing needs and that the linker keeps.
//!
//! A view behind a pointer brings a table of functions along. Those that only some uses of Leptos need are
//! in it for every view, with everything that they call, and no compiler knows that they are never called.
//! Each becomes a single instruction here; what only it called then goes with the splitter, which keeps
//! what it can reach.

use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::{Context as _, Result, bail};
use wasm_encoder::{Encode as _, Section as _};
use wasmparser::{KnownCustom, Name, Parser, Payload};

/// What stands in for a function.
#[derive(Clone, Copy)]
enum Instead {
    /// The page stops, with its banner: nothing calls it.
    Stop,
    /// It writes nothing, and that went well: for `core::fmt`.
    Write,
}

/// Pieces of the names of such functions, up to their hash, and what stands in for each.
const UNNEEDED: [(&str, Instead); 5] = [
    // Called by `hydrate_lazy` only; the frontend calls `hydrate_body`.
    (
        "any_view..IntoAny$GT$8into_any13hydrate_async17h",
        Instead::Stop,
    ),
    // Called for a `ViewTemplate` only, and no view of ours makes one.
    (
        "any_attribute..IntoAnyAttribute$GT$13into_any_attr21hydrate_from_template17h",
        Instead::Stop,
    ),
    // A number with a fraction in a message of serde_json's that nobody reads: `FromJson` drops the
    // messages. It brings along all that writes such numbers exactly.
    (
        "serde_core..de..WithDecimalPoint$u20$as$u20$core..fmt..Display$GT$3fmt17h",
        Instead::Write,
    ),
    // What was read instead of what was expected, in the same messages.
    (
        "serde_core..de..Unexpected$u20$as$u20$core..fmt..Display$GT$3fmt17h",
        Instead::Write,
    ),
    // What the parser of Markdown would print if it panicked for an error of its own.
    (
        "pulldown_cmark..parse..ItemBody$u20$as$u20$core..fmt..Debug$GT$3fmt17h",
        Instead::Write,
    ),
];

/// Instructions. A function's code begins with the number of its kinds of variables, here none.
const UNREACHABLE: u8 = 0x00;
const NOP: u8 = 0x01;
const CONST: u8 = 0x41;
const END: u8 = 0x0b;

/// A function's code: its place in the module, and in the section.
struct FunctionBody {
    file: Range<usize>,
    section: Range<u32>,
    instead: Instead,
}

impl Instead {
    /// Overwrites a function's code; its length stays, for the tables of places in the module.
    fn fill(self, code: &mut [u8]) -> Option<()> {
        let (none, code) = code.split_first_mut()?;
        *none = 0;
        let (end, code) = code.split_last_mut()?;
        *end = END;
        match self {
            Self::Stop => code.fill(UNREACHABLE),
            Self::Write => {
                code.fill(NOP);
                let [.., operation, value] = code else {
                    return None;
                };
                (*operation, *value) = (CONST, 0);
            }
        }
        Some(())
    }
}

/// Empties the functions that are not needed, in a module with relocations.
pub(super) fn prune(module: &[u8]) -> Result<Vec<u8>> {
    let bodies = unneeded(module)?;
    let mut out = module.to_vec();
    for body in &bodies {
        let code = out
            .get_mut(body.file.clone())
            .context("a function outside of the module")?;
        body.instead.fill(code).context("a function without code")?;
    }
    without_relocations(&out, &bodies)
}

/// Returns the functions to empty, in the order of their code.
fn unneeded(module: &[u8]) -> Result<Vec<FunctionBody>> {
    let mut imported = 0;
    let mut code = Vec::new();
    let mut section = 0;
    let mut names = BTreeMap::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    let is_function = matches!(import?.ty, wasmparser::TypeRef::Func(_));
                    imported += u32::from(is_function);
                }
            }
            Payload::CodeSectionStart { range, .. } => section = range.start,
            Payload::CodeSectionEntry(body) => code.push(body.range()),
            Payload::CustomSection(custom) => {
                if let KnownCustom::Name(all) = custom.as_known() {
                    function_names(all, &mut names)?;
                }
            }
            _ => {}
        }
    }
    for (piece, _) in UNNEEDED {
        if !names.values().any(|name| name.contains(piece)) {
            bail!("no function is named {piece} any more: prune.rs is out of date");
        }
    }
    let mut bodies = Vec::new();
    for (at, range) in (imported..).zip(code) {
        let name = names.get(&at).copied().unwrap_or_default();
        let found = UNNEEDED.iter().find(|(piece, _)| name.contains(piece));
        if let Some((_, instead)) = found {
            bodies.push(FunctionBody {
                file: range.start.try_into()?..range.end.try_into()?,
                section: (range.start - section).try_into()?..(range.end - section).try_into()?,
                instead: *instead,
            });
        }
    }
    Ok(bodies)
}

fn function_names<'a>(
    all: wasmparser::NameSectionReader<'a>,
    names: &mut BTreeMap<u32, &'a str>,
) -> Result<()> {
    for name in all {
        if let Name::Function(functions) = name? {
            for naming in functions {
                let naming = naming?;
                names.insert(naming.index, naming.name);
            }
        }
    }
    Ok(())
}

/// Removes the relocations in some functions, whose code no longer has what they are about.
fn without_relocations(module: &[u8], bodies: &[FunctionBody]) -> Result<Vec<u8>> {
    let mut out = module.to_vec();
    let mut replaced = false;
    for payload in Parser::new(0).parse_all(module) {
        let Payload::CustomSection(custom) = payload? else {
            continue;
        };
        let (KnownCustom::Reloc(relocations), "reloc.CODE") = (custom.as_known(), custom.name())
        else {
            continue;
        };
        let start = custom.data_offset();
        let mut kept = Vec::new();
        let mut count = 0_u32;
        let mut entries = relocations.entries().into_iter_with_offsets().peekable();
        while let Some(entry) = entries.next() {
            let (from, entry) = entry?;
            let to = match entries.peek() {
                Some(Ok((next, _))) => *next,
                Some(Err(_)) => bail!("a relocation that cannot be read"),
                None => start + custom.data().len() as u64,
            };
            let at = bodies.partition_point(|body| body.section.end <= entry.offset);
            if bodies
                .get(at)
                .is_some_and(|body| body.section.contains(&entry.offset))
            {
                continue;
            }
            let (from, to): (usize, usize) = ((from - start).try_into()?, (to - start).try_into()?);
            kept.extend_from_slice(
                custom
                    .data()
                    .get(from..to)
                    .context("a relocation outside of its section")?,
            );
            count += 1;
        }
        let mut data = Vec::new();
        relocations.section_index().encode(&mut data);
        count.encode(&mut data);
        data.extend(kept);
        let section = wasm_encoder::CustomSection {
            name: custom.name().into(),
            data: data.into(),
        };
        let mut bytes = Vec::new();
        section.append_to(&mut bytes);
        let whole = whole(module, &custom)?;
        out.splice(whole, bytes);
        replaced = true;
    }
    if !replaced {
        bail!("the module has no relocations: it cannot be split");
    }
    Ok(out)
}

/// Returns the place of a section with its head: its kind, and its size.
fn whole(module: &[u8], custom: &wasmparser::CustomSectionReader<'_>) -> Result<Range<usize>> {
    let range = custom.range();
    let (start, end): (usize, usize) = (range.start.try_into()?, range.end.try_into()?);
    // The size may have been written with more bytes than it needs.
    let size = (1..=5)
        .find(|size| {
            let head = start.checked_sub(size + 1);
            head.and_then(|head| module.get(head)) == Some(&0)
                && leb(module.get(start - size..start).unwrap_or_default()) == Some(end - start)
        })
        .context("a section without a head")?;
    Ok(start - size - 1..end)
}

/// Reads a number of up to five bytes of seven bits each; none if it ends earlier or later.
fn leb(bytes: &[u8]) -> Option<usize> {
    let (last, rest) = bytes.split_last()?;
    if last & 0x80 != 0 || rest.iter().any(|byte| byte & 0x80 == 0) {
        return None;
    }
    let shifted = bytes
        .iter()
        .enumerate()
        .map(|(at, byte)| usize::from(byte & 0x7f) << (7 * at));
    Some(shifted.sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_keeps_its_length() {
        let mut code = [9; 6];
        Instead::Stop.fill(&mut code).unwrap();
        assert_eq!(
            code,
            [0, UNREACHABLE, UNREACHABLE, UNREACHABLE, UNREACHABLE, END]
        );
        Instead::Write.fill(&mut code).unwrap();
        assert_eq!(code, [0, NOP, NOP, CONST, 0, END]);
        assert!(Instead::Write.fill(&mut [9; 3]).is_none());
    }

    #[test]
    fn a_size_may_have_more_bytes_than_it_needs() {
        for (bytes, size) in [
            (&[5][..], Some(5)),
            (&[0x85, 0], Some(5)),
            (&[0x80, 1], Some(128)),
            (&[0x85], None),
            (&[5, 0], None),
        ] {
            assert_eq!(leb(bytes), size, "{bytes:?}");
        }
    }
}
