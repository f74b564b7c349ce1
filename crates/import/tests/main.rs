//! Whole imports into a sink that stands for the recorder.

mod ahead;
mod cases;
mod corpus;
mod files;
mod folders;
mod follow;
mod formats;
mod goldens;
mod layouts;
mod random;
mod rebuild;
mod reordered;
mod revised;
mod shapes;
mod sink;
mod spans;
mod spent;
mod streams;
