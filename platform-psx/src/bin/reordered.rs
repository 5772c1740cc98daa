//! A program whose sections lie in another order: zeroed data first, code last, the entry in the middle
//! (`linker/reordered.ld`). It must start all the same, and find its data.
#![cfg_attr(target_arch = "mips", no_std, no_main)]

overworld_psx::program!(run);

#[cfg(target_arch = "mips")]
fn run() {
    use core::cell::UnsafeCell;
    use core::hint::black_box;
    use overworld_psx::{println, tty};

    /// A variable that start-up code or loader must have set.
    struct Variable(UnsafeCell<[u32; 512]>);
    // SAFETY: only the code below uses it, once.
    unsafe impl Sync for Variable {}

    static ZEROED: Variable = Variable(UnsafeCell::new([0; 512]));
    static SET: Variable = Variable(UnsafeCell::new([0x600D_DA7A; 512]));
    static CONSTANT: [u32; 4] = [3, 1, 4, 1];

    let all = |variable: &Variable, value: u32| {
        let words: *const u32 = variable.0.get().cast();
        // SAFETY: inside the array.
        (0..512).all(|index| unsafe { words.add(index).read_volatile() } == value)
    };
    let good = all(&ZEROED, 0) && all(&SET, 0x600D_DA7A) && black_box(&CONSTANT) == &[3, 1, 4, 1];
    println!(
        "@@ zeroed data at {:08X}, data at {:08X}, code at {:08X}",
        ZEROED.0.get() as usize,
        SET.0.get() as usize,
        run as fn() as usize
    );
    tty::end(if good {
        tty::Verdict::Pass
    } else {
        tty::Verdict::Fail
    });
}
