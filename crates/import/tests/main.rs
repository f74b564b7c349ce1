//! Whole imports into a sink that stands for the recorder.

mod corpus;
mod files;
mod formats;
mod goldens;
mod random;
mod sink;
mod spans;
