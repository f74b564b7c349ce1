//! Rows become rules, and each rule shows by its examples that it does what it says.

use super::file::Row;
use super::near::{Near, near, widen};
use crate::shape::Shape;
use crate::span::Spans;
use crate::{kinds, token, value};

pub(super) const SHORTEST_KEYWORD: usize = 3;

pub(super) struct Compiled {
    pub(super) kind: &'static str,
    pub(super) how: How,
}

pub(super) enum How {
    /// The source of one that compiles.
    Shape(String),
    Near(Box<Near>),
    /// A name whose value is denied.
    Field,
}

pub(super) fn compile(row: &Row) -> Result<Compiled, String> {
    let name = row.kind.as_deref().unwrap_or(&row.id);
    let kind: String =
        name.chars().map(|sign| if sign == '-' { '_' } else { sign.to_ascii_lowercase() }).collect();
    if !kinds::is_kind(&kind) {
        return Err("its kind is no name: letters, digits and _, at most 48".to_owned());
    }
    let how = match (&row.shape, &row.regex) {
        (Some(shape), None) => {
            shape_of(shape)?;
            How::Shape(shape.clone())
        }
        (None, Some(regex)) => How::Near(Box::new(near(row, regex)?)),
        _ => return Err("takes either a shape or a regex".to_owned()),
    };
    Ok(Compiled { kind: kinds::kept(&kind), how })
}

fn shape_of(source: &str) -> Result<Shape<'_>, String> {
    let shape = Shape::parse(source).ok_or(
        "its shape has no literal, more than 16 parts, or a class that is not one of d, hex, lo, up, b62, b64, b64u, w, dom, any",
    )?;
    if shape.anchor().len() < SHORTEST_KEYWORD {
        return Err(format!("the longest literal of its shape has less than {SHORTEST_KEYWORD} bytes"));
    }
    Ok(shape)
}

/// Each example is caught by this rule, each negative left by it.
pub(super) fn check(row: &Row, compiled: &Compiled) -> Result<(), String> {
    for (what, texts, caught) in [("example", &row.examples, true), ("negative", &row.negatives, false)] {
        for (number, text) in texts.iter().enumerate() {
            if alone(row, compiled, text) != caught {
                let found = if caught { "is not caught" } else { "is caught" };
                return Err(format!("{what} {} {found}", number + 1));
            }
        }
    }
    Ok(())
}

fn alone(row: &Row, compiled: &Compiled, text: &str) -> bool {
    let mut spans = Spans::default();
    let lower = text.to_ascii_lowercase();
    match &compiled.how {
        How::Shape(source) => {
            let Some(shape) = Shape::parse(source) else { return false };
            let anchor = String::from_utf8_lossy(shape.anchor()).into_owned();
            return text.match_indices(&anchor).any(|(at, _)| whole(source, text.as_bytes(), at).is_some());
        }
        How::Near(near) => {
            let mut windows = Vec::new();
            let words = row.keywords.iter().map(|word| word.to_ascii_lowercase());
            let mut hits: Vec<usize> = words
                .flat_map(|word| lower.match_indices(&word).map(|(at, _)| at).collect::<Vec<_>>())
                .collect();
            hits.sort_unstable();
            for at in hits {
                widen(&mut windows, near, at, at + SHORTEST_KEYWORD, text.len());
            }
            for window in windows {
                near.find(text.as_bytes(), window, compiled.kind, &mut spans);
            }
        }
        How::Field => {}
    }
    !spans.found().is_empty()
}

/// The token of this shape whose anchor stands at `at`.
pub(super) fn whole(shape: &str, text: &[u8], at: usize) -> Option<(usize, usize)> {
    let (start, end) = Shape::parse(shape)?.find(text, at)?;
    (token::stands_alone(text, start) && !value::is_placeholder(&text[start..end])).then_some((start, end))
}
