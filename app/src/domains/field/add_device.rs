//! The form that makes a one-time token for a new device, and the one look at the token.

use field_wire::EnrolmentTokenPage;
use kit::{CopyButton, ErrorCard, browser, effect, live, live_text, live_view, on, press};
use leptos::{ev, prelude::*};
use protocol::{ConversationId, ErrorBody, FromJson};
use serde_json::json;

use super::{
    address::BOARD,
    board::FieldShelf,
    figures::pane,
    form_parts::{LackingField, form_button},
    texts::people as say,
};
use crate::{api, panel_pieces::ActsBeside};

const WHY: &str = "field-add-why";
const SITES: &str = "field-add-sites";

/// State of the form. Copies are the same.
#[derive(Clone, Copy)]
struct AddDevice {
    site: RwSignal<String>,
    name: RwSignal<String>,
    lacks: LackingField,
    /// The call whose token has not come yet.
    asked: RwSignal<Option<ConversationId>>,
    /// The token, as long as it is on view.
    token: RwSignal<Option<Result<EnrolmentTokenPage, ErrorBody>>>,
}

impl AddDevice {
    fn begin(self, acts: ActsBeside) {
        if untrack(|| acts.why_not()).is_some() {
            return;
        }
        let [site, name] = [self.site, self.name].map(|it| it.get_untracked().trim().to_owned());
        let fields = [(say::SITE, &*site), (say::NAME, &*name)];
        if self.lacks.are_filled(fields) {
            self.token.set(None);
            let input = json!({ "site": site, "name": name });
            self.asked.set(Some(acts.begin("enrol_device", input)));
        }
    }

    /// Asks for the token of a call. Only the first answer has it.
    fn fetch(self, journal: ConversationId) {
        leptos::task::spawn_local(async move {
            let part = "token".to_owned();
            let kind = "enrolment".to_owned();
            let answer = api::page(BOARD.to_owned(), kind, journal.to_string(), part).await;
            let token = answer.map_err(|error| error.0).and_then(|answer| {
                EnrolmentTokenPage::from_json(answer.value).ok_or_else(api::incompatible)
            });
            if token.is_ok() {
                self.asked.try_set(None);
                self.name.try_set(String::new());
            }
            self.token.try_set(Some(token));
        });
    }
}

/// Draws the form; nothing for a person who cannot act.
pub(super) fn add_device(board: &FieldShelf) -> AnyView {
    let acts = ActsBeside::new();
    let form = AddDevice {
        site: RwSignal::new(String::new()),
        name: RwSignal::new(String::new()),
        lacks: LackingField::new(),
        asked: RwSignal::new(None),
        token: RwSignal::new(None),
    };
    {
        let ended = Memo::new(move |_| acts.at_rest());
        effect(move || {
            // It may be seen before its call began: then a later event of it leads here again.
            let ended = ended.get();
            let asked = form.asked.get();
            if let Some((journal, _)) = ended.iter().find(|(id, _)| asked == Some(*id)) {
                form.fetch(*journal);
            }
        });
    }
    let names = {
        let sites = board.sites.clone();
        Memo::new(move |_| {
            let mut names = Vec::new();
            sites.visit(|_, site| names.push(site.name.clone()));
            names.sort();
            names
        })
    };
    live_view(move || {
        if acts.is_barred() {
            return ().into_any();
        }
        let content = view! {
            {fields(form, acts, names)}
            {acts.calls()}
            <div aria-live="polite">{live_view(move || token(form))}</div>
        };
        pane("field-add", say::ADD_DEVICE, "", content.into_any())
    })
}

fn fields(form: AddDevice, acts: ActsBeside, names: Memo<Vec<String>>) -> AnyView {
    let field = |label: &'static str, text: RwSignal<String>, list: Option<&'static str>| {
        let typed = on(move |event: ev::Event| text.set(event_target_value(&event)));
        view! {
            <label class="panel-acts__field">
                {label}
                <input
                    type="text"
                    maxlength="50"
                    autocomplete="off"
                    list=list
                    on:input=typed
                    prop:value=live(move || text.get())
                />
            </label>
        }
        .into_any()
    };
    let options = live_view(move || {
        let options = names.get().into_iter();
        let options = options.map(|name| view! { <option value=name></option> });
        options.collect::<Vec<_>>().into_any()
    });
    let why = live_text(move || {
        let why = acts.why_not().or_else(|| form.lacks.sentence());
        why.unwrap_or_default()
    });
    let go = move || form.begin(acts);
    view! {
        <div class="panel-acts__offer">
            {field(say::SITE, form.site, Some(SITES))} <datalist id=SITES>{options}</datalist>
            {field(say::NAME, form.name, None)}
            {form_button(acts, WHY, say::MAKE_TOKEN, go)}
        </div>
        <p class="field-facts">{say::NEW_SITE_NOTE}</p>
        <p class="field-facts" id=WHY role="status">
            {why}
        </p>
    }
    .into_any()
}

/// Draws the token with the commands for the device, until the person is done with it.
fn token(form: AddDevice) -> AnyView {
    let answer = form.token.get();
    let page = match answer {
        None => return ().into_any(),
        Some(Err(error)) => return view! { <ErrorCard error /> }.into_any(),
        Some(Ok(page)) => page,
    };
    // A token comes to a page that is alive, so the browser is there.
    let place = window().location();
    let origin = place.origin().unwrap_or_default();
    let host = place.hostname().unwrap_or_default();
    let is_loopback = host == "localhost" || host == "[::1]" || host.starts_with("127.");
    let loopback =
        is_loopback.then(|| view! { <p class="field-once__note">{say::NOT_REACHABLE}</p> });
    let until = browser::local_time(page.expires, true);
    let commands = [
        say::enrol_command(&origin, &page.token),
        say::START_COMMAND.to_owned(),
    ];
    let commands = commands.map(|command| {
        let copied = command.clone();
        view! {
            <li class="field-command">
                <code>{command}</code>
                <CopyButton label=say::COPY_COMMAND text=move || Some(copied.clone()) />
            </li>
        }
    });
    let done = press(move || form.token.set(None));
    view! {
        <section class="field-once" aria-label=say::TOKEN>
            <p>{say::token_for(&page.name, &page.site_name)}</p>
            <p class="field-once__note">{say::shown_once(&until)}</p>
            <p>{say::ON_THE_DEVICE}</p>
            {loopback}
            <ol class="field-commands">{Vec::from(commands)}</ol>
            <p>{say::THEN_ADOPT}</p>
            <button type="button" class="button button--small" on:click=done>
                {say::DONE}
            </button>
        </section>
    }
    .into_any()
}
