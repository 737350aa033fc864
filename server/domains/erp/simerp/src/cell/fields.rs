//! Values by field: a sorted list, which for some dozens of fields is smaller and quicker than a tree.

use super::SimCell;

/// The values of a document or row, by field.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SimFields(Vec<(&'static str, SimCell)>);

impl SimFields {
    /// The place of a field, or where it would be.
    fn find(&self, field: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(name, _)| (*name).cmp(field))
    }

    pub(crate) fn get(&self, field: &str) -> Option<&SimCell> {
        let at = self.find(field).ok()?;
        self.0.get(at).map(|(_, value)| value)
    }

    pub(crate) fn insert(&mut self, field: &'static str, value: SimCell) {
        match self.find(field) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (field, value)),
        }
    }

    pub(crate) fn remove(&mut self, field: &str) {
        if let Ok(at) = self.find(field) {
            self.0.remove(at);
        }
    }

    /// In the order of their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&&'static str, &SimCell)> {
        self.0.iter().map(|(field, value)| (field, value))
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &&'static str> {
        self.0.iter().map(|(field, _)| field)
    }

    /// Gives each field that is missing or empty the value that it has in `defaults`.
    pub(crate) fn fill(&mut self, defaults: &Self) {
        let mut own = std::mem::take(&mut self.0).into_iter().peekable();
        let mut filled = Vec::with_capacity(own.len() + defaults.0.len());
        for (field, default) in &defaults.0 {
            while let Some(before) = own.next_if(|(name, _)| name < field) {
                filled.push(before);
            }
            let value = own.next_if(|(name, _)| name == field);
            let value = value.map(|(_, value)| value).filter(|it| !it.is_empty());
            filled.push((*field, value.unwrap_or_else(|| default.clone())));
        }
        filled.extend(own);
        self.0 = filled;
    }
}

impl FromIterator<(&'static str, SimCell)> for SimFields {
    fn from_iter<T: IntoIterator<Item = (&'static str, SimCell)>>(values: T) -> Self {
        let mut fields = Self::default();
        for (field, value) in values {
            fields.insert(field, value);
        }
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(values: &[(&'static str, &str)]) -> SimFields {
        let values = values.iter();
        values
            .map(|(field, value)| (*field, SimCell::from(*value)))
            .collect()
    }

    #[test]
    fn what_is_missing_or_empty_is_filled_and_all_stays_sorted() {
        let mut own = fields(&[("b", "own"), ("z", "own"), ("d", ""), ("a", "own")]);
        own.fill(&fields(&[("d", "new"), ("b", "new"), ("c", "new")]));
        let names: Vec<_> = own.keys().copied().collect();
        assert_eq!(names, ["a", "b", "c", "d", "z"]);
        let values: Vec<_> = own.iter().map(|(_, value)| value.text()).collect();
        assert_eq!(values, ["own", "own", "new", "new", "own"]);
        own.remove("c");
        own.remove("c");
        own.insert("c", SimCell::from("last"));
        assert_eq!(own.get("c").map(SimCell::text), Some("last"));
        assert_eq!((own.get(""), own.get("e")), (None, None));
    }
}
