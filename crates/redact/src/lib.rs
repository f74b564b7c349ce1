//! draft
mod chance;
