//! The table of rows, one file each.

mod addresses;
mod capture;
mod dig;
mod dns_config;
mod download_rate;
mod http_timing;
mod link_info;
mod link_stats;
mod links;
mod mtr;
mod neighbours;
mod ping;
mod power;
mod routes;
mod rules;
mod shared;
mod sockets;
mod sweep;
mod throughput;
mod trace;
mod wait;
mod wifi_link;
mod wifi_seen;
mod wifi_stations;

use super::{RowName, StepRow};

/// All rows, in the order in which they are offered.
pub static ROWS: [&StepRow; 23] = [
    &ping::ROW,
    &trace::ROW,
    &mtr::ROW,
    &dig::ROW,
    &addresses::ROW,
    &links::ROW,
    &routes::ROW,
    &neighbours::ROW,
    &rules::ROW,
    &sockets::ROW,
    &link_info::ROW,
    &link_stats::ROW,
    &wifi_link::ROW,
    &wifi_stations::ROW,
    &wifi_seen::ROW,
    &http_timing::ROW,
    &throughput::ROW,
    &sweep::ROW,
    &capture::ROW,
    &download_rate::ROW,
    &dns_config::ROW,
    &power::ROW,
    &wait::ROW,
];

/// The row with this name.
pub fn row(name: RowName) -> &'static StepRow {
    match name {
        RowName::Ping => &ping::ROW,
        RowName::Trace => &trace::ROW,
        RowName::Mtr => &mtr::ROW,
        RowName::Dig => &dig::ROW,
        RowName::Addresses => &addresses::ROW,
        RowName::Links => &links::ROW,
        RowName::Routes => &routes::ROW,
        RowName::Neighbours => &neighbours::ROW,
        RowName::Rules => &rules::ROW,
        RowName::Sockets => &sockets::ROW,
        RowName::LinkInfo => &link_info::ROW,
        RowName::LinkStats => &link_stats::ROW,
        RowName::WifiLink => &wifi_link::ROW,
        RowName::WifiStations => &wifi_stations::ROW,
        RowName::WifiSeen => &wifi_seen::ROW,
        RowName::HttpTiming => &http_timing::ROW,
        RowName::Throughput => &throughput::ROW,
        RowName::Sweep => &sweep::ROW,
        RowName::Capture => &capture::ROW,
        RowName::DownloadRate => &download_rate::ROW,
        RowName::DnsConfig => &dns_config::ROW,
        RowName::Power => &power::ROW,
        RowName::Wait => &wait::ROW,
    }
}
