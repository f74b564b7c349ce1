//! The simulated disk and the real one, side by side: while nothing goes wrong they are alike.

use std::path::Path;

use proptest::prelude::*;

use super::SimWorld;
use crate::{Disk, Open, RealDisk};

/// One call: which, on which path, and a number it may need.
type Call = (u8, u8, u8, u8);

const PATHS: &[&str] = &["a", "b", "d", "d/a", "d/b", "d/e/a", "a/x"];

/// What a call answers, as far as both disks can agree.
fn answer(disk: &dyn Disk, root: &Path, (what, path, other, n): Call) -> String {
    let at = |n: u8| root.join(PATHS[usize::from(n) % PATHS.len()]);
    let (path, other, n) = (at(path), at(other), n % 40);
    let done = match what % 10 {
        0 => open(disk, &path, Open::Append, |file| file.append(&[n; 9]).map(|count| count.to_string())),
        1 => open(disk, &path, Open::CreateNew, |file| file.append(&[n; 9]).map(|count| count.to_string())),
        2 => open(disk, &path, Open::Update, |file| file.write_at(&[n; 5], n.into()).map(|()| String::new())),
        3 => open(disk, &path, Open::Update, |file| file.set_len(n.into()).map(|()| String::new())),
        4 => open(disk, &path, Open::Read, |file| {
            let mut buffer = [0; 64];
            let count = file.read_full_at(&mut buffer, n.into())?;
            Ok(format!("{:?}", &buffer[..count]))
        }),
        5 => disk.list(&path).map(|names| names.join(" ")),
        6 => disk.create_dir_all(&path).map(|()| String::new()),
        7 => disk.link(&path, &other).map(|()| String::new()),
        8 => disk.remove(&path).map(|()| String::new()),
        _ => disk.stat(&path).map(|stat| format!("{:?}", stat.map(|s| (s.is_dir, !s.is_dir && s.len > 0)))),
    };
    // words differ; that it failed does not
    done.unwrap_or_else(|_| "an error".to_owned())
}

fn open(
    disk: &dyn Disk,
    path: &Path,
    how: Open,
    then: impl FnOnce(&dyn crate::DiskFile) -> std::io::Result<String>,
) -> std::io::Result<String> {
    // the real disk opens a folder and fails to read it, which comes to the same
    if disk.stat(path)?.is_some_and(|stat| stat.is_dir) {
        return Err(std::io::ErrorKind::IsADirectory.into());
    }
    disk.open(path, how).and_then(|file| then(&*file))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_simulated_disk_answers_as_the_real_one_does(calls in prop::collection::vec(any::<Call>(), 1..60)) {
        let folder = tempfile::tempdir().expect("a folder");
        let simulated = SimWorld::new(1).process().disk;
        simulated.create_dir_all(Path::new("/")).expect("makes");
        for (n, call) in calls.into_iter().enumerate() {
            let real = answer(&RealDisk, folder.path(), call);
            let sim = answer(&*simulated, Path::new("/"), call);
            prop_assert_eq!(real, sim, "call {} {:?}", n, call);
        }
    }
}
