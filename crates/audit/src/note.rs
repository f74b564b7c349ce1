//! Signed notes and checkpoints, as C2SP writes them: what witnesses sign and other people's verifiers read.
//!
//! ```text
//! recount/<store id>          the log's name
//! 812                         its size in leaves
//! <base64 of the root>
//!
//! — recount/<store id> <base64 of key id ‖ signature>
//! ```
//! A signature covers the text above the empty line, its last LF included. Signatures of keys that a reader
//! does not know are passed over.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::sign::{KeyId, Signer, Verifier, is_key_name};
use crate::tree::{Hash, Tree};

const MAX_NOTE_BYTES: usize = 64 * 1024;
const DASH: &str = "— ";

/// One signature line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    name: String,
    id: KeyId,
    bytes: Vec<u8>,
}

impl Signed {
    /// Reads a signature line.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        signed(line)
    }

    /// The name of the key.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A text and who signed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The text, its last LF included.
    pub text: String,
    /// Its signatures.
    pub signatures: Vec<Signed>,
}

impl Note {
    /// Reads a note; the error says what is wrong with it.
    pub fn parse(bytes: &[u8]) -> Result<Self, &'static str> {
        if bytes.len() > MAX_NOTE_BYTES {
            return Err("longer than a note may be");
        }
        let whole = std::str::from_utf8(bytes).map_err(|_| "not UTF-8")?;
        if whole.bytes().any(|b| b < 0x20 && b != b'\n') {
            return Err("a control character");
        }
        let (text, lines) = whole.rsplit_once("\n\n").ok_or("no empty line before signatures")?;
        let lines = lines.strip_suffix('\n').ok_or("no newline at the end")?;
        let signatures = lines
            .split('\n')
            .map(|line| signed(line).ok_or("not a signature line"))
            .collect::<Result<_, _>>()?;
        Ok(Self { text: format!("{text}\n"), signatures })
    }

    /// A text, signed.
    pub fn sign(text: String, signers: &[&Signer]) -> Self {
        let signed = |signer: &&Signer| Signed {
            name: signer.name().to_owned(),
            id: signer.verifier().id(),
            bytes: signer.sign(text.as_bytes()).to_vec(),
        };
        let signatures = signers.iter().map(signed).collect();
        Self { text, signatures }
    }

    /// The note as a file has it.
    pub fn to_text(&self) -> String {
        let line =
            |s: &Signed| format!("{DASH}{} {}\n", s.name, STANDARD.encode([&s.id[..], &s.bytes].concat()));
        format!("{}\n{}", self.text, self.signatures.iter().map(line).collect::<String>())
    }

    fn of<'a>(&'a self, key: &'a Verifier) -> impl Iterator<Item = &'a Signed> {
        self.signatures.iter().filter(|s| s.name == key.name() && s.id == key.id())
    }

    /// Adds a signature, in place of an older one of the same key.
    pub(crate) fn add(&mut self, signed: Signed) {
        self.signatures.retain(|known| (&known.name, known.id) != (&signed.name, signed.id));
        self.signatures.push(signed);
    }

    /// True if the key signed it.
    pub fn is_signed_by(&self, key: &Verifier) -> bool {
        self.of(key).any(|signed| key.verifies(self.text.as_bytes(), &signed.bytes))
    }

    /// What a witness says: `None` nothing, else when it saw this text, or that its signature is none.
    pub fn witnessed_by(&self, key: &Verifier) -> Option<Result<u64, &'static str>> {
        let signed = self.of(key).next()?;
        let Some((time, signature)) = signed.bytes.split_first_chunk::<8>() else {
            return Some(Err("its cosignature has no time"));
        };
        let time = u64::from_be_bytes(*time);
        let text = format!("cosignature/v1\ntime {time}\n{}", self.text);
        let good = time < 1 << 53 && key.verifies(text.as_bytes(), signature);
        Some(if good { Ok(time) } else { Err("its cosignature does not verify") })
    }
}

fn signed(line: &str) -> Option<Signed> {
    let (name, encoded) = line.strip_prefix(DASH)?.split_once(' ')?;
    let bytes = STANDARD.decode(encoded).ok()?;
    let (id, bytes) = bytes.split_first_chunk::<4>()?;
    (is_key_name(name) && !bytes.is_empty()).then(|| Signed {
        name: name.to_owned(),
        id: *id,
        bytes: bytes.to_vec(),
    })
}

/// What a log says of itself: so many leaves, this root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The log's name.
    pub origin: String,
    /// Its size in leaves.
    pub size: u64,
    /// Its root.
    pub root: Hash,
}

