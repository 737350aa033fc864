//! `jarvis field`: the root documents of the field devices, the keys that sign them, and releases of the
//! runner. `jarvis runner`: the runner itself.

mod runner;

use std::{collections::BTreeSet, ffi::OsString, path::PathBuf, process::ExitCode};

use anyhow::Context;
use clap::Subcommand;
use field::field_package::{
    ids::{Fingerprint, Sha256Hex},
    keys::PublicSigningKey,
    release::ReleaseVersion,
    root::{RootDocument, RootDraft},
};
use field_dispatch::{
    DispatchClock as _, ReleaseOrder, RootOrder, SystemDispatchClock, draft_root, make_release,
    make_signing_key, publish_root, read_draft, root_documents, rotate_job_key, sign_draft,
};

use super::texts::roots as texts;
use crate::{
    config::Section,
    subcommand::{DataArgs, Run, or_refused, print},
};

#[derive(Subcommand)]
pub(super) enum Command {
    /// Look at the root documents that field devices trust, and hand their keys over
    Field {
        #[command(subcommand)]
        command: FieldCommand,
    },
    /// Start jarvis-runner, the program of a field device, with these arguments
    #[command(disable_help_flag = true)]
    Runner {
        /// Arguments of jarvis-runner; see `jarvis runner --help`
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            value_name = "ARGUMENTS"
        )]
        arguments: Vec<OsString>,
    },
}

#[derive(Subcommand)]
pub(super) enum FieldCommand {
    /// Show each root document: its keys as fingerprints, how many must sign, what is revoked
    Roots {
        #[command(flatten)]
        data: DataArgs,
    },
    /// Make a key in a new file and print its public key. No server is needed
    Key {
        /// File for the key
        file: PathBuf,
    },
    /// Draft the next root document into a new file. The root key of the server signs it, if it is there
    /// and counts
    Rotate {
        #[command(flatten)]
        data: DataArgs,
        /// File for the draft
        draft: PathBuf,
        /// Public key of a root key from now on; give each of them [default: those of before]
        #[arg(long = "root-key", value_name = "HEX")]
        root_keys: Vec<String>,
        /// Number of root keys that must sign [default: as before]
        #[arg(long, value_name = "NUMBER")]
        threshold: Option<usize>,
        /// Key that counts for nothing from now on, whatever its role
        #[arg(long, value_name = "FINGERPRINT", value_parser = Fingerprint::new)]
        revoke: Vec<Fingerprint>,
    },
    /// Sign a draft with a key file. Without a digest it shows the draft and signs nothing. No server is
    /// needed
    Sign {
        /// File of the draft
        draft: PathBuf,
        /// File of the key
        #[arg(long, value_name = "FILE")]
        key: PathBuf,
        /// Digest of the document, from whoever drafted it and on another way than the file
        #[arg(long, value_name = "SHA-256", value_parser = Sha256Hex::new)]
        digest: Option<Sha256Hex>,
    },
    /// Make a signed draft the newest root document. Devices follow once the server has started again
    Publish {
        #[command(flatten)]
        data: DataArgs,
        /// File of the draft
        draft: PathBuf,
    },
    /// Sign a program as the newest release of the runner. Devices find it at the server, which may be
    /// running
    Release {
        #[command(flatten)]
        data: DataArgs,
        /// File of the program
        program: PathBuf,
        /// Version of the program, such as 1.2.3
        #[arg(long, value_name = "NUMBERS", value_parser = ReleaseVersion::read)]
        release_version: ReleaseVersion,
        /// Oldest version that may be installed from then on [default: as before]
        #[arg(long, value_name = "NUMBERS", value_parser = ReleaseVersion::read)]
        minimum: Option<ReleaseVersion>,
        /// Architecture of the program
        #[arg(long, value_name = "NAME", default_value = "aarch64")]
        architecture: String,
    },
    /// Make a new key for jobs and revoke the old one, if one root key signs and is on this server. The
    /// server must not be running
    RotateJobKey {
        #[command(flatten)]
        data: DataArgs,
    },
}

