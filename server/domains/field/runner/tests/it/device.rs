//! One device in a folder of its own: its programs as processes, and packages that are signed for it.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{BufRead as _, BufReader},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::{Arc, Mutex},
};

use field_package::{
    ids::{DeviceId, Fingerprint, JobId, PackageNonce, Sha256Hex, SiteId},
    keys::SigningPair,
    levels::SandboxLevel,
    manifest::{
        ApprovalStamp, JobCaps, JobManifest, JobNetwork, ManifestForm, NetworkClass, PayloadStamp,
        PolicyStamp, RiskStamp,
    },
    package::SignedPackage,
    policy::RiskLevel,
    root::{RoleKeys, RootDocument},
    script::FREE_SCRIPT_TYPE,
};
use field_runner::{config::RunnerConfig, identity::EnrolledIdentity, launch::LauncherClient};

use crate::server::{ScriptServer, now_s};

pub(crate) const DEVICE: &str = "dev_00000000000000000000000001";
pub(crate) const SITE: &str = "nordlicht";
pub(crate) const SERVER: &str = "test-server";
pub(crate) const SECRET: &str = "0123456789abcdefghijklmnopqrstuv";
pub(crate) const ROOT: u8 = 1;
pub(crate) const JOB: u8 = 11;

pub(crate) fn pair(seed: u8) -> SigningPair {
    SigningPair::from_seed(&[seed; 32])
}

pub(crate) fn job_id(number: u32) -> String {
    format!("run_{number:026}")
}

pub(crate) fn root_document() -> RootDocument {
    let role = |seed| RoleKeys {
        keys: BTreeSet::from([pair(seed).public().unwrap().to_hex()]),
        threshold: 1,
    };
    RootDocument {
        version: 1,
        expires: now_s() + 1_000_000,
        root: role(ROOT),
        job: role(JOB),
        update: role(21),
        revoked: BTreeSet::new(),
    }
}

/// bubblewrap, by `JARVIS_BWRAP` or from `PATH`. In CI there is no leaving it out.
pub(crate) fn bubblewrap() -> Option<PathBuf> {
    let named = std::env::var_os("JARVIS_BWRAP").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut found = std::env::split_paths(&path).map(|folder| folder.join("bwrap"));
    let found = named.or_else(|| found.find(|file| file.is_file()));
    assert!(
        found.is_some() || std::env::var_os("CI").is_none(),
        "CI needs bubblewrap: apt-get install bubblewrap"
    );
    if found.is_none() {
        eprintln!("\n!!! SKIPPED: sandbox B is not tested here. Install bubblewrap. !!!\n");
    }
    found
}

/// The program where any user can start it: a target folder may be in somebody's home.
pub(crate) fn program(folder: &Path) -> PathBuf {
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    let program = folder.join("jarvis-runner");
    std::fs::copy(env!("CARGO_BIN_EXE_jarvis-runner"), &program).unwrap();
    program
}

pub(crate) struct TestDevice {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) config: RunnerConfig,
    pub(crate) server: ScriptServer,
    pub(crate) program: PathBuf,
    pub(crate) runner: Arc<Mutex<Option<Child>>>,
    pub(crate) launcher: Arc<Mutex<Option<Child>>>,
}

impl TestDevice {
    /// An enrolled device, of which nothing runs yet; None without bubblewrap.
    pub(crate) fn enrolled() -> Option<Self> {
        let device = Self::new()?;
        let enrolled = device.enrol(&pair(ROOT).fingerprint());
        let said = String::from_utf8(enrolled.stdout).unwrap();
        let failed = String::from_utf8(enrolled.stderr).unwrap();
        assert!(said.contains("Enrolled as probe"), "{said}{failed}");
        Some(device)
    }

    /// A device that knows no server.
    pub(crate) fn new() -> Option<Self> {
        let wrap = bubblewrap()?;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let config = RunnerConfig {
            settings: at("settings"),
            state: at("state"),
            fence: at("fence"),
            socket: at("socket"),
            user: "nobody".to_owned(),
            job_user: "nobody".to_owned(),
            bubblewrap: wrap,
            ca_file: None,
            programs: at("programs"),
            ..RunnerConfig::default()
        };
        let device = Self {
            program: program(folder.path()),
            server: ScriptServer::start(&root_document()),
            runner: Arc::default(),
            launcher: Arc::default(),
            config,
            folder,
        };
        device.write_config();
        Some(device)
    }

    /// Enrols with a token that names a root key.
    pub(crate) fn enrol(&self, root: &Fingerprint) -> Output {
        let token = format!("jarvis-enrol-1.{SECRET}.{root}");
        self.command("enrol")
            .args(["--server", &self.server.url(), &token])
            .output()
            .unwrap()
    }

    pub(crate) fn write_config(&self) {
        let config = &self.config;
        let text = [
            ("settings", &config.settings),
            ("state", &config.state),
            ("fence", &config.fence),
            ("socket", &config.socket),
            ("bubblewrap", &config.bubblewrap),
            ("programs", &config.programs),
        ]
        .map(|(key, path)| format!("{key} = {:?}\n", path.display().to_string()))
        .concat();
        let users = "user = \"nobody\"\njob_user = \"nobody\"\n";
        std::fs::write(self.config_file(), text + users).unwrap();
    }

