//! How the binary is linked: so that it starts early. A hook may take 3 ms.
//!
//! On Linux it is linked to a fixed address. Linked to any address (the default), the loader writes 42,000
//! pointers of tables that nobody reads before our first line runs: 0.35 ms of every call.
//! The code that unwinds a panic is taken into it, where the compiler has that as an archive: as a library of
//! its own (the default) it asks the processor for its kind when it is loaded: 0.15 ms.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let of = |name| std::env::var(name).unwrap_or_default();
    let gnu = of("CARGO_CFG_TARGET_OS") == "linux" && of("CARGO_CFG_TARGET_ENV") == "gnu";
    // a static program brings start-up code of its own, which takes it for one that can stand anywhere, and crashes
    let is_static = of("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == "crt-static");
    if !gnu || is_static {
        return;
    }
    println!("cargo:rustc-link-arg-bin=recount=-no-pie");
    let folder = of("OUT_DIR");
    // found before the library, and says to the linker what to take instead
    let stands_in = || std::fs::write(Path::new(&folder).join("libgcc_s.so"), "INPUT(-lgcc_eh -lgcc)\n");
    if of("TARGET") == of("HOST") && has_archive() && stands_in().is_ok() {
        println!("cargo:rustc-link-search=native={folder}");
    }
}

/// Whether the compiler that links knows the archive: it then says where, else only the name.
fn has_archive() -> bool {
    let asked = Command::new("cc").arg("-print-file-name=libgcc_eh.a").output();
    asked.is_ok_and(|told| Path::new(String::from_utf8_lossy(&told.stdout).trim()).is_absolute())
}
