//! What is typed where a program asks for it: `$ su -⏎Password: X`, `Enter passphrase for key 'k': four words or so`.

use crate::company;
use crate::names::{Name, Trust};
use crate::prose;
use crate::span::Spans;
use crate::value;

const LONGEST: usize = 160;
/// How programs begin to ask.
const ASKS: [&[u8]; 5] = [b"enter", b"new", b"retype", b"repeat", b"current"];

/// What asks for the same thing once more; a language is a row.
#[rustfmt::skip]
const AGAIN: [&str; 32] = [
    "again", "repeat", "retype", "re-type", "re-enter", "reenter", "confirm", "verify", "same",
    "wiederhol", "bestätig", "erneut", "nochmal",
    "confirme", "répéte", "répète", "retape", "nouveau",
    "repita", "repite", "confirma", "de nuevo", "repet",
    "ripeti", "conferma", "herhaal", "bevestig", "upprepa", "bekräfta", "gjenta", "gentag", "powtórz",
];

/// `Password: X⏎Repeat password: X`: what is typed twice is it, whatever it looks like.
pub(crate) fn twice(text: &[u8], stop: usize, kind: &'static str, spans: &mut Spans) {
    let line = crate::search::line(text, stop, LONGEST);
    let Some(colon) = memchr::memmem::find(line, b": ") else { return };
    let typed = line[colon + 2..].trim_ascii();
    let next = crate::search::line(text, stop + line.len() + 1, LONGEST).trim_ascii_end();
    if typed.len() < 4 || !next.ends_with(typed) {
        return;
    }
    let label = &next[..next.len() - typed.len()];
    // `password_confirmation: X` is how a form is described.
    let asks = label.len() <= 64 && label.ends_with(b": ") && label.trim_ascii().contains(&b' ');
    let said = String::from_utf8_lossy(label).to_lowercase();
    if asks && AGAIN.iter().any(|word| said.contains(word)) && may_be_typed(typed) {
        for part in [typed, &next[label.len()..]] {
            let at = crate::search::offset(text, part);
            spans.add(at, at + part.len(), kind, false);
        }
    }
}

/// No state, no type, no mask, no sentence.
fn may_be_typed(typed: &[u8]) -> bool {
    #[rustfmt::skip]
    const SAID: [&[u8]; 20] = [
        b"must", b"be", b"empty", b"required", b"match", b"characters", b"chars", b"least", b"enter", b"please", b"field", b"password",
        b"invalid", b"incorrect", b"not", b"is", b"optional", b"same", b"as", b"zeichen",
    ];
    if typed.contains(&b' ') {
        let words = || typed.split(|&byte| byte == b' ');
        let plain = typed.iter().all(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-' | b'!' | b'\'') || !byte.is_ascii()
        });
        return plain
            && words().count() <= 9
            && !words().any(|word| SAID.iter().any(|said| said.eq_ignore_ascii_case(word)));
    }
    let digits = typed.iter().all(u8::is_ascii_digit);
    digits || value::is_choosable(typed) && !matches!(typed, b"string" | b"secret" | b"password")
}

/// Looks at the rest of the line behind the name `start..stop`, if the line is a question of a program.
pub(crate) fn scan(text: &[u8], start: usize, stop: usize, name: Name, spans: &mut Spans) {
    if name.trust != Trust::Password || !matches!(text.get(stop), Some(b':' | b' ')) {
        return;
    }
    twice(text, stop, name.kind, spans);
    let rest = &text[stop..text.len().min(stop + LONGEST)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let Some(colon) = memchr::memrchr_iter(b':', line).find(|at| line.get(at + 1) == Some(&b' ')) else {
        return;
    };
    let typed = line[colon + 2..].trim_ascii();
    if typed.ends_with(b",") || typed.ends_with(b";") {
        return;
    }
    let Some(from) = company::line_start(text, start).filter(|_| typed.len() >= 6) else { return };
    crate::work::read(line.len() + start - from);
    let head = text[from..start].trim_ascii_end();
    let first = head.split(|&byte| byte == b' ').next().unwrap_or_default();
    let asks = ASKS.iter().any(|verb| verb.eq_ignore_ascii_case(first));
    let at = stop + colon + 2;
    let holds = if typed.contains(&b' ') {
        (asks || head.is_empty() && prose::ends_in(&text[start..stop], b"phrase")) && is_phrase(typed)
    } else {
        colon == 0
            && (head.is_empty() || asks || head.ends_with(b"'s"))
            && is_below_command(text, from)
            && is_word(typed)
    };
    if holds {
        spans.add(at, at + typed.len(), name.kind, false);
    }
}

fn is_word(typed: &[u8]) -> bool {
    let plain =
        typed.iter().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'(' | b'<' | b'{' | b'/' | b'"'));
    let dotted: Vec<u8> = typed.iter().map(|&byte| if byte == b'.' { b'-' } else { byte }).collect();
    plain && value::is_choosable(&dotted)
}

