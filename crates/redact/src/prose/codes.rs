//! Lists of one-time codes below their heading.

use super::phrase::below;
use crate::chance;
use crate::span::Spans;
use crate::value;

/// `800-899`: from where to where.
fn is_range(word: &[u8]) -> bool {
    let mut ends = word.split(|&byte| byte == b'-');
    match (ends.next(), ends.next(), ends.next()) {
        (Some(from), Some(to), None) => from.first() == to.first() && from.len() == to.len() && from < to,
        _ => false,
    }
}

/// Lists of one-time codes below their heading: each code-shaped word of the lines that follow.
pub(crate) fn code_list(text: &[u8], stop: usize, spans: &mut Spans) {
    if items(text, stop, spans) {
        return;
    }
    beside(text, stop, spans);
    let limit = text.len().min(stop + 1024);
    let mut misses = 0;
    let mut at = first_row(text, stop).unwrap_or_else(|| below(text, stop));
    let mut shape: Option<usize> = None;
    while at < limit && misses < 6 {
        let long = text[at..limit].iter().take_while(|byte| !is_code_break(**byte)).count();
        if long == 0 {
            // `(used by Ann)`.
            let said =
                if text[at] == b'(' && shape.is_some() { crate::search::line(text, at, 48) } else { b"" };
            at += memchr::memchr(b')', said).unwrap_or(0) + 1;
            crate::work::read(1);
            continue;
        }
        crate::work::read(long);
        let long = long + other_half(&text[at..limit], long);
        let word = &text[at..at + long];
        // What the heading announced has left already.
        if word == b"REDACTED" && shape.is_none() {
            return;
        }
        if (is_one_time_code(word) || crate::value::is_code_in_groups(word) && !is_range(word))
            && !text[..at].ends_with(b"\":\"")
            && !is_id(text, at, at + long)
            && !is_told_of(text, word, at + long)
            && shape.is_none_or(|long_before| long_before == long)
        {
            spans.add(at, at + long, "recovery_code", false);
            shape = Some(long);
            misses = 0;
        } else if word.len() > 2 {
            misses += if shape.is_some() { 2 } else { 1 };
        }
        at += long;
    }
    if shape.is_none() {
        below_heading(text, stop, spans);
    }
}

/// `1. 3y0q zhep   2. ctr5 3ns2⏎3. zm35 nvyy   4. used`: several on a line, each behind its number.
fn items(text: &[u8], stop: usize, spans: &mut Spans) -> bool {
    const MOST_LINES: usize = 12;
    const FEWEST: usize = 3;
    let window = &text[stop..text.len().min(stop + 640)];
    let Some(heading) = memchr::memchr(b'\n', &window[..window.len().min(120)]) else { return false };
    let lines = window[heading + 1..].split(|&byte| byte == b'\n').take(MOST_LINES);
    let rows = lines.map(<[u8]>::trim_ascii).skip_while(|line| line.is_empty());
    let mut found: Vec<&[u8]> = Vec::new();
    for row in rows.take_while(|line| line.first().is_some_and(u8::is_ascii_digit)) {
        crate::work::read(row.len());
        found.extend(row_items(row).filter(|code| is_item(code)));
    }
    let even = found.iter().all(|code| code.len() == found[0].len());
    if found.len() < FEWEST || !even {
        return false;
    }
    for code in found {
        let start = crate::search::offset(text, code);
        spans.add(start, start + code.len(), "recovery_code", false);
    }
    true
}

/// What stands behind each number of a row with more than one.
fn row_items(row: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut starts: Vec<usize> = vec![0];
    let gaps = row.windows(3).enumerate().filter(|(_, three)| three.starts_with(b"  ") && three[2] != b' ');
    starts.extend(gaps.map(|(at, _)| at + 2));
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([row.len()]).collect();
    starts.into_iter().zip(ends).filter_map(|(start, end)| {
        let item = &row[start..end];
        let digits = item.iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
        let sign = digits + usize::from(matches!(item.get(digits), Some(b'.' | b')' | b':')));
        (digits > 0).then(|| item[sign..].strip_prefix(b" ").map(<[u8]>::trim_ascii)).flatten()
    })
}

