//! Lexical rules of each language.

/// The lexical rules of one language.
pub(super) struct CodeRules {
    /// Marks that begin a comment to the end of the line.
    pub(super) comments: &'static [&'static str],
    /// True if such a comment needs a blank before it, as in a shell.
    pub(super) comment_apart: bool,
    /// The marks that begin and end a block comment.
    pub(super) block: Option<(&'static str, &'static str)>,
    /// Longer marks come first.
    pub(super) quotes: &'static [QuoteRule],
    pub(super) keywords: &'static [&'static str],
    /// True if keywords match in any case.
    pub(super) any_case: bool,
    /// True if `$NAME` is a name.
    pub(super) dollar: bool,
    /// True if a text before a colon is a key.
    pub(super) keys: bool,
    /// True if `'a` is a lifetime and `'a'` a character.
    pub(super) lifetimes: bool,
}

pub(super) struct QuoteRule {
    pub(super) mark: &'static str,
    /// True if a backslash escapes the next character.
    pub(super) escapes: bool,
    /// True if it may continue on the next line.
    pub(super) long: bool,
}

const fn quote(mark: &'static str, escapes: bool, long: bool) -> QuoteRule {
    QuoteRule {
        mark,
        escapes,
        long,
    }
}

pub(super) const PLAIN: CodeRules = CodeRules {
    comments: &[],
    comment_apart: false,
    block: None,
    quotes: &[quote("\"", true, false), quote("'", true, false)],
    keywords: &[],
    any_case: false,
    dollar: false,
    keys: false,
    lifetimes: false,
};

static JSON: CodeRules = CodeRules {
    comments: &["//"],
    block: Some(("/*", "*/")),
    quotes: &[quote("\"", true, false)],
    keywords: &["true", "false", "null"],
    keys: true,
    ..PLAIN
};

static SHELL: CodeRules = CodeRules {
    comments: &["#"],
    comment_apart: true,
    quotes: &[quote("\"", true, true), quote("'", false, true)],
    keywords: &[
        "if", "then", "else", "elif", "fi", "for", "in", "do", "done", "while", "until", "case",
        "esac", "function", "return", "export", "local", "set", "unset", "readonly", "exit",
        "source", "trap", "eval", "exec", "sudo",
    ],
    dollar: true,
    ..PLAIN
};

static RUST: CodeRules = CodeRules {
    comments: &["//"],
    block: Some(("/*", "*/")),
    quotes: &[quote("\"", true, true)],
    keywords: &[
        "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum",
        "extern", "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move",
        "mut", "pub", "ref", "return", "self", "Self", "static", "struct", "super", "trait",
        "true", "type", "unsafe", "use", "where", "while",
    ],
    lifetimes: true,
    ..PLAIN
};

static PYTHON: CodeRules = CodeRules {
    comments: &["#"],
    quotes: &[
        quote("\"\"\"", true, true),
        quote("'''", true, true),
        quote("\"", true, false),
        quote("'", true, false),
    ],
    keywords: &[
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class",
        "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global",
        "if", "import", "in", "is", "lambda", "match", "nonlocal", "not", "or", "pass", "raise",
        "return", "self", "try", "while", "with", "yield",
    ],
    ..PLAIN
};

static SQL: CodeRules = CodeRules {
    comments: &["--"],
    block: Some(("/*", "*/")),
    quotes: &[quote("'", false, true), quote("\"", false, false)],
    keywords: &[
        "add",
        "all",
        "alter",
        "and",
        "as",
        "asc",
        "begin",
        "between",
        "by",
        "case",
        "cascade",
        "check",
        "column",
        "commit",
        "constraint",
        "create",
        "default",
        "delete",
        "desc",
        "distinct",
        "drop",
        "else",
        "end",
        "exists",
        "explain",
        "foreign",
        "from",
        "full",
        "group",
        "having",
        "if",
        "in",
        "index",
        "inner",
        "insert",
        "into",
        "is",
        "join",
        "key",
        "left",
        "like",
        "limit",
        "not",
        "null",
        "offset",
        "on",
        "or",
        "order",
        "outer",
        "pragma",
        "primary",
        "references",
        "returning",
        "right",
        "rollback",
        "select",
        "set",
        "table",
        "then",
        "transaction",
        "trigger",
        "union",
        "unique",
        "update",
        "using",
        "values",
        "view",
        "when",
        "where",
        "with",
    ],
    any_case: true,
    ..PLAIN
};

static SCRIPT: CodeRules = CodeRules {
    comments: &["//"],
    block: Some(("/*", "*/")),
    quotes: &[
        quote("`", true, true),
        quote("\"", true, false),
        quote("'", true, false),
    ],
    keywords: &[
        "as",
        "async",
        "await",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "default",
        "delete",
        "do",
        "else",
        "enum",
        "export",
        "extends",
        "false",
        "finally",
        "for",
        "from",
        "func",
        "function",
        "go",
        "if",
        "import",
        "in",
        "instanceof",
        "interface",
        "let",
        "map",
        "new",
        "nil",
        "null",
        "of",
        "package",
        "range",
        "return",
        "static",
        "struct",
        "switch",
        "this",
        "throw",
        "true",
        "try",
        "type",
        "typeof",
        "undefined",
        "var",
        "void",
        "while",
        "yield",
    ],
    ..PLAIN
};

/// Returns the rules of a language, by the word after the fence.
pub(super) fn of(lang: &str) -> Option<&'static CodeRules> {
    Some(match lang {
        "json" | "jsonc" | "json5" | "jsonl" => &JSON,
        "sh" | "bash" | "zsh" | "shell" | "console" | "dockerfile" => &SHELL,
        "rust" | "rs" => &RUST,
        "python" | "py" => &PYTHON,
        "sql" | "sqlite" | "postgresql" | "mysql" => &SQL,
        "js" | "javascript" | "ts" | "typescript" | "go" | "c" | "java" => &SCRIPT,
        _ => return None,
    })
}
