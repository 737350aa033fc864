//! Acts of people: sites, devices, jobs. Whether they may has been decided before.

use field_package::ids::SiteId;
use field_tables::{
    CancelOutcome, DeviceChange, DeviceEdit, FieldDevice, FieldSite, JobRecord, JobResolution,
    NewFieldSite, ResolveOutcome, SiteChange,
};

use crate::clock::as_ms;
use crate::dispatch::Dispatch;
use crate::error::{DispatchRefusal, RefusalClass};
use crate::texts::devices as texts;

impl Dispatch {
    /// Makes a site with an empty vault.
    ///
    /// # Errors
    /// The identifier is not valid or taken, or the database fails.
    pub async fn make_site(
        &self,
        site: &NewFieldSite,
        by: &str,
    ) -> Result<FieldSite, DispatchRefusal> {
        if SiteId::new(&site.id).is_err() {
            let (class, help) = (RefusalClass::Malformed, texts::NOT_FOUND_HELP);
            return Err(DispatchRefusal::new(
                class,
                "bad_site",
                texts::SITE_ID,
                help,
            ));
        }
        let made = self.0.tables.make_site(site, by, self.now_ms()).await?;
        let made = made.ok_or_else(|| {
            let (class, text) = (RefusalClass::Conflict, texts::SITE_EXISTS);
            DispatchRefusal::new(class, "site_exists", text, texts::NOT_FOUND_HELP)
        })?;
        self.0.vaults.load(&made).await?;
        self.0.changes.count();
        Ok(made)
    }

    /// Gives tokens to addresses of a site that are routed globally, or none, in texts from now on.
    ///
    /// # Errors
    /// There is no such site, or the database fails.
    pub async fn cover_public(
        &self,
        site: &str,
        covers: bool,
        by: &str,
    ) -> Result<FieldSite, DispatchRefusal> {
        let chosen = self.choose_public(site, covers, by).await;
        // Also after a failure, which may have stored it, and after a repetition: the first one may have ended
        // before this.
        self.0.vaults.reload(site).await?;
        self.0.changes.count();
        chosen
    }

    /// Stores the choice.
    async fn choose_public(
        &self,
        site: &str,
        covers: bool,
        by: &str,
    ) -> Result<FieldSite, DispatchRefusal> {
        let tables = &self.0.tables;
        let known = tables.site(site).await?;
        let mut known = known.ok_or_else(DispatchRefusal::not_found)?;
        while known.covers_public != covers {
            let wish = NewFieldSite {
                id: known.id.clone(),
                name: known.name.clone(),
                covers_public: covers,
            };
            let (version, now) = (known.version, self.now_ms());
            let (SiteChange::Changed(found) | SiteChange::Stale(found)) =
                tables.change_site(&wish, version, by, now).await?;
            known = found;
        }
        Ok(known)
    }

    /// Withdraws an enrolment that nobody has used. False if there is none.
    ///
    /// # Errors
    /// The database fails.
    pub async fn withdraw_enrolment(&self, id: &str, by: &str) -> Result<bool, DispatchRefusal> {
        Ok(self
            .0
            .tables
            .withdraw_enrolment(id, by, self.now_ms())
            .await?)
    }

    /// Adopts a device whose fingerprint a person has compared.
    ///
    /// # Errors
    /// There is no such device, or the database fails.
    pub async fn adopt_device(
        &self,
        device: &str,
        fingerprint: &str,
        by: &str,
    ) -> Result<DeviceChange, DispatchRefusal> {
        let now = self.now_ms();
        let done = self.0.tables.adopt_device(device, fingerprint, by, now);
        Ok(self.of_device(device, done.await?))
    }

    /// Suspends a device: nothing starts on it until it is resumed, and it is asked to end what runs.
    ///
    /// # Errors
    /// There is no such device, or the database fails.
    pub async fn suspend_device(
        &self,
        device: &str,
        reason: &str,
        by: &str,
    ) -> Result<DeviceChange, DispatchRefusal> {
        let done = self
            .0
            .tables
            .suspend_device(device, reason, by, self.now_ms());
        Ok(self.of_device(device, done.await?))
    }

    /// Resumes a suspended device.
    ///
    /// # Errors
    /// There is no such device, or the database fails.
    pub async fn resume_device(
        &self,
        device: &str,
        by: &str,
    ) -> Result<DeviceChange, DispatchRefusal> {
        let done = self.0.tables.resume_device(device, by, self.now_ms());
        Ok(self.of_device(device, done.await?))
    }

    /// Retires a device for good.
    ///
    /// # Errors
    /// There is no such device, or the database fails.
    pub async fn retire_device(
        &self,
        device: &str,
        reason: &str,
        by: &str,
    ) -> Result<DeviceChange, DispatchRefusal> {
        let done = self
            .0
            .tables
            .retire_device(device, reason, by, self.now_ms());
        Ok(self.of_device(device, done.await?))
    }

    /// Changes name and tags of a device, if its version is still this one.
    ///
    /// # Errors
    /// There is no such device, name or tags are too long, or the database fails.
    pub async fn edit_device(
        &self,
        device: &str,
        version: u64,
        edit: &DeviceEdit,
        by: &str,
    ) -> Result<DeviceChange, DispatchRefusal> {
        let done = self
            .0
            .tables
            .edit_device(device, version, edit, by, self.now_ms());
        Ok(self.of_device(device, done.await?))
    }

    fn of_device(&self, device: &str, change: DeviceChange) -> DeviceChange {
        self.changed(device);
        change
    }

    /// Cancels a job that has not started, or asks its device to end it.
    ///
    /// # Errors
    /// There is no such job, the reason is too long, or the database fails.
    pub async fn cancel_job(
        &self,
        job: &str,
        reason: &str,
        by: &str,
    ) -> Result<CancelOutcome, DispatchRefusal> {
        let now = as_ms(self.job_time());
        let outcome = self.0.tables.cancel_job(job, reason, by, now).await?;
        let (CancelOutcome::Cancelled(record)
        | CancelOutcome::Asked(record)
        | CancelOutcome::AlreadyAsked(record)
        | CancelOutcome::Over(record)) = &outcome;
        self.job_changed(&record.id, &record.device);
        Ok(outcome)
    }

    /// Notes what a person found out about a job whose outcome is unknown.
    ///
    /// # Errors
    /// There is no such job, the remark is too long, or the database fails.
    pub async fn resolve_job(
        &self,
        job: &str,
        resolution: JobResolution,
        remark: &str,
        by: &str,
    ) -> Result<ResolveOutcome, DispatchRefusal> {
        let now = self.now_ms();
        let done = self.0.tables.resolve_job(job, resolution, remark, by, now);
        let outcome = done.await?;
        self.0.changes.count_of(job);
        Ok(outcome)
    }

    /// A job as it is now: what is due has been done.
    ///
    /// # Errors
    /// The database fails.
    pub async fn job(&self, id: &str) -> Result<Option<JobRecord>, DispatchRefusal> {
        self.0.tables.settle_job(id, as_ms(self.job_time())).await?;
        Ok(self.0.tables.job(id).await?)
    }

    /// A device.
    ///
    /// # Errors
    /// The database fails.
    pub async fn device(&self, id: &str) -> Result<Option<FieldDevice>, DispatchRefusal> {
        Ok(self.0.tables.device(id).await?)
    }
}
