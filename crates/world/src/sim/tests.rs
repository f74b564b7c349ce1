//! What is synced survives, what is not may not; locks exclude; every fault happens once.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use super::{Fault, SimWorld};
use crate::{DiskFile, Lock, Open, World};

const SEEDS: u64 = 300;

fn file(world: &World, path: &str) -> Box<dyn DiskFile> {
    world.disk.open(Path::new(path), Open::Append).expect("opens")
}

fn append_all(file: &dyn DiskFile, bytes: &[u8]) {
    assert_eq!(file.append(bytes).expect("appends"), bytes.len());
}

/// A folder with a file whose name and first bytes are durable.
fn machine_with_file(seed: u64, bytes: &[u8]) -> (SimWorld, World) {
    let sim = SimWorld::new(seed);
    let world = sim.process();
    world.disk.create_dir_all(Path::new("/d")).expect("makes");
    append_all(&*file(&world, "/d/f"), bytes);
    file(&world, "/d/f").sync().expect("syncs");
    for folder in ["/d", "/"] {
        world.disk.sync_dir(Path::new(folder)).expect("syncs");
    }
    (sim, world)
}

#[test]
fn what_is_synced_survives_any_crash() {
    for seed in 0..SEEDS {
        let (sim, world) = machine_with_file(seed, &[7; 5000]);
        append_all(&*file(&world, "/d/f"), b"and a tail");
        sim.crash_machine();
        let found = sim.read("/d/f").expect("the name is durable");
        assert!(found.starts_with(&[7; 5000]), "seed {seed}");
        assert_ne!(sim.process().boot_id, world.boot_id);
    }
}

#[test]
fn what_is_not_synced_may_be_gone_or_torn_or_full_of_holes() {
    let mut shapes = BTreeSet::new();
    for seed in 0..SEEDS {
        let (sim, world) = machine_with_file(seed, b"x");
        append_all(&*file(&world, "/d/f"), &[7; 3000]);
        sim.crash_machine();
        let found = sim.read("/d/f").expect("the name is durable");
        shapes.insert((found.len() == 1, found.len() == 3001, found[1..].contains(&0)));
    }
    for shape in [(true, false, false), (false, true, false), (false, false, false), (false, true, true)] {
        assert!(shapes.contains(&shape), "{shape:?} never came up");
    }
}

#[test]
fn an_unsynced_cut_or_overwrite_may_be_undone_in_pages() {
    let mut found = BTreeSet::new();
    for seed in 0..SEEDS {
        let (sim, world) = machine_with_file(seed, &[1; 2000]);
        let open = world.disk.open(Path::new("/d/f"), Open::Update).expect("opens");
        open.set_len(700).expect("cuts");
        open.write_at(&[2; 1000], 700).expect("writes");
        sim.crash_machine();
        let bytes = sim.read("/d/f").expect("the name is durable");
        assert!(bytes.starts_with(&[1; 700]), "seed {seed}");
        found.insert((bytes.len() == 2000, bytes.contains(&2)));
    }
    assert_eq!(found.len(), 4, "cut or not, written or not");
}

#[test]
fn a_name_is_durable_once_its_folder_is_synced() {
    let mut kept = BTreeSet::new();
    for seed in 0..SEEDS {
        let (sim, world) = machine_with_file(seed, b"x");
        file(&world, "/d/new").sync().expect("syncs");
        world.disk.rename(Path::new("/d/f"), Path::new("/d/g")).expect("renames");
        sim.crash_machine();
        let names = ["/d/new", "/d/f", "/d/g"].map(|path| sim.read(path).is_some());
        assert_ne!(names[1], names[2], "seed {seed}: a rename is whole or not at all");
        kept.insert((names[0], names[1]));
    }
    assert_eq!(kept.len(), 4);
}

#[test]
fn a_killed_process_leaves_its_bytes_and_no_lock() {
    let (sim, one) = machine_with_file(1, b"x");
    let (other, held) = (sim.process(), file(&one, "/d/f"));
    assert!(held.try_lock(Lock::Exclusive).expect("asks"));
    append_all(&*held, b"yz");
    let second = file(&other, "/d/f");
    assert!(!second.try_lock(Lock::Shared).expect("asks"));
    sim.kill(&one);
    assert!(second.try_lock(Lock::Exclusive).expect("asks"));
    assert_eq!(sim.read("/d/f").as_deref(), Some(&b"xyz"[..]));
    assert!(held.append(b"!").is_err() && one.disk.list(Path::new("/d")).is_err());
    assert_eq!(other.boot_id, one.boot_id);
}

#[test]
fn locks_exclude_as_flock_does() {
    let (_sim, world) = machine_with_file(1, b"x");
    let [one, two, three] = [(); 3].map(|()| file(&world, "/d/f"));
    let take = |file: &dyn DiskFile, lock| file.try_lock(lock).expect("asks");
    assert!(take(&*one, Lock::Shared) && take(&*two, Lock::Shared));
    assert!(!take(&*three, Lock::Exclusive) && !take(&*one, Lock::Exclusive));
    two.unlock().expect("gives back");
    assert!(take(&*one, Lock::Exclusive) && !take(&*three, Lock::Shared));
    drop(one);
    assert!(take(&*three, Lock::Exclusive));
}

