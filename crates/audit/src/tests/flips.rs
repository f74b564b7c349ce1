//! One bit changed anywhere in the store is never verified; caches and locks prove nothing and may change.

use std::path::PathBuf;

use proptest::prelude::*;

use super::bundles::Parcel;
use super::house::House;

/// What a verdict stands on.
fn counts(path: &std::path::Path) -> bool {
    let text = path.to_string_lossy();
    let cache = ["/log/heads/", "/log/state", "/log/unsealed", "/lock", "/torn/"];
    text.starts_with("/store/journal/") && !cache.iter().any(|part| text.contains(part))
}

fn golden() -> (House, Vec<PathBuf>) {
    let mut house = House::golden();
    house.options.epoch_leaves = 1;
    house.notes("a", 10..12);
    house.seal();
    let files = house.sim.files("/store").into_iter().filter(|path| counts(path)).collect();
    (house, files)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn case_67_a_bit_changed_anywhere_is_never_verified(at in any::<prop::sample::Index>(), bits in prop::collection::vec((any::<prop::sample::Index>(), 0u8..8), 100)) {
        let (house, files) = golden();
        let pin = house.remembered();
        prop_assert!(files.len() >= 5, "{:?}", files);
        let file = &files[at.index(files.len())];
        let good = house.bytes(file);
        for (index, bit) in bits {
            let mut bytes = good.clone();
            let byte = index.index(bytes.len());
            bytes[byte] ^= 1 << bit;
            house.sim.write(file, &bytes);
            // a store id that is changed is another store's, which may not even open
            let Ok(journal) = journal::Journal::open(house.world.clone(), "/store".as_ref()) else { continue };
            let demands = crate::Demands { pin: pin.clone(), ..crate::Demands::default() };
            let verdict = crate::verify(&journal, &demands).unwrap();
            prop_assert_ne!(verdict.exit(), 0, "bit {} of byte {} of {}", bit, byte, file.display());
        }
        house.sim.write(file, &good);
        prop_assert_eq!(house.verify().exit(), 0);
    }
}

/// A bundle with a bit of everything: told whole and not at all, two epochs.
fn parcel() -> Parcel {
    let mut house = House::golden();
    house.options.epoch_leaves = 1;
    house.notes("a", 10..12);
    house.seal();
    Parcel::of(house, Some("(seq:>=2 seq:<=9) OR \"note 1\""), &[])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(54))]
    #[test]
    fn case_67_a_bit_changed_anywhere_in_a_bundle_is_never_verified(at in any::<prop::sample::Index>(), bits in prop::collection::vec((any::<prop::sample::Index>(), 0u8..8), 100)) {
        let parcel = parcel();
        prop_assert_eq!(parcel.examined().exit(), 0);
        let files = crate::tests::bundles::files_of(parcel.folder.path());
        let file = &files[at.index(files.len())];
        let good = std::fs::read(file).unwrap();
        for (index, bit) in bits {
            let mut bytes = good.clone();
            let byte = index.index(bytes.len());
            bytes[byte] ^= 1 << bit;
            std::fs::write(file, &bytes).unwrap();
            prop_assert_ne!(parcel.examined().exit(), 0, "bit {} of byte {} of {}", bit, byte, file.display());
        }
    }
}

#[test]
fn case_67_a_bit_changed_anywhere_in_a_packed_bundle_is_never_verified() {
    let (house, bytes) = crate::tests::bundles::packed();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("b.tar.zst");
    let demanded = crate::Demanded { pin: house.known(), ..crate::Demanded::default() };
    let mut checked = 0;
    for at in (0..bytes.len()).step_by(7).chain(bytes.len() - 60..bytes.len()).chain(0..20) {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        std::fs::write(&file, &changed).unwrap();
        let examined = crate::examine(&file, &demanded, &|_| None).unwrap();
        assert_eq!(examined.exit(), 40, "byte {at}: {:?}", examined.findings);
        checked += 1;
    }
    assert!(checked > 500);
}
