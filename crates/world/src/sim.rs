//! A simulated world, made from a seed.
