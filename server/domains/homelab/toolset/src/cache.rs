//! Answers shared for a few seconds, with at most one request in flight for each key.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use serde_json::Value;
use tokio::time::Instant;

use crate::error::ProxmoxError;

/// Errors are shared only with the callers that were already waiting.
const ERROR_TTL: Duration = Duration::from_millis(500);
const MAX_ENTRIES: usize = 256;

type Answer = Result<Arc<Value>, ProxmoxError>;
/// Locked while its request runs, so that other callers wait for the outcome. If the requester is
/// cancelled, the next in line sends the request.
type CachedAnswer = tokio::sync::Mutex<Option<(Instant, Answer)>>;

#[derive(Debug)]
pub(crate) struct LookupCache {
    ttl: Duration,
    answers: Mutex<HashMap<String, Arc<CachedAnswer>>>,
}

impl LookupCache {
    pub(crate) fn new(ttl: Duration) -> Self {
        Self {
            ttl,
            answers: Mutex::default(),
        }
    }

    /// Returns the answer under `key` if it is fresh, or else the result of `fetch`.
    pub(crate) async fn get<F>(&self, key: String, fetch: impl FnOnce() -> F) -> Answer
    where
        F: Future<Output = Result<Value, ProxmoxError>>,
    {
        if self.ttl.is_zero() {
            return fetch().await.map(Arc::new);
        }
        let cached = self.cached(key);
        let mut cached = cached.lock().await;
        if let Some((since, answer)) = cached.as_ref() {
            let ttl = match answer {
                Ok(_) => self.ttl,
                Err(_) => ERROR_TTL.min(self.ttl),
            };
            if since.elapsed() < ttl {
                return answer.clone();
            }
        }
        let answer = fetch().await.map(Arc::new);
        *cached = Some((Instant::now(), answer.clone()));
        answer
    }

    /// Drops all answers. One still in flight serves only its current waiters.
    pub(crate) fn clear(&self) {
        self.answers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }

    fn cached(&self, key: String) -> Arc<CachedAnswer> {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() >= MAX_ENTRIES && !answers.contains_key(&key) {
            answers.retain(|_, cached| Arc::strong_count(cached) > 1);
        }
        Arc::clone(answers.entry(key).or_default())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use serde_json::json;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn many_readers_make_one_request() {
        let cache = LookupCache::new(Duration::from_secs(5));
        let asked = AtomicUsize::new(0);
        let read = || {
            cache.get("nodes".to_owned(), || async {
                tokio::time::sleep(Duration::from_secs(1)).await;
                Ok(json!(asked.fetch_add(1, Ordering::Relaxed)))
            })
        };
        for answer in futures::future::join_all((0..20).map(|_| read())).await {
            assert_eq!(answer, Ok(Arc::new(json!(0))));
        }
        tokio::time::advance(Duration::from_secs(5)).await;
        assert_eq!(read().await, Ok(Arc::new(json!(1))));
        assert_eq!(asked.load(Ordering::Relaxed), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_cancelled_reader_leaves_the_request_to_the_next() {
        let cache = LookupCache::new(Duration::from_secs(5));
        let hanging = cache.get("nodes".to_owned(), std::future::pending);
        tokio::select! {
            biased;
            _ = hanging => unreachable!("never answers"),
            () = tokio::task::yield_now() => {}
        }
        let answer = cache.get("nodes".to_owned(), || async { Ok(json!("fresh")) });
        assert_eq!(answer.await, Ok(Arc::new(json!("fresh"))));
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_asked_before_a_write_is_not_the_answer_after_it() {
        let cache = LookupCache::new(Duration::from_secs(5));
        let old = cache.get("nodes".to_owned(), || async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            Ok(json!("old"))
        });
        let new = async {
            tokio::task::yield_now().await;
            cache.clear();
            cache
                .get("nodes".to_owned(), || async { Ok(json!("new")) })
                .await
        };
        let (old, new) = futures::join!(old, new);
        assert_eq!(
            (old, new),
            (Ok(Arc::new(json!("old"))), Ok(Arc::new(json!("new"))))
        );
        let after = cache.get("nodes".to_owned(), std::future::pending);
        assert_eq!(after.await, Ok(Arc::new(json!("new"))));
    }

    #[tokio::test(start_paused = true)]
    async fn errors_are_shared_briefly() {
        let cache = LookupCache::new(Duration::from_secs(5));
        let error = ProxmoxError::Failed {
            status: 500,
            message: "no".to_owned(),
        };
        let failing = || async { Err(error.clone()) };
        assert_eq!(cache.get("a".to_owned(), failing).await, Err(error.clone()));
        let fine = || async { Ok(json!(1)) };
        assert_eq!(cache.get("a".to_owned(), fine).await, Err(error.clone()));
        tokio::time::advance(ERROR_TTL).await;
        assert_eq!(
            cache.get("a".to_owned(), fine).await,
            Ok(Arc::new(json!(1)))
        );
    }
}
