//! Sessions in a query: people write the name that its caller uses, the index knows ids.

use event::SessionId;
use index::Query;
use index::query::{Item, Keyword, Node};
use index::tokens::tokens;

/// The query, with the ids of the sessions that it names by the names of their callers.
pub(crate) fn with_ids<E>(
    query: &Query,
    callers_names: impl FnOnce() -> Result<Vec<(String, SessionId)>, E>,
) -> Result<Query, E> {
    let mut query = query.clone();
    let mut asked = Vec::new();
    session_values(&mut query.root, &mut asked);
    if !asked.is_empty() {
        let names: Vec<_> = callers_names()?.into_iter().map(|(name, id)| (words(&name), id)).collect();
        for values in asked {
            add_ids(values, &names);
        }
    }
    Ok(query)
}

fn session_values<'q>(node: &'q mut Node, found: &mut Vec<&'q mut Vec<Item>>) {
    match node {
        Node::And(nodes) | Node::Or(nodes) => nodes.iter_mut().for_each(|node| session_values(node, found)),
        Node::Not(node) => session_values(node, found),
        Node::Keyword { field: Keyword::Session, values } => found.push(values),
        _ => {}
    }
}

fn add_ids(values: &mut Vec<Item>, names: &[(Vec<String>, SessionId)]) {
    let asked: Vec<Vec<String>> =
        values.iter().filter(|item| !item.prefix).map(|item| words(&item.text)).collect();
    let meant = names.iter().filter(|(name, _)| asked.contains(name));
    values.extend(meant.map(|(_, id)| Item { text: id.to_string(), prefix: false }));
}

/// The words of a name, folded as queries are.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    tokens(name, |token| words.push(token.text.to_owned()));
    words
}
