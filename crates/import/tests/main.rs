//! Whole imports into a sink that stands for the recorder.

mod corpus;
mod goldens;
mod random;
mod sink;
