//! Sentences about what a bundle shows by itself. Each stands alone, and has no full stop.

pub(crate) const GATEWAY_TWICE: &str =
    "the gateway answers twice, so two machines may use its address";
pub(crate) const GATEWAY_SILENT: &str = "the gateway does not answer";
pub(crate) const INTERNET_SILENT: &str = "nothing answers from the internet";
pub(crate) const LARGE_SILENT: &str = "no large packet comes back from the internet";
pub(crate) const HALF_DUPLEX: &str = "the link is half duplex: it sends or receives, never both";
pub(crate) const UNDERVOLTAGE_NOW: &str = "the device has too little voltage now";
pub(crate) const UNDERVOLTAGE: &str = "the device had too little voltage since its start";
/// In place of the name of a device, where none brought the bundle.
pub(crate) const NO_DEVICE: &str = "Diagnostics";
pub(crate) const FIRST: &str = "first";
pub(crate) const SECOND: &str = "second";

pub(crate) fn gateway_loses(loss: f64) -> String {
    format!("{loss:.0} % of packets to the gateway are lost")
}

pub(crate) fn gateway_slow(time: f64) -> String {
    format!("the gateway needs {time:.0} ms to answer")
}

pub(crate) fn internet_loses(loss: f64) -> String {
    format!("{loss:.0} % of packets to the internet are lost")
}

pub(crate) fn large_lost(loss: f64) -> String {
    format!("{loss:.0} % of large packets to the internet are lost")
}

pub(crate) fn too_large(most: f64) -> String {
    format!("packets above {most:.0} B do not pass on the way to the internet")
}

/// `which`: the first or the second.
pub(crate) fn dns_silent(which: &str) -> String {
    format!("the {which} DNS server does not answer")
}

pub(crate) fn dns_slow(which: &str, time: f64) -> String {
    format!("the {which} DNS server needs {time:.0} ms to answer")
}

pub(crate) fn link_slow(speed: f64) -> String {
    format!("the link runs at {speed:.0} Mbit/s")
}

pub(crate) fn link_errors(errors: f64) -> String {
    format!("the link counts {errors:.0} errors")
}

pub(crate) fn weak_signal(signal: f64) -> String {
    format!("the Wi-Fi signal is weak, {signal:.0} dBm")
}

/// The first sentence about a bundle.
pub(crate) fn summary(device: &str, found: &[String]) -> String {
    match found {
        [] => format!("{device}: nothing stands out in its newest readings"),
        [one] => format!("{device}: {one}"),
        [first @ .., last] => format!("{device}: {}, and {last}", first.join(", ")),
    }
}
