//! The sample town as a program has it.

use overworld_host::drive::ImageDrive;
use overworld_host::gpu::Gpu;
use overworld_host::play::BACKGROUND;
use overworld_host::sample::{self, town::SCENE};
use overworld_runtime::field::map;
use overworld_runtime::platform::SECTOR;
use overworld_runtime::scene::walk::Walk;
use overworld_runtime::scene::{self, MapRead, Memory, Which};

/// The town, and the GPU that has its textures. What it is read into is leaked: tests are short.
pub fn town() -> (Walk<'static>, Gpu) {
    let image = sample::town_image(None).unwrap();
    let mut drive = ImageDrive::from_bytes(image).unwrap();
    let mut gpu = Gpu::field(BACKGROUND);
    let mut sectors = vec![[0; SECTOR]; 16];
    let memory = Memory {
        sectors: &mut sectors,
        assets: vec![0; 1 << 20].leak(),
    };
    let scene = scene::load(&mut drive, &mut gpu, Which::Named(SCENE), memory).unwrap();
    let mut read: Box<MapRead> = Box::new([[0; SECTOR]; _]);
    scene::read_map::<_, Gpu>(&mut drive, SCENE, &mut sectors, &mut read).unwrap();
    let copy = Box::leak(Box::new([0; map::SIZE]));
    let walk = Walk::new(&scene, Box::leak(read), copy);
    (walk.unwrap().unwrap(), gpu)
}