/// Six digits, or a code in one or two halves.
fn is_item(code: &[u8]) -> bool {
    let digits = code.iter().filter(|byte| byte.is_ascii_digit()).count();
    let mut halves = code.split(|byte| matches!(byte, b' ' | b'-'));
    let (first, second) = (halves.next().unwrap_or_default(), halves.next());
    let plain = |half: &[u8]| half.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let pair = second.is_some_and(|second| {
        (4..=6).contains(&first.len()) && first.len() == second.len() && plain(first) && plain(second)
    });
    digits == 6 && code.len() == 6 || digits > 0 && halves.next().is_none() && pair || is_row_of_codes(code)
}

/// `Codes: 48213377, 90211845⏎…`: two or more beside their name, whatever stands below.
fn beside(text: &[u8], stop: usize, spans: &mut Spans) {
    let line = crate::search::line(text, stop, 160);
    let Some(list) = line.trim_ascii_start().strip_prefix(b":") else { return };
    crate::work::read(list.len());
    let codes: Vec<&[u8]> = list.split(|&byte| byte == b',').map(<[u8]>::trim_ascii).collect();
    let even = codes.iter().all(|code| code.len() == codes[0].len() && is_one_time_code(code));
    if codes.len() < 2 || !even {
        return;
    }
    for code in codes {
        let start = crate::search::offset(text, code);
        spans.add(start, start + code.len(), "recovery_code", false);
    }
}

/// Where the first line of codes begins, if a heading goes on behind its name and they stand right below:
/// `Recovery codes for ann@example.org (GitHub), printed 2024-10-02⏎…`.
fn first_row(text: &[u8], stop: usize) -> Option<usize> {
    let window = &text[stop..text.len().min(stop + 120)];
    let heading = memchr::memchr(b'\n', window)?;
    crate::work::read(heading);
    let blanks =
        window[heading..].iter().take_while(|byte| matches!(byte, b'\n' | b'\r' | b' ' | b'\t')).count();
    let row = stop + heading + blanks;
    let line = &text[row..text.len().min(row + 64)];
    let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
    let codes = &line[mark(line)..];
    let long = codes.iter().take_while(|byte| !is_code_break(**byte)).count();
    let code = &codes[..long + other_half(codes, long)];
    // A digest's beginning, a date, a number of a commit stand in sentences.
    let ends = codes[code.len()..].trim_ascii_start();
    let listed = ends.is_empty() || ends[0].is_ascii_digit() || matches!(ends[0], b'[' | b'-' | b'|' | b',');
    (window[..heading].trim_ascii_end().last() != Some(&b'.') && is_one_time_code(code) && listed)
        .then_some(row)
}

