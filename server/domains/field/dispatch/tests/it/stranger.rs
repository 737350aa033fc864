//! A device without a runner: it calls the dispatch directly, in any order, and says what it likes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use field_dispatch::messages::{
    ChallengeMessage, ClaimMessage, DeviceWork, EnrolMessage, HelloMessage, LogPiece, RenewMessage,
    SessionMessage, StartMessage,
};
use field_dispatch::{DeviceSession, Dispatch, DispatchRefusal};
use field_package::envelope::signed_bytes;
use field_package::keys::SigningPair;
use serde_json::{Value, json};

use crate::office::{ANN, Office, SERVER};

pub(crate) struct Stranger {
    pub(crate) dispatch: Dispatch,
    pub(crate) key: SigningPair,
    pub(crate) id: String,
    pub(crate) instance: String,
    pub(crate) session: DeviceSession,
}

/// The work that a claim got.
pub(crate) struct Claimed {
    pub(crate) job: String,
    pub(crate) epoch: u32,
    pub(crate) secret: String,
}

fn sign(key: &SigningPair, kind: &str, text: &str) -> String {
    let kind = format!("application/vnd.jarvis.{kind}");
    STANDARD.encode(key.sign(&signed_bytes(&kind, text.as_bytes())))
}

pub(crate) fn enrolment(token: &str, key: &SigningPair) -> EnrolMessage {
    let secret = token.split('.').nth(1).unwrap().to_owned();
    let public = key.public().unwrap().to_hex();
    EnrolMessage {
        proof: sign(key, "enrol", &format!("{secret}.{public}")),
        token: secret,
        key: public,
        facts: json!({ "hostname": "stranger" }),
        capabilities: Value::Null,
    }
}

pub(crate) async fn answer(
    dispatch: &Dispatch,
    key: &SigningPair,
    device: &str,
    instance: &str,
) -> SessionMessage {
    let ask = ChallengeMessage {
        device: device.to_owned(),
    };
    let nonce = dispatch.challenge(&ask).await.unwrap().nonce;
    SessionMessage {
        signature: sign(
            key,
            "session",
            &format!("{device}.{nonce}.{instance}.{SERVER}"),
        ),
        device: device.to_owned(),
        nonce,
        instance: instance.to_owned(),
    }
}

impl Stranger {
    /// A device with this seed that has enrolled, and was adopted.
    pub(crate) async fn adopted(office: &Office, seed: u8) -> Self {
        let dispatch = office.dispatch.clone();
        let key = SigningPair::from_seed(&[seed; 32]);
        let token = office.token(&format!("stranger {seed}")).await;
        let enrolled = dispatch.enrol(&enrolment(&token, &key)).await.unwrap();
        let fingerprint = key.fingerprint();
        dispatch
            .adopt_device(&enrolled.device, fingerprint.as_str(), ANN)
            .await
            .unwrap();
        let instance = format!("life{seed}");
        let message = answer(&dispatch, &key, &enrolled.device, &instance).await;
        let opened = dispatch.open_session(&message).await.unwrap();
        let session = dispatch.authenticate(&opened.token).await.unwrap();
        let device = Self {
            dispatch,
            key,
            id: enrolled.device,
            instance,
            session,
        };
        device.hello(json!([])).await.unwrap();
        device
    }

    /// Key, identifier and instance: all that a device has left while the server is away.
    pub(crate) fn offline(self) -> (SigningPair, String, String) {
        (self.key, self.id, self.instance)
    }

    /// The device with a new session.
    pub(crate) async fn back(office: &Office, left: (SigningPair, String, String)) -> Self {
        let dispatch = office.dispatch.clone();
        let (key, id, instance) = left;
        let message = answer(&dispatch, &key, &id, &instance).await;
        let opened = dispatch.open_session(&message).await.unwrap();
        let session = dispatch.authenticate(&opened.token).await.unwrap();
        Self {
            dispatch,
            key,
            id,
            instance,
            session,
        }
    }

    pub(crate) async fn hello(&self, journal: Value) -> Result<Value, DispatchRefusal> {
        let message: HelloMessage = serde_json::from_value(json!({
            "facts": { "hostname": "stranger" }, "capabilities": {}, "root_version": 1,
            "journal": journal,
        }))
        .unwrap();
        let answer = self.dispatch.hello(&self.session, &message).await?;
        Ok(serde_json::to_value(answer).unwrap())
    }

    /// Claims with a number for its words.
    pub(crate) async fn claim(&self, number: u8, wait_s: u32) -> Option<Claimed> {
        let secret = format!("{number:02x}").repeat(32);
        let message = ClaimMessage {
            request: format!("{number:02x}").repeat(16),
            claim: secret.clone(),
            wait_s,
        };
        match self
            .dispatch
            .claim(&self.session, &message)
            .await
            .unwrap()?
        {
            DeviceWork::Job { job, epoch, .. } => Some(Claimed { job, epoch, secret }),
            DeviceWork::Collect { request } => panic!("diagnostics {request}"),
        }
    }

    /// Asks to start; the answer's word, or the code of the refusal.
    pub(crate) async fn start(&self, claimed: &Claimed, nonce: u8) -> String {
        let message = StartMessage {
            epoch: claimed.epoch,
            claim: claimed.secret.clone(),
            nonce: format!("{nonce:02x}").repeat(16),
        };
        said(
            self.dispatch
                .start_job(&self.session, &claimed.job, &message)
                .await,
        )
    }

    pub(crate) async fn renew(&self, claimed: &Claimed) -> Result<Value, DispatchRefusal> {
        let message = RenewMessage {
            epoch: claimed.epoch,
            claim: claimed.secret.clone(),
        };
        let renewed = self
            .dispatch
            .renew_job(&self.session, &claimed.job, &message)
            .await;
        renewed.map(|answer| serde_json::to_value(answer).unwrap())
    }

    pub(crate) async fn end(&self, claimed: &Claimed, how: Value) -> String {
        let message = serde_json::from_value(json!({
            "epoch": claimed.epoch, "claim": claimed.secret,
            "report": {
                "how": how, "wall_ms": 5, "cpu_ms": null, "peak_bytes": null, "tasks": null,
                "output_bytes": 0,
            },
        }))
        .unwrap();
        said(
            self.dispatch
                .end_job(&self.session, &claimed.job, &message)
                .await,
        )
    }

    pub(crate) async fn log(
        &self,
        claimed: &Claimed,
        offset: u64,
        bytes: &[u8],
    ) -> Result<u64, DispatchRefusal> {
        let piece = LogPiece {
            epoch: claimed.epoch,
            claim: &claimed.secret,
            stream: "out",
            offset,
            bytes,
        };
        let put = self
            .dispatch
            .append_log(&self.session, &claimed.job, piece)
            .await;
        put.map(|answer| answer.offset)
    }
}

fn said(answer: Result<impl serde::Serialize, DispatchRefusal>) -> String {
    match answer {
        Ok(answer) => {
            let answer = serde_json::to_value(answer).unwrap();
            answer["answer"].as_str().unwrap().to_owned()
        }
        Err(refusal) => refusal.code.to_owned(),
    }
}
