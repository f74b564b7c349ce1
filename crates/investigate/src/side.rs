//! Work on many events side by side: what is made of each must not depend on the others.

use std::thread;

/// So many are worth a thread.
const WORTH_A_THREAD: usize = 250;

/// What `make` makes of each, in order.
pub fn by_side<T: Sync, U: Send>(all: &[T], make: &(dyn Fn(usize, &T) -> U + Sync)) -> Vec<U> {
    let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let part = all.len().div_ceil(threads).max(WORTH_A_THREAD);
    let work = |(number, some): (usize, &[T])| {
        let numbered = some.iter().enumerate();
        numbered.map(|(at, one)| make(number * part + at, one)).collect::<Vec<U>>()
    };
    thread::scope(|scope| {
        let work = &work;
        let mut parts = all.chunks(part).enumerate();
        let first = parts.next();
        let others: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        let mut made = first.map(work).unwrap_or_default();
        for other in others {
            made.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        made
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_made_once_and_in_order() {
        for count in [0, 1, 249, 250, 251, 1000, 1001] {
            let all: Vec<usize> = (0..count).collect();
            assert_eq!(by_side(&all, &|at, one| at + one), all.iter().map(|n| 2 * n).collect::<Vec<_>>());
        }
    }
}
