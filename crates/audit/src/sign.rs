//! Ed25519 keys: the names and ids of signed notes, `vkey` lines, and PEM files that OpenSSL reads.
//!
//! ```text
//! vkey = <name>+<8 hex of the key id>+base64(01 ‖ public key)
//! key id = the first 4 bytes of SHA-256(name ‖ LF ‖ 01 ‖ public key)
//! ```

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest as _, Sha256};

use crate::sshsig::PublicKey;
use crate::tree::hex;

/// The type of plain Ed25519 signatures.
const ED25519: u8 = 1;
/// The type of a witness's cosignatures.
const COSIGNATURE: u8 = 4;
/// DER of a PKCS#8 private key up to its 32 bytes of seed.
const PKCS8: &[u8] = &[0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
/// DER of a public key up to its 32 bytes.
const SPKI: &[u8] = &[0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0];
const PRIVATE_LABEL: &str = "PRIVATE KEY";

/// The four bytes by which a signature names its key.
pub(crate) type KeyId = [u8; 4];

/// A key that signs.
pub struct Signer {
    name: String,
    key: SigningKey,
}

/// A key that checks signatures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verifier {
    name: String,
    kind: u8,
    key: VerifyingKey,
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signer({})", self.name)
    }
}

impl Signer {
    /// A key from 32 bytes that nobody can guess.
    pub fn new(name: impl Into<String>, seed: &[u8; 32]) -> Self {
        Self { name: name.into(), key: SigningKey::from_bytes(seed) }
    }

    /// A key from its PKCS#8 PEM.
    pub fn from_pem(name: impl Into<String>, pem: &str) -> Option<Self> {
        let begin = format!("-----BEGIN {PRIVATE_LABEL}-----");
        let body =
            pem.trim().strip_prefix(&begin)?.strip_suffix(&format!("-----END {PRIVATE_LABEL}-----"))?;
        let der = STANDARD.decode(body.split_ascii_whitespace().collect::<String>()).ok()?;
        let seed = der.strip_prefix(PKCS8)?.try_into().ok()?;
        Some(Self::new(name, seed))
    }

    /// The key as PKCS#8 PEM.
    pub fn to_pem(&self) -> String {
        pem(PRIVATE_LABEL, PKCS8, &self.key.to_bytes())
    }

    /// The key's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What checks this key's signatures.
    pub fn verifier(&self) -> Verifier {
        Verifier { name: self.name.clone(), kind: ED25519, key: self.key.verifying_key() }
    }

    pub(crate) fn sign(&self, text: &[u8]) -> [u8; 64] {
        self.key.sign(text).to_bytes()
    }
}

impl Verifier {
    /// Reads a `vkey` line; `None` if it is not one, or its id is not that of its key.
    pub fn parse(vkey: &str) -> Option<Self> {
        let (name, rest) = vkey.split_once('+')?;
        let (id, key) = rest.split_once('+')?;
        let bytes = STANDARD.decode(key).ok()?;
        let (kind, key) = bytes.split_first()?;
        let key = VerifyingKey::from_bytes(key.try_into().ok()?).ok()?;
        let verifier = Self { name: name.to_owned(), kind: *kind, key };
        let known = matches!(*kind, ED25519 | COSIGNATURE) && is_key_name(name);
        (known && hex(&verifier.id()) == id).then_some(verifier)
    }

    /// The key as a `vkey` line.
    pub fn vkey(&self) -> String {
        let key = [&[self.kind][..], self.key.as_bytes()].concat();
        format!("{}+{}+{}", self.name, hex(&self.id()), STANDARD.encode(key))
    }

    /// The public key as PEM.
    pub fn to_pem(&self) -> String {
        pem("PUBLIC KEY", SPKI, self.key.as_bytes())
    }

    /// The key's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The key's id.
    pub fn id(&self) -> KeyId {
        let hash = Sha256::new()
            .chain_update(&self.name)
            .chain_update([b'\n', self.kind])
            .chain_update(self.key.as_bytes())
            .finalize();
        [hash[0], hash[1], hash[2], hash[3]]
    }

    /// True if it checks a witness's cosignatures.
    pub fn is_witness(&self) -> bool {
        self.kind == COSIGNATURE
    }

    /// The key as SSH writes it.
    pub fn ssh_key(&self) -> PublicKey {
        PublicKey::ed25519(self.key.as_bytes())
    }

    pub(crate) fn verifies(&self, text: &[u8], signature: &[u8]) -> bool {
        let signature = signature.try_into().map(|bytes| Signature::from_bytes(&bytes));
        signature.is_ok_and(|signature| self.key.verify_strict(text, &signature).is_ok())
    }
}

/// A key's name has no space and no `+`.
pub(crate) fn is_key_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '+')
}

fn pem(label: &str, prefix: &[u8], key: &[u8]) -> String {
    let body = STANDARD.encode([prefix, key].concat());
    format!("-----BEGIN {label}-----\n{body}\n-----END {label}-----\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_key_of_the_signed_note_package() {
        // key, id and signature of the examples in golang.org/x/mod/sumdb/note
        let vkey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
        let verifier = Verifier::parse(vkey).expect("a vkey");
        assert_eq!(verifier.vkey(), vkey);
        let text = b"If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
        let line =
            "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=";
        let signature = STANDARD.decode(line).expect("base64");
        assert_eq!(signature[..4], verifier.id());
        assert!(verifier.verifies(text, &signature[4..]));
        assert!(!verifier.verifies(&text[1..], &signature[4..]));
    }

    #[test]
    fn keys_survive_their_files() {
        let signer = Signer::new("a/b", &[7; 32]);
        let again = Signer::from_pem("a/b", &signer.to_pem()).expect("the key");
        assert_eq!(again.verifier(), signer.verifier());
        assert_eq!(Verifier::parse(&signer.verifier().vkey()), Some(signer.verifier()));
        assert!(signer.verifier().to_pem().starts_with("-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA"));
        assert!(
            Signer::from_pem("a", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----").is_none()
        );
    }

    #[test]
    fn a_vkey_whose_id_is_another_keys_is_none() {
        let vkey = Signer::new("a", &[7; 32]).verifier().vkey();
        let other = vkey.replacen("a+", "b+", 1);
        assert_eq!(Verifier::parse(&other), None);
        for bad in ["", "a+b", "a+00000000+AAAA", "a b+00000000+AAAA"] {
            assert_eq!(Verifier::parse(bad), None);
        }
    }
}
