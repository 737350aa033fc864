//! A guest has the same state wherever it is shown.

use agent::ports::Toolset;
use homelab_wire::AboutPage;
use protocol::{FromJson, PageQuery, Reference, Timestamp, UserId};
use serde_json::{Value, json};

use crate::lab::{Lab, seen};

/// The lab's firewall VM, which is paused: the list of resources shows it as running.
const PAUSED: u64 = 130;

fn state_in(list: &Value) -> Option<&str> {
    let rows = list.as_array().into_iter().flatten();
    let mut mine = rows.filter(|row| row["vmid"] == PAUSED);
    mine.next()?["state"].as_str()
}

#[tokio::test]
async fn a_paused_vm_is_paused_everywhere() {
    let lab = Lab::start().await;
    let homelab = lab.admin();
    let vms = seen(&homelab, "get_vms", json!({})).await;
    assert_eq!(state_in(&vms["data"]["guests"]), Some("paused"));
    let all = seen(&homelab, "get_cluster_resources", json!({})).await;
    assert_eq!(state_in(&all["data"]["guests"]), Some("paused"), "{all}");
    // One rule counts them, so the lists of one kind and of both agree.
    let containers = seen(&homelab, "get_containers", json!({})).await;
    let counted = |value: &Value, name: &str| value[name].as_u64().unwrap_or_default();
    for name in ["total", "running", "stopped", "other", "templates"] {
        let both = &all["data"]["guest_counts"];
        let apart = [&vms, &containers].map(|list| counted(&list["data"]["counts"], name));
        assert_eq!(counted(both, name), apart.iter().sum::<u64>(), "{name}");
    }
    assert_eq!(vms["data"]["counts"]["other"], 1);

    let thing = Reference::new("guest", PAUSED.to_string());
    let described = homelab.describe(&thing).await.unwrap();
    assert_eq!(described["state"], "paused");

    let context = homelab.context(&[]).await;
    let guests = context.iter().find(|part| part.source == "guests").unwrap();
    let guests = guests.data.as_ref().unwrap();
    let not_running = guests["not_running"].to_string();
    assert!(
        not_running.contains("130 opnsense-lab on agent: paused"),
        "{guests}"
    );
    assert_eq!(guests["vms"], vms["data"]["counts"]);

    let query = PageQuery {
        kind: "guest".to_owned(),
        name: PAUSED.to_string(),
        part: "about".to_owned(),
    };
    let about = AboutPage::from_json(
        homelab
            .page(UserId::new(Timestamp(1), 1), &query)
            .await
            .unwrap(),
    )
    .unwrap();
    let process = about.details.iter().find(|detail| detail.name == "Process");
    let process = process.and_then(|detail| detail.value.value()).unwrap();
    assert!(process.starts_with("paused"), "{process}");
}
