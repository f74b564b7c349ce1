//! Recorded text that would give a terminal orders.

use serde_json::json;

use crate::house::House;

/// Control, bidirectional and invisible characters that a terminal would obey.
const ORDERS: &str = "\u{1b}[31mred\u{1b}[0m \u{7}\u{8} \u{9b}2J \u{202e}desrever\u{202c} \u{200b}zero plain \u{1b}]0;title\u{7} a\rb";

fn assert_no_orders(what: &[&str], shown: &[u8]) {
    let text = std::str::from_utf8(shown).unwrap();
    let order = text.chars().find(|c| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{200b}'..='\u{200f}')
    });
    assert_eq!(order, None, "{what:?} writes {order:?}:\n{}", text.escape_debug());
}

#[test]
fn no_recorded_escape_code_reaches_standard_output() {
    let house = House::new();
    let nested = json!({"text": ORDERS, "body": {"key \u{1b}[1m": [ORDERS, {"deep": ORDERS}]}});
    for kind in [
        "note.added",
        "message.recorded",
        "reasoning.recorded",
        "skill.returned",
        "error.raised",
        "handoff.made",
    ] {
        let mut draft = json!({"session": "s", "kind": kind, "key": format!("{kind}{ORDERS}"), "data": nested,
            "group": format!("g{ORDERS}"), "agent": format!("a{ORDERS}"), "agent_id": format!("i{ORDERS}")});
        if kind == "skill.returned" {
            draft["skill"] = json!(format!("skill{ORDERS}"));
            draft["data"] = json!({"output": ORDERS, "error": ORDERS});
        }
        if kind == "handoff.made" {
            draft["to"] = json!(ORDERS);
            draft["data"] = json!({"summary": ORDERS});
        }
        house.feed(&["record"], format!("{draft}\n")).ok();
    }
    let last = house.lines("s").len() - 1;
    for seq in 0..=last {
        for args in [&["show", &format!("s/{seq}")][..], &["show", &format!("s/{seq}"), "--json"]] {
            assert_no_orders(args, &house.run(args).ok().out);
        }
    }
    for args in [
        &["search", "plain"][..],
        &["search", "plain", "-C", "2"],
        &["search", "plain", "--json"],
        &["search", "plain", "--no-index"],
        &["timeline", "s"],
        &["timeline", "s", "--json"],
        &["replay", "s"],
        &["replay", "s", "--json"],
        &["tail"],
        &["tail", "--json"],
        &["sessions"],
        &["sessions", "--json"],
        &["stats"],
        &["stats", "--json"],
        &["export", "s", "--format", "markdown"],
        &["verify", "--json"],
    ] {
        let ran = house.run(args).ok();
        assert!(!ran.out.is_empty(), "{args:?}");
        assert_no_orders(args, &ran.out);
        assert_no_orders(args, ran.err.as_bytes());
    }
    // in stored lines JSON itself has taken the control characters away
    for line in house.lines("s") {
        assert!(line.iter().all(|byte| *byte >= 0x20 || *byte == b'\n'));
    }
    // what is typed is told back as harmlessly
    for args in [&["show", "s\u{1b}[31m/1"][..], &["search", "kindd\u{1b}[31m:x"], &["timeline", ORDERS]] {
        assert_no_orders(args, house.run(args).err.as_bytes());
    }
}
