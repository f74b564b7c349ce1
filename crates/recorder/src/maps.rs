//! Maps for the order of events, which a session of ten thousand asks a hundred thousand times: their hash is quick,
//! and seeded anew in each process, so that nobody can write keys that collide.

use foldhash::fast::RandomState;

pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, RandomState>;
pub(crate) type HashSet<K> = std::collections::HashSet<K, RandomState>;
