//! The check of golden tests, for every crate of wire types.

/// Defines `check(name, value)`, which compares a value with its snapshot in a folder, and the
/// results of both readers with the value.
///
/// A macro, because it needs `insta`: so neither this crate nor one of its features has to depend
/// on that.
#[macro_export]
macro_rules! golden_check {
    ($snapshots:literal) => {
        #[track_caller]
        fn check<T>(name: &str, value: &T)
        where
            T: ::serde::Serialize
                + ::serde::de::DeserializeOwned
                + $crate::FromJson
                + ::std::cmp::PartialEq
                + ::std::fmt::Debug,
        {
            let json = ::serde_json::to_value(value).unwrap();
            ::insta::with_settings!({
                prepend_module_to_snapshot => false,
                omit_expression => true,
                snapshot_path => $snapshots,
            }, {
                ::insta::assert_json_snapshot!(name, &json);
            });
            let text = ::serde_json::to_string(value).unwrap();
            assert_eq!(&::serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
            assert_eq!(
                T::from_json(json).as_ref(),
                Some(value),
                "without serde: {text}"
            );
        }
    };
}
