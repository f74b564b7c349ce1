//! `TOK=X⏎curl -u "$SID:$TOK" …`: a variable's name says nothing, but what it is used for does. Where a secret stands as
//! a variable, the nearest line above that gives it a literal is looked for.

use crate::search::find;
use crate::span::Spans;
use crate::{chance, value};

/// How far above the use it is given.
const REACH: usize = 1024;
const LONGEST_NAME: usize = 40;

/// What the variable stands for where it is used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// A person may have chosen it.
    Password,
    /// A word may be its name: `--secret-id "$NAME"`.
    Token,
}

/// Looks for what the variable at `at` (`$X`, `${X}`) was given.
pub(crate) fn scan(text: &[u8], at: usize, used: Use, spans: &mut Spans) {
    let Some(rest) = text.get(at..).and_then(|rest| rest.strip_prefix(b"$")) else { return };
    let rest = rest.strip_prefix(b"{").unwrap_or(rest);
    let name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let name = &rest[..rest.iter().take(LONGEST_NAME).take_while(name).count()];
    if name.first().is_none_or(u8::is_ascii_digit) || rest.get(name.len()) == Some(&b'(') {
        return;
    }
    let from = at.saturating_sub(REACH);
    let above = &text[from..at];
    crate::work::read(above.len());
    // Forwards, for backwards nothing is searched eight bytes at a time.
    let given = [name, b"="].concat();
    let given = memchr::memmem::find_iter(above, &given).filter(|&place| opens(&above[..place])).last();
    let Some(given) = given.map(|place| from + place + name.len() + 1) else { return };
    let quote = text.get(given).copied().filter(|byte| matches!(byte, b'"' | b'\''));
    let line = crate::search::line(text, given + usize::from(quote.is_some()), 256);
    let long = match quote {
        Some(sign) => memchr::memchr(sign, line).unwrap_or(0),
        None => {
            line.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b';').unwrap_or(line.len())
        }
    };
    let word = &line[..long];
    if is_made(word, used) {
        let start = crate::search::offset(text, word);
        spans.add(start, start + long, "secret", false);
    }
}

/// Whether a command begins here.
fn opens(before: &[u8]) -> bool {
    before.last().is_none_or(|byte| matches!(byte, b'\n' | b' ' | b'\t' | b';'))
}

/// Long and random, or what a person chose; no other variable, no answer of a command, no path.
fn is_made(word: &[u8], used: Use) -> bool {
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let random = word.len() >= 16 && digits >= 3 && (value::is_hex(word) || chance::is_random(word));
    (random || used == Use::Password && word.len() >= 8 && value::is_chosen(word))
        && !word.iter().any(|byte| matches!(byte, b'$' | b'`' | b'(' | b'<'))
        && find(word, b"://").is_none()
        && !value::is_placeholder(word)
        && !value::is_reference(word)
        && !value::is_path(word)
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    const KEY: &str = "73987d0ea0d152279cac9768a4c6f58b";

    #[test]
    fn what_is_used_as_a_secret_was_given_one() {
        for text in [
            "SID=AC17\nTOK=@@\nfor n in 1 2; do\n curl -u \"$SID:$TOK\" https://api.example.org\ndone\n",
            "FD=@@\ncurl -s -u \"$FD:X\" https://otter.example.org/api/v2\n",
            "export V='@@'; curl -H \"Authorization: Bearer $V\" https://otter.example.org\n",
            "V=\"@@\"\ncurl -H \"X-Api-Key: ${V}\" https://otter.example.org\n",
            "V=@@\notterctl deploy --token \"$V\"\n",
            "V=@@\nRIVER_API_KEY=$V ./run\n",
        ] {
            assert_eq!(found(&text.replace("@@", KEY)), [KEY], "{text}");
        }
        assert_eq!(found("U=ann P=k3Ttle-Heron9; mysql -u $U -p$P river\n"), ["k3Ttle-Heron9"]);
    }

    #[test]
    fn another_variable_or_another_use_says_nothing() {
        for text in [
            "SHA=@@\ncurl -u \"$SID:$TOK\" https://api.example.org/$SHA\n",
            "VAL=$OTHER\nMY_VAL=@@\ncurl -u \"$SID:$VAL\" https://api.example.org\n",
            "V=$(pass show river)\ncurl -H \"Authorization: Bearer $V\"\n",
            "V=/etc/river/token-2024\ncurl -H \"Authorization: Bearer $(cat $V)\"\n",
            "V=https://otter.example.org/@@\ncurl -H \"Authorization: Bearer $V\"\n",
            "N=river-db-credentials-2024\naws secretsmanager get-secret-value --secret-id \"$N\"\n",
            "N=river-user-01\nTOKEN=$N ./run\n",
            "N=river-user-2024\ncurl -H \"Authorization: Bearer $N\" https://otter.example.org\n",
            "N=river-user-2024\ncurl -u \"$N:$PW\" https://otter.example.org\n",
            "git checkout @@\nV=\ncurl -H \"Authorization: Bearer $V\"\n",
        ] {
            assert_eq!(found(&text.replace("@@", KEY)), Vec::<&str>::new(), "{text}");
        }
    }
}
