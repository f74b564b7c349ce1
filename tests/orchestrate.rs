//! Orchestrators: what agents of a team save, owe and hand each other, row by row, on the real program.

mod example;
mod handoffs;
mod saved;
mod told;
