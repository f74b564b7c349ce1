//! Columns that blanks align, as programs print them: `NAME   PASSWORD⏎ann    X`. The cell that stands below the name is
//! its value, flush left or flush right.

use crate::names::{Name, Trust};
use crate::prose;
use crate::search::Words;
use crate::span::Spans;
use crate::table;
use crate::value::{self, Place};

const MOST_ROWS: usize = 32;
const LONGEST_HEAD: usize = 160;
const LONGEST_ROW: usize = 400;

/// If the name `start..stop` stands in a line of headings, looks at the cells below.
pub(crate) fn scan(text: &[u8], start: usize, stop: usize, name: Name, spans: &mut Spans) {
    let digits = name.kind == "pin";
    let codes = matches!(name.kind, "recovery_code" | "otp");
    // `Keys`, of what a vault lists, are names.
    let made = matches!(name.kind, "token" | "api_key" | "key") && !matches!(text[stop - 1], b's' | b'S');
    if name.trust < Trust::Secret && !digits && !codes && !made {
        return;
    }
    let wide = |gap: &[u8]| {
        gap.starts_with(b"  ") || gap.starts_with(b"\n") || gap.is_empty() || gap.starts_with(b" \n")
    };
    let after = &text[stop..text.len().min(stop + 2)];
    // `Initial password`, `API key`: words of one heading, if two blanks or a line's beginning are before them.
    let titled = title_start(text, start);
    let opens = text[..titled].ends_with(b"  ") || text[..titled].ends_with(b"\n") || titled == 0;
    let start = if digits || opens { titled } else { start };
    let before = &text[start.saturating_sub(2)..start];
    let left = before.ends_with(b"  ") || before.ends_with(b"\n") || start == 0;
    let alone = (before.ends_with(b"\n") || start == 0) && !after.starts_with(b"  ");
    let ruled = text.get(stop..stop + 5) == Some(b"\n----");
    if !wide(after) || !left || alone && !ruled {
        return;
    }
    let from =
        start - text[..start].iter().rev().take(LONGEST_HEAD).take_while(|&&byte| byte != b'\n').count();
    let head_end = line_end(text, stop);
    let head = &text[from..head_end];
    crate::work::read(head.len());
    let plain = head.iter().all(|byte| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b' ' | b'_' | b'-' | b'.' | b'/' | b'(' | b')')
            || (digits || name.kind == "license_key") && !byte.is_ascii()
    });
    let words = || head.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let columns = words().count();
    // `password   the one that the server wants`: what an option does.
    let sentence =
        head.windows(3).filter(|three| three[1] == b' ' && three[0] != b' ' && three[2] != b' ').count() > 3;
    let ruled = text.get(head_end + 1..head_end + 5) == Some(b"----");
    if head.len() >= LONGEST_HEAD
        || !plain
        || columns < 2 && !ruled
        || sentence
        || !words().all(table::is_title)
    {
        return;
    }
    if digits && is_of_another(head) {
        return;
    }
    // Counted in letters: names of people have some of two bytes.
    let wide = |line: &[u8]| line.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
    let (left, right) = (wide(&text[from..start]), wide(&text[from..stop]));
    let mut at = head_end + 1;
    for _ in 0..MOST_ROWS {
        let end = line_end(text, at);
        let Some(row) = text.get(at..end).filter(|row| !row.trim_ascii().is_empty()) else { return };
        crate::work::read(row.len());
        if !row.iter().all(|byte| matches!(byte, b'-' | b'=' | b' ' | b'+')) {
            let (left, right) = (place(row, left), place(row, right));
            let Some((open, close)) = word_at(row, left, right) else { return };
            let cell = &row[open..close];
            let good = match name.trust {
                Trust::Weak if made => is_made(cell),
                Trust::Weak => is_pin(cell) || codes && value::is_code_in_groups(cell),
                Trust::Password => {
                    value::is_chosen(cell) || prose::looks_like_secret(cell) || prose::looks_joined(cell)
                }
                Trust::Secret if name.kind == "license_key" => crate::spoken::is_license(cell),
                Trust::Secret => value::is_secret(name, cell, Place::Data),
            };
            // `storage-sas-old`: a list of names.
            if good && !(name.trust == Trust::Password && crate::names::judge(cell).is_some()) {
                spans.add(at + open, at + close, name.kind, false);
            }
        }
        at = end + 1;
    }
}

/// `voicemail PIN`: words of the same heading, a blank apart.
fn title_start(text: &[u8], start: usize) -> usize {
    const ARTICLES: [&[u8]; 6] = [b"the", b"a", b"your", b"my", b"our", b"its"];
    let letter = |byte: &&u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'.') || !byte.is_ascii();
    let Some(before) = text[..start].strip_suffix(b" ") else { return start };
    let word = before.iter().rev().take(16).take_while(letter).count();
    // `the password  is below` is a sentence.
    let said = ARTICLES.contains(&&before[before.len() - word..]);
    if word == 0 || said { start } else { start - word - 1 }
}

