//! A database with a site, and shortcuts to devices and jobs in it.

use field_tables::{
    ClaimOutcome, ClaimRequest, FieldTables, JobClaim, JobRecord, NewDevice, NewEnrolment,
    NewFieldSite, NewJob, QueueOutcome, StartOutcome, StartRequest,
};
use store::{DomainDatabase, Store};

pub(crate) const SITE: &str = "office";
pub(crate) const ANN: &str = "user_ann";
/// Signs packages.
pub(crate) const KEY: &str = "key-1";
/// The time of everything that a test does not say the time of.
pub(crate) const T: i64 = 1_000_000;
pub(crate) const LEASE: i64 = T + 30_000;
pub(crate) const CLAIM_UNTIL: i64 = T + 600_000;
pub(crate) const EXPIRES: i64 = T + 900_000;
pub(crate) const DEADLINE: i64 = T + 120_000;

pub(crate) struct Home {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) store: Store,
    pub(crate) tables: FieldTables,
}

impl Home {
    /// A new database with one site.
    pub(crate) async fn open() -> Self {
        Self::open_in(tempfile::tempdir().unwrap()).await
    }

    pub(crate) async fn open_in(folder: tempfile::TempDir) -> Self {
        let store = Store::open(folder.path()).await.unwrap();
        let tables = FieldTables::open(&store).await.unwrap();
        let home = Self {
            folder,
            store,
            tables,
        };
        home.site(SITE).await;
        home
    }

    /// The same after the server was stopped.
    pub(crate) async fn reopened(self) -> Self {
        let Self {
            folder,
            store,
            tables,
        } = self;
        drop(tables);
        store.close().await.unwrap();
        drop(store);
        let store = Store::open(folder.path()).await.unwrap();
        let tables = FieldTables::open(&store).await.unwrap();
        Self {
            folder,
            store,
            tables,
        }
    }

    pub(crate) async fn site(&self, id: &str) {
        let site = NewFieldSite {
            id: id.to_owned(),
            name: format!("The {id}"),
            covers_public: true,
        };
        self.tables.make_site(&site, ANN, T).await.unwrap().unwrap();
    }

    /// Enrols a device that waits to be adopted.
    pub(crate) async fn waiting(&self, site: &str, id: &str) {
        let enrolment = enrolment(site, id);
        self.tables
            .make_enrolment(&enrolment, ANN, T)
            .await
            .unwrap();
        let enrolled = self.tables.enrol(&enrolment.hash, &device(id), T).await;
        assert!(matches!(
            enrolled.unwrap(),
            field_tables::Enrolled::Waiting(_)
        ));
    }

    pub(crate) async fn adopted(&self, id: &str) {
        self.waiting(SITE, id).await;
        let fingerprint = device(id).fingerprint;
        let adopted = self.tables.adopt_device(id, &fingerprint, ANN, T).await;
        assert!(matches!(
            adopted.unwrap(),
            field_tables::DeviceChange::Changed(_)
        ));
    }

    /// Queues a job of this number for a device.
    pub(crate) async fn queued(&self, device: &str, number: u64) -> JobRecord {
        let new = job(device, number);
        match self.tables.queue_job(&new, T).await.unwrap() {
            QueueOutcome::Queued(job) => *job,
            other => panic!("{other:?}"),
        }
    }

    /// Claims the next job of a device.
    pub(crate) async fn claimed(&self, device: &str, request: &str) -> JobClaim {
        match self.tables.claim(&claim(device, request), T).await.unwrap() {
            ClaimOutcome::Claimed(job) => of(&job),
            other => panic!("{other:?}"),
        }
    }

    /// Lets a claimed job start.
    pub(crate) async fn started(&self, claim: &JobClaim) -> JobRecord {
        match self.tables.start(&start(claim, "n"), T).await.unwrap() {
            StartOutcome::Go(job) => *job,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn job(&self, id: &str) -> JobRecord {
        self.tables.job(id).await.unwrap().unwrap()
    }

    /// Runs a statement that the crate does not have.
    pub(crate) async fn sql(&self, sql: String) -> Result<u64, sqlx::Error> {
        let database = DomainDatabase::from(&self.store);
        let tables = database.tables("field_test", &[]).await.unwrap();
        let mut writer = tables.writer().await;
        let mut change = writer.begin("a test").await.unwrap();
        let done = sqlx::query(sqlx::AssertSqlSafe(sql))
            .execute(change.connection())
            .await?;
        change.commit().await.unwrap();
        Ok(done.rows_affected())
    }

    /// A number that a statement finds.
    pub(crate) async fn number(&self, sql: &'static str) -> i64 {
        let database = DomainDatabase::from(&self.store);
        let tables = database.tables("field_test", &[]).await.unwrap();
        sqlx::query_scalar(sql)
            .fetch_one(tables.readers())
            .await
            .unwrap()
    }
}

pub(crate) fn enrolment(site: &str, id: &str) -> NewEnrolment {
    NewEnrolment {
        id: format!("enrolment-{id}"),
        hash: format!("hash of the token of {id}").into_bytes(),
        site: site.to_owned(),
        name: format!("probe {id}"),
        expires_ms: T + 3_600_000,
    }
}

pub(crate) fn device(id: &str) -> NewDevice {
    NewDevice {
        id: id.to_owned(),
        public_key: format!("public key of {id}").into_bytes(),
        fingerprint: format!("fingerprint of {id}"),
    }
}

pub(crate) fn job(device: &str, number: u64) -> NewJob {
    NewJob {
        id: format!("run-{device}-{number}"),
        call: format!("call-{device}-{number}"),
        device: device.to_owned(),
        about: serde_json::json!({ "title": format!("Check {number}") }),
        proposal: None,
        signing_key: KEY.to_owned(),
        seq: number,
        payload_digest: format!("digest {number}"),
        package: format!("package {number}").into_bytes(),
        claim_until_ms: CLAIM_UNTIL,
        expires_ms: EXPIRES,
        by: ANN.to_owned(),
    }
}

pub(crate) fn claim(device: &str, request: &str) -> ClaimRequest {
    ClaimRequest {
        device: device.to_owned(),
        request: request.to_owned(),
        claim_hash: format!("hash {device} {request}").into_bytes(),
        lease_until_ms: LEASE,
    }
}

/// The claim that a job has now.
pub(crate) fn of(job: &JobRecord) -> JobClaim {
    JobClaim {
        job: job.id.clone(),
        device: job.device.clone(),
        epoch: job.epoch,
        claim_hash: job.claim_hash.clone().unwrap_or_default(),
    }
}

pub(crate) fn start(claim: &JobClaim, nonce: &str) -> StartRequest {
    StartRequest {
        claim: claim.clone(),
        nonce: nonce.to_owned(),
        lease_until_ms: LEASE,
        deadline_ms: DEADLINE,
    }
}