    fn config_file(&self) -> PathBuf {
        self.folder.path().join("config.toml")
    }

    pub(crate) fn command(&self, word: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("--config").arg(self.config_file()).arg(word);
        command.env("JARVIS_RUNNER_LOG", "info");
        command
    }

    pub(crate) fn launch(&self) {
        let _gone = std::fs::remove_file(&self.config.socket);
        let mut launcher = self
            .command("launch")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_said(&mut launcher, "launcher ready", 1);
        *self.launcher.lock().unwrap() = Some(launcher);
    }

    pub(crate) fn run(&self) {
        *self.runner.lock().unwrap() = Some(self.command("run").spawn().unwrap());
    }

    pub(crate) fn client(&self) -> LauncherClient {
        LauncherClient::new(self.config.socket.clone())
    }

    pub(crate) fn identity(&self) -> EnrolledIdentity {
        EnrolledIdentity::load(&self.config).unwrap()
    }

    /// A manifest for free sh, good from now on for an hour.
    pub(crate) fn manifest(&self, number: u32, script: &str) -> JobManifest {
        manifest(number, script, &self.identity().key)
    }

    pub(crate) fn package(&self, number: u32, script: &str) -> Vec<u8> {
        signed(&self.manifest(number, script), script)
    }

    /// A script that is seen outside of the sandbox, each time that it runs.
    pub(crate) fn effect(&self) -> String {
        effect(self.server.port)
    }
}

pub(crate) fn effect(port: u16) -> String {
    format!(
        "exec perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(\"127.0.0.1:{port}\") or die; \
         print $s \"GET /effect HTTP/1.0\\r\\n\\r\\n\"; my @lines = <$s>; print \"effect done\\n\"'"
    )
}

pub(crate) fn signed(manifest: &JobManifest, script: &str) -> Vec<u8> {
    SignedPackage::sign(manifest, script.as_bytes(), &[&pair(JOB)]).bytes()
}

pub(crate) fn manifest(number: u32, script: &str, key: &Fingerprint) -> JobManifest {
    let now = now_s();
    JobManifest {
        v: 1,
        job: JobId::new(&job_id(number)).unwrap(),
        device: DeviceId::new(DEVICE).unwrap(),
        device_key: key.clone(),
        site: SiteId::new(SITE).unwrap(),
        seq: u64::from(number),
        nonce: PackageNonce::new(&format!("{number:032x}")).unwrap(),
        issued: now - 100,
        not_before: now - 100,
        expires: now + 3600,
        form: ManifestForm::Sh,
        interpreter: Some("/bin/sh".to_owned()),
        payload: PayloadStamp::of(script.as_bytes(), FREE_SCRIPT_TYPE),
        args: Vec::new(),
        env: BTreeMap::new(),
        workdir: "/job".to_owned(),
        timeout_s: 30,
        claim_until: now + 600,
        caps: JobCaps::default(),
        net: JobNetwork {
            class: NetworkClass::Any,
            destinations: BTreeSet::new(),
            protocols: BTreeSet::from(["tcp", "udp", "icmp"].map(str::to_owned)),
        },
        raw: false,
        sandbox_min: SandboxLevel::Bubblewrap,
        policy: PolicyStamp {
            hash: Sha256Hex::digest(b"policy"),
            version: 1,
        },
        risk: RiskStamp {
            level: RiskLevel::High,
            reasons: Vec::new(),
        },
        approval: ApprovalStamp {
            digest: Sha256Hex::digest(b"what was shown"),
            by: BTreeSet::from(["anna".to_owned(), "ben".to_owned()]),
            at: now - 150,
        },
        server: SERVER.to_owned(),
    }
}

/// Waits until a program has said something so many times; its standard error must be a pipe. The lines are
/// shown, also those that come later.
pub(crate) fn wait_said(program: &mut Child, what: &str, times: usize) {
    let mut lines = BufReader::new(program.stderr.take().unwrap()).lines();
    let mut said = 0;
    while said < times {
        let line = lines.next();
        let line = line.unwrap_or_else(|| panic!("it ended before it said {what:?}"));
        let line = line.unwrap();
        eprintln!("{line}");
        said += usize::from(line.contains(what));
    }
    std::thread::spawn(move || {
        lines
            .map_while(Result::ok)
            .for_each(|line| eprintln!("{line}"));
    });
}

/// Kills a process and waits until it is gone. The test fails if it had ended by itself.
pub(crate) fn kill(process: &Mutex<Option<Child>>) {
    let mut child = process.lock().unwrap().take().unwrap();
    assert_eq!(
        child.try_wait().unwrap(),
        None,
        "it had ended before it was killed"
    );
    child.kill().unwrap();
    child.wait().unwrap();
}

impl Drop for TestDevice {
    fn drop(&mut self) {
        for process in [&self.runner, &self.launcher] {
            if let Some(mut child) = process.lock().ok().and_then(|mut it| it.take()) {
                let _gone = child.kill();
                let _reaped = child.wait();
            }
        }
    }
}