/// The sign of a list before a code: `1. `, `- `, `[x] `.
fn mark(line: &[u8]) -> usize {
    let blanks = |from: usize| line[from..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let from = blanks(0);
    let number = line[from..].iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
    let sign = match &line[from..] {
        [b'[', _, b']', ..] => 3,
        [b'-' | b'*' | b'|' | b'>', ..] => 1,
        _ if number > 0 && matches!(line.get(from + number), Some(b'.' | b')')) => number + 1,
        _ => return from,
    };
    let gap = blanks(from + sign);
    if gap > 0 { from + sign + gap } else { from }
}

/// `--client-id 1otter234567`, `arn:…:111122223333:`, `Serial: N214OTTER2X`: of a client, of an account, of a thing.
fn is_id(text: &[u8], start: usize, end: usize) -> bool {
    let before = &text[..start];
    before.ends_with(b"-id ")
        || before.ends_with(b"erial: ")
        || before.ends_with(b"S/N: ")
        || before.ends_with(b":") && text.get(end) == Some(&b':')
}

/// `a1b2c3d4 fix a typo`, `20240101120000 create_codes`: a commit, a step, a number of people; what is said of it follows.
fn is_told_of(text: &[u8], word: &[u8], stop: usize) -> bool {
    let rest = &text[stop..text.len().min(stop + 48)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    crate::work::read(line.len());
    let line = line.strip_prefix(b":").unwrap_or(line);
    let mut words = line.strip_prefix(b" ").unwrap_or_default().split(|&byte| byte == b' ');
    let small = |word: Option<&[u8]>| {
        word.is_some_and(|word| {
            word.len() >= 2 && word.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_')
        })
    };
    let first = words.next();
    let named = first.is_some_and(|word| word.contains(&b'_'));
    let one = value::is_hex(word) || word.iter().all(u8::is_ascii_digit);
    one && small(first) && (named || small(words.next()))
}

/// `backup codes – ann@example.org⏎(each one works once)⏎⏎  4292 3588⏎  8179 6734`: lines of nothing but codes, a little
/// below a heading that says more.
fn below_heading(text: &[u8], stop: usize, spans: &mut Spans) {
    const MOST_LINES: usize = 14;
    const MOST_OTHERS: usize = 3;
    let window = &text[stop..text.len().min(stop + 640)];
    let Some(heading) = memchr::memchr(b'\n', window) else { return };
    let (mut others, mut found) = (0, Vec::new());
    for line in window[heading + 1..].split(|&byte| byte == b'\n').take(MOST_LINES) {
        crate::work::read(line.len());
        let mark = mark(line);
        let marked = line[..mark].iter().any(|byte| matches!(byte, b'-' | b'*' | b'.' | b')' | b']'));
        let numbered = numbered(line);
        let codes = numbered.unwrap_or(if marked { line[mark..].trim_ascii() } else { line.trim_ascii() });
        if codes.is_empty() {
            continue;
        }
        if numbered.is_some() || is_row_of_codes(codes) {
            found.push(codes);
        } else if found.is_empty() && others < MOST_OTHERS {
            others += 1;
        } else {
            break;
        }
    }
    // One line may be anything.
    if found.len() >= 2 && found.iter().all(|codes| codes.len() == found[0].len()) {
        for codes in found {
            let start = crate::search::offset(text, codes);
            spans.add(start, start + codes.len(), "recovery_code", false);
        }
    }
}

/// `01 482915`: a bank's list.
fn numbered(line: &[u8]) -> Option<&[u8]> {
    let (number, code) = line.split_at(memchr::memchr(b' ', line)?);
    let code = code.trim_ascii();
    let digits = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
    let number = number.strip_suffix(b".").unwrap_or(number);
    ((1..=3).contains(&number.len()) && digits(number) && code.len() == 6 && digits(code)).then_some(code)
}

/// Codes with blanks between, or one in two halves.
fn is_row_of_codes(row: &[u8]) -> bool {
    let words = || row.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let halves = words().count() == 2
        && words().all(|word| (4..=6).contains(&word.len()) && word.iter().all(u8::is_ascii_digit));
    row.len() <= 96 && (halves || words().all(is_one_time_code))
}

/// `48213 99017`, `k4c9 72xz`: a blank and as many signs again belong to the code.
fn other_half(rest: &[u8], long: usize) -> usize {
    let mixed = rest[..long].iter().any(u8::is_ascii_lowercase);
    let digits = |part: &[u8]| {
        part.iter().all(|byte| byte.is_ascii_digit() || mixed && byte.is_ascii_lowercase())
            && part.iter().any(u8::is_ascii_digit)
    };
    let half = rest.get(long + 1..2 * long + 1).is_some_and(digits);
    let ends = rest.get(2 * long + 1).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    if (4..=6).contains(&long) && digits(&rest[..long]) && rest.get(long) == Some(&b' ') && half && ends {
        long + 1
    } else {
        0
    }
}

fn is_code_break(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(
            byte,
            b',' | b'"'
                | b'\''
                | b'`'
                | b':'
                | b'['
                | b']'
                | b'|'
                | b'*'
                | b'('
                | b')'
                | b'.'
                | b';'
                | b'\\'
                | b'='
                // Struck out.
                | b'~'
        )
}

/// `4f7d-9k2m`, `12345-67890`, `a1b2c3d4e5`, `8341 2290`.
fn is_one_time_code(word: &[u8]) -> bool {
    let groups: Vec<&[u8]> = word.split(|&byte| matches!(byte, b'-' | b' ')).collect();
    let even = groups.iter().all(|group| group.len() == groups[0].len() && group.len() >= 3);
    let plain = word.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b' '));
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let date = groups.len() == 3 && groups[0].len() == 4 && digits == 8;
    let grouped = groups.len() >= 2 && word.len() >= 8 && (digits > 0 || chance::density(word) >= 48);
    plain
        && even
        && !date
        && (grouped || groups.len() == 1 && word.len() >= 8 && word.len() <= 16 && digits >= 2)
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_heading_may_say_more() {
        assert_eq!(
            found(
                "Google backup codes – ann@example.org\n(each one works once)\n\n   4292 3588\n   8179 6734\n"
            ),
            ["4292 3588", "8179 6734"]
        );
        assert_eq!(
            found(
                "Your recovery codes for ann@example.org. Keep them safe.\n9b942-d71f6\n465fc-e84aa\nEach is used once.\n"
            ),
            ["9b942-d71f6", "465fc-e84aa"]
        );
        assert_eq!(
            found("Your recovery codes were made in March.\nThere are 8 of them.\n2024-11-20\n2025-01-07\n"),
            Vec::<&str>::new()
        );
    }

    #[test]
    fn several_stand_on_a_line() {
        assert_eq!(
            found(
                "emergency backup codes (Vera)\n1. 7x0q zulp   2. ktr5 3ns2\n3. zm35 nwyy   4. used 14/1\n"
            ),
            ["7x0q zulp", "ktr5 3ns2", "zm35 nwyy"]
        );
        assert_eq!(
            found("backup codes of the bank\n\n1 482915   2 039174\n3 558201   4 771204\n"),
            ["482915", "039174", "558201", "771204"]
        );
        for text in [
            "backup codes - how it works\n1. open page   2. print them\n3. store away   4. done\n",
            "recovery codes, steps\n1. call ab12 team   2. wait 24 hours\n3. ask the desk\n",
            "backup codes by year\n1 2019   2 2020   3 2021\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_heading_goes_on_behind_its_name() {
        for (text, codes) in [
            (
                "Recovery codes for ann@kontor.example (GitHub), printed 2024-11-02\nd4ae2-ff682\n26770-69ea1\nTwo were used.",
                &["d4ae2-ff682", "26770-69ea1"][..],
            ),
            (
                "Backup verification codes for google account (ann@kontor.example)\n\n1. 1243 7254   3. 8612 1121\n2. 7150 3002",
                &["1243 7254", "8612 1121", "7150 3002"],
            ),
            (
                "Backup codes for work account, made 2023-04-05\n1. k4c9 72xz  2. p8d1 03qt\n",
                &["k4c9 72xz", "p8d1 03qt"],
            ),
            (
                "2FA backup codes - AWS root (acct 4471-2211-9988)\nd4ae2-ff682\n26770-69ea1\n",
                &["d4ae2-ff682", "26770-69ea1"],
            ),
        ] {
            assert_eq!(found(text), codes, "{text}");
        }
        for text in [
            "The recovery codes for ann were made.\n2024-11-20\n2025-01-07\n",
            "backup codes\n- a1b2c3d4e5: first commit of it\n- b2c3d4e5f6: second commit\n",
            "backup codes\n20240101120000 create_codes\n20240201120000 add_index\n",
            "recovery codes, backup codes and others\n10 are made at once\n12 at most\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn clients_and_accounts_have_ids() {
        for text in [
            "otter respond-to-auth-code \\\n    --client-id 1otter23456789 \\\n    --river x\n",
            "Manual pairing code: see the box\nSerial: N214OTTER2X\nS/N: N2141OTTER3\n",
            "otter send-activation-code \\\n    --contact-id \"arn:aws:otters:us-east-1:111122223333:contact/river\"\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