/// Where the letter of that number begins in a row.
fn place(row: &[u8], letters: usize) -> usize {
    if row.is_ascii() {
        return letters;
    }
    let mut begins = row.iter().enumerate().filter(|(_, byte)| **byte & 0xC0 != 0x80);
    begins.nth(letters).map_or(row.len() + letters, |(at, _)| at)
}

/// `5582`: what is typed at a copier, a door, a telephone; a chip's pins have no number of four digits.
fn is_pin(cell: &[u8]) -> bool {
    let cell = cell.strip_suffix(b"#").or_else(|| cell.strip_suffix(b"*")).unwrap_or(cell);
    (4..=8).contains(&cell.len()) && cell.iter().all(u8::is_ascii_digit)
}

/// What nobody would call a key by: no short id, no word.
fn is_made(cell: &[u8]) -> bool {
    value::is_uuid(cell)
        || cell.len() >= 20
            && cell.iter().any(u8::is_ascii_digit)
            && (value::is_hex(cell) || crate::chance::is_random(cell))
}

/// `CITY   STATE   PIN` is of the post, `PART   QTY   PIN` of a plug.
fn is_of_another(head: &[u8]) -> bool {
    #[rustfmt::skip]
    static OTHERS: Words<14> = Words::new([
        b"city", b"state", b"district", b"address", b"town", b"function", b"signal", b"mode", b"qty", b"gpio", b"part ", b"port ", b"net ", b"bank",
    ]);
    OTHERS.within(head)
}

/// The word of the row that begins where the heading begins, or ends where it ends.
fn word_at(row: &[u8], left: usize, right: usize) -> Option<(usize, usize)> {
    let blank = |at: usize| row.get(at).is_none_or(|&byte| byte == b' ');
    if !blank(left) && (left == 0 || blank(left - 1)) {
        let long = row[left..].iter().take_while(|&&byte| byte != b' ').count();
        return Some((left, left + long));
    }
    if !blank(right - 1) && blank(right) {
        let long = row[..right].iter().rev().take_while(|&&byte| byte != b' ').count();
        return Some((right - long, right));
    }
    None
}

fn line_end(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..text.len().min(at + LONGEST_ROW)).unwrap_or_default();
    at + memchr::memchr(b'\n', rest).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn cells_stand_below_their_heading() {
        assert_eq!(
            found(
                "NAME     PASSWORD          ROLE\nann      silent-otter-lamp reader\nbob      Blue&Green        owner\n"
            ),
            ["silent-otter-lamp", "Blue&Green"]
        );
        assert_eq!(
            found("PS> Get-It | select Password\n\nPassword\n--------\nF5MLh23eTMur?+\n"),
            ["F5MLh23eTMur?+"]
        );
        let key = "147c1934de1ad597be84a0febaad54c8";
        assert_eq!(
            found(&format!(
                "       user                           api_key   plan\n0      kdrt  {key}    pro\n"
            )),
            [key]
        );
        assert_eq!(
            found(
                "Name          Card no.   PIN\nAnn Otter     00177      4417\nBob Heron     00182      9033\nGuests        -          see desk\n"
            ),
            ["4417", "9033"]
        );
        assert_eq!(
            found("user         ext   voicemail PIN\nJosé Núñez   401   5512\nbert         402   7781\n"),
            ["5512", "7781"]
        );
        assert_eq!(
            found("Raum       Türcode\nServer     441708#\nLager      902133\n"),
            ["441708#", "902133"]
        );
        assert_eq!(
            found(
                "Gerät       Kundennr.   Lizenzschlüssel            gültig bis\nFirewall    90114882    KQ7T-9XAF-D3M2-RWDE-ZPL6   2025-03-31\n"
            ),
            ["KQ7T-9XAF-D3M2-RWDE-ZPL6"]
        );
        assert_eq!(found("USER    EXT   PIN      MAIL\nann     401   441702   yes\n"), ["441702"]);
    }

    #[test]
    fn other_lines_have_no_columns() {
        for text in [
            "NAME     PASSWORD   ROLE\nann      disabled   reader\n",
            "the password  is below\nann-otter-lamp-1 silent-otter-lamp reader\n",
            "  password           the one that your river wants\n  patch              silent-otter-2\n  otter5lib-loud     how loud\n",
            "otter-password   0.3.1-2   all\nsilent-otter-2   1.4.0-1   all\n",
            "NAME    CITY     PIN\nann     Pune     411001\n",
            "Gerät       Lizenzschlüssel   gültig bis\nFirewall    folgt-per-Mail    2025-03-31\n",
            "Gerät       Seriennummer               gültig bis\nFirewall    KQ7T-9XAF-D3M2-RWDE-ZPL6   2025-03-31\n",
            "Gerät       Lizenzschlüssel            gültig bis\nFirewall    ORDER-2024-0001-0002-K7   2025-03-31\n",
            "PORT    PIN   MODE\nPA4     17    input\nPB1     203   output\n",
            "Part     Qty   PIN\nHeader   12    2040\n",
            "SIGNAL   PIN       BANK\nCLK      IO_4417   2\n",
            "the reset   PIN   is high\nand stays 4417 high\n",
            "NAME     TOKEN_COUNT   ROLE\nann      147c1934de1ad597be84a0febaad54c8   reader\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
