//! The real program, from outside: what people and scripts see, and what is on the disk afterwards.
#![allow(clippy::unwrap_used)] // an unwrap that fails is a test that fails
#![allow(clippy::print_stdout)] // seeds, and what was skipped

mod atif;
mod bad_input;
mod bazinga;
mod bundle;
mod canary;
mod corpus;
mod door;
mod erase;
mod formats;
mod golden;
mod hooks;
mod house;
mod journey;
mod kill;
mod known;
mod layout;
mod mcp;
mod orchestrate;
mod pages;
mod redact;
mod trail;
mod upkeep;
