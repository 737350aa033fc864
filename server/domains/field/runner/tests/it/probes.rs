//! Probes of sandboxes that keep less than they should: what they lack is named, and jobs that need it are refused.

use std::{os::unix::fs::PermissionsExt as _, path::Path};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_machine::{DebianMachine, MachineShape};
use field_package::ids::JobId;
use field_runner::launch::{LaunchAsk, LaunchOrder};

use crate::{
    device::{TestDevice, job_id},
    server::now_s,
};

/// Names of the lines of `check` that begin with this and say no.
fn lacking<'a>(said: &'a str, begin: &str) -> Vec<&'a str> {
    let lines = said.lines().filter(|line| line.starts_with(begin));
    let names = lines.filter_map(|line| {
        let (name, rest) = line.split_once("  ")?;
        rest.trim_start().starts_with("no ").then_some(name)
    });
    names.collect()
}

/// Puts a program in bubblewrap's place that leaves out so many words where two are these.
fn leave_out(device: &mut TestDevice, words: &str, count: u32) {
    let real = device.config.bubblewrap.display().to_string();
    let path = device.folder.path().join(format!("leaves-out-{count}"));
    let text = format!(
        "#!/bin/bash\nkept=()\nwhile (($#)); do\n  case \"$1 ${{2-}}\" in\n    {words}) shift {count} ;;\n    \
         *) kept+=(\"$1\"); shift ;;\n  esac\ndone\nexec {real} \"${{kept[@]}}\"\n"
    );
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    device.config.bubblewrap = path;
    device.write_config();
}

fn check(device: &TestDevice) -> String {
    let output = device.command("check").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The code of the launcher's refusal, None if it takes the package.
fn refusal(device: &TestDevice) -> Option<String> {
    device.launch();
    let order = LaunchOrder {
        job: JobId::new(&job_id(1)).unwrap(),
        package: BASE64_STANDARD.encode(device.package(1, "true")),
        time: Some(now_s()),
    };
    let asked = device.client().ask(&LaunchAsk::Check(order));
    asked.err().map(|error| error.code().to_owned())
}

/// The refusal of a job that sandbox B does not take: sandbox A may be there for it.
fn refused_without_a(said: &str) -> Option<String> {
    let lacks_a = lacking(said, "sandbox A").contains(&"sandbox A (systemd)");
    lacks_a.then(|| "sandbox".to_owned())
}

#[test]
fn sandbox_b_is_refused_for_a_limit_that_it_does_not_keep() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    assert_eq!(lacking(&check(&device), "sandbox B"), [""; 0]);
    assert_eq!(refusal(&device), None);

    let Some(mut device) = TestDevice::enrolled() else {
        return;
    };
    // The size of a probe's working folder.
    leave_out(&mut device, "'--size 65536'", 2);
    let named = ["sandbox B: size of the working folder"];
    let said = check(&device);
    assert_eq!(lacking(&said, "sandbox B"), named);
    assert_eq!(refusal(&device), refused_without_a(&said));

    let Some(mut device) = TestDevice::enrolled() else {
        return;
    };
    leave_out(&mut device, "'--unshare-net '*", 1);
    let said = check(&device);
    assert_eq!(lacking(&said, "sandbox B"), ["sandbox B (bubblewrap)"]);
    assert!(said.contains("the network is still there"), "{said}");
    assert_eq!(refusal(&device), refused_without_a(&said));
}

#[test]
fn sandbox_a_has_packet_sockets_only_with_their_capability() {
    let shapes: [(&'static str, &[&str]); 2] =
        [("", &[]), ("net_raw", &["sandbox A: packet sockets"])];
    for (lacks, named) in shapes {
        let shape = MachineShape {
            lacks,
            ..MachineShape::default()
        };
        let Some(machine) = DebianMachine::boot_as(shape) else {
            return;
        };
        machine.install(Path::new(env!("CARGO_BIN_EXE_jarvis-runner")));
        let said = machine.run(&["jarvis-runner", "check"]);
        assert_eq!(lacking(&said, "sandbox A"), named, "{said}");
    }
}
