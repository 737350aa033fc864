//! The networks of jobs in sandbox A, and packet sockets, on a device with an office at the other end of its line.

use std::path::Path;

use field_machine::{DebianMachine, MachineShape, OFFICE, OFFICE_LINE};
use field_package::{ids::Fingerprint, manifest::NetworkClass};
use field_runner::{
    sandbox::{start, systemd::SystemdUnits},
    stage::StepLimits,
};

use super::{EndedScript, MIB, plan};
use crate::device::manifest;

/// Names what answers, each address by TCP and by a ping without rights, and the interfaces.
const REACH: &str = r#"
perl -MIO::Socket::INET -MSocket -e '
    for (@ARGV) {
        my $tcp = IO::Socket::INET->new(PeerAddr => "$_:80", Timeout => 1);
        print "tcp $_\n" if $tcp and <$tcp> eq "hello\n";
        socket(my $ping, PF_INET, SOCK_DGRAM, 1) or next;
        send($ping, pack("n4", 0x800, 0xf7fd, 1, 1), 0, sockaddr_in(0, inet_aton($_))) or next;
        vec(my $ready = "", fileno($ping), 1) = 1;
        print "ping $_\n" if select($ready, undef, undef, 1) and sysread($ping, my $answer, 99);
    }' 10.77.0.1 10.77.0.9
ip -br link | sed 's/[@ ].*//' | sort | xargs echo links"#;

/// Captures a packet of the office, asks three addresses for their hardware addresses, and names who answers.
const PACKETS: &str = r#"
perl -e '
    exit unless socket(my $all, 17, 3, 0x300);
    $SIG{ALRM} = sub { exit };
    alarm 10;
    while (sysread($all, my $packet, 2048)) { last if $packet =~ /beacon/ }
    print "captured\n"'
perl -e '
    exit unless socket(my $arp, 17, 3, 0x608);
    sub line { open(my $file, "<", "/sys/class/net/office0/$_[0]") or die; my $text = <$file>; chomp $text; $text }
    my $own = pack("H*", line("address") =~ s/://gr);
    my $to = pack("SnlSCCa8", 17, 0x806, line("ifindex"), 1, 0, 6, "\xff" x 6);
    for my $host (1, 9, 77) {
        my $ask = pack("nnCCn", 1, 0x800, 6, 4, 1) . $own . pack("C4x6C4", 10, 77, 0, 2, 10, 77, 0, $host);
        send($arp, "\xff" x 6 . $own . pack("n", 0x806) . $ask, 0, $to) or die;
    }
    $SIG{ALRM} = sub { exit };
    alarm 1;
    while (sysread($arp, my $packet, 99)) {
        print "arp ", join(".", unpack("C4", substr($packet, 28, 4))), "\n" if substr($packet, 20, 2) eq "\0\2";
    }' | sort -u
grep CapEff /proc/self/status"#;

#[test]
fn a_job_in_sandbox_a_has_the_network_of_its_manifest() {
    let shape = MachineShape {
        office: true,
        ..MachineShape::default()
    };
    let Some(machine) = DebianMachine::boot_as(shape) else {
        return;
    };
    machine.install(Path::new(env!("CARGO_BIN_EXE_jarvis-runner")));
    let units = SystemdUnits::new(Path::new("/usr/bin/jarvis-runner"));
    let key = Fingerprint::new(&"0".repeat(64)).unwrap();
    let mut number = 0;
    let mut run = |class, destinations: &[&str], raw, script: &str| {
        number += 1;
        let mut job = manifest(number, script, &key);
        job.net.class = class;
        job.net.destinations = destinations.iter().map(|it| (*it).to_owned()).collect();
        job.raw = raw;
        let unit = units.command(&job);
        let mut command = machine.command(&unit.get_program().to_string_lossy());
        command.args(unit.get_args());
        let limits = StepLimits {
            address_space: None,
            file: 8 * MIB,
            tasks: None,
            guard: false,
        };
        EndedScript::of(start(command, &plan(script, 20, None, limits)).unwrap()).text
    };
    let outside = |script: &str| machine.run(&["sh", "-c", script]);

    let [first, second] = OFFICE;
    let links = format!("links lo {OFFICE_LINE}\n");
    let of = |address: &str| format!("tcp {address}\nping {address}\n");
    let all = format!("{}{}{links}", of(first), of(second));
    assert_eq!(outside(REACH), all, "the control");
    let cases: [(NetworkClass, &[&str], String); 6] = [
        (NetworkClass::None, &[], "links lo\n".to_owned()),
        (NetworkClass::Local, &[], links.clone()),
        (NetworkClass::Listed, &[first], of(first) + &links),
        (NetworkClass::Listed, &[second], of(second) + &links),
        (NetworkClass::Listed, &["10.77.0.0/24"], all.clone()),
        (NetworkClass::Any, &[], all),
    ];
    for (class, destinations, reached) in cases {
        let text = run(class, destinations, false, REACH);
        assert_eq!(text, reached, "{class:?} {destinations:?}");
    }

    let packets = format!("captured\narp {first}\narp {second}\n");
    assert!(outside(PACKETS).starts_with(&packets), "the control");
    let with = run(NetworkClass::Local, &[], true, PACKETS);
    assert_eq!(with, format!("{packets}CapEff:\t0000000000002000\n"));
    let without = run(NetworkClass::Any, &[], false, PACKETS);
    assert_eq!(without, "CapEff:\t0000000000000000\n");
    // Packet sockets open no way to addresses that are not listed.
    let text = run(NetworkClass::Listed, &[first], true, REACH);
    assert_eq!(text, of(first) + &links);
}
