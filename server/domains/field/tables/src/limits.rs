//! Sizes and numbers that the tables accept at most, whatever a device or a program sends.

/// Bytes of the JSON that a device reports: facts, capabilities, how a job ended.
pub const MOST_JSON: usize = 64 * 1024;
/// Bytes of a name, a title, a reason.
pub const MOST_NAME: usize = 200;
/// Tags of one device.
pub const MOST_TAGS: usize = 20;
/// Devices of one site that are not retired.
pub const MOST_DEVICES: u64 = 1_000;
/// Enrolments of one site that can still be used.
pub const MOST_ENROLMENTS: u64 = 100;
/// Values in the vault of one site.
pub const MOST_VALUES: u64 = 20_000;
/// Bytes of a sealed value: a value is part of a line of 4 KiB at most, and sealed it is in base64.
pub const MOST_SEALED_VALUE: usize = 8 * 1024;
/// Values that one look shows.
pub const MOST_SHOWN: usize = 500;
/// Sections of one bundle.
pub const MOST_SECTIONS: u64 = 64;
/// Bytes of the covered text of one section. A token may be longer than the value that it covers.
pub const MOST_SECTION: usize = 256 * 1024;
/// Bytes of the covered text of one bundle.
pub const MOST_BUNDLE: u64 = 2 * 1024 * 1024;
/// Bundles of one device or, without a device, of one site; the oldest make room.
pub const MOST_BUNDLES: i64 = 200;
/// Collections of one device that are open.
pub const MOST_COLLECTIONS: i64 = 8;
/// Bytes of a script, and of its rendering.
pub const MOST_SCRIPT: usize = 64 * 1024;
/// Versions of one proposal.
pub const MOST_VERSIONS: u64 = 100;
/// Checks of one version that are kept.
pub const MOST_CHECKS: i64 = 20;
/// Bytes of a package.
pub const MOST_PACKAGE: usize = 256 * 1024;
/// Jobs of one device that wait.
pub const MOST_QUEUED: u64 = 32;
/// Bytes of one chunk of a log.
pub const MOST_CHUNK: usize = 64 * 1024;
/// Chunks of one stream of a job's log: a device could send one for each byte.
pub const MOST_CHUNKS: i64 = 16_384;
/// Bytes of one stream of a job's log.
pub const MOST_LOG: u64 = 8 * 1024 * 1024;
/// Bytes of the answer to a program's request that is kept.
pub const MOST_ANSWER: usize = 256 * 1024;
/// Rows of one page.
pub const MOST_ROWS: u32 = 500;
