//! The Merkle tree of RFC 6962 over SHA-256: roots as leaves arrive, and proofs that a leaf is under a root.
//!
//! ```text
//! leaf = SHA-256(00 ‖ data)      node = SHA-256(01 ‖ left ‖ right)      root of nothing = SHA-256()
//! the left part of n leaves is the largest power of two below n
//! ```
//! [`Tree`] keeps one hash for each bit of its size, so a session of a million events costs 20 hashes.

use sha2::{Digest as _, Sha256};

/// A SHA-256 hash.
pub type Hash = [u8; 32];

/// Hash of a leaf.
pub(crate) fn leaf_hash(data: &[u8]) -> Hash {
    Sha256::new().chain_update([0]).chain_update(data).finalize().into()
}

pub(crate) fn node_hash(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

/// A tree that grows: its size and the roots of its whole subtrees, the largest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    size: u64,
    whole: Vec<Hash>,
}

impl Tree {
    /// A tree as [`Tree::parts`] told it; `None` if no tree of that size has so many parts.
    pub fn of(size: u64, whole: Vec<Hash>) -> Option<Self> {
        (size.count_ones() as usize == whole.len()).then_some(Self { size, whole })
    }

    /// Roots of the whole subtrees, the largest first: one for each bit of the size.
    pub fn parts(&self) -> &[Hash] {
        &self.whole
    }

    /// How many leaves.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Adds a leaf by its hash.
    pub fn push(&mut self, leaf: Hash) {
        let mut hash = leaf;
        for _ in 0..self.size.trailing_ones() {
            // one part for each bit of the size
            let Some(left) = self.whole.pop() else { break };
            hash = node_hash(&left, &hash);
        }
        self.whole.push(hash);
        self.size += 1;
    }

    /// The root.
    pub fn root(&self) -> Hash {
        let mut parts = self.whole.iter().rev();
        let Some(last) = parts.next() else { return Sha256::digest([]).into() };
        parts.fold(*last, |right, left| node_hash(left, &right))
    }
}

/// The root over leaf hashes.
pub(crate) fn root_of(leaves: &[Hash]) -> Hash {
    let mut tree = Tree::default();
    for leaf in leaves {
        tree.push(*leaf);
    }
    tree.root()
}

/// Where `n > 1` leaves are parted.
pub(crate) fn split(n: u64) -> u64 {
    1 << (n - 1).ilog2()
}

/// The hashes that lead from the leaf at `index` to the root over `leaves`; empty if it is not there.
pub(crate) fn inclusion(leaves: &[Hash], index: usize) -> Vec<Hash> {
    if leaves.len() < 2 || index >= leaves.len() {
        return Vec::new();
    }
    let at = usize::try_from(split(leaves.len() as u64)).unwrap_or(usize::MAX);
    let (left, right) = leaves.split_at(at);
    let (mut path, other) = if index < at {
        (inclusion(left, index), root_of(right))
    } else {
        (inclusion(right, index - at), root_of(left))
    };
    path.push(other);
    path
}

/// The root that a path leads to; `None` if the path has not the length that index and size demand.
pub(crate) fn root_from(leaf: Hash, index: u64, size: u64, path: &[Hash]) -> Option<Hash> {
    if index >= size {
        return None;
    }
    if size == 1 {
        return path.is_empty().then_some(leaf);
    }
    let (last, inner) = path.split_last()?;
    let at = split(size);
    if index < at {
        Some(node_hash(&root_from(leaf, index, at, inner)?, last))
    } else {
        Some(node_hash(last, &root_from(leaf, index - at, size - at, inner)?))
    }
}

/// The hashes that show that the tree over the first `old` leaves is a part of the one over all (RFC 6962 §2.1.2);
/// none if `old` is nothing or everything.
pub(crate) fn consistency(leaves: &[Hash], old: usize) -> Vec<Hash> {
    fn part(leaves: &[Hash], old: usize, known: bool) -> Vec<Hash> {
        if old == leaves.len() {
            return if known { Vec::new() } else { vec![root_of(leaves)] };
        }
        let at = usize::try_from(split(leaves.len() as u64)).unwrap_or(usize::MAX);
        let (left, right) = leaves.split_at(at);
        let (mut proof, other) = if old <= at {
            (part(left, old, known), root_of(right))
        } else {
            (part(right, old - at, false), root_of(left))
        };
        proof.push(other);
        proof
    }
    if old == 0 || old >= leaves.len() { Vec::new() } else { part(leaves, old, true) }
}

