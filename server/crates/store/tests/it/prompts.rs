//! Prompts that people keep for reuse.

use protocol::{MAX_PROMPTS, Prompt, Timestamp, UserId};
use store::{Error, Store};

const AT: Timestamp = Timestamp(1_700_000_000_000);

fn prompt(name: &str, text: &str) -> Prompt {
    Prompt {
        name: name.to_owned(),
        text: text.to_owned(),
    }
}

#[tokio::test]
async fn each_person_keeps_their_own_and_not_too_many() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let ada = store.first_user(UserId::new(AT, 1), "Ada", AT).await;
    let ada = ada.unwrap().id;
    let nobody = UserId::new(AT, 2);

    for (name, text) in [("b", "old"), ("a", "first"), ("b", "new")] {
        store
            .keep_prompt(ada, &prompt(name, text), AT)
            .await
            .unwrap();
    }
    let kept = [prompt("a", "first"), prompt("b", "new")];
    assert_eq!(store.prompts(ada).await.unwrap(), kept);
    assert_eq!(store.prompts(nobody).await.unwrap(), []);
    let gone = store.forget_prompt(nobody, "a").await;
    assert!(matches!(gone, Err(Error::NotFound)), "{gone:?}");
    store.forget_prompt(ada, "a").await.unwrap();

    for n in 1..MAX_PROMPTS {
        store
            .keep_prompt(ada, &prompt(&format!("p{n}"), "x"), AT)
            .await
            .unwrap();
    }
    let more = store.keep_prompt(ada, &prompt("more", "x"), AT).await;
    assert!(matches!(more, Err(Error::TooMany)), "{more:?}");
    // One that is there can still be changed.
    store
        .keep_prompt(ada, &prompt("b", "newest"), AT)
        .await
        .unwrap();
    assert_eq!(store.prompts(ada).await.unwrap()[0].text, "newest");
}
