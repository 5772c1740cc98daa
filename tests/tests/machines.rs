//! The battery on every machine, and one summary of all.

mod common;

use std::time::{Duration, Instant};

use overworld_tests::artefacts::{BATTERY, BOOT_ROM, CORTEX_M3, DEVICES, DISC_CUE, FAULTS};
use overworld_tests::emulator::{Error, Report};
use overworld_tests::faults::{self, Fault, Reported};
use overworld_tests::mednafen::Mednafen;
use overworld_tests::pc;
use overworld_tests::picture::Moment;
use overworld_tests::qemu::Qemu;
use overworld_tests::summary::Summary;
use overworld_tests::verdict::Outcome;

use common::{TIME_OUT, images, installed, screen, turn};

#[test]
fn the_battery_passes_on_the_pc() {
    let report = pc::run("", |_| {});
    assert_eq!(report.outcome, Outcome::Pass, "{report}");
    let mut summary = Summary::default();
    summary.add("PC", &report);
    let machine = &summary.machines()[0];
    assert_eq!(
        (machine.machine.as_str(), machine.unit.as_str()),
        ("PC", "ns")
    );
    // 19 streams, 63 rows of the sheet, 23 groups of the console's log, and the rest.
    assert!(machine.counts().0 > 19 + 63 + 23, "{summary}");
    for (name, cost, _) in &machine.benches {
        assert!(cost.is_some_and(|cost| cost > 0), "{name}: {cost:?}");
    }
    let mut names: Vec<&String> = machine.tests.iter().map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), machine.tests.len(), "two tests have one name");
}

#[test]
fn a_filter_chooses_by_a_part_of_the_name() {
    let report = pc::run("lzs/V1", |_| {});
    assert_eq!(report.outcome, Outcome::Pass);
    let tests = report.lines.iter().filter(|line| line.contains("@@TEST"));
    assert_eq!(tests.count(), 6, "V1 and V10 to V14: {:?}", report.lines);
    // Nothing chosen is nothing tested.
    assert_eq!(pc::run("no such test", |_| {}).outcome, Outcome::Fail);
}

fn playstation() -> Option<Report> {
    let [rom, exe] = images([BOOT_ROM, BATTERY])?;
    let run = Mednafen::new(rom).exe(exe).time_out(TIME_OUT);
    installed(run.run(|_| {}).unwrap())
}

fn microcontroller(argument: &str, time_out: Duration) -> Option<Report> {
    let [elf] = images([CORTEX_M3])?;
    let run = Qemu::new(elf).argument(argument).time_out(time_out);
    installed(run.run(|_| {}).unwrap())
}

/// The goals of the console's benchmarks: the most cycles that one may take. Emulated cycles do not depend on
/// the machine that emulates, so a goal that is missed is missed by the code; what each takes now is in
/// docs/performance.md.
const CEILINGS: [(&str, u64); 15] = [
    // Unpacking, of the bank of poses: 22 cycles a byte at most, 744 bytes; in two pieces 15 % more.
    ("lzs/decode/pose", 22 * 744),
    ("lzs/stream/pose", 22 * 744 * 115 / 100),
    // A part of a pose: unpacked, blended, its matrix made and loaded. The simpler one has the same goal.
    ("pose/matrix", 450),
    ("pose/part_blend", 450),
    // A textured quad as a packet in the list.
    ("model/quad", 160),
    // A rotation channel of a battle model.
    ("ff8/channel", 70),
    // The field: a three-point probe, blocked and free; a whole walking frame with 24 actors, the mean of a walk and
    // its dearest frame, in which the player pushes along somebody. The goal of both is 20,000; they are held to what
    // they have come to, and to what the place of their code in the cache may add.
    ("field/probe_blocked", 250),
    ("field/probe_free", 250),
    ("field/frame", 12_000),
    ("field/frame_worst", 17_000),
    // Scripts: a simple instruction, a flag test and jump, a slice of a parked context, by a flag and by time, a
    // town's frame of 40.
    ("script/simple", 120),
    ("script/test_jump", 120),
    ("script/test_parked", 60),
    ("script/wait_parked", 60),
    ("script/town", 12_000),
];

/// What a run of the console's battery misses of its goals: too dear, not measured, or not there at all.
fn missed(benches: &[(String, Option<u64>, String)]) -> Vec<String> {
    let cost = |name: &str| benches.iter().find(|it| it.0 == name)?.1;
    let over = |(name, most)| match cost(name) {
        Some(cost) if cost <= most => None,
        cost => Some(format!("{name}: {cost:?} of {most}")),
    };
    CEILINGS.into_iter().filter_map(over).collect()
}

#[test]
fn a_goal_is_missed_by_a_cycle_and_by_a_name_that_is_gone() {
    let mut benches = CEILINGS.map(|(name, most)| (name.to_owned(), Some(most), String::new()));
    assert_eq!(missed(&benches), [""; 0]);
    benches[0].1 = Some(CEILINGS[0].1 + 1);
    benches[1].1 = None;
    benches[2].0.push('x');
    let missed = missed(&benches);
    let names: Vec<_> = missed
        .iter()
        .filter_map(|it| it.split(':').next())
        .collect();
    assert_eq!(names, [CEILINGS[0].0, CEILINGS[1].0, CEILINGS[2].0]);
}