/// Lower-case hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A hash from 64 lower-case hex digits.
pub(crate) fn unhex(text: &str) -> Option<Hash> {
    let digits = text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let mut hash = [0; 32];
    for (at, byte) in hash.iter_mut().enumerate().filter(|_| digits) {
        *byte = u8::from_str_radix(&text[at * 2..at * 2 + 2], 16).ok()?;
    }
    digits.then_some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6962 §2.1, word by word.
    fn by_definition(leaves: &[Vec<u8>]) -> Hash {
        match leaves {
            [] => Sha256::digest([]).into(),
            [one] => Sha256::digest([&[0][..], one].concat()).into(),
            many => {
                let mut k = 1;
                while k * 2 < many.len() {
                    k *= 2;
                }
                let (left, right) = (by_definition(&many[..k]), by_definition(&many[k..]));
                Sha256::digest([&[1][..], &left, &right].concat()).into()
            }
        }
    }

    fn leaves(count: usize) -> Vec<Vec<u8>> {
        (0..count).map(|n| format!("leaf {n}").into_bytes()).collect()
    }

    #[test]
    fn the_known_roots_of_certificate_transparency() {
        // the test vectors that every RFC 6962 implementation carries
        let inputs = [
            "",
            "00",
            "10",
            "2021",
            "3031",
            "40414243",
            "5051525354555657",
            "606162636465666768696a6b6c6d6e6f",
        ];
        let roots = [
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
        ];
        let mut tree = Tree::default();
        assert_eq!(hex(&tree.root()), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        for (input, root) in inputs.iter().zip(roots) {
            let bytes: Vec<u8> = (0..input.len() / 2)
                .map(|n| u8::from_str_radix(&input[n * 2..n * 2 + 2], 16).expect("hex"))
                .collect();
            tree.push(leaf_hash(&bytes));
            assert_eq!(hex(&tree.root()), root);
        }
    }

    #[test]
    fn case_70_the_tree_is_that_of_the_rfc_for_every_size_up_to_300() {
        let data = leaves(300);
        let mut tree = Tree::default();
        for size in 0..=data.len() {
            assert_eq!(tree.root(), by_definition(&data[..size]), "{size}");
            assert_eq!(Tree::of(tree.size(), tree.parts().to_vec()), Some(tree.clone()));
            data.get(size).into_iter().for_each(|leaf| tree.push(leaf_hash(leaf)));
        }
    }

    #[test]
    fn a_path_leads_to_the_root_from_its_own_place_alone() {
        let hashes: Vec<Hash> = leaves(40).iter().map(|leaf| leaf_hash(leaf)).collect();
        for size in 1..=hashes.len() {
            let root = root_of(&hashes[..size]);
            for index in 0..size {
                let path = inclusion(&hashes[..size], index);
                let (at, n) = (index as u64, size as u64);
                assert_eq!(root_from(hashes[index], at, n, &path), Some(root), "{index} of {size}");
                for other in (0..n).filter(|other| *other != at) {
                    assert_ne!(root_from(hashes[index], other, n, &path), Some(root), "{index} as {other}");
                }
                let longer = [path.clone(), vec![root]].concat();
                assert_ne!(root_from(hashes[index], at, n, &longer), Some(root));
            }
        }
        assert_eq!(root_from(hashes[0], 1, 1, &[]), None);
    }

    #[test]
    fn hex_reads_back_and_nothing_else_is_a_hash() {
        let hash = leaf_hash(b"x");
        assert_eq!(unhex(&hex(&hash)), Some(hash));
        for bad in ["", "00", &hex(&hash).to_uppercase(), &format!("é{}", &hex(&hash)[2..])] {
            assert_eq!(unhex(bad), None);
        }
    }
}
