//! Signatures of people: SSHSIG, as `ssh-keygen -Y sign` makes and `ssh-keygen -Y verify` checks them.
//!
//! ```text
//! armor( "SSHSIG" ‖ 1 ‖ key ‖ namespace ‖ "" ‖ hash name ‖ signature )      what is signed:
//! "SSHSIG" ‖ namespace ‖ "" ‖ hash name ‖ hash(message)
//! ```
//! Checked here: `ssh-ed25519` and, of security keys, `sk-ssh-ed25519@openssh.com`. A signature has one armor:
//! whatever differs from it by a byte is none.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest as _, Sha256, Sha512};

use crate::error::AuditError;
use crate::sign::Signer;

const MAGIC: &[u8] = b"SSHSIG";
const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----\n";
const END: &str = "-----END SSH SIGNATURE-----\n";
const COLUMNS: usize = 70;
const ED25519: &str = "ssh-ed25519";
const SK_ED25519: &str = "sk-ssh-ed25519@openssh.com";

/// A public key as SSH writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey {
    blob: Vec<u8>,
}

/// A signature, its key and what it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SshSignature {
    key: PublicKey,
    namespace: String,
    hash: String,
    signature: Vec<u8>,
}

/// Somebody who can sign: a person by a key of their own, or the log by its own.
pub trait Hand {
    /// The public key.
    fn key(&self) -> PublicKey;
    /// Whose it is.
    fn principal(&self) -> String;
    /// Signs a message for one purpose.
    fn sign(&self, namespace: &str, message: &[u8]) -> Result<SshSignature, AuditError>;
}

impl PublicKey {
    /// An Ed25519 key by its 32 bytes.
    pub fn ed25519(key: &[u8; 32]) -> Self {
        let mut blob = Vec::new();
        put(&mut blob, ED25519.as_bytes());
        put(&mut blob, key);
        Self { blob }
    }

    /// Reads a line of a `.pub` file, and its comment.
    pub fn parse(line: &str) -> Option<(Self, String)> {
        let mut words = line.split_ascii_whitespace();
        let (kind, encoded) = (words.next()?, words.next()?);
        let key = Self { blob: STANDARD.decode(encoded).ok()? };
        (key.kind() == Some(kind)).then(|| (key, words.collect::<Vec<_>>().join(" ")))
    }

    /// The key as a `.pub` file has it, without a comment.
    pub fn to_line(&self) -> String {
        format!("{} {}", self.kind().unwrap_or_default(), STANDARD.encode(&self.blob))
    }

    /// What people compare: `SHA256:…`.
    pub fn fingerprint(&self) -> String {
        format!("SHA256:{}", STANDARD_NO_PAD.encode(Sha256::digest(&self.blob)))
    }

    /// True for the types of keys whose signatures are checked here.
    pub fn is_checked(&self) -> bool {
        matches!(self.kind(), Some(ED25519 | SK_ED25519))
    }

    fn kind(&self) -> Option<&str> {
        std::str::from_utf8(take(&mut &self.blob[..])?).ok()
    }

    fn verifies(&self, message: &[u8], signature: &[u8]) -> Option<bool> {
        let (mut key, mut signed) = (&self.blob[..], signature);
        let kind = take(&mut key)?;
        if take(&mut signed)? != kind {
            return Some(false);
        }
        let public = VerifyingKey::from_bytes(take(&mut key)?.try_into().ok()?).ok()?;
        let bytes = Signature::from_bytes(take(&mut signed)?.try_into().ok()?);
        let message = if kind == SK_ED25519.as_bytes() {
            let application = take(&mut key)?;
            let (presence, rest) = signed.split_at_checked(5)?;
            signed = rest;
            [&Sha256::digest(application)[..], presence, &Sha256::digest(message)[..]].concat()
        } else if kind == ED25519.as_bytes() {
            message.to_vec()
        } else {
            return Some(false);
        };
        Some(key.is_empty() && signed.is_empty() && public.verify_strict(&message, &bytes).is_ok())
    }
}

impl SshSignature {
    /// Reads an armored signature, however it is broken into lines.
    pub fn read(text: &str) -> Option<Self> {
        let body = text.trim().strip_prefix(BEGIN.trim_end())?.strip_suffix(END.trim_end())?;
        let bytes = STANDARD.decode(body.split_ascii_whitespace().collect::<String>()).ok()?;
        let mut rest = bytes.strip_prefix(MAGIC)?.strip_prefix(&[0, 0, 0, 1])?;
        let key = PublicKey { blob: take(&mut rest)?.to_vec() };
        let namespace = String::from_utf8(take(&mut rest)?.to_vec()).ok()?;
        let reserved = take(&mut rest)?;
        let hash = String::from_utf8(take(&mut rest)?.to_vec()).ok()?;
        let signature = take(&mut rest)?.to_vec();
        (reserved.is_empty() && rest.is_empty()).then_some(Self { key, namespace, hash, signature })
    }

