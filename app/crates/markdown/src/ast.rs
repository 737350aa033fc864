//! The syntax tree. Nothing in it can act: no HTML, no images, only allowed links.

/// A block of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    Heading {
        /// 1 to 6.
        level: u8,
        content: Vec<Inline>,
    },
    Paragraph(Vec<Inline>),
    CodeBlock {
        /// The first word after the fence, such as `rust`.
        lang: Option<String>,
        /// As written; ends with a newline unless it was cut off.
        text: String,
    },
    Quote(Vec<Block>),
    List(List),
    Table(Table),
    Rule,
}

/// A list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    /// The number of the first item, if the list is ordered.
    pub start: Option<u64>,
    /// True if paragraphs in items have no space around them.
    pub tight: bool,
    pub items: Vec<Item>,
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// None if the item has no checkbox; else true if it is ticked.
    pub task: Option<bool>,
    pub blocks: Vec<Block>,
}

/// A table. `head` and each row have as many cells as there are alignments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub alignments: Vec<Alignment>,
    pub head: Vec<Cell>,
    pub rows: Vec<Vec<Cell>>,
}

/// The content of a table cell.
pub type Cell = Vec<Inline>;

/// The alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alignment {
    /// Follows the direction of the text.
    None,
    Left,
    Center,
    Right,
}

/// A piece of running text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inline {
    Text(String),
    Code(String),
    Emph(Vec<Inline>),
    Strong(Vec<Inline>),
    Strike(Vec<Inline>),
    Link {
        /// `http:`, `https:`, `mailto:`, or a path on this site that starts with `/`.
        href: String,
        title: Option<String>,
        /// Never empty; contains no other link.
        children: Vec<Inline>,
    },
    /// A line end in the source; drawn as a space.
    SoftBreak,
    /// A line break.
    HardBreak,
}