/// Every machine passes, runs the same tests, and measures every benchmark.
#[test]
fn all_machines_pass_the_same_battery() {
    let _turn = turn();
    let mut summary = Summary::default();
    summary.add("PC", &pc::run("", |_| {}));
    if let Some(report) = playstation() {
        summary.add("PlayStation", &report);
    }
    if let Some(report) = microcontroller("", TIME_OUT) {
        summary.add("Cortex-M3", &report);
    }
    println!("{summary}");
    assert_eq!(summary.outcome(), Some(Outcome::Pass), "\n{summary}");
    assert_eq!(
        summary.uneven(),
        [""; 0],
        "not run everywhere; are the images of today? `cargo xtask build`\n{summary}"
    );
    for machine in summary.machines() {
        for (name, cost, _) in &machine.benches {
            assert!(
                cost.is_some_and(|cost| cost > 0),
                "{}: {name}",
                machine.name
            );
        }
        if machine.name == "PlayStation" {
            assert_eq!(missed(&machine.benches), [""; 0], "goals of the console");
        }
    }
}

/// The drivers against the emulated devices themselves, with a disc and without.
#[test]
fn the_drivers_pass_on_the_machine() {
    let _turn = turn();
    let Some([rom, exe, disc]) = images([BOOT_ROM, DEVICES, DISC_CUE]) else {
        return;
    };
    let run = |emulator: Mednafen| {
        let report = installed(emulator.time_out(TIME_OUT).run(|_| {}).unwrap())?;
        assert_eq!(report.outcome, Outcome::Pass, "{report}");
        let mut summary = Summary::default();
        summary.add("PlayStation", &report);
        Some(summary.machines()[0].counts())
    };
    let with_disc = run(Mednafen::new(&rom).exe(&exe).disc(&disc));
    let without = run(Mednafen::new(&rom).exe(&exe));
    // Timer, live values, polygons, interrupts, table, upload, list, endless list and a pad in each port; with a
    // disc also any sector and late programs.
    for (counts, tests) in [(with_disc, 12), (without, 10)] {
        assert!(
            counts.is_none_or(|counts| counts == (tests, 0)),
            "{counts:?}"
        );
    }
}

/// Emulated time does not depend on the machine that emulates: two runs count the same.
#[test]
fn emulated_costs_are_the_same_in_every_run() {
    let _turn = turn();
    let pairs = [
        (playstation(), playstation()),
        (microcontroller("", TIME_OUT), microcontroller("", TIME_OUT)),
    ];
    for (first, second) in pairs {
        let (Some(first), Some(second)) = (first, second) else {
            continue;
        };
        let costs = |report: &Report| {
            let mut summary = Summary::default();
            summary.add("", report);
            summary.machines()[0].benches.clone()
        };
        for ((name, a, _), (other, b, _)) in costs(&first).iter().zip(&costs(&second)) {
            assert_eq!(name, other);
            let (a, b) = (a.unwrap_or(0), b.unwrap_or(0));
            // The board's timer counts in steps of 40 ns, a third of an instruction.
            assert!(a.abs_diff(b) <= 2, "{name}: {a} and {b}");
        }
    }
}

/// What goes wrong on the console is seen outside, each kind as itself.
#[test]
fn console_faults_end_as_they_must() {
    let _turn = turn();
    let Some([rom, exe]) = images([BOOT_ROM, FAULTS]) else {
        return;
    };
    let exe = std::fs::read(exe).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for fault in faults::FAULTS {
        let image = fault.image(&exe).expect("a place for the choice");
        let path = folder.path().join(format!("{}.exe", fault.word));
        std::fs::write(&path, image).unwrap();
        let time_out = match fault.outcome {
            Outcome::TimeOut => Duration::from_secs(8),
            _ => TIME_OUT,
        };
        let run = Mednafen::new(&rom).exe(path).time_out(time_out);
        let Some(report) = installed(run.run(|_| {}).unwrap()) else {
            return;
        };
        if let Err(why) = fault.check(&report) {
            panic!("{why}");
        }
        // An end mark within seconds, not at the time-out.
        assert!(
            report.elapsed < time_out + Duration::from_secs(4),
            "{report}"
        );
    }
}

