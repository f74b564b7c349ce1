use super::*;
use proptest::prelude::*;

fn all(text: &str) -> Vec<(String, u32)> {
    let mut out = Vec::new();
    tokens(text, |token| out.push((token.text.to_owned(), token.position)));
    out
}

fn words(text: &str) -> Vec<String> {
    all(text).into_iter().map(|(text, _)| text).collect()
}

#[test]
fn identifiers_are_found_whole_and_in_parts() {
    assert_eq!(words("bd-q3fy"), ["bd-q3fy", "bd", "q3fy"]);
    assert_eq!(
        words("(src/jwt_handler.py)"),
        ["src/jwt_handler.py", "src", "jwt_handler.py", "jwt_handler", "jwt", "handler", "py"]
    );
    assert_eq!(words("getUserName2"), ["getusername2", "get", "user", "name2"]);
    assert_eq!(words("XMLHttpRequest"), ["xmlhttprequest", "xml", "http", "request"]);
    assert_eq!(words("foo::bar, a.b"), ["foo::bar", "foo", "bar", "a.b", "a", "b"]);
    assert_eq!(words("don\u{2019}t"), ["don't", "don", "t"]);
    assert_eq!(words("x=1;y"), ["x", "1", "y"]);
    assert_eq!(words("-- ... _"), [""; 0]);
    let sha = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(words(sha), [sha]);
    assert!(words("550e8400-e29b-41d4-a716-446655440000")[0].len() == 36);
}

#[test]
fn words_of_six_scripts_are_words() {
    assert_eq!(words("Crème brûlée"), ["creme", "brulee"]);
    assert_eq!(words("Истёк токен"), ["истек", "токен"]);
    assert_eq!(words("انتهت صلاحية"), ["انتهت", "صلاحية"]);
    assert_eq!(words("令牌过期"), ["令牌", "令", "牌过", "牌", "过期", "过", "期"]);
    assert_eq!(words("トークン"), ["トー", "ト", "ーク", "ー", "クン", "ク", "ン"]);
    assert_eq!(words("토큰 만료"), ["토큰", "토", "큰", "만료", "만", "료"]);
    assert_eq!(words("टोकन समाप्त"), ["टोकन", "समापत"]);
    assert_eq!(words("ok ✓ 🚀"), ["ok", "✓", "🚀"]);
}

#[test]
fn positions_tell_an_identifier_from_words() {
    assert_eq!(
        all("fix bd-q3fy now"),
        [("fix", 0), ("bd-q3fy", 2), ("bd", 2), ("q3fy", 3), ("now", 5)].map(|(t, p)| (t.to_owned(), p))
    );
    let gap = all("a\u{1e}b");
    assert!(gap[1].1 >= LEAF_GAP);
    assert_eq!(pattern("fix bd-q3fy now").words.iter().map(|(p, _)| *p).collect::<Vec<_>>(), [0, 2, 3, 5]);
}

#[test]
fn escaped_text_inside_text_is_found() {
    assert!(words(r"first\nsecond").contains(&"second".to_owned()));
    assert!(words(r"C:\new\table").contains(&"new".to_owned()));
}

#[test]
fn long_runs_are_cut_and_found() {
    let long = "x".repeat(1000);
    let cut = words(&long);
    assert_eq!(cut.concat(), long);
    assert!(cut.iter().all(|piece| piece.len() <= MAX_TOKEN_BYTES));
    assert_eq!(pattern(&long).words.len(), cut.len());
    let path = "segment/".repeat(2000);
    assert!(all(&path).iter().map(|(_, p)| p).is_sorted());
}

/// True when the words of a pattern stand in the tokens of a text at their distances.
fn stands_in(pattern: &Pattern, tokens: &[(String, u32)]) -> bool {
    let at = |word: &str, position: u32| tokens.iter().any(|(t, p)| t == word && *p == position);
    tokens.iter().any(|(_, start)| pattern.words.iter().all(|(offset, word)| at(word, start + offset)))
}

proptest! {
    #[test]
    fn every_stretch_of_a_text_is_found_as_a_query(parts in prop::collection::vec("[a-zA-Z0-9]{1,8}|[-_./]{1,2}|[ ,(]{1,2}|é|令牌|한글|\\\\n", 1..12)) {
        let text = parts.concat();
        let have = all(&text);
        for stretch in text.split([' ', ',', '(']) {
            let asked = pattern(stretch);
            prop_assert!(asked.words.is_empty() || stands_in(&asked, &have), "{stretch:?} in {text:?}: {asked:?} {have:?}");
        }
        let whole = pattern(&text);
        prop_assert!(whole.words.is_empty() || stands_in(&whole, &have));
    }

    #[test]
    fn words_that_are_taken_whole_are_words_taken_by_the_character(
        parts in prop::collection::vec("[a-z]{1,9}|[A-Z]{1,4}|[0-9]{1,3}|[A-Za-z0-9]{200,300}|[-_./\\\\: ]|é|令|\u{1b}\\[", 1..12)
    ) {
        let text = parts.concat();
        // an unseen character after each makes every run one character long
        let slow: String = text.chars().flat_map(|c| [c, '\u{ad}']).collect();
        prop_assert_eq!(all(&text), all(&slow));
    }

    #[test]
    fn any_text_gives_orderly_tokens(text in ".{0,80}") {
        let mut last = 0;
        let mut seen = std::collections::HashSet::new();
        tokens(&text, |token| {
            assert!(token.position >= last && !token.text.is_empty());
            assert!(token.text.len() <= MAX_TOKEN_BYTES);
            assert!(text.get(token.source.clone()).is_some());
            assert!(seen.insert((token.text.to_owned(), token.position)), "{token:?} twice");
            last = token.position;
        });
    }
}

#[test]
fn colours_of_a_terminal_are_no_part_of_a_word() {
    let mut found = Vec::new();
    tokens("\u{1b}[1;31mfailed\u{1b}[0m ok\u{1b}[Kdone \u{1b}[", |token| found.push(token.text.to_owned()));
    assert_eq!(found, ["failed", "ok", "done"]);
}
