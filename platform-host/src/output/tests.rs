use super::*;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_file_is_replaced_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.bin");
    assert!(is_free_or_equal(&path, b"one").unwrap());
    replace(&path, b"one").unwrap();
    assert!(is_free_or_equal(&path, b"one").unwrap());
    assert!(!is_free_or_equal(&path, b"two").unwrap());
    replace(&path, b"two").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two");
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        1,
        "no temporary file is left"
    );
    assert!(replace(&folder.path().join("none/out.bin"), b"x").is_err());
    assert!(
        replace(folder.path(), b"x").is_err(),
        "a folder is no output file"
    );
}

#[test]
fn nothing_is_replaced_before_all_are_good() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a"), b"old").unwrap();
    fs::create_dir(path("b")).unwrap();
    for second in [path("b"), path("none/c"), path("a/c"), path("c/")] {
        let (index, error) = replace_all(&[(&path("a"), b"new"), (&second, b"new")]).unwrap_err();
        assert_eq!(index, 1, "{error}");
        assert_eq!(fs::read(path("a")).unwrap(), b"old", "{error}");
        assert_eq!(names(folder.path()), ["a", "b"]);
    }
    replace_all(&[(path("a"), b"new"), (path("c"), b"new")]).unwrap();
    assert_eq!(names(folder.path()), ["a", "b", "c"]);
    let error = replace(&path("b"), b"x").unwrap_err();
    assert!(error.to_string().contains("is a folder"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_new_file_has_the_usual_mode_and_an_old_one_keeps_its_own() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    // What the umask makes of an ordinary file; tests of the binary set it to other values.
    let (usual, path) = (folder.path().join("usual"), folder.path().join("out"));
    fs::write(&usual, b"").unwrap();
    replace(&path, b"one").unwrap();
    assert_eq!(mode(&path), mode(&usual));
    for kept in [0o600, 0o640, 0o777, 0o604] {
        fs::set_permissions(&path, fs::Permissions::from_mode(kept)).unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(mode(&path), kept, "{kept:o}");
    }
}

#[test]
fn only_what_the_dead_left_is_swept() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    // Left behind: nobody holds them.
    fs::write(path(".overworld-aB3xYz.part"), b"x").unwrap();
    fs::create_dir(path(".overworld-aB3xYz.parts")).unwrap();
    fs::write(path(".overworld-aB3xYz.parts/0"), b"x").unwrap();
    // Somebody is at work.
    let held = File::create(path(".overworld-living.part")).unwrap();
    held.lock().unwrap();
    let place = tempfile::Builder::new()
        .prefix(PREFIX)
        .suffix(FOLDER)
        .tempdir_in(folder.path())
        .unwrap();
    let place_lock = File::open(place.path()).unwrap();
    place_lock.lock().unwrap();
    fs::write(place.path().join("0"), b"x").unwrap();
    // Not ours.
    fs::write(path(".overworld-notes"), b"x").unwrap();
    fs::write(path(".overworld-my-own.part"), b"x").unwrap();
    fs::create_dir(path(".overworld-folder.part")).unwrap();
    replace(&path("out"), b"x").unwrap();
    let mut expected = vec![
        ".overworld-folder.part".to_owned(),
        ".overworld-living.part".to_owned(),
        ".overworld-my-own.part".to_owned(),
        ".overworld-notes".to_owned(),
        "out".to_owned(),
        place
            .path()
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned(),
    ];
    expected.sort();
    assert_eq!(names(folder.path()), expected);
    drop(held);
    drop(place_lock);
    sweep(folder.path());
    assert!(!path(".overworld-living.part").exists());
    assert!(!place.path().exists());
}

#[test]
fn a_stage_holds_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let stage = Stage::new(folder.path()).unwrap();
    fs::write(stage.path().join("0"), b"x").unwrap();
    let name = names(folder.path());
    assert_eq!(name.len(), 1);
    assert_eq!(is_unfinished(&name[0]), Some(true), "{name:?}");
    sweep(folder.path());
    assert!(stage.path().join("0").exists());
    drop(stage);
    assert_eq!(names(folder.path()), Vec::<String>::new());
}