/// The screen after a crash, line by line, as far as it is known; the terminal of the same run has said
/// the rest.
fn crash_screen(fault: &Fault, report: &Report) -> Vec<String> {
    let mut screen = Vec::new();
    let mut line = |text: &str| screen.push(text.to_owned());
    match fault.reported {
        Reported::Panic(_) => {
            let of = |tag: &str| report.lines.iter().find_map(|line| line.strip_prefix(tag));
            let place = of("@@PANIC ").unwrap().split(": ").next().unwrap();
            let (sp, calls) = of("@@ sp=").unwrap().split_once(" called from ").unwrap();
            for text in ["PANIC", "", "on purpose,", "over two lines", "", place, ""] {
                line(text);
            }
            line(&format!("sp {sp}"));
            line("called from");
            for row in calls.split(' ').collect::<Vec<_>>().chunks(4) {
                line(&format!("  {}", row.join("  ")));
            }
        }
        Reported::Fault(planted) => {
            let first = report
                .lines
                .iter()
                .find(|line| line.starts_with("@@FAULT "));
            let (code, v0) = (planted.cause_register(first.unwrap()), planted.v0);
            line(&format!("FAULT: {}", planted.cause));
            line("");
            line(&format!("at {:08X}", faults::place(&report.lines).unwrap()));
            line(&format!("address {v0:08X}"));
            line(&format!("sr 40000404  cause {code:08X}"));
            line("");
            for (row, names) in faults::NAMES.chunks(3).enumerate() {
                let words = names.iter().zip(3 * row as u32..);
                let words = words.map(|(name, n)| format!("{name:>4} {:08X}", planted.register(n)));
                line(&words.collect::<Vec<_>>().join(" "));
            }
            line("  hi 13570020   lo 13570021");
        }
        _ => {}
    }
    screen
}

/// The last picture of a program shows how it ended: the ground's colour says which way, and the text
/// says the same as the terminal.
#[test]
fn the_last_picture_shows_how_a_program_ended() {
    let _turn = turn();
    let Some([rom, battery, exe]) = images([BOOT_ROM, BATTERY, FAULTS]) else {
        return;
    };
    let exe = std::fs::read(exe).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let fault = |word: &str| {
        let fault = faults::FAULTS.into_iter().find(|fault| fault.word == word);
        let fault = fault.unwrap();
        let path = folder.path().join(format!("{word}.exe"));
        std::fs::write(&path, fault.image(&exe).unwrap()).unwrap();
        (path, Some(fault))
    };
    // The ground's largest component: green, blue and red.
    let programs = [
        ((battery, None), 1),
        (fault("none"), 1),
        (fault("panic"), 2),
        (fault("misaligned"), 0),
    ];
    for ((program, fault), component) in programs {
        let name = program.display().to_string();
        let run = Mednafen::new(&rom).exe(program).picture(Moment::Last);
        let Some(report) = installed(run.time_out(2 * TIME_OUT).run(|_| {}).unwrap()) else {
            return;
        };
        let picture = report.pictures.first().expect("a picture");
        let ground = picture.pixel(2, 2).unwrap();
        let largest = (0..3).max_by_key(|&index| ground[index]);
        assert!(
            largest == Some(component) && ground[component] > 40,
            "{name}: {ground:?}: {report}"
        );
        let text = screen::text(picture);
        match fault.map(|fault| crash_screen(&fault, &report)) {
            Some(expected) if !expected.is_empty() => assert_eq!(text, expected, "{name}"),
            _ => {
                let tests = report
                    .lines
                    .iter()
                    .filter(|line| line.starts_with("@@TEST"));
                let sums = format!("{} tests passed, 0 failed", tests.count());
                assert_eq!(text.get(2), Some(&sums), "{name}: {text:#?}");
            }
        }
    }
}

/// What goes wrong on the microcontroller is seen outside, too.
#[test]
fn microcontroller_faults_end_as_they_must() {
    let _turn = turn();
    for (argument, outcome, mark) in [
        ("!panic", Outcome::Crash, "@@PANIC "),
        ("!fault", Outcome::Crash, "@@FAULT cause=UsageFault "),
        ("!stack", Outcome::Crash, "@@FAULT cause=StackOverflow "),
        ("!hang", Outcome::TimeOut, "@@ hang"),
    ] {
        let Some(report) = microcontroller(argument, Duration::from_secs(6)) else {
            return;
        };
        assert_eq!(report.outcome, outcome, "{argument}: {report}");
        let found = report.lines.iter().any(|line| line.starts_with(mark));
        assert!(found, "{argument}: no {mark}: {report}");
    }
}

#[test]
fn the_firmware_takes_a_filter() {
    let _turn = turn();
    let Some(report) = microcontroller("lzs/E", TIME_OUT) else {
        return;
    };
    assert_eq!(report.outcome, Outcome::Pass, "{report}");
    let tests = report.lines.iter().filter(|line| line.contains("@@TEST"));
    assert_eq!(tests.count(), 5, "{:?}", report.lines);
}

/// A boot ROM without a program and without a disc must not hang a test for ever.
#[test]
fn a_disc_that_is_none_ends_in_time() {
    let _turn = turn();
    let Some([rom]) = images([BOOT_ROM]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let cue = folder.path().join("none.cue");
    std::fs::write(&cue, "FILE \"none.bin\" BINARY\n").unwrap();
    let run = Mednafen::new(rom).disc(cue);
    let run = run.time_out(Duration::from_secs(20));
    let begun = Instant::now();
    // The emulator refuses it and ends by itself, at once: its own words, and no fault of a program.
    match run.run(|_| {}) {
        Err(error @ Error::Disc { .. }) => {
            assert!(begun.elapsed() < Duration::from_secs(15), "{error}");
            assert!(error.to_string().contains("none.bin"), "{error}");
        }
        Err(error) => panic!("{error}"),
        Ok(report) => assert!(installed(report).is_none(), "the emulator took it"),
    }
}
