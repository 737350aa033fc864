//! Merging of modules that the splitter made of one input.
//!
//! Code that several parts share becomes a chunk for each set of parts: dozens of them, most of a few
//! hundred bytes, each a request. Chunks meet only through the table and the memory, at places that the
//! splitter chose, so that any of them can be one module.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::Range;

use anyhow::{Context as _, Result, bail};
use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{
    CodeSection, CustomSection, DataSection, ElementSection, EntityType, FunctionSection,
    ImportSection, Module, NameMap, NameSection, RawSection, SectionId,
};
use wasmparser::{BinaryReader, CodeSectionReader, KnownCustom, Name, Parser, Payload, TypeRef};

/// The kinds of items that a chunk imports; the index of each is counted by itself.
#[derive(Default)]
struct Imports {
    section: ImportSection,
    /// The index of each import, by its name.
    known: BTreeMap<String, u32>,
    counts: [u32; 3],
}

#[derive(Default)]
struct Merged {
    /// The same in all of them.
    types: Option<Vec<u8>>,
    imports: Imports,
    functions: FunctionSection,
    elements: ElementSection,
    code: CodeSection,
    data: DataSection,
    names: NameMap,
    features: Option<Vec<u8>>,
}

/// Translates the indices of one module into those of the merged one.
struct Places {
    functions: u32,
    data: u32,
    globals: Vec<u32>,
    tables: Vec<u32>,
    memories: Vec<u32>,
}

type Done<T> = std::result::Result<T, reencode::Error<Infallible>>;

impl Reencode for Places {
    type Error = Infallible;

    fn function_index(&mut self, index: u32) -> Done<u32> {
        Ok(self.functions + index)
    }

    fn data_index(&mut self, index: u32) -> Done<u32> {
        Ok(self.data + index)
    }

    fn global_index(&mut self, index: u32) -> Done<u32> {
        Ok(at(&self.globals, index))
    }

    fn table_index(&mut self, index: u32) -> Done<u32> {
        Ok(at(&self.tables, index))
    }

    fn memory_index(&mut self, index: u32) -> Done<u32> {
        Ok(at(&self.memories, index))
    }
}

/// An index without an entry stays: validation of the result reports it.
fn at(places: &[u32], index: u32) -> u32 {
    places.get(index as usize).copied().unwrap_or(index)
}

/// Returns some bytes of a module.
fn part(module: &[u8], range: Range<u64>) -> Result<&[u8]> {
    let (from, to) = (range.start.try_into()?, range.end.try_into()?);
    let within: Range<usize> = from..to;
    module.get(within).context("a section outside of its chunk")
}

/// Merges chunks into one module.
pub(super) fn merge(chunks: &[Vec<u8>]) -> Result<Vec<u8>> {
    let mut merged = Merged::default();
    for chunk in chunks {
        merged.add(chunk)?;
    }
    Ok(merged.finish())
}

impl Merged {
    fn add(&mut self, chunk: &[u8]) -> Result<()> {
        let mut places = Places {
            functions: self.functions.len(),
            data: self.data.len(),
            globals: Vec::new(),
            tables: Vec::new(),
            memories: Vec::new(),
        };
        for payload in Parser::new(0).parse_all(chunk) {
            match payload? {
                Payload::Version { .. } | Payload::End(_) | Payload::CodeSectionEntry(_) => {}
                // They say only how large the sections are.
                Payload::DataCountSection { .. } => {}
                Payload::ExportSection(exports) if exports.count() == 0 => {}
                Payload::TypeSection(types) => self.same_types(part(chunk, types.range())?)?,
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        self.imports.add(import?, &mut places)?;
                    }
                }
                Payload::FunctionSection(functions) => {
                    places.parse_function_section(&mut self.functions, functions)?;
                }
                Payload::ElementSection(elements) => {
                    places.parse_element_section(&mut self.elements, elements)?;
                }
                Payload::CodeSectionStart { range, .. } => {
                    let reader = BinaryReader::new(part(chunk, range.clone())?, range.start);
                    places.parse_code_section(&mut self.code, CodeSectionReader::new(reader)?)?;
                }
                Payload::DataSection(data) => places.parse_data_section(&mut self.data, data)?,
                Payload::CustomSection(custom) => match custom.as_known() {
                    KnownCustom::Name(names) => {
                        for name in names {
                            if let Name::Function(functions) = name? {
                                for naming in functions {
                                    let naming = naming?;
                                    self.names
                                        .append(places.functions + naming.index, naming.name);
                                }
                            }
                        }
                    }
                    _ if custom.name() == "target_features" => {
                        self.features = Some(custom.data().to_vec());
                    }
                    _ => {}
                },
                other => bail!("a chunk has a section of another kind: {other:?}"),
            }
        }
        Ok(())
    }

    fn same_types(&mut self, types: &[u8]) -> Result<()> {
        let known = self.types.get_or_insert_with(|| types.to_vec());
        if known != types {
            bail!("chunks of different inputs");
        }
        Ok(())
    }

    fn finish(self) -> Vec<u8> {
        let mut module = Module::new();
        if let Some(data) = &self.types {
            module.section(&RawSection {
                id: SectionId::Type as u8,
                data,
            });
        }
        module
            .section(&self.imports.section)
            .section(&self.functions);
        if !self.elements.is_empty() {
            module.section(&self.elements);
        }
        module.section(&self.code).section(&self.data);
        let mut names = NameSection::new();
        names.functions(&self.names);
        module.section(&names);
        if let Some(data) = &self.features {
            module.section(&CustomSection {
                name: Cow::Borrowed("target_features"),
                data: Cow::Borrowed(data),
            });
        }
        module.finish()
    }
}