impl Checkpoint {
    /// What a tree says of a log.
    pub fn of(origin: &str, tree: &Tree) -> Self {
        Self { origin: origin.to_owned(), size: tree.size(), root: tree.root() }
    }

    /// Reads a note's text. Further lines are extensions, covered and passed over.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let mut lines = text.split('\n');
        let origin = lines.next().filter(|line| !line.is_empty()).ok_or("no origin")?;
        let size = lines.next().unwrap_or_default();
        let number = size.parse::<u64>().ok().filter(|n| n.to_string() == size).ok_or("no size")?;
        let root = lines.next().and_then(|line| STANDARD.decode(line).ok());
        let root = root.and_then(|root| root.try_into().ok()).ok_or("no root")?;
        Ok(Self { origin: origin.to_owned(), size: number, root })
    }

    /// The text that is signed.
    pub fn to_text(&self) -> String {
        format!("{}\n{}\n{}\n", self.origin, self.size, STANDARD.encode(self.root))
    }

    /// Signs it.
    pub fn sign(&self, signers: &[&Signer]) -> Note {
        Note::sign(self.to_text(), signers)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A witness's signature line over a note's text.
    pub(crate) fn cosign(note: &mut Note, name: &str, seed: &[u8; 32], time: u64) -> String {
        let signer = Signer::new(name, seed);
        let key = signer.verifier().vkey();
        let raw = STANDARD.decode(key.splitn(3, '+').nth(2).expect("a key")).expect("base64");
        let vkey_bytes = [&[4][..], &raw[1..]].concat();
        let id = crate::tree::hex(&{
            use sha2::{Digest as _, Sha256};
            let hash = Sha256::digest([name.as_bytes(), b"\n", &vkey_bytes].concat());
            [hash[0], hash[1], hash[2], hash[3]]
        });
        let vkey = format!("{name}+{id}+{}", STANDARD.encode(&vkey_bytes));
        let verifier = Verifier::parse(&vkey).expect("a witness key");
        let text = format!("cosignature/v1\ntime {time}\n{}", note.text);
        let bytes = [&time.to_be_bytes()[..], &signer.sign(text.as_bytes())].concat();
        note.signatures.push(Signed { name: name.to_owned(), id: verifier.id(), bytes });
        vkey
    }

    fn checkpoint() -> Checkpoint {
        let mut tree = Tree::default();
        tree.push(crate::tree::leaf_hash(b"genesis"));
        Checkpoint::of("recount/0123", &tree)
    }

    #[test]
    fn a_note_reads_back_and_knows_its_signers() {
        let (one, two) = (Signer::new("one", &[1; 32]), Signer::new("two", &[2; 32]));
        let text = checkpoint().sign(&[&one]).to_text();
        let note = Note::parse(text.as_bytes()).expect("a note");
        assert_eq!(note.to_text(), text);
        assert_eq!(Checkpoint::parse(&note.text), Ok(checkpoint()));
        assert!(note.is_signed_by(&one.verifier()) && !note.is_signed_by(&two.verifier()));
        // the right name with another key is another signer
        assert!(!note.is_signed_by(&Signer::new("one", &[3; 32]).verifier()));
    }

    #[test]
    fn what_is_not_a_note_is_refused() {
        let good = checkpoint().sign(&[&Signer::new("one", &[1; 32])]).to_text();
        assert!(Note::parse(good.as_bytes()).is_ok());
        for bad in [
            good.trim_end().to_owned(),
            good.replace('\n', "\r\n"),
            good.replacen("\n\n", "\n", 1),
            good.replace("— ", "- "),
            format!("{good}\n"),
            good.replacen("one ", "o+e ", 1),
            format!("{}— one AAAA\n", &good[..good.len() - 1]),
        ] {
            assert!(Note::parse(bad.as_bytes()).is_err(), "{bad:?}");
        }
        assert!(Note::parse(&[0xff]).is_err());
        for bad in ["", "x\n01\n", "x\n1\nAAAA\n", "x\n-1\n"] {
            assert!(Checkpoint::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_witness_says_when_and_only_of_what_it_saw() {
        let mut note = checkpoint().sign(&[&Signer::new("one", &[1; 32])]);
        let witness = Verifier::parse(&cosign(&mut note, "w1", &[9; 32], 1_700_000_000)).expect("a key");
        assert!(witness.is_witness());
        assert_eq!(note.witnessed_by(&witness), Some(Ok(1_700_000_000)));
        let mut other = note.clone();
        other.text = Checkpoint { size: 2, ..checkpoint() }.to_text();
        assert!(matches!(other.witnessed_by(&witness), Some(Err(_))));
        note.signatures.pop();
        assert_eq!(note.witnessed_by(&witness), None);
    }
}
