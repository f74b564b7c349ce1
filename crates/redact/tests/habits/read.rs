//! How a file of habits is read: by its test, and by the example that shows what is caught.

/// The texts of a file, below its head.
pub(crate) fn texts(file: &str) -> impl Iterator<Item = &str> {
    file.split("\n---\n").skip(1)
}

/// A text without its marks, and the ranges that they stood around.
pub(crate) fn unmark(marked: &str) -> (String, Vec<(usize, usize)>) {
    let (mut text, mut secrets, mut open) = (String::new(), Vec::new(), 0);
    for sign in marked.chars() {
        match sign {
            '⟦' => open = text.len(),
            '⟧' => secrets.push((open, text.len())),
            _ => text.push(sign),
        }
    }
    (text, secrets)
}