impl Run for Command {
    fn run(self, sections: &[Section]) -> anyhow::Result<ExitCode> {
        let command = match self {
            Self::Field { command } => command,
            Self::Runner { arguments } => {
                return Ok(or_refused(Err(runner::become_it(&arguments))));
            }
        };
        let now_s = u64::try_from(SystemDispatchClock.now_ms() / 1_000).unwrap_or_default();
        let done = carried_out(command, sections, now_s).and_then(|lines| {
            lines.iter().try_for_each(|line| print(line))?;
            Ok(ExitCode::SUCCESS)
        });
        Ok(or_refused(done))
    }
}

/// Does what the command says, and returns the lines to print.
fn carried_out(
    command: FieldCommand,
    sections: &[Section],
    now_s: u64,
) -> anyhow::Result<Vec<String>> {
    let folder = |data: DataArgs| {
        let folder = data.folder(sections);
        folder.context(texts::CONFIGURATION_IS_WRONG)
    };
    Ok(match command {
        FieldCommand::Roots { data } => {
            let documents = root_documents(&folder(data)?)?;
            let lines = documents.iter().flat_map(|it| document_lines(it, now_s));
            lines.collect()
        }
        FieldCommand::Key { file } => {
            let key = make_signing_key(&file)?;
            let (public, fingerprint) = (key.to_hex(), key.fingerprint());
            vec![texts::public_key(&public), texts::fingerprint(&fingerprint)]
        }
        FieldCommand::Rotate {
            data,
            draft,
            root_keys,
            threshold,
            revoke,
        } => {
            let order = RootOrder {
                keys: root_keys.into_iter().collect(),
                threshold,
                revoked: revoke.into_iter().collect(),
            };
            let made = draft_root(&folder(data)?, &order, &draft, now_s)?;
            draft_lines(&made, now_s)
        }
        FieldCommand::Sign { draft, key, digest } => match digest {
            Some(digest) => draft_lines(&sign_draft(&draft, &key, &digest)?, now_s),
            None => {
                let mut lines = draft_lines(&read_draft(&draft)?, now_s);
                lines.push(texts::NOTHING_WAS_SIGNED.to_owned());
                lines
            }
        },
        FieldCommand::Publish { data, draft } => {
            let published = publish_root(&folder(data)?, &draft, now_s)?;
            let mut lines = document_lines(&published, now_s);
            lines.push(texts::PUBLISHED.to_owned());
            lines
        }
        FieldCommand::Release {
            data,
            program,
            release_version,
            minimum,
            architecture,
        } => {
            let order = ReleaseOrder {
                version: release_version,
                minimum,
                architecture,
            };
            let release = make_release(&folder(data)?, &program, &order, now_s)?;
            vec![
                texts::released(&release.version, &release.architecture, &release.minimum),
                texts::digest_of_program(&release.sha256),
            ]
        }
        FieldCommand::RotateJobKey { data } => {
            let summary = rotate_job_key(&folder(data)?, now_s)?;
            vec![texts::new_job_key(&summary.job, summary.version)]
        }
    })
}

/// A draft with its digest and the keys that signed it so far.
fn draft_lines(draft: &RootDraft, now_s: u64) -> Vec<String> {
    let mut lines = document_lines(draft.document(), now_s);
    let signers = draft.named_signers();
    if signers.is_empty() {
        lines.push(texts::SIGNED_BY_NOBODY.to_owned());
    }
    lines.extend(signers.iter().map(texts::signed_by));
    lines.push(texts::digest(&draft.digest()));
    lines
}

