//! `/field/KIND/ID`: the frame of a device, a bundle, a proposal or a run.

use kit::{ErrorCard, Failed, Loading, effect, format::upright, press};
use leptos::prelude::*;
use leptos_meta::Title;
use protocol::{PageAnswer, Reference};

use super::{
    acts::acts,
    address::{BOARD, PATH, kind, label},
    board::FieldShelf,
    bundle,
    calls::calls,
    device,
    figures::link,
    looks::ValueLook,
    part_answer::read_answer,
    proposal,
    resolve::RunFinding,
    run,
    script_draft::ScriptDraft,
    shown_thing::{FieldPartAsked, ShownFieldThing},
    texts,
    texts::pages as say,
};
use crate::{
    api,
    dock::{Beside, Dock, ask},
    panel_pieces::ActsBeside,
};

#[component]
pub(super) fn FieldThingPage(id: String) -> impl IntoView {
    let version = RwSignal::new(None::<u64>);
    let part: FieldPartAsked = {
        let (kind, id) = (kind(&id).unwrap_or_default(), id.clone());
        Resource::new_with_options(
            move || version.get(),
            move |version| {
                let part = version.map(|version| format!("version/{version}"));
                let part = part.unwrap_or_else(|| kind.to_owned());
                api::page(BOARD.to_owned(), kind.to_owned(), id.clone(), part)
            },
            true,
        )
    };
    let thing = ShownFieldThing {
        board: FieldShelf::live(Vec::new()),
        look: ValueLook::new(&id),
        version,
        draft: ScriptDraft::new(),
        finding: RunFinding::new(),
        acts: ActsBeside::new(),
        part,
        again: RwSignal::new(0),
        id,
    };
    stand_beside(&thing.id);
    let title = label(&thing.id);
    view! {
        <Title text=title />
        <Transition fallback=|| view! { <Loading text=texts::LOADING /> }>
            {move || {
                let thing = thing.clone();
                Suspend::new(async move {
                    match part.await {
                        Ok(answer) => frame(&thing, answer),
                        Err(error) => {
                            view! { <Failed heading=say::CANNOT_BE_SHOWN error=error.0 retry=move || part.refetch() /> }
                                .into_any()
                        }
                    }
                })
            }}
        </Transition>
    }
    .into_any()
}

fn frame(thing: &ShownFieldThing, answer: PageAnswer) -> AnyView {
    let simulated = answer.system.simulated;
    let drawn = match kind(&thing.id) {
        Some("device") => read_answer(answer).map(|page| device::draw(thing, page)),
        Some("bundle") => read_answer(answer).map(|page| bundle::draw(thing, page)),
        Some("proposal") => read_answer(answer).map(|page| proposal::draw(thing, page)),
        _ => read_answer(answer).map(|page| run::draw(thing, page)),
    };
    let drawn = match drawn {
        Ok(drawn) => drawn,
        Err(error) => return view! { <ErrorCard error /> }.into_any(),
    };
    let mark = simulated.then(|| view! { <span class="mark">{texts::SIMULATED}</span> });
    let of = drawn.of.map(|(id, name)| link(&id, &name));
    let again = {
        let thing = thing.clone();
        press(move || thing.refetch())
    };
    let calls = drawn.calls.map(|words| calls(thing.again, words));
    let about = Reference::new(kind(&thing.id).unwrap_or_default(), thing.id.clone());
    view! {
        <div class="field-page" data-scroller="" tabindex="-1">
            <header class="field-page__head">
                <nav class="field-page__way" aria-label=say::BREADCRUMB>
                    <a href=PATH>{texts::FIELD}</a>
                    <span>{upright(drawn.site)}</span>
                    {of}
                </nav>
                <h1>{upright(drawn.name)}</h1>
                {mark}
                <div class="field-page__slot">
                    {ask(about)} {thing.look.button()}
                    <button type="button" class="button button--small" on:click=again>
                        {say::READ_AGAIN}
                    </button>
                </div>
            </header>
            {drawn.head}
            {acts(thing, &drawn.offers)}
            {thing.look.values()}
            {drawn.rest}
            {calls}
        </div>
    }
    .into_any()
}

/// Makes the thing the subject of the chat beside it.
fn stand_beside(id: &str) {
    let dock = expect_context::<Dock>();
    let about = Reference::new(kind(id).unwrap_or_default(), id);
    effect(move || {
        dock.stand_beside(Some(Beside {
            about: about.clone(),
            ask: &[],
        }));
    });
    on_cleanup(move || dock.stand_beside(None));
}
