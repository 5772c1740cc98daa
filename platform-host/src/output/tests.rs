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
fn a_place_is_tried_without_leaving_anything() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a"), b"old").unwrap();
    fs::create_dir(path("b")).unwrap();
    for good in ["a", "new"] {
        check_writable(&path(good)).unwrap();
    }
    for bad in ["b", "none/c", "a/c", "c/"] {
        assert!(check_writable(&path(bad)).is_err(), "{bad}");
    }
    #[cfg(target_os = "linux")]
    assert!(check_writable(Path::new("/proc/none")).is_err());
    assert_eq!(fs::read(path("a")).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["a", "b"]);
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

#[test]
fn a_stage_that_another_program_sweeps_away_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let gone = hold_folder(&folder.path().join("gone")).unwrap_err();
    assert_eq!(gone.kind(), io::ErrorKind::NotFound);
    // As other programs that begin at the same time.
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    sweep(folder.path());
                }
            });
        }
        let failed = (0..300).find_map(|_| {
            let stage = Stage::new(folder.path());
            let write = |stage: Stage| fs::write(stage.path().join("0"), b"x");
            stage.and_then(write).err()
        });
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(failed.is_none(), "{failed:?}");
    });
    assert_eq!(names(folder.path()), Vec::<String>::new());
}

#[test]
fn a_folder_that_another_program_removes_is_made_again() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("a/b");
    let mut tries = 0;
    let (made, file) = enter(&folder, |folder| {
        tries += 1;
        if tries <= 2 {
            fs::remove_dir(folder)?;
        }
        fs::write(folder.join("x"), b"x")?;
        Ok(folder.join("x"))
    })
    .unwrap();
    assert_eq!((tries, fs::read(file).unwrap()), (3, b"x".to_vec()));
    drop(made);
    assert_eq!(names(&folder), ["x"], "it is not empty");
    // What is never there is an error in the end.
    let other = place.path().join("c");
    let error = enter(&other, |_| fs::read(other.join("none"))).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
    assert!(!other.exists());
}

#[test]
fn only_folders_that_were_made_and_are_empty_are_removed() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::create_dir(at("old")).unwrap();
    drop(Folder::make(&at("old")).unwrap());
    drop(Folder::make(&at("old/a/b")).unwrap());
    assert_eq!(names(place.path()), ["old"]);
    assert_eq!(names(&at("old")), Vec::<String>::new());
    let made = Folder::make(&at("old/a/b")).unwrap();
    fs::write(at("old/a/x"), b"x").unwrap();
    drop(made);
    assert_eq!(names(&at("old/a")), ["x"]);
    let made = Folder::make(&at("new/a")).unwrap();
    made.keep();
    assert_eq!(names(&at("new")), ["a"]);
    let error = Folder::make(&at("old/a/x/y/z")).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
    assert_eq!(names(&at("old/a")), ["x"]);
}

#[test]
fn a_folder_that_takes_no_file_is_named_and_no_temporary_name() {
    let place = tempfile::tempdir().unwrap();
    let none = place.path().join("none");
    let expected = format!("the folder {} does not exist", none.display());
    let error = replace(&none.join("x"), b"x").unwrap_err();
    assert_eq!(error.to_string(), expected);
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
    assert_eq!(Stage::new(&none).unwrap_err().to_string(), expected);
    fs::write(&none, b"file").unwrap();
    let error = replace(&none.join("x"), b"x").unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{} is no folder", none.display())
    );
    // Whoever runs tests may write everywhere, so this is not tried out.
    let refused = io::Error::new(io::ErrorKind::PermissionDenied, ".overworld-EAgQSK.part");
    assert_eq!(
        about_folder(Path::new("ro"), &refused).to_string(),
        "the folder ro cannot be written to: permission denied"
    );
}