    /// Reads the one armor that a signature has.
    pub fn parse(text: &str) -> Option<Self> {
        Self::read(text).filter(|signature| signature.armor() == text)
    }

    /// The signature as its file has it.
    pub fn armor(&self) -> String {
        let mut bytes = [MAGIC, &[0, 0, 0, 1]].concat();
        put(&mut bytes, &self.key.blob);
        put(&mut bytes, self.namespace.as_bytes());
        put(&mut bytes, b"");
        put(&mut bytes, self.hash.as_bytes());
        put(&mut bytes, &self.signature);
        let encoded = STANDARD.encode(bytes);
        let mut text = BEGIN.to_owned();
        for at in (0..encoded.len()).step_by(COLUMNS) {
            text.push_str(&encoded[at..encoded.len().min(at + COLUMNS)]);
            text.push('\n');
        }
        text + END
    }

    /// Whose it says that it is.
    pub fn key(&self) -> &PublicKey {
        &self.key
    }

    /// True if the key signed this message for this purpose.
    pub fn verifies(&self, namespace: &str, message: &[u8]) -> bool {
        let text = signed_text(namespace, &self.hash, message);
        self.namespace == namespace
            && text.and_then(|text| self.key.verifies(&text, &self.signature)) == Some(true)
    }
}

/// What is signed; `None` for a hash that nobody should use.
fn signed_text(namespace: &str, hash: &str, message: &[u8]) -> Option<Vec<u8>> {
    let digest = match hash {
        "sha256" => Sha256::digest(message).to_vec(),
        "sha512" => Sha512::digest(message).to_vec(),
        _ => return None,
    };
    let mut text = MAGIC.to_vec();
    put(&mut text, namespace.as_bytes());
    put(&mut text, b"");
    put(&mut text, hash.as_bytes());
    put(&mut text, &digest);
    Some(text)
}

fn put(bytes: &mut Vec<u8>, part: &[u8]) {
    bytes.extend(u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes());
    bytes.extend(part);
}

fn take<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (len, rest) = bytes.split_first_chunk::<4>()?;
    let (part, rest) = rest.split_at_checked(u32::from_be_bytes(*len) as usize)?;
    *bytes = rest;
    Some(part)
}

impl Hand for Signer {
    fn key(&self) -> PublicKey {
        self.verifier().ssh_key()
    }

    fn principal(&self) -> String {
        self.name().to_owned()
    }

    fn sign(&self, namespace: &str, message: &[u8]) -> Result<SshSignature, AuditError> {
        let hash = "sha512".to_owned();
        let text = signed_text(namespace, &hash, message).unwrap_or_default();
        let mut signature = Vec::new();
        put(&mut signature, ED25519.as_bytes());
        put(&mut signature, &Self::sign(self, &text));
        Ok(SshSignature { key: Hand::key(self), namespace: namespace.to_owned(), hash, signature })
    }
}

/// Whose keys count for what: an `allowed_signers` file as `ssh-keygen` reads it.
#[derive(Debug, Clone, Default)]
pub struct AllowedSigners {
    rows: Vec<Allowed>,
}

#[derive(Debug, Clone)]
struct Allowed {
    principals: String,
    namespaces: Option<String>,
    after: Option<String>,
    before: Option<String>,
    key: PublicKey,
}

impl AllowedSigners {
    /// Reads the file; the error is the line that is none.
    pub fn parse(text: &str) -> Result<Self, usize> {
        let lines = text.lines().map(str::trim).enumerate();
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let rows = lines.map(|(number, line)| allowed(line).ok_or(number + 1)).collect::<Result<_, _>>()?;
        Ok(Self { rows })
    }

    /// True if this key counts for the principal and the purpose at that time (RFC 3339 in UTC).
    pub fn allow(&self, key: &PublicKey, principal: &str, namespace: &str, ts: &str) -> bool {
        let at: String = ts.bytes().take(19).filter(u8::is_ascii_digit).map(char::from).collect();
        self.rows.iter().any(|row| {
            row.key == *key
                && matches_list(&row.principals, principal)
                && row.namespaces.as_ref().is_none_or(|list| matches_list(list, namespace))
                && row.after.as_ref().is_none_or(|after| *after <= at)
                && row.before.as_ref().is_none_or(|before| at < *before)
        })
    }
}

