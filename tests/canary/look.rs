//! Looking: the windows of every secret, in every dress, in whatever bytes.

use std::collections::{BTreeMap, HashMap};

use super::secrets::{BASE62, Planter, random};
use crate::house::Dice;

/// So much of a secret in a row is a find.
const WINDOW: usize = 12;
/// The same for hex, where chance is more likely.
const HEX_WINDOW: usize = 20;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn percent(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("%{byte:02x}")).collect()
}

/// Base64 without the characters at the ends that depend on what stands beside.
fn base64(bytes: &[u8], shift: usize) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let whole = &bytes[shift..];
    let whole = &whole[..whole.len() / 3 * 3];
    let digit = |n: u32| char::from(DIGITS[(n & 63) as usize]);
    let group = |group: &[u8]| {
        let n = group.iter().fold(0, |n, byte| n << 8 | u32::from(*byte));
        [digit(n >> 18), digit(n >> 12), digit(n >> 6), digit(n)]
    };
    whole.chunks(3).flat_map(group).collect()
}

/// Everything that is looked for, in lower case: what is read is turned into lower case, too.
pub(super) struct Wanted {
    /// Windows, and what they belong to.
    windows: HashMap<Vec<u8>, usize>,
    lengths: Vec<usize>,
    /// Whether anything begins with these two bytes.
    begins: Vec<bool>,
    labels: Vec<String>,
}

impl Wanted {
    pub(super) fn new(planted: &[(String, String)]) -> Self {
        let labels = planted.iter().map(|(_, label)| label.clone()).collect();
        let mut wanted = Self {
            windows: HashMap::new(),
            lengths: vec![WINDOW, HEX_WINDOW],
            begins: vec![false; 1 << 16],
            labels,
        };
        for (number, (secret, _)) in planted.iter().enumerate() {
            wanted.add(secret.as_bytes(), WINDOW, number);
            for cased in [secret.clone(), secret.to_lowercase(), secret.to_uppercase()] {
                let bytes = cased.as_bytes();
                wanted.add(hex(bytes).as_bytes(), HEX_WINDOW, number);
                wanted.add(percent(bytes).as_bytes(), HEX_WINDOW, number);
                (0..3).for_each(|shift| wanted.add(base64(bytes, shift).as_bytes(), WINDOW, number));
            }
        }
        wanted
    }

    fn add(&mut self, bytes: &[u8], window: usize, number: usize) {
        for part in bytes.to_ascii_lowercase().windows(window) {
            self.begins[usize::from(part[0]) << 8 | usize::from(part[1])] = true;
            self.windows.insert(part.to_vec(), number);
        }
    }

    /// Whose secrets these bytes hold, each once, with what stands around them.
    pub(super) fn find(&self, bytes: &[u8]) -> BTreeMap<String, String> {
        let bytes = bytes.to_ascii_lowercase();
        let mut found = BTreeMap::new();
        for (at, pair) in bytes.windows(2).enumerate() {
            if !self.begins[usize::from(pair[0]) << 8 | usize::from(pair[1])] {
                continue;
            }
            for length in &self.lengths {
                if let Some(number) = bytes.get(at..at + length).and_then(|window| self.windows.get(window)) {
                    let around = &bytes[at.saturating_sub(40)..(at + 40).min(bytes.len())];
                    let label = self.labels[*number].clone();
                    found.entry(label).or_insert_with(|| around.escape_ascii().to_string());
                }
            }
        }
        found
    }
}

#[test]
fn a_secret_is_found_however_it_is_written() {
    let mut planter = Planter::new();
    planter.at("the test");
    let secret = planter.password();
    let wanted = Wanted::new(&planter.planted);
    let bytes = secret.as_bytes();
    for hidden in [
        secret.clone(),
        secret.to_uppercase(),
        secret[2..14].to_owned(),
        hex(bytes),
        hex(bytes).to_uppercase(),
        percent(bytes),
        base64(bytes, 0),
        base64(format!("x{secret}").as_bytes(), 0),
        base64(format!("xy{secret}z").as_bytes(), 0),
        base64(secret.to_lowercase().as_bytes(), 0),
    ] {
        assert_eq!(wanted.find(format!("before {hidden} behind").as_bytes()).len(), 1, "{hidden}");
    }
    assert!(wanted.find(&bytes[2..13]).is_empty());
    assert!(wanted.find(random(&mut Dice::of(1), BASE62, 100_000).as_bytes()).is_empty());
}
