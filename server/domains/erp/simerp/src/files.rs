//! Files that are attached to documents. Their bytes are not kept: size and digest are.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::books::{SimBooks, scattered};
use crate::cell::SimDoc;
use crate::docs;
use crate::refusal::{SimResult, forbidden, unsuitable};
use crate::rights::{Right, demand_doc};
use crate::wire::{Args, SentFile};

/// Stores what `upload_file` was sent: a file, or the address of one. Who attaches it needs the right to write
/// the document.
pub(crate) fn upload(
    books: &mut SimBooks,
    args: &Args,
    sent: Option<&SentFile>,
) -> SimResult<SimDoc> {
    if books.user == "Guest" {
        return Err(forbidden("Not permitted"));
    }
    let (kind, name) = (args.text("doctype"), args.text("docname"));
    if let Some(doc) = books.find(&kind, &name).cloned() {
        demand_doc(books, &doc, Right::Write)?;
    }
    let is_private = args.flag("is_private");
    let mut doc = SimDoc::new("File")
        .with("is_private", is_private)
        .with("attached_to_doctype", kind)
        .with("attached_to_name", name)
        .with("attached_to_field", args.text("fieldname"));
    let folder = args.text("folder");
    if !folder.is_empty() {
        doc.set("folder", folder);
    }
    if let Some(sent) = sent {
        // A name is no path.
        let file_name = sent.name.replace(['/', '\\'], "");
        let digest = scattered(&STANDARD.encode(&sent.bytes));
        let place = if is_private {
            "/private/files"
        } else {
            "/files"
        };
        doc.set("file_url", free_url(books, place, &file_name, &digest));
        doc.set("file_name", file_name);
        doc.set(
            "file_size",
            i64::try_from(sent.bytes.len()).unwrap_or(i64::MAX),
        );
        doc.set("content_hash", digest);
    } else {
        doc.set("file_name", args.text("file_name"));
        doc.set("file_url", args.text("file_url"));
    }
    if doc.text("file_url").is_empty() {
        return Err(unsuitable("There is some problem with the file url: None"));
    }
    docs::insert(books, doc, None)
}

/// An address that no other content has: a part of the digest comes behind the name if it is taken.
fn free_url(books: &SimBooks, place: &str, name: &str, digest: &str) -> String {
    let url = format!("{place}/{name}");
    let mut files = books.all("File");
    let is_taken = files.any(|it| it.text("file_url") == url && it.text("content_hash") != digest);
    if !is_taken {
        return url;
    }
    let part = digest.get(..6).unwrap_or(digest);
    match name.rsplit_once('.') {
        Some((stem, ending)) => format!("{place}/{stem}{part}.{ending}"),
        None => format!("{url}{part}"),
    }
}