#[test]
fn every_fault_happens_once_at_its_operation() {
    for &fault in Fault::ALL {
        let (sim, world) = machine_with_file(3, b"x");
        let open = file(&world, "/d/f");
        let lost_sync = fault == Fault::LostSync;
        if lost_sync {
            append_all(&*open, &[9; 600]);
        }
        sim.fail_op(1, fault);
        let first = if lost_sync { open.sync().map(|()| 0) } else { open.append(&[9; 600]) };
        assert_eq!(first.is_ok(), fault == Fault::ShortWrite, "{fault:?}");
        assert_eq!(sim.fired().len(), 1);
        let is_alive = open.append(b"!").is_ok();
        assert_eq!(is_alive, fault != Fault::Kill, "{fault:?}");
        assert_eq!(sim.fired().len(), 1);
    }
}

#[test]
fn a_fault_that_cannot_happen_there_does_not() {
    let (sim, world) = machine_with_file(3, b"x");
    sim.fail_op(1, Fault::LostSync);
    assert!(world.disk.list(Path::new("/d")).is_ok() && sim.fired().is_empty());
}

#[test]
fn a_failed_sync_forgets_for_good() {
    for seed in 0..SEEDS {
        let (sim, world) = machine_with_file(seed, b"x");
        let open = file(&world, "/d/f");
        append_all(&*open, &[5; 1000]);
        sim.fail_op(1, Fault::LostSync);
        assert!(open.sync().is_err());
        assert_eq!(sim.read("/d/f").map(|bytes| bytes.len()), Some(1001), "still seen");
        open.sync().expect("a second sync lies");
        sim.crash_machine();
        let found = sim.read("/d/f").expect("the name is durable");
        assert!(!found.contains(&5), "seed {seed}");
    }
}

#[test]
fn operations_are_counted_and_nights_repeat() {
    let night = |seed| {
        let (sim, world) = machine_with_file(seed, b"x");
        append_all(&*file(&world, "/d/f"), &[7; 3000]);
        let mut chance = [0; 20];
        world.chance.fill(&mut chance).expect("fills");
        let ops = sim.ops();
        sim.crash_machine();
        (ops, chance, world.clock.now(), sim.read("/d/f"))
    };
    assert_eq!(night(8), night(8));
    assert_ne!(night(8), night(9));
    assert_eq!(night(8).0, 9);
}

#[test]
fn a_fork_goes_its_own_way() {
    let (sim, world) = machine_with_file(1, b"x");
    let fork = sim.fork(2);
    append_all(&*file(&world, "/d/f"), b"y");
    assert_eq!(fork.read("/d/f").as_deref(), Some(&b"x"[..]));
    assert!(file(&fork.process(), "/d/f").try_lock(Lock::Exclusive).expect("asks"));
    fork.write("/e/new", b"by hand");
    fork.delete("/d");
    fork.crash_machine();
    assert_eq!(fork.files("/"), [Path::new("/e/new")]);
}

#[test]
fn the_clock_moves_sleeps_and_goes_back() {
    let sim = SimWorld::new(1);
    let world = sim.process();
    let first = world.clock.now();
    assert!(world.clock.now() > first);
    world.clock.sleep(Duration::from_secs(5));
    assert!(world.clock.now() > first + 5_000_000);
    sim.set_clock(first - 1_000_000);
    assert!(world.clock.now() < first);
    sim.starve_chance(true);
    assert!(world.chance.fill(&mut [0; 4]).is_err());
}

#[test]
fn the_disk_refuses_what_a_real_one_refuses() {
    let (_sim, world) = machine_with_file(1, b"x");
    let disk = &world.disk;
    let (f, g) = (Path::new("/d/f"), Path::new("/d/g"));
    assert!(disk.open(f, Open::CreateNew).is_err() && disk.open(g, Open::Read).is_err());
    assert!(disk.open(g, Open::Update).is_err() && disk.open(Path::new("/d"), Open::Read).is_err());
    assert!(disk.open(Path::new("/no/f"), Open::Append).is_err());
    assert!(disk.link(f, g).is_ok() && disk.link(f, g).is_err());
    assert!(disk.create_dir_all(f).is_err() && disk.list(Path::new("/no")).is_ok_and(|n| n.is_empty()));
    assert!(disk.stat(Path::new("/d/f/x")).is_ok_and(|stat| stat.is_none()));
    assert!(disk.open(f, Open::Read).is_ok_and(|open| open.append(b"y").is_err()));
    assert!(disk.open(f, Open::Update).is_ok_and(|open| open.append(b"y").is_err()));
    assert!(disk.open(f, Open::Append).is_ok_and(|open| open.write_at(b"y", 0).is_err()));
    assert!(disk.remove(f).is_ok() && disk.remove(f).is_err() && disk.remove(Path::new("/d")).is_err());
}
