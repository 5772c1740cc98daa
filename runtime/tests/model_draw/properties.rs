//! Any mesh, any view.

use super::common::{NoScreen, PRIMITIVE, draw_into, gte, packets, tmd, with_longer_records};
use overworld_runtime::anim::legaia::Pose;
use overworld_runtime::fixed::{Matrix, SVector, Vector};
use overworld_runtime::gpu::{DisplayList, Style};
use overworld_runtime::model::draw::{self, Cue, Light, Options};
use overworld_runtime::model::pose::Transform;
use overworld_runtime::model::tmd::{GroupSource, Kind, Primitive, Tmd};
use proptest::prelude::*;

proptest! {
    /// Whatever the vertices and the view: no panic, all primitives accounted for, and no
    /// polygon larger than the GPU draws.
    #[test]
    fn any_geometry_can_be_drawn(
        vertices in prop::collection::vec(any::<[i16; 3]>(), 4),
        rotation in any::<[[i16; 3]; 3]>(),
        translation in any::<[i32; 3]>(),
        kind in 0..12usize,
        pose in (any::<[i16; 3]>(), any::<[u16; 3]>()),
        two_sided in any::<bool>(),
    ) {
        let vertices: Vec<_> = vertices.iter().map(|&[x, y, z]| SVector::new(x, y, z)).collect();
        let groups = [GroupSource {
            kind: Kind::ALL[kind],
            style: Style::OPAQUE,
            primitives: &[PRIMITIVE, Primitive { vertices: [3, 2, 1, 0], ..PRIMITIVE }],
        }];
        let bytes = tmd(&vertices, &vertices, &groups);
        let mesh = Tmd::parse(&bytes).unwrap();
        let [x, y, z] = translation;
        let actor = Transform { rotation: Matrix { m: rotation }, translation: Vector::new(x, y, z) };
        let mut gte = gte();
        let pose = Pose { t: pose.0, r: pose.1 };
        let piece = overworld_runtime::model::pose::load(&mut gte, &actor, &pose);
        let mut words = [0; 64];
        let mut list = DisplayList::new(&mut words, 16);
        list.begin(&mut NoScreen);
        let options = Options { two_sided, ..Options::for_buckets(16) };
        let stats = draw::rigid(&mut gte, &mut list, &mesh, &piece, &options).unwrap();
        prop_assert_eq!(stats.total(), 2);
        prop_assert_eq!(packets(&list).len() as u32, stats.drawn);
    }
}

proptest! {
    /// The loops and the way for single records draw the same, whatever they are given.
    #[test]
    fn the_loops_draw_what_the_way_for_single_records_draws(
        vertices in prop::collection::vec(prop::array::uniform3(-2000_i16..2000), 4),
        wild in prop::option::of(any::<[i16; 3]>()),
        rotation in any::<[u16; 3]>(),
        z in -500_i32..9000,
        kind in 0..12usize,
        style in prop::sample::select(&[Style::OPAQUE, Style::SEMI_TRANSPARENT, Style::RAW_TEXTURE][..]),
        two_sided in any::<bool>(),
        near in 0_u16..3,
        room in 0_usize..60,
        argument in any::<u32>(),
        light in prop::option::of(any::<([[i16; 3]; 3], [[i16; 3]; 3], [u8; 3])>()),
        cue in prop::option::of((any::<[u8; 3]>(), -600_i16..0, 0_i32..1 << 25)),
    ) {
        let mut vertices: Vec<_> = vertices.iter().map(|&[x, y, z]| SVector::new(x, y, z)).collect();
        if let Some([x, y, z]) = wild {
            vertices[2] = SVector::new(x, y, z);
        }
        let kind = Kind::ALL[kind];
        let groups = [GroupSource {
            kind,
            style,
            primitives: &[
                PRIMITIVE,
                Primitive { vertices: [3, 2, 1, 0], ..PRIMITIVE },
                Primitive { vertices: [1, 3, 0, 2], ..PRIMITIVE },
            ],
        }];
        let bytes = tmd(&vertices, &vertices, &groups);
        let longer = with_longer_records(&bytes, kind);
        let [a, b, c] = rotation;
        let actor = Transform {
            rotation: Matrix::euler(a, b, c),
            translation: Vector::new(0, 0, z),
        };
        let cue = cue.map(|(far, dqa, dqb)| Cue { far, dqa, dqb });
        let bank = draw::Bank::of_argument(argument, cue);
        let light = light.map(|(lamps, colours, background)| Light {
            lamps: Matrix { m: lamps },
            colours: Matrix { m: colours },
            background,
        });
        let options = Options { two_sided, near, bank, light, ..Options::for_buckets(16) };
        prop_assert_eq!(
            draw_into(&bytes, room, &actor, &options),
            draw_into(&longer, room, &actor, &options)
        );
    }
}
