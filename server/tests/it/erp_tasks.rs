//! Tasks as people give them, over the whole server: a scripted model calls the tools, a person
//! answers the cards, and afterwards the books of the simulated company are looked at. What the model
//! says is of no account.

mod buying;
mod distribution;
mod drift;
mod hospitality;
mod hostile;
mod industries;
mod limits;
mod manufacturing;
mod mappings;
mod retail;
mod reversals;
mod selling;
mod services;
mod shop;
mod statuses;
mod task;
