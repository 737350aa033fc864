use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::Path,
};

use super::*;

struct List {
    folder: tempfile::TempDir,
    options: GuardOptions,
}

impl List {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let units = folder.path().join("units");
        fs::write(&units, text).unwrap();
        fs::set_permissions(&units, fs::Permissions::from_mode(0o644)).unwrap();
        let options = GuardOptions {
            units_owner: fs::metadata(&units).unwrap().uid(),
            units,
            ..GuardOptions::default()
        };
        Self { folder, options }
    }

    fn ask(&self, text: &str) -> Result<Vec<String>, (Exit, String)> {
        match read(&self.options, Some(OsStr::new(text))) {
            Ok(command) => Ok(command.argv().to_vec()),
            Err(error) => Err((error.exit(), error.to_string())),
        }
    }

    fn mode(&self, path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
}

const RESTART: &str = "systemctl restart nginx.service";

#[test]
fn only_listed_units_are_restarted() {
    let list = List::new("# of this node\nnginx.service\n\n  smbd.service # shares\n");
    assert_eq!(
        list.ask(RESTART).unwrap(),
        ["/usr/bin/systemctl", "restart", "--", "nginx.service"]
    );
    list.ask("systemctl restart smbd.service").unwrap();
    let (exit, message) = list.ask("systemctl restart sshd.service").unwrap_err();
    assert_eq!(exit, Exit::Refused);
    assert!(
        message.starts_with("refused: sshd.service is not in "),
        "{message}"
    );
    // Read-only commands need no list.
    list.ask("systemctl show sshd.service").unwrap();
}

#[test]
fn a_list_that_others_could_have_written_is_not_used() {
    let refused = |list: &List, expect: &str| {
        let (exit, message) = list.ask(RESTART).unwrap_err();
        assert_eq!(exit, Exit::Units, "{message}");
        assert!(message.ends_with(expect), "{message}");
        // Commands that need no list still run.
        list.ask("uptime").unwrap();
    };
    let good = "nginx.service\n";

    let list = List::new(good);
    list.mode(&list.options.units, 0o664);
    refused(
        &list,
        "cannot be used: it can be written by others (mode 664)",
    );

    let list = List::new(good);
    list.mode(&list.options.units, 0o646);
    refused(
        &list,
        "cannot be used: it can be written by others (mode 646)",
    );

    let list = List::new(good);
    list.mode(list.folder.path(), 0o1777);
    refused(&list, "its folder can be written by others (mode 1777)");

    let mut list = List::new(good);
    list.options.units_owner += 1;
    let owner = list.options.units_owner;
    refused(
        &list,
        &format!("its folder belongs to user {}, not {owner}", owner - 1),
    );

    let mut list = List::new(good);
    let link = list.folder.path().join("link");
    symlink(&list.options.units, &link).unwrap();
    list.options.units = link;
    refused(&list, "it is a link or no file");

    let mut list = List::new(good);
    list.options.units = "units".into();
    refused(&list, "its path is not absolute");

    let list = List::new("nginx.service\nsshd.service; id\n");
    refused(&list, "line 2 names no service");

    let list = List::new("nginx\n");
    refused(&list, "line 1 names no service");

    let list = List::new(good);
    fs::remove_file(&list.options.units).unwrap();
    let (exit, _) = list.ask(RESTART).unwrap_err();
    assert_eq!(exit, Exit::Units);
}

#[test]
fn without_a_command_there_is_nothing_to_do() {
    let options = GuardOptions::default();
    for asked in [None, Some(OsStr::new(""))] {
        let error = read(&options, asked).unwrap_err();
        assert_eq!(error.exit(), Exit::NoCommand);
    }
    let bytes = OsStr::from_bytes(b"uptime\xff");
    let error = read(&options, Some(bytes)).unwrap_err();
    assert_eq!(error.exit(), Exit::Refused);
}
