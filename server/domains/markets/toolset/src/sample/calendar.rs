//! Releases of 2017. The dates of the jobs reports are real; every value is made up.

use super::chance::Chance;
use crate::{CalendarEvent, Impact, Time, session};

/// Month and day of the jobs reports of the United States in 2017.
pub const JOBS_DAYS: [(i8, i8); 12] = [
    (1, 6),
    (2, 3),
    (3, 10),
    (4, 7),
    (5, 5),
    (6, 2),
    (7, 7),
    (8, 4),
    (9, 1),
    (10, 6),
    (11, 3),
    (12, 8),
];

/// The times of the jobs reports of 2017: 08:30 in New York.
pub fn jobs_releases() -> Vec<Time> {
    let days = JOBS_DAYS
        .iter()
        .filter_map(|(month, day)| session::date(2017, *month, *day));
    days.map(|date| session::new_york(date, 8, 30)).collect()
}

/// A recurring release.
struct Series {
    key: &'static str,
    name: &'static str,
    impact: Impact,
    unit: &'static str,
    /// In hundredths of the unit: the first value, its largest step, a forecast's largest miss.
    start: i64,
    step: i64,
    miss: i64,
}

const JOBS: Series = Series {
    key: "us-jobs",
    name: "Nonfarm payrolls",
    impact: Impact::High,
    unit: "thousand",
    start: 18_000,
    step: 2_500,
    miss: 5_000,
};

const CLAIMS: Series = Series {
    key: "us-claims",
    name: "Initial jobless claims",
    impact: Impact::Medium,
    unit: "thousand",
    start: 24_000,
    step: 500,
    miss: 900,
};

/// The jobs reports on their real days, and weekly claims on Thursdays at 08:30 in New York.
pub fn calendar() -> Vec<CalendarEvent> {
    let mut events = series(&JOBS, jobs_releases(), 11);
    let thursdays = (0..365).filter_map(|day| {
        let date = session::date(2017, 1, 1)? + day;
        (session::weekday(date) == 3).then(|| session::new_york(date, 8, 30))
    });
    events.extend(series(&CLAIMS, thursdays.collect(), 12));
    events.sort_by(|a, b| (a.scheduled_at, &a.id).cmp(&(b.scheduled_at, &b.id)));
    events
}

fn series(series: &Series, times: Vec<Time>, seed: u64) -> Vec<CalendarEvent> {
    let mut chance = Chance::new(seed);
    let mut previous = series.start;
    let mut events = Vec::with_capacity(times.len());
    for time in times {
        // Whole units, as such figures are published.
        let whole = |value: i64| value / 100 * 100;
        let forecast = whole(series.start + chance.around(series.step));
        let actual = whole(forecast + chance.around(series.miss));
        let revised = whole(previous + chance.around(series.miss / 3));
        let shown = |value: i64| Some(value as f64 / 100.0);
        events.push(CalendarEvent {
            id: format!("{}-{}", series.key, time.day()),
            currency: "USD".to_owned(),
            name: series.name.to_owned(),
            impact: series.impact,
            scheduled_at: time,
            source_zone: "America/New_York".to_owned(),
            forecast: shown(forecast),
            actual: shown(actual),
            previous: shown(previous),
            revised: if revised == previous {
                None
            } else {
                shown(revised)
            },
            unit: series.unit.to_owned(),
            synthetic: true,
        });
        previous = actual;
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_of_new_york_and_made_up_values() {
        let releases: Vec<_> = jobs_releases().iter().map(ToString::to_string).collect();
        assert_eq!(releases[0], "2017-01-06T13:30:00Z");
        assert_eq!(releases[2], "2017-03-10T13:30:00Z");
        assert_eq!(releases[3], "2017-04-07T12:30:00Z");
        assert_eq!(releases[10], "2017-11-03T12:30:00Z");
        assert_eq!(releases[11], "2017-12-08T13:30:00Z");
        let events = calendar();
        assert_eq!(events.len(), 12 + 52);
        assert!(events.iter().all(|event| event.synthetic));
        assert_eq!(events, calendar());
        // The published value is the previous value of the next one.
        let jobs: Vec<_> = events
            .iter()
            .filter(|event| event.id.starts_with("us-jobs"))
            .collect();
        for pair in jobs.windows(2) {
            assert_eq!(pair[0].actual, pair[1].previous);
        }
    }
}
