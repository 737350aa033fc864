//! Last answer to a query, and the reason that there is no newer one.

use crate::error::ProxmoxError;

/// Lost answers in a row that are reported; fewer count as a network glitch.
const ENOUGH: u32 = 2;

/// The last answer to a query. Times are Unix seconds.
#[derive(Debug)]
pub(super) struct BoardReading<T> {
    pub last: Option<(i64, T)>,
    /// The reason that the newest attempts failed. A single lost answer is not reported: the age of
    /// the last answer shows it.
    pub trouble: Option<ProxmoxError>,
    /// Lost answers in a row.
    lost: u32,
}

impl<T> Default for BoardReading<T> {
    fn default() -> Self {
        Self {
            last: None,
            trouble: None,
            lost: 0,
        }
    }
}

impl<T> BoardReading<T> {
    pub(super) fn take(&mut self, answer: Result<T, ProxmoxError>, now: i64) {
        match answer {
            Ok(value) => {
                self.last = Some((now, value));
                self.trouble = None;
                self.lost = 0;
            }
            Err(error) => {
                // Data that is forbidden now must not stay on show.
                if matches!(error, ProxmoxError::Forbidden { .. }) {
                    self.last = None;
                }
                self.lost += 1;
                let accident = self.last.is_some() && is_lost(&error) && self.lost < ENOUGH;
                if !accident {
                    self.trouble = Some(error);
                }
            }
        }
    }

    pub(super) fn value(&self) -> Option<&T> {
        self.last.as_ref().map(|(_, value)| value)
    }

    pub(super) fn at(&self) -> Option<i64> {
        self.last.as_ref().map(|(at, _)| *at)
    }

    pub(super) fn is_asked(&self) -> bool {
        self.last.is_some() || self.trouble.is_some()
    }
}

/// Returns whether the answer was lost, as opposed to refused.
pub(super) fn is_lost(error: &ProxmoxError) -> bool {
    matches!(
        error,
        ProxmoxError::NodeUnreachable { .. }
            | ProxmoxError::Timeout { .. }
            | ProxmoxError::Unreachable { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost() -> ProxmoxError {
        ProxmoxError::NodeUnreachable {
            status: 595,
            message: "No route to host".to_owned(),
        }
    }

    fn forbidden() -> ProxmoxError {
        ProxmoxError::Forbidden {
            path: None,
            privileges: Vec::new(),
            message: "no".to_owned(),
        }
    }

    #[test]
    fn one_lost_answer_is_an_accident() {
        let mut reading = BoardReading::default();
        reading.take(Err(lost()), 1);
        assert_eq!(reading.trouble, Some(lost()), "nothing is known at all");
        reading.take(Ok(7), 2);
        assert_eq!((reading.at(), &reading.trouble), (Some(2), &None));
        reading.take(Err(lost()), 3);
        assert_eq!((reading.at(), &reading.trouble), (Some(2), &None));
        reading.take(Err(lost()), 4);
        assert_eq!((reading.value(), reading.at()), (Some(&7), Some(2)));
        assert_eq!(reading.trouble, Some(lost()));
        reading.take(Ok(8), 5);
        reading.take(Err(lost()), 6);
        assert_eq!(reading.trouble, None, "they are counted anew");
        // A refusal counts at once and clears the last answer.
        reading.take(Err(forbidden()), 7);
        assert_eq!(
            (reading.value(), &reading.trouble),
            (None, &Some(forbidden()))
        );
    }
}
