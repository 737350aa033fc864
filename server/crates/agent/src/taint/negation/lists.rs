//! The words behind [`super`], English and German.
//!
//! A word that is missing from the lists of harmless words costs a question. One that is missing
//! from a list of prohibitions or of words that name nothing may cost more, so those are long.

use std::{collections::HashSet, sync::LazyLock};

/// A list of words.
pub(super) type List = LazyLock<HashSet<&'static str>>;

macro_rules! lists {
    ($($(#[$about:meta])* $name:ident = $words:literal;)*) => {
        $(
            $(#[$about])*
            pub(super) static $name: List = LazyLock::new(|| $words.split_whitespace().collect());
        )*
    };
}

lists! {
    /// Words that begin a clause which is judged by itself.
    CONTRAST = "but however though aber jedoch doch sondern";

    /// Words after which "but" means an exception.
    UNIVERSAL = "everything anything nothing all any every each no none alles alle allen jede jeden
        jedes nichts";

    /// Objects of a prohibition that is about whatever there is.
    ANYTHING = "anything everything nothing all any every each none everyone anyone anywhere
        everywhere whatever something alles alle allen aller jede jeden jedes jeder nichts
        irgendwas irgendetwas irgendwelche irgendeinen irgendeine irgendein etwas überall nirgends
        garnichts sämtliche";

    /// Words after which a universal word is none: "any more", "at all", "above all".
    NO_OBJECT = "more longer better further right circumstances circumstance time case means moment
        cost costs point account happens happened umständen fall mehr";

    /// Words for things that were not named.
    OTHERS = "else other others another otherwise rest remaining remainder sonst sonstige
        sonstigen andere anderen anderes anderer übrige übrigen übriges weiteren weitere weiteres";

    /// Verbs that act on a thing.
    ACTIONS = "restart restarting restarted reboot rebooting rebooted start starting started stop
        stopping stopped touch touching touched wake waking waken shut shutting kill killing killed
        bounce bouncing bounced reload reloading reloaded do doing done act go run change changing
        changed disturb disturbing kick cycle bring turn switch power boot relaunch revive recycle
        fix repair starte starten starten neustarten neustart neu stoppen stoppe anfassen anfasst
        anrühren wecken weck wecke weckst aufwecken stopp abschalten ausschalten einschalten schalte
        beenden beende machen mach mache tun tu tue gestartet neugestartet startest startet
        durchstarten durchstarte rebooten boote booten hochfahren herunterfahren fahr fahre ändern
        ändere ändert verändern verändere reparieren repariere restarts reboots";

    /// Those of them that say little: an order only where an imperative stands.
    VAGUE = "do doing done act go run change changing changed machen mach mache tun tu tue neu turn
        switch bring power fix repair ändern ändere ändert cycle";

    /// Participles: an order only as the thing that is wanted.
    DONE = "restarted rebooted started stopped touched killed bounced reloaded gestartet
        neugestartet done changed restarting rebooting starting stopping touching waking killing
        bouncing reloading shutting disturbing doing changing startet restarts reboots";

    /// Words that make an order of a participle.
    WANTED = "can may darf dürfen want wants wanted need needs should must please get have like muss müssen soll sollte
        sollten bitte möchte will gehört about mind try consider suggest recommend worth werden";

    /// Verbs that order something only where a sentence begins with them: they are much used of facts.
    OPENING_ORDERS = "deliver submit liefere";

    /// Words before a verb or noun of [`ACTIONS`] that make it a fact or a question.
    NO_ORDER_BEFORE = "the last next previous every each this that after since did does didn't
        doesn't don't dont not won't wont can't cannot couldn't wouldn't never no beim nach seit
        letzten letzte letzter dem der nicht never for of vom";

    /// Words before "to", after which an action is something that a thing does by itself.
    FAILS = "fails failed failing refuses refused refusing unable able tries trying tried seems
        seemed used has had begins began ceases ceased";

    /// Words after which an imperative follows.
    LEADS = "and so then please just also now therefore hence thus simply again you und also dann
        bitte nun einfach mal du sofort jetzt yes yeah ok okay ja go";

    /// Verbs that let one look.
    LOOKS = "asking wondering wonder find look looking check checking show tell see watch read list explain describe examine
        examining inspect inspecting analyse analyze investigate monitor compare report summarize
        summarise view observe observing schau schaue schauen schaut zeig zeige zeigen prüf prüfe
        prüfen lies lese sag sage erklär erkläre guck gucke sieh siehe überprüfe überprüfen
        kontrolliere kontrollieren ansehen anschauen angucken gucken beobachte beobachten nachsehen
        nachschauen beschreibe berichte untersuche analysiere lesen";

    /// Nouns of a look that is put in a few words: "smbd status".
    SEEN = "status state log logs health uptime zustand protokoll logs";

    /// Words that narrow what is asked for.
    ONLY = "only just merely solely simply purely nur bloß bloss lediglich";

    /// Words that begin a question about a fact, unless an order follows.
    INQUIRIES = "who what why when where which whose how is are was were am does did has have had
        isn't aren't wasn't weren't doesn't didn't hasn't haven't any anything wer was warum wieso
        weshalb wann wo welche welcher welches welchen welchem wie ist sind war waren hat haben
        hatte läuft laufen geht gibt gab wurde wurden kam antwortet reagiert funktioniert lief
        since seit do should soll sollte sollen shall hilft bringt";

    /// Words of a request that is put as a question.
    REQUESTS = "please bitte can could would will kannst könntest würdest kann könnte magst wollen
        let's not nicht about mind";
    /// Words that make advice of it: "can I restart smbd?", "would a restart help?".
    PLEASE = "please bitte";
    ADVICE = "i ich itself help helps hilft man";

    /// Words that name nothing.
    FILLERS = "please now ever again today tonight yet then at all the a an up down off on alone so
        just though but and or ok okay thanks thank you your sir i me my we us better be been being
        to with for way as is are was of from by there here if
        bitte jetzt heute mehr wieder mal ja und oder aber doch danke auf zu in wie wird werden darf
        dürfen soll sollst that's moment
        hm hmm mm uh um er oh ah ach äh ähm naja na well hey hi sorry apologies pardon oops
        actually really absolutely definitely certainly surely honestly rather instead second
        thought thoughts changed change mind my course sure yeah yes no jarvis quickly quick right
        straight away immediately soon later before after until till while during when once first
        under no any some circumstances circumstance case means cost costs account event
        condition conditions way chance still only too also either even much very too maybe perhaps
        think guess mean afraid must can could would will shall have has had need needs it's i'm
        i'll i'd i've it'll let's us say said told tell ask asking asks asked question permission
        approval consent confirmation word ahead wait waiting longer more less bit little try give
        put get back kindly for god's sake ffs hell whatever happens ever never once more one
        dear friend man guys
        lieber besser eher erst erstmal vorerst zunächst später nachher gleich sofort schon noch
        nun also denn halt eben bloß nur gar überhaupt unbedingt wirklich wohl vielleicht lange
        solange während bevor ehe bis vor nach wenn falls sobald dass das der die den dem des ein
        eine einen einem einer umstände umständen unter keiner weise weiteres weiter
        sich mich mir dich dir du ich wir uns euch ihr man mein meine meinen dein deine
        frag frage fragen frägst sag sage gesagt nachfragen rückfrage rückfragen freigabe erlaubnis
        zustimmung absprache bestätigung geht kommt frage infrage gut stimmt warten quatsch moment kurz god gott needed
        necessary required wanted nötig notwendig erforderlich vorher dear thoughts take nehme
        zurück last previous latest message messages window letzte letzten nachricht
        erledigt nee dare noo
        mal sekunde augenblick halt ach so herr sein ist war wäre habe hab haben hat tut leid
        entschuldigung entschuldige verzeihung stattdessen anders überlegt überlegung meinung
        kann kannst muss musst müssen sollte solltest würde ihretwegen gerade einfach dafür dazu
        hände sonst immer am im um von vom mit bei für an aus";

    /// Nouns for what was named before, and for things that a prohibition is about.
    GENERIC = "service services daemon daemons unit units process processes restart restarts reboot
        reboots change changes action actions activity activities thing things stuff anything
        nothing everything something none whatever operation operations order orders command
        commands intervention interventions downtime interruption interruptions request
        dienst dienste diensten neustart neustarts prozess prozesse änderung änderungen aktion
        aktionen sache sachen eingriff eingriffe unterbrechung unterbrechungen auftrag befehl befehle
        nichts alles etwas irgendwas irgendetwas garnichts jede jeden jedes alle allen keinerlei
        maßnahme maßnahmen";

    /// The words of a prohibition itself.
    WISHES = "not no nope never don't dont won't can't cannot mustn't shouldn't leave left keep let
        stay remain wait cancel abort nevermind hang belay steer hands limits forbidden must should shall may skip ignore
        avoid forget hold stop halt nein nicht nie niemals kein keine keinen keiner keinem
        keinesfalls keineswegs lass lasse laß lassen ruhe finger weg tabu verboten fall bloß bloss
        warte abbrechen abbruch stopp without ohne except nah nay negative scratch undo vergiss
        belass belasse protect against myself yourself selbst selber decide decides decision
        entscheide entscheidung refrain untouched";

    /// Words that point back at what was named before.
    PRONOUNS = "it its it's them that this those these either both ihn es sie ihm ihnen dies diese
        diesen dieses beide beides davon daran dran damit";

    MODALS = "must should shall may ought might better";

    /// Negations that describe when a state follows.
    THIRD_PERSON = "isn't aren't wasn't weren't doesn't didn't hasn't haven't won't wouldn't can't
        couldn't cannot ain't isnt arent wasnt doesnt didnt hasnt wont cant couldnt";

    /// Words between a negation and what it says.
    SKIPPED = "really even properly currently yet quite always fully actually very so too as much a
        an any to be been seem look longer anymore get all";

    /// States, and verbs that are harmless after every negation.
    OF_ANYTHING = "wait ask answered responded replied reacted worked answer answering answers respond responding responds reply replying react
        reacting work working works know think see understand care mind worry forget hesitate panic
        running reachable available accessible online healthy ok okay ready helping help sure
        bother";

    /// Those that are states after "is not" and "does not", and an order after "do not".
    OF_THE_THIRD = "run start starting started boot booting booted come coming came up there here
        good well happy fine enough certain right normal reach reached connect connecting connected
        load loading recover recovered sync syncing appear show showing find open access log login
        ping mount mounting mounted update updating print printing send sending deliver delivering
        receive receiving stream streaming play playing serve serving listen listening accept
        accepting active installed visible feel behave resolve resolving backed finish finished
        register registering true it awake wake matter";

    /// Those that "don't" at the beginning of a sentence may stand before: "Don't worry".
    REASSURANCE = "wait ask worry forget hesitate panic mind care bother";

    /// Those that judge or think: harmless only where nothing acts.
    JUDGED = "work working works know think see understand care help helping sure good well happy
        fine enough certain right normal ok okay true ready";

    /// Words between a state and an action that only say since when.
    SINCE = "since after despite until before during seit nach trotz because weil though although
        and when even from";

    /// "No answer" and "keine Antwort" describe.
    HARMLESS_NO = "time users user clients client connections sessions zeit nutzer benutzer answer reply response connection idea problem problems doubt longer logs data
        effect success luck access network signal rush hurry one matter antwort verbindung reaktion ahnung
        problem zugriff rückmeldung netz strom eile";

    /// Words after which "no" describes what is gone: "no clients any more".
    GONE = "anymore left mehr";

    /// Verbs after which "nicht" describes.
    GERMAN_VERBS = "komme kommen läuft laufen antwortet antworten reagiert reagieren geht gehen funktioniert
        funktionieren startet kommt lädt tut hilft half klappt stimmt weiß weiss hört druckt
        verbindet bootet wacht sich passiert synchronisiert will";

    /// States after "nicht".
    GERMAN_STATES = "gut erreichbar verfügbar aktiv da ok okay online erreichen gesund bereit sicher nur
        gestartet hoch richtig verbunden schlimm";

    /// Judgements that forbid what they are about: "a restart is a bad idea".
    BAD = "bad wrong risky dangerous harmful pointless useless unnecessary unneeded foolish silly
        stupid mistake senseless falsch schlecht schlechte riskant gefährlich sinnlos unnötig
        nutzlos unsinn unsinnig dumm fehler falscher falsche falsches falschen";

    /// "No longer" before one of these forbids.
    UNNEEDED = "needed necessary required wanted";

    /// Words that make a prohibition wherever they occur.
    EITHER_WAY = "neither nor except excepting excluding exclude excluded excludes besides without
        unless avoid avoiding refrain leave leaving skip skipping skipped ignore ignoring spare
        sparing exempt exempted prevent forbid forbidden prohibit prohibited ban banned untouched
        undisturbed unaffected cancel abort taboo nope needless minus sans omit omitting omitted
        protect protected protecting preserve against untouchable sacrosanct unwise inadvisable
        exception exceptions barring sacred belay bezweifle bezweifeln
        postpone postponed defer delay veto object halt
        nie niemals weder ohne außer ausser statt anstatt anstelle ausgenommen ausnahme verzichte
        verzichten vermeide vermeiden unterlasse unterlass unterlassen verschone verschonen
        ignoriere ignorieren überspringe überspringen unberührt ungestört unangetastet tabu
        verboten finger ruhe nein warte keinesfalls keineswegs belasse belass belassen abbrechen
        abbruch auslassen ausschließen ausschliessen ausgeschlossen ausgeschlossene schütze
        schützen geschützt schone schonen fern fernhalten gegen dagegen weiterlaufen weiterläuft
        weiterlaufe weiterlief anbleiben anbleibt anlassen angelassen durchlaufen obenbleiben
        unverändert verbiete verbieten untersagt untersage verschiebe verschieben vergiss
        unzulässig unerwünscht wehe pfoten propose prepare simulate pretend hypothetically
        theoretically disregard fyi dare";

    /// Words that put an order off.
    PUT_OFF = "later tomorrow someday sometime eventually afterwards morgen übermorgen später
        nachher irgendwann demnächst";

    /// Words after which "later" is a reason and no date.
    NEEDED = "need needs needed brauche brauchen braucht gebraucht";

    /// The person as the one who says when.
    FIRST = "i we i'm i've i'll i'd we've we'll we're ich wir";
    ME = "me us mich mir uns";
    MINE = "my our mine meine meiner meinem meinen mein unser unsere unserer unserem";

    /// Words that ask for a question first.
    ASKS = "ask asking frag frage fragen fragt frägst nachfragen rückfragen rücksprache consult
        consulting warn notify inform alert ping tell check confirm clear informier informiere
        warne benachrichtige sag sage sagt bescheid meld melde let give gib";
    /// Those of them that need no more.
    ASKS_ALWAYS = "ask asking consult consulting frag frage fragen";
    FIRSTLY = "before beforehand prior vorher bevor ehe zuvor vorab davor";

    /// Conjunctions of a condition.
    CONDITIONS = "if when once unless until till before after as soon whenever provided wenn sobald
        bevor bis falls nachdem ehe sofern solange außer";
    /// Participles by which the person fulfils it.
    APPROVED = "confirming asking checking confirmed confirm approved approve told asked agreed ordered allowed cleared agree
        permitted bestätigt genehmigt freigegeben erlaubt gesagt zugestimmt";
    /// Nouns for a word that the person is yet to give.
    PERMISSION = "approval permission consent confirmation authorization authorisation go-ahead
        sign-off signoff say-so rückfrage rückfragen rücksprache freigabe absprache zustimmung
        bestätigung erlaubnis genehmigung einverständnis";

    /// Words after "without" that urge an order on.
    WITHOUT_MORE = "asking further any question questions delay hesitation confirmation nachfrage
        nachfragen rückfrage rückfragen zögern weitere weiteres";

    /// Words that are a refusal if nothing else is said.
    REFUSALS = "no nein stop stopp halt nope nah nay negative nee nö noo nooo nobody niemand
        tomorrow morgen later später";

    /// Words that replace what was ordered before: "rather nginx".
    REPLACING = "meant meinte rather lieber stattdessen instead";

    /// Words of a person who does it alone.
    BY_HAND = "myself ourselves manually selbst selber manuell eigenhändig decide decides deciding
        decision entscheide entscheiden entscheidung";
    /// "I" before one of these and an action.
    I_WILL = "i'll we'll i'd we'd";
    /// Verbs of a person who sees to it.
    SEE_TO = "handle deal manage take see look check confirm say tell decide let rather prefer";

    /// Words that ask for a reason, and those that ask for a thing or a number.
    WHYS = "why warum wieso weshalb";
    WHICHES = "which what who how welche welcher welches welchen welchem wer";
    /// Words before the first word of a question.
    OPENERS = "and so but also then now please ok okay hey hi hello jarvis und aber also dann nun
        bitte hallo";

    /// Verbs with which a question asks for a fact.
    ASKING = "is are was were has have had does did can could isn't aren't wasn't weren't hasn't
        haven't hadn't doesn't didn't can't cannot couldn't isnt arent wasnt werent hasnt havent
        hadnt doesnt didnt cant couldnt ist sind war waren wurde wurden hat haben hatte hatten";
    /// Those of them that ask whether something can be.
    ASKING_ABILITY = "can could can't cannot couldn't cant couldnt";
    /// Those of them that have a negation within.
    ASKING_NOT = "isn't aren't wasn't weren't hasn't haven't hadn't doesn't didn't can't cannot
        couldn't isnt arent wasnt werent hasnt havent hadnt doesnt didnt cant couldnt";
    /// German verbs that do the same without another: "warum läuft smbd nicht?"
    ASKING_STATE = "läuft laufen antwortet antworten reagiert reagieren funktioniert funktionieren
        startet kommt kommen klappt druckt verbindet bootet synchronisiert geht gehen";

    /// Words between a negation and the fact that it denies in a question.
    ASIDES = "yet been fully completely entirely even really still already ever noch schon ganz
        vollständig richtig";
    /// Facts that a question may deny: not what a person might wish, or a reason to leave a thing alone.
    FACTS = "delivered shipped sent paid billed invoiced submitted received produced manufactured
        completed complete finished closed cancelled transferred ordered booked posted reconciled
        settled backed updated upgraded installed mounted synced connected started stopped running
        reachable available online working responding answering ready listed shown visible found
        created printed registered active possible start boot come connect respond answer arrive
        deliver ship load mount
        geliefert ausgeliefert bezahlt gezahlt berechnet fakturiert abgerechnet verschickt versandt
        versendet gesendet gebucht verbucht eingereicht eingegangen angekommen produziert gefertigt
        fertig abgeschlossen gesichert erreichbar verfügbar aktiv online gestartet synchronisiert";
    /// Words that leave it open whether a question asks for a fact: somebody wishes, says or judges, or
    /// it hints at what should be.
    DOUBTFUL = "do don't dont must should shall may ought might better will would won't wouldn't
        shouldn't mustn't i i'm i've i'd i'll me you you've you'd you're ich mich mir du dich dir
        that dass ob whether if wenn falls unless until till before bevor bis allowed permitted
        supposed meant intended wanted needed necessary required expected agreed decided promised
        asked told warned say said tell ask want wants wish let keep kept left leave alone spared
        only just good well fine enough ok okay happy best perfect as important critical needs
        muss müssen soll sollen sollte sollten darf dürfen will erlaubt gewünscht nötig vorgesehen
        gedacht gesagt vereinbart nur gut besser wichtig";
}
