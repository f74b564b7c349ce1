//! Error codes: one page each. To add one: write the page, add a line.

/// Every code and its page.
pub(crate) const CODES: &[(&str, &str)] = &[
    ("R0001", include_str!("codes/R0001.md")),
    ("R0002", include_str!("codes/R0002.md")),
    ("R0003", include_str!("codes/R0003.md")),
    ("R0004", include_str!("codes/R0004.md")),
    ("R0005", include_str!("codes/R0005.md")),
    ("R0006", include_str!("codes/R0006.md")),
    ("R0007", include_str!("codes/R0007.md")),
    ("R0008", include_str!("codes/R0008.md")),
    ("R0009", include_str!("codes/R0009.md")),
    ("R0010", include_str!("codes/R0010.md")),
    ("R0011", include_str!("codes/R0011.md")),
    ("R0012", include_str!("codes/R0012.md")),
    ("R0013", include_str!("codes/R0013.md")),
    ("R0014", include_str!("codes/R0014.md")),
    ("R0015", include_str!("codes/R0015.md")),
    ("R0016", include_str!("codes/R0016.md")),
    ("R0017", include_str!("codes/R0017.md")),
    ("R0018", include_str!("codes/R0018.md")),
    ("R0020", include_str!("codes/R0020.md")),
    ("R0021", include_str!("codes/R0021.md")),
];
