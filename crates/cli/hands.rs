//! People who sign: `ssh-keygen -Y sign` with their key, their agent or their security key.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use audit::{AuditError, Hand, PublicKey, SshSignature};

use crate::args::bundle::HandArgs;
use crate::failure::{Failure, REFUSED};

/// A person and where their key is.
pub(crate) struct Person {
    path: PathBuf,
    key: PublicKey,
    principal: String,
}

/// The person that the flags name, if they do.
pub(crate) fn person(args: &HandArgs) -> Result<Option<Person>, Failure> {
    let Some(path) = &args.sign_key else { return Ok(None) };
    let line = public_line(path)?;
    let not_a_key = || Failure::usage(format!("{} is not an SSH key", path.display()));
    let (key, comment) = PublicKey::parse(line.trim()).ok_or_else(not_a_key)?;
    if !key.is_checked() {
        return Err(Failure::usage(format!("{} is of a type that bundles don't take", path.display()))
            .hint("ssh-keygen -t ed25519 (or ed25519-sk on a security key) makes one"));
    }
    let named = args.principal.clone().unwrap_or(comment);
    let principal = if named.is_empty() { key.fingerprint() } else { named };
    if principal.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, ',' | '"' | '#')) {
        return Err(Failure::usage(format!("{principal:?} cannot stand in an allowed_signers file"))
            .hint("--principal says whose key it is, in one word"));
    }
    Ok(Some(Person { path: path.clone(), key, principal }))
}

fn public_line(path: &Path) -> Result<String, Failure> {
    let name = path.as_os_str().to_string_lossy();
    let public = if name.ends_with(".pub") { path.to_owned() } else { PathBuf::from(format!("{name}.pub")) };
    if public.is_file() {
        return std::fs::read_to_string(&public)
            .map_err(|e| Failure::io(&format!("read {}", public.display()), &e));
    }
    let out = Command::new("ssh-keygen").arg("-y").arg("-f").arg(path).stderr(Stdio::inherit()).output();
    let out = out.map_err(|e| Failure::io("run ssh-keygen", &e))?;
    if !out.status.success() {
        return Err(Failure::usage(format!("{} is not an SSH key", path.display())));
    }
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}

impl Hand for Person {
    fn key(&self) -> PublicKey {
        self.key.clone()
    }

    fn principal(&self) -> String {
        self.principal.clone()
    }

    fn sign(&self, namespace: &str, message: &[u8]) -> Result<SshSignature, AuditError> {
        let not_signed = |what: String| AuditError::NotSigned { what };
        let mut command = Command::new("ssh-keygen");
        command.args(["-q", "-Y", "sign", "-n", namespace, "-f"]).arg(&self.path);
        // what it asks for (a passphrase, a touch) it asks on the terminal
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn();
        let mut child = child.map_err(|e| not_signed(format!("ssh-keygen: {e}")))?;
        let written = child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(message));
        let out = child.wait_with_output().map_err(|e| not_signed(format!("ssh-keygen: {e}")))?;
        if !out.status.success() || written.is_err() {
            return Err(not_signed(format!("ssh-keygen ended with {}", out.status)));
        }
        let signature = SshSignature::read(&String::from_utf8_lossy(&out.stdout));
        let own = signature
            .filter(|signature| *signature.key() == self.key && signature.verifies(namespace, message));
        own.ok_or_else(|| not_signed("ssh-keygen signed with another key".to_owned()))
    }
}

/// Without a key, nobody can vouch.
pub(crate) fn needed(args: &HandArgs) -> Result<Person, Failure> {
    person(args)?.ok_or_else(|| {
        Failure::new(REFUSED, "no key signs this").hint("--sign-key says which SSH key is yours")
    })
}
