//! Reading boards, pages, notices and offers.

use crate::{
    Acknowledged, BoardPage, BoardPart, Notice, NoticeCount, Offer, PageAnswer, PageQuery,
    RaisedNotice, struct_from_json,
};

struct_from_json!(BoardPart { key, value });
struct_from_json!(BoardPage {
    board,
    system,
    parts
});
struct_from_json!(Notice {
    id,
    system,
    key,
    kind,
    grave,
    about,
    text,
    since,
    seen,
    acknowledged,
    ended,
});
struct_from_json!(Acknowledged { by, at });
struct_from_json!(NoticeCount { open, grave });
struct_from_json!(RaisedNotice { grave, text });
struct_from_json!(PageQuery { kind, name, part });
struct_from_json!(PageAnswer { system, value });
struct_from_json!(Offer {
    tool,
    label,
    on,
    when,
    only,
    with
});