fn allowed(line: &str) -> Option<Allowed> {
    let (principals, mut rest) = line.split_once([' ', '\t'])?;
    let (mut namespaces, mut after, mut before) = (None, None, None);
    loop {
        rest = rest.trim_start();
        if let Some((key, _)) = PublicKey::parse(rest) {
            return Some(Allowed { principals: principals.to_owned(), namespaces, after, before, key });
        }
        let (name, behind) = rest.split_once("=\"")?;
        let (value, behind) = behind.split_once('"')?;
        match name.trim_start_matches(',') {
            "namespaces" => namespaces = Some(value.to_owned()),
            "valid-after" => after = Some(moment(value)),
            "valid-before" => before = Some(moment(value)),
            _ => return None,
        }
        rest = behind;
    }
}

/// `YYYYMMDD[HHMM[SS]][Z]` with all its digits.
fn moment(text: &str) -> String {
    format!("{:0<14}", text.trim_end_matches('Z'))
}

fn matches_list(list: &str, text: &str) -> bool {
    list.split(',').any(|pattern| matches(pattern.as_bytes(), text.as_bytes()))
}

/// `*` and `?` as in SSH's patterns.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    match (pattern.split_first(), text.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => {
            matches(rest, text) || text.split_first().is_some_and(|(_, text)| matches(pattern, text))
        }
        (Some((b'?', rest)), Some((_, text))) => matches(rest, text),
        (Some((a, rest)), Some((b, text))) => a == b && matches(rest, text),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by `ssh-keygen -Y sign -n recount-bundle` over the bytes `hello`.
    const KEY: &str = include_str!("tests/sshsig/key.pub");
    const SIGNATURE: &str = include_str!("tests/sshsig/hello.sig");

    #[test]
    fn case_70_what_ssh_keygen_signed_is_verified_and_written_as_it_writes_it() {
        let signature = SshSignature::parse(SIGNATURE).expect("one armor for both");
        let (key, _) = PublicKey::parse(KEY).expect("a key");
        assert_eq!(signature.key(), &key);
        assert!(signature.verifies("recount-bundle", b"hello"));
        assert!(!signature.verifies("recount-custody", b"hello"));
        assert!(!signature.verifies("recount-bundle", b"hello\n"));
    }

    #[test]
    fn a_changed_byte_of_a_signature_is_none() {
        for at in 0..SIGNATURE.len() {
            for bit in 0..8 {
                let mut bytes = SIGNATURE.as_bytes().to_vec();
                bytes[at] ^= 1 << bit;
                let good = std::str::from_utf8(&bytes)
                    .ok()
                    .and_then(SshSignature::parse)
                    .is_some_and(|signature| signature.verifies("recount-bundle", b"hello"));
                assert!(!good, "byte {at}, bit {bit}");
            }
        }
    }

    #[test]
    fn the_keys_of_a_log_sign_as_people_do() {
        let signer = Signer::new("recount/ab", &[3; 32]);
        let signature = Hand::sign(&signer, "n", b"text").expect("a signature");
        assert_eq!(SshSignature::parse(&signature.armor()), Some(signature.clone()));
        assert!(signature.verifies("n", b"text") && !signature.verifies("m", b"text"));
        assert_eq!(signature.key().to_line().split(' ').count(), 2);
    }

    #[test]
    fn whose_key_counts_depends_on_name_purpose_and_time() {
        let key = PublicKey::ed25519(&[7; 32]);
        let line = key.to_line();
        let text = format!(
            "# ours\nada@x,bob* namespaces=\"recount-bundle\",valid-before=\"20270101\" {line}\neve {line} a comment\n"
        );
        let signers = AllowedSigners::parse(&text).expect("a file");
        let at = "2026-11-27T20:47:19.123456Z";
        assert!(signers.allow(&key, "ada@x", "recount-bundle", at));
        assert!(signers.allow(&key, "bobby", "recount-bundle", at));
        assert!(!signers.allow(&key, "ada@x", "recount-custody", at));
        assert!(!signers.allow(&key, "ada@x", "recount-bundle", "2027-01-01T00:00:00.000000Z"));
        assert!(
            signers.allow(&key, "eve", "anything", at) && !signers.allow(&key, "mallory", "anything", at)
        );
        assert!(!signers.allow(&PublicKey::ed25519(&[8; 32]), "eve", "anything", at));
        assert!(matches!(AllowedSigners::parse("eve"), Err(1)));
    }
}
