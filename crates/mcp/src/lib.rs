//! The door for agents.