/// Three words or more and nothing else.
fn is_phrase(typed: &[u8]) -> bool {
    let words = typed.split(|&byte| byte == b' ').count();
    let letter = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || !byte.is_ascii();
    let plain = typed.iter().all(|byte| letter(byte) || matches!(byte, b' ' | b'-' | b'\''));
    plain && (3..=10).contains(&words) && value::is_phrase(typed)
}

/// Whether the line above the one from `line` is a command behind a prompt.
fn is_below_command(text: &[u8], line: usize) -> bool {
    let Some(above) = line.checked_sub(1).and_then(|end| company::line_start(text, end)) else {
        return false;
    };
    let above = text[above..line].trim_ascii_start();
    // `login: service⏎password: X`.
    let user = [&b"login:"[..], b"login as:"]
        .iter()
        .any(|user| above.len() >= user.len() && above[..user.len()].eq_ignore_ascii_case(user));
    let bare = user || [&b"$ "[..], b"# ", b"% ", b"> "].iter().any(|prompt| above.starts_with(prompt));
    let named = memchr::memmem::find(above, b"$ ").or_else(|| memchr::memmem::find(above, b"# "));
    bare || named.is_some_and(|at| at < 48 && above[..at].contains(&b'@'))
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_is_typed_is_the_answer() {
        assert_eq!(found("$ su -\nPassword: fig.tree.shade\nroot@host:~#"), ["fig.tree.shade"]);
        assert_eq!(found("li@host:~$ ssh pi\nPassword: figtreeshade\n"), ["figtreeshade"]);
        assert_eq!(
            found("Enter passphrase for /dev/sdb2: räven under gården igen\n"),
            ["räven under gården igen"]
        );
        for text in ["Enter passphrase for key '/home/li/.ssh/id': ", "enter password for repository: "] {
            assert_eq!(
                found(&format!("{text}harvest mouse in barley")),
                ["harvest mouse in barley"],
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_typed_twice_is_it() {
        for (text, typed) in [
            (
                "Password: heron under\u{e4} the kettle\nRepeat password: heron under\u{e4} the kettle\n",
                "heron under\u{e4} the kettle",
            ),
            ("New password: kettles\nRetype new password: kettles\n", "kettles"),
            ("Neues Passwort: reiherteich\nPasswort wiederholen: reiherteich\n", "reiherteich"),
            ("Mot de passe : heronbleu\nConfirmez le mot de passe : heronbleu\n", "heronbleu"),
            ("Enter PIN password: 4417\nEnter it again: 4417\n", "4417"),
        ] {
            assert_eq!(found(text), [typed, typed], "{text}");
        }
        for text in [
            "Password: required\nConfirm password: required\n",
            "Password: must not be empty\nRepeat password: must not be empty\n",
            "password: string\nConfirm password: string\n",
            "Password: ********\nRepeat password: ********\n",
            "Password: minlength(8)\nConfirm password: minlength(8)\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_a_program_says_is_none() {
        for text in [
            "$ su -\nPassword: incorrect\n",
            "a list\nPassword: settings.main.value\n",
            "Enter password for repository: please try again now",
            "The password for the printer: ask them about it",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