impl Imports {
    fn add(&mut self, import: wasmparser::Import<'_>, places: &mut Places) -> Result<()> {
        let (count, places) = match import.ty {
            TypeRef::Global(_) => (&mut self.counts[0], &mut places.globals),
            TypeRef::Table(_) => (&mut self.counts[1], &mut places.tables),
            TypeRef::Memory(_) => (&mut self.counts[2], &mut places.memories),
            other => bail!("a chunk imports {} as {other:?}", import.name),
        };
        let index = match self.known.get(import.name) {
            Some(known) => *known,
            None => {
                let index = *count;
                *count += 1;
                self.known.insert(import.name.to_owned(), index);
                let kind = EntityType::try_from(import.ty)
                    .ok()
                    .context("an import of a kind that cannot be written")?;
                self.section.import(import.module, import.name, kind);
                index
            }
        };
        places.push(index);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{
        ConstExpr, ElementMode, ElementSegment, Elements, Function, GlobalType, MemoryType,
        RefType, TableType, TypeSection, ValType,
    };

    use super::*;

    /// A chunk with one function, at a place of the table; it calls itself and reads a global.
    fn chunk(name: &str, place: i32, globals: &[&str], text: &[u8]) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], [ValType::I32]);
        let mut imports = ImportSection::new();
        let table = TableType {
            element_type: RefType::FUNCREF,
            minimum: 8,
            maximum: None,
            table64: false,
            shared: false,
        };
        let memory = MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        };
        let global = GlobalType {
            val_type: ValType::I32,
            mutable: true,
            shared: false,
        };
        imports.import("__wasm_split", "table", table);
        imports.import("__wasm_split", "memory", memory);
        for name in globals {
            imports.import("__wasm_split", name, global);
        }
        let mut functions = FunctionSection::new();
        functions.function(0);
        let mut elements = ElementSection::new();
        elements.segment(ElementSegment {
            mode: ElementMode::Active {
                table: Some(0),
                offset: &ConstExpr::i32_const(place),
            },
            elements: Elements::Functions(vec![0].into()),
        });
        let mut code = CodeSection::new();
        let mut function = Function::new([]);
        function.instructions().call(0).drop().global_get(0).end();
        code.function(&function);
        let mut data = DataSection::new();
        data.active(0, &ConstExpr::i32_const(place), text.iter().copied());
        let mut names = NameMap::new();
        names.append(0, name);
        let mut section = NameSection::new();
        section.functions(&names);
        let mut module = Module::new();
        module
            .section(&types)
            .section(&imports)
            .section(&functions)
            .section(&elements)
            .section(&code)
            .section(&data)
            .section(&section);
        module.finish()
    }

    #[test]
    fn chunks_become_one_module() {
        let chunks = [
            chunk("one", 1, &["stack", "other"], b"first"),
            chunk("two", 2, &["other"], b"second"),
        ];
        let merged = merge(&chunks).unwrap();
        let (mut imports, mut calls, mut globals, mut data) = (Vec::new(), vec![], vec![], vec![]);
        for payload in Parser::new(0).parse_all(&merged) {
            match payload.unwrap() {
                Payload::ImportSection(section) => {
                    imports.extend(section.into_imports().map(|it| it.unwrap().name));
                }
                Payload::CodeSectionEntry(body) => {
                    for operator in body.get_operators_reader().unwrap() {
                        match operator.unwrap() {
                            wasmparser::Operator::Call { function_index } => {
                                calls.push(function_index);
                            }
                            wasmparser::Operator::GlobalGet { global_index } => {
                                globals.push(global_index);
                            }
                            _ => {}
                        }
                    }
                }
                Payload::DataSection(section) => {
                    data.extend(section.into_iter().map(|it| it.unwrap().data));
                }
                _ => {}
            }
        }
        assert_eq!(imports, ["table", "memory", "stack", "other"]);
        assert_eq!(calls, [0, 1], "each calls itself");
        assert_eq!(globals, [0, 1], "each reads its own global");
        assert_eq!(data, [b"first".as_slice(), b"second"]);
    }
}
