//! `iw dev IF`.

use std::fmt::Write as _;

use super::{OfficeRun, ProgramOutput};
use crate::office::radio::AirNetwork;
use crate::step::OfficeStep;

/// The code of "no such device" as an exit code.
const NO_DEVICE: i32 = 237;
/// The code of "operation not supported".
const NO_RADIO: i32 = 161;

fn begun(
    run: &OfficeRun,
    step: &OfficeStep,
    words: &[&str],
) -> Result<ProgramOutput, ProgramOutput> {
    let name = step.interface.as_deref().unwrap_or_default();
    let output = ProgramOutput::of("/usr/sbin/iw dev")
        .words(&[name])
        .words(words);
    match name {
        "wlan0" => Ok(output),
        _ if run.has_interface(name) => {
            Err(output.failed(NO_RADIO, "command failed: Operation not supported (-95)\n"))
        }
        _ => Err(output.failed(NO_DEVICE, "command failed: No such device (-19)\n")),
    }
}

pub(super) fn link(run: &OfficeRun, step: &OfficeStep) -> ProgramOutput {
    let output = match begun(run, step, &["link"]) {
        Ok(output) => output,
        Err(failed) => return failed,
    };
    let Some(network) = run.access_point(run.at_ms) else {
        return output.printed("Not connected.\n");
    };
    let traffic = run.at_ms / 1000 % 86_400;
    let signal = run.signal(network, run.at_ms);
    let (received, sent) = rates(signal);
    output.printed(format!(
        "Connected to {} (on wlan0)\n\tSSID: {}\n\tfreq: {}\n\tRX: {} bytes ({} packets)\n\
         \tTX: {} bytes ({} packets)\n\tsignal: {signal} dBm\n\trx bitrate: {received}\n\
         \ttx bitrate: {sent}\n\n\tbss flags:\tshort-slot-time\n\tdtim period:\t2\n\tbeacon int:\t100\n",
        network.bssid,
        network.ssid,
        network.megahertz,
        traffic * 2_310,
        traffic * 19,
        traffic * 640,
        traffic * 7,
    ))
}

/// Rates that a signal allows, one way and the other.
fn rates(signal: i32) -> (&'static str, &'static str) {
    match signal {
        -75.. => ("39.0 MBit/s MCS 4", "26.0 MBit/s MCS 3"),
        -82.. => ("13.0 MBit/s MCS 1", "6.5 MBit/s MCS 0"),
        _ => ("6.5 MBit/s MCS 0", "1.0 MBit/s"),
    }
}

pub(super) fn stations(run: &OfficeRun, step: &OfficeStep) -> ProgramOutput {
    let output = match begun(run, step, &["station", "dump"]) {
        Ok(output) => output,
        Err(failed) => return failed,
    };
    let Some(network) = run.access_point(run.at_ms) else {
        return output;
    };
    let signal = run.signal(network, run.at_ms);
    let (received, sent) = rates(signal);
    let since = run.at_ms % 40_000 / 1000;
    let packets = 40 + since * 11;
    output.printed(format!(
        "Station {} (on wlan0)\n\tinactive time:\t{} ms\n\trx bytes:\t{}\n\trx packets:\t{packets}\n\
         \ttx bytes:\t{}\n\ttx packets:\t{packets}\n\ttx retries:\t{}\n\ttx failed:\t{}\n\
         \trx drop misc:\t{}\n\tsignal:  \t{signal} dBm\n\tsignal avg:\t{} dBm\n\
         \ttx bitrate:\t{sent}\n\trx bitrate:\t{received}\n\tauthorized:\tyes\n\
         \tauthenticated:\tyes\n\tassociated:\tyes\n\tconnected time:\t{since} seconds\n",
        network.bssid,
        run.at_ms % 170,
        packets * 190,
        packets * 122,
        packets * 2 / 3,
        packets / 9,
        packets / 30,
        signal - 1,
    ))
}

pub(super) fn seen(run: &OfficeRun, step: &OfficeStep) -> ProgramOutput {
    let output = match begun(run, step, &["scan", "dump"]) {
        Ok(output) => output,
        Err(failed) => return failed,
    };
    let here = run.access_point(run.at_ms).map(|it| it.bssid);
    let mut text = String::new();
    for network in run.seen_networks() {
        text.push_str(&entry(run, network, here == Some(network.bssid)));
    }
    output.printed(text)
}

fn entry(run: &OfficeRun, network: &AirNetwork, connected: bool) -> String {
    let mark = if connected { " -- associated" } else { "" };
    let age = run.noise.named(network.bssid).whole(run.at_ms / 5000) % 9_000;
    let privacy = if network.secured { " Privacy" } else { "" };
    let mut text = format!(
        "BSS {}(on wlan0){mark}\n\tlast seen: {age} ms ago\n\tTSF: {} usec\n\tfreq: {}\n\
         \tbeacon interval: 100 TUs\n\tcapability: ESS{privacy} ShortSlotTime (0x0431)\n\
         \tsignal: {}.00 dBm\n\tSSID: {}\n\tSupported rates: 6.0* 9.0 12.0* 18.0 24.0* 36.0\n",
        network.bssid,
        run.at_ms * 1000,
        network.megahertz,
        run.signal(network, run.at_ms),
        network.ssid,
    );
    if network.secured {
        _ = write!(
            text,
            "\tRSN:\t * Version: 1\n\t\t * Group cipher: CCMP\n\t\t * Pairwise ciphers: CCMP\n\
             \t\t * Authentication suites: PSK\n"
        );
    }
    text
}