fn document_lines(document: &RootDocument, now_s: u64) -> Vec<String> {
    let days = document.expires.checked_sub(now_s);
    let days = days.map(|seconds| seconds / (24 * 60 * 60));
    let mut lines = vec![texts::document(document.version, days)];
    for (role, keys) in [
        (texts::ROOT, &document.root),
        (texts::JOB, &document.job),
        (texts::UPDATE, &document.update),
    ] {
        lines.push(texts::role(role, keys.threshold, keys.keys.len()));
        let keys = keys.keys.iter();
        lines.extend(keys.map(|key| key_line(key, &document.revoked)));
    }
    lines.extend(document.revoked.iter().map(texts::revoked));
    lines
}

/// A key by its fingerprint. Nobody has verified a draft, so its text may be anything.
fn key_line(key: &str, revoked: &BTreeSet<Fingerprint>) -> String {
    match PublicSigningKey::from_hex(key).map(|key| key.fingerprint()) {
        Ok(key) if revoked.contains(&key) => texts::revoked_key(&key),
        Ok(key) => texts::key(&key),
        Err(_) => texts::no_key(&key.escape_debug()),
    }
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches as _;

    use super::*;

    fn read(arguments: &[&str]) -> Result<FieldCommand, clap::Error> {
        let command = Command::augment_subcommands(clap::Command::new("jarvis"));
        let all = ["jarvis", "field"].iter().chain(arguments);
        match Command::from_arg_matches(&command.try_get_matches_from(all)?)? {
            Command::Field { command } => Ok(command),
            Command::Runner { .. } => panic!("it is no `jarvis field`"),
        }
    }

    #[test]
    fn every_argument_is_the_runners() {
        let command = Command::augment_subcommands(clap::Command::new("jarvis"));
        let given = ["enrol", "--help", "-x", "--", "field"];
        let all = ["jarvis", "runner"].iter().chain(&given);
        let matches = command.try_get_matches_from(all).unwrap();
        match Command::from_arg_matches(&matches).unwrap() {
            Command::Runner { arguments } => assert_eq!(arguments, given),
            Command::Field { .. } => panic!("it is `jarvis runner`"),
        }
    }

    #[test]
    fn a_draft_is_made_shown_signed_and_published() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        let run = |arguments: &[&str]| carried_out(read(arguments)?, &[], 1_000);
        let (key, draft) = (at("ann.key"), at("next.json"));
        let made = run(&["key", &key]).unwrap();
        assert_eq!(made.len(), 2);
        assert!(run(&["key", &key]).is_err(), "no key is replaced");
        let root = PublicSigningKey::from_hex(made[0].split(' ').next_back().unwrap()).unwrap();
        let document = RootDocument {
            version: 2,
            expires: 1_000 + 3 * 24 * 60 * 60,
            root: field::field_package::root::RoleKeys {
                keys: BTreeSet::from([root.to_hex(), "\u{1b}[2J".to_owned()]),
                threshold: 1,
            },
            job: no_keys(),
            update: no_keys(),
            revoked: BTreeSet::new(),
        };
        std::fs::write(&draft, document.sign(&[])).unwrap();
        let shown = run(&["sign", &draft, "--key", &key]).unwrap();
        assert!(shown[0].contains("3 days"), "{shown:?}");
        assert!(
            shown.iter().all(|line| !line.contains('\u{1b}')),
            "{shown:?}"
        );
        assert_eq!(shown.last().unwrap(), texts::NOTHING_WAS_SIGNED);
        let digest = read_draft(draft.as_ref()).unwrap().digest();
        let other = "0".repeat(64);
        let signs = |digest: &str| run(&["sign", &draft, "--key", &key, "--digest", digest]);
        assert!(signs(&other).is_err());
        assert!(signs("0").is_err(), "no digest");
        let signed = signs(digest.as_str()).unwrap();
        let signer = texts::signed_by(&root.fingerprint());
        assert!(signed.contains(&signer), "{signed:?}");
        assert!(signs(digest.as_str()).is_err(), "it signs once");
    }

    fn no_keys() -> field::field_package::root::RoleKeys {
        field::field_package::root::RoleKeys {
            keys: BTreeSet::new(),
            threshold: 1,
        }
    }
}
