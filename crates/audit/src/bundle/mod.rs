//! Bundles: what is handed to somebody who has no account, no network and no reason to believe us.
//!
//! ```text
//! MANIFEST.json            in-toto Statement: every file with its hashes, what is told, what is claimed
//! MANIFEST.json.sig        SSHSIG over it, namespace recount-bundle
//! SHA256SUMS  B3SUMS       every file but these two, the signature and the custody lines
//! request.json             what was asked for; its SHA-256 and the signer's key stand in the log's export leaf
//! events/<session>.ndjson  stored lines, headers, or hashes        blobs/…   what those lines refer to
//! proofs/<session>.pruned  the tree of the session's seal, pruned to what is told
//! STORE  log/…             the store log up to its checkpoint, with the notes of its epochs
//! keys/…                   for information: what counts is a pin that came another way
//! custody.ndjson           grows afterwards: who handed it to whom, chained and signed
//! report.html  report.md  VERIFY.md  verify.sh  verify.py
//! ```
//! - B1  the same store and the same order give the same bytes
//! - B2  whatever is left out is counted, at its place, under a root that was signed before anybody asked
//! - B3  checking writes nothing and believes nothing but the pin and, for people's keys, an `allowed_signers` file
//! - B4  no byte can be changed, added or removed without a finding

mod build;
mod check;
pub(crate) mod custody;
mod dest;
mod filter;
pub(crate) mod manifest;
pub(crate) mod pack;
mod parcel;
mod pruned;
mod report;
mod report_html;
mod select;
mod shelf;
mod telling;

pub use build::{Bundled, Order, bundle};
pub use check::{BundleFacts, Demanded, Examined, examine};
pub use custody::{Step, hand_over};
pub use filter::Filter;
pub use manifest::Request;
pub use pruned::Level;
pub use select::{Selection, select};
pub use telling::Pick;

#[cfg(test)]
pub(crate) use build::build;
#[cfg(test)]
pub(crate) use dest::Dest;

pub(crate) const MANIFEST: &str = "MANIFEST.json";
pub(crate) const SIGNATURE: &str = "MANIFEST.json.sig";
pub(crate) const SHA256_SUMS: &str = "SHA256SUMS";
pub(crate) const BLAKE3_SUMS: &str = "B3SUMS";
pub(crate) const CUSTODY: &str = "custody.ndjson";
pub(crate) const REQUEST: &str = "request.json";
pub(crate) const REPORT_HTML: &str = "report.html";
pub(crate) const REPORT_MD: &str = "report.md";
pub(crate) const ALLOWED: &str = "keys/allowed_signers";
pub(crate) const NAMESPACE: &str = "recount-bundle";
pub(crate) const VERIFY_MD: (&str, &str) = ("VERIFY.md", include_str!("paper/VERIFY.md"));
pub(crate) const VERIFY_SH: (&str, &str) = ("verify.sh", include_str!("paper/verify.sh"));
pub(crate) const VERIFY_PY: (&str, &str) = ("verify.py", include_str!("paper/verify.py"));
/// Files that no subject names.
pub(crate) const BESIDE: [&str; 5] = [MANIFEST, SIGNATURE, SHA256_SUMS, BLAKE3_SUMS, CUSTODY];

/// A ULID: 48 bits of milliseconds and 80 of chance, in Crockford's letters.
pub fn ulid(now: world::Instant, chance: &[u8; 10]) -> String {
    const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let millis = u128::try_from(now / 1000).unwrap_or(0) & ((1 << 48) - 1);
    let number = chance.iter().fold(millis, |number, byte| number << 8 | u128::from(*byte));
    (0..26)
        .rev()
        .map(|at| char::from(LETTERS[usize::try_from(number >> (at * 5) & 31).unwrap_or(0)]))
        .collect()
}

/// SHA-256 of a file, in hex.
pub fn file_sha256(path: &std::path::Path) -> std::io::Result<String> {
    use sha2::Digest as _;
    let mut hash = sha2::Sha256::new();
    let (mut file, mut buffer) = (std::fs::File::open(path)?, vec![0; 256 * 1024]);
    loop {
        match std::io::Read::read(&mut file, &mut buffer)? {
            0 => return Ok(crate::tree::hex(&hash.finalize())),
            count => hash.update(&buffer[..count]),
        }
    }
}
