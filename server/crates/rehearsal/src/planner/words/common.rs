//! Common English words that are hardly ever the name of a thing, beside those of `everyday`.

/// Words that say nothing about the matter: verbs, adverbs and slips of the finger.
const MORE_FILLERS: &str = "\
  actually already almost altogether anymore anyway anyhow around away basically because besides between \
  briefly brief came come comes coming consume consumes consuming currently eat eats eating either else \
  enough etc even exactly few find finds found gets getting gives goes gonna guess happy hardly hog hogs \
  hogging hold holds however indeed inside instead kinda know known later lately lots maybe  means \
  meanwhile moment near nearly neither nobody nor nowadays often onto otherwise our ours perhaps possibly \
  pretty probably put quite rather read really remain remains same seem seems several simply since \
  slightly somebody someone somehow sometimes soon sort tend thanks therefore thinks though throughout \
  thus together towards toward tried truly try trying unless upon useful usually various via wanna \
  wants went whatever gib mib tib gb mb tb hey hi smoothly nicely whats whenever wherever whether whichever whoever within without wonder wondering \
  teh hte waht taht thier ur u pls plz im ive id theres wheres hows whos thats anybody everybody \
  anyone everyone host hosts hosted live lives sit sits nothing none ve ll re aren't isn't doesn't \
  can't cannot couldn't won't wasn't weren't haven't hasn't didn't shouldn't wouldn't it's i'm i've \
  that's there's let's alright  whole entire currently  definitely certainly \
  main mainly big bigger  earlier late lately ready okay hmm hm um uh oh  plus \
  shall ought am being done does did doing had made making makes told tells told say said saying ask \
  asked asking answer answered explain describe describing compare comparing compared versus vs against \
  nightly daily hourly weekly monthly occur occurs occurred pending installed install belong belongs \
  short long longer shorter better worse worst best good bad nice great dear hello bye please kindly";

/// Words for matters, of which no tool may tell.
const MORE_PLAIN: &str = "\
  update updates upgrade upgrades patch patches package packages vulnerability vulnerabilities security \
  weather forecast sun snow wind  recipe dinner lunch  emails calendar \
  appointment appointments birthday flight train news stock stocks bitcoin money invoice invoices bill \
  bills  battery  heating  price prices cost costs electricity \
  watt watts energy consumption password passwords  wife kids children \
  \
  \
  \
  \
  up-to-date outdated expired expire expires certificate certificates";

/// Words for kinds of things and for how one speaks of them.
const MORE_KINDS: &str = "\
    user users people person system systems server servers machine machines device devices computer computers \
    note notes definition difference example examples sentence text letter document question questions console \
    consoles terminal login logins session sessions protected protection verified verify verification \
    dangerous safe safely secure trouble troubles alert alerts notice notices phone";

pub(super) fn fillers() -> impl Iterator<Item = &'static str> {
    MORE_FILLERS.split_whitespace()
}

pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    MORE_KINDS.split_whitespace()
}

pub(super) fn plain() -> impl Iterator<Item = &'static str> {
    MORE_PLAIN.split_whitespace()
}
