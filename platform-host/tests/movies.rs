//! `run --gif`.

mod common;

use common::{Place, text};

#[test]
fn every_third_frame_goes_into_a_gif() {
    let place = Place::new();
    let call = ["run", "--frames", "7", "--gif", "a.gif"];
    place.fine(&[&call[..], &["--png", "p"]].concat());
    let file = std::fs::read(place.path("a.gif")).unwrap();
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(file.as_slice()).unwrap();
    assert_eq!((decoder.width(), decoder.height()), (320, 228));
    let mut number = 0;
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert_eq!(frame.delay, 5);
        let png = std::fs::File::open(place.path(&format!("p/frame{number:05}.png"))).unwrap();
        let mut reader = png::Decoder::new(std::io::BufReader::new(png))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let found = frame.buffer.chunks(4).flat_map(|it| &it[..3]);
        assert!(
            found
                .zip(&pixels)
                .all(|(found, wanted)| found.abs_diff(*wanted) < 37),
            "{number}"
        );
        number += 3;
    }
    assert_eq!(number, 9, "frames 0, 3 and 6");
    assert!(!place.path("overworld.png").exists());
    // Again, without a word; other content stays.
    place.fine(&call);
    for other in [b"mine".to_vec(), [&file, &b"x"[..]].concat()] {
        place.write("a.gif", &other);
        let output = place.overworld(call);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(
            text(&output.stderr),
            "overworld: a.gif: exists with other content; --force replaces it\n"
        );
        assert_eq!(std::fs::read(place.path("a.gif")).unwrap(), other);
    }
    place.fine(&[&call[..], &["--force"]].concat());
    assert_eq!(std::fs::read(place.path("a.gif")).unwrap(), file);
    let error = place.bad(&["run", "--frames", "1", "--gif", "-"], 2);
    assert!(error.contains("--gif wants a file"), "{error}");
}
