//! Days and dates of the Gregorian calendar.

/// Converts a day, counted from 1 January 1970, to year, month and day in the proleptic Gregorian
/// calendar.
pub fn civil_date(day: i64) -> (i64, i64, i64) {
    // Howard Hinnant's civil_from_days: years begin in March, so that the leap day is the last.
    let days = day + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}
