//! The worked vectors of the GTE sheet, section 5, as they stand there.

/// One row: all 64 registers are written 0, then the inputs; after the command the outputs are
/// read.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name of the test: the row's number and its case.
    pub name: &'static str,
    /// The instruction word.
    pub word: u32,
    /// Register and value.
    pub inputs: &'static [(u8, u32)],
    /// Register and value.
    pub outputs: &'static [(u8, u32)],
}

/// All 63 rows.
#[rustfmt::skip]
pub static ROWS: [Row; 63] = [
    Row {
        name: "gte/01-rtps-offset-vertex",
        word: 0x4A18_0001,
        inputs: &[(32, 0x1000), (34, 0x1000), (36, 0x1000), (56, 0x00A0_0000), (57, 0x0078_0000), (58, 0xC8), (0, 0x0032_0064), (1, 0x1F4)],
        outputs: &[(14, 0x008B_00C7), (19, 0x1F4), (63, 0x0)],
    },
    Row {
        name: "gte/02-rtps-depth-cue",
        word: 0x4A18_0001,
        inputs: &[(32, 0x1000), (34, 0x1000), (36, 0x1000), (58, 0xC8), (59, 0xFFFF_F880), (60, 0x0100_0000), (1, 0x3E8)],
        outputs: &[(8, 0x0), (24, 0xFF80_0180), (63, 0x1000)],
    },
    Row {
        name: "gte/03-rtps-sf-0",
        word: 0x4A10_0001,
        inputs: &[(32, 0x1000), (34, 0x1000), (36, 0x1000), (39, 0x1000), (58, 0xC8)],
        outputs: &[(11, 0x7FFF), (19, 0x1000), (27, 0x0100_0000), (63, 0x0)],
    },
    Row {
        name: "gte/04-rtps-sf-0-anomaly",
        word: 0x4A10_0001,
        inputs: &[(32, 0x1000), (34, 0x1000), (36, 0x1000), (58, 0xC8), (1, 0x8)],
        outputs: &[(11, 0x7FFF), (19, 0x8), (27, 0x8000), (63, 0x8002_0000)],
    },
    Row {
        name: "gte/05-rtps-sf-0-ir3-flag-set",
        word: 0x4A10_0001,
        inputs: &[(32, 0x1000), (34, 0x1000), (36, 0x1000), (39, 0x7FFF), (58, 0xC8), (1, 0x1)],
        outputs: &[(11, 0x7FFF), (19, 0x8000), (27, 0x0800_0000), (63, 0x0040_0000)],
    },
    Row {
        name: "gte/06-rtps-h-2-sz-1",
        word: 0x4A18_0001,
        inputs: &[(32, 0x1000), (34, 0x1000), (36, 0x1000), (58, 0xC7), (0, 0x64), (1, 0x64)],
        outputs: &[(14, 0xC7), (63, 0x0)],
    },
    Row {
        name: "gte/07-rtps-h-2-sz",
        word: 0x4A18_0001,
        inputs: &[(32, 0x1000), (34, 0x1000), (36, 0x1000), (58, 0xC8), (0, 0x64), (1, 0x64)],
        outputs: &[(14, 0xC7), (63, 0x8002_0000)],
    },
    Row {
        name: "gte/08-mvmva-fc-bug",
        word: 0x4A48_4012,
        inputs: &[(32, 0x1000), (34, 0x1000), (36, 0x1000), (53, 0x1000), (54, 0x2000), (55, 0x3000), (0, 0x0200_0100), (1, 0x300)],
        outputs: &[(25, 0x0), (26, 0x200), (27, 0x300), (63, 0x0)],
    },
    Row {
        name: "gte/09-mvmva-mx-3",
        word: 0x4A4E_6012,
        inputs: &[(32, 0x2000_1000), (33, 0x4000_3000), (34, 0x6000_5000), (35, 0x8000_7000), (36, 0x1000), (8, 0x800), (0, 0x0100_0100), (1, 0x100)],
        outputs: &[(25, 0x80), (26, 0x900), (27, 0xF00), (63, 0x0)],
    },
    Row {
        name: "gte/10-sqr-saturates",
        word: 0x4AA8_0028,
        inputs: &[(9, 0x4000), (10, 0x5A82), (11, 0x7FFF)],
        outputs: &[(9, 0x7FFF), (10, 0x7FFF), (11, 0x7FFF), (63, 0x81C0_0000)],
    },
    Row {
        name: "gte/11-dpcs",
        word: 0x4A78_0010,
        inputs: &[(53, 0x1000), (54, 0x1000), (55, 0x1000), (6, 0x0080_8080), (8, 0x800)],
        outputs: &[(22, 0x00C0_C0C0), (25, 0xC00), (26, 0xC00), (27, 0xC00), (63, 0x0)],
    },
    Row {
        name: "gte/12-dpct-ir0-0",
        word: 0x4AF8_002A,
        inputs: &[(20, 0x0010_2030), (21, 0x0040_5060), (22, 0x0070_8090), (6, 0xFF00_0000)],
        outputs: &[(20, 0xFF10_2030), (21, 0xFF40_5060), (22, 0xFF70_8090), (63, 0x0)],
    },
    Row {
        name: "gte/13-dcpl-half",
        word: 0x4A68_0029,
        inputs: &[(53, 0x1000), (54, 0x1000), (55, 0x1000), (6, 0x0080_8080), (9, 0x1000), (10, 0x1000), (11, 0x1000), (8, 0x800)],
        outputs: &[(25, 0xC00), (26, 0xC00), (27, 0xC00), (63, 0x0)],
    },
    Row {
        name: "gte/14-avsz3",
        word: 0x4B58_002D,
        inputs: &[(17, 0x64), (18, 0xC8), (19, 0x12C), (61, 0x555)],
        outputs: &[(7, 0xC7), (24, 0x000C_7F38), (63, 0x0)],
    },
    Row {
        name: "gte/15-avsz3-saturate",
        word: 0x4B58_002D,
        inputs: &[(17, 0xFFFF), (18, 0xFFFF), (19, 0xFFFF), (61, 0x1000)],
        outputs: &[(7, 0xFFFF), (24, 0x2FFF_D000), (63, 0x8004_0000)],
    },
    Row {
        name: "gte/16-gpl-sf-0",
        word: 0x4BA0_003E,
        inputs: &[(25, 0x64), (26, 0xC8), (27, 0x12C), (8, 0x3), (9, 0xA), (10, 0x14), (11, 0x1E), (6, 0x0080_8080)],
        outputs: &[(25, 0x82), (26, 0x104), (27, 0x186), (22, 0x0018_1008), (63, 0x0)],
    },
    Row {
        name: "gte/17-mvmva-rotz90-tr",
        word: 0x4A48_0012,
        inputs: &[(32, 0xF000_0000), (33, 0x1000_0000), (36, 0x1000), (37, 0xA), (38, 0x14), (39, 0x1E), (0, 0x00C8_0064), (1, 0x12C)],
        outputs: &[(25, 0xFFFF_FF42), (26, 0x78), (27, 0x14A), (63, 0x0)],
    },
    Row {
        name: "gte/18-mvmva-lc-ir-bk",
        word: 0x4A4D_A012,
        inputs: &[(48, 0x1000), (50, 0x1000), (52, 0x1000), (45, 0x64), (46, 0xC8), (47, 0x12C), (9, 0x1000), (10, 0x1000), (11, 0x1000)],
        outputs: &[(25, 0x1064), (26, 0x10C8), (27, 0x112C), (63, 0x0)],
    },
    Row {
        name: "gte/19-rtps-div-by-zero",
        word: 0x4A18_0001,
        inputs: &[(32, 0x1000), (34, 0x1000), (36, 0x1000), (58, 0xC8), (0, 0x64), (1, 0x0)],
        outputs: &[(9, 0x64), (11, 0x0), (14, 0xC7), (19, 0x0), (24, 0x0), (63, 0x8002_0000)],
    },
    Row {
        name: "gte/20-rtps-ordinary",
        word: 0x4A18_0001,
        inputs: &[(32, 0x1000), (34, 0x1000), (36, 0x1000), (37, 0x0), (38, 0x0), (39, 0x3E8), (56, 0x00A0_0000), (57, 0x0078_0000), (58, 0x140), (59, 0xFFFF_FF00), (60, 0x0100_0000), (0, 0x0032_0064), (1, 0x0)],
        outputs: &[(8, 0xAE1), (9, 0x64), (10, 0x32), (11, 0x3E8), (14, 0x0088_00C0), (19, 0x3E8), (24, 0x00AE_1400), (63, 0x0)],
    },
    Row {
        name: "gte/21-rtps-behind-camera",
        word: 0x4A18_0001,
        inputs: &[(32, 0x1000), (34, 0x1000), (36, 0x1000), (39, 0xFFFF_FC18), (56, 0x00A0_0000), (57, 0x0078_0000), (58, 0xC8), (0, 0x64), (1, 0x0)],
        outputs: &[(11, 0xFFFF_FC18), (14, 0x0078_0167), (19, 0x0), (27, 0xFFFF_FC18), (63, 0x8006_0000)],
    },
    Row {
        name: "gte/22-rtps-sf-0-ir3-quirk",
        word: 0x4A10_0001,
        inputs: &[(36, 0x1000), (58, 0xC8), (1, 0x10)],
        outputs: &[(11, 0x7FFF), (19, 0x10), (27, 0x0001_0000), (63, 0x8002_0000)],
    },
    Row {
        name: "gte/23-rtps-sf-0-ir3-quirk-flag-set",
        word: 0x4A10_0001,
        inputs: &[(36, 0x7FFF), (58, 0xC8), (1, 0x7FFF)],
        outputs: &[(11, 0x7FFF), (19, 0xFFFF), (27, 0x3FFF_0001), (63, 0x8044_0000)],
    },
    Row {
        name: "gte/24-rtps-lm-1-negative-mac3",
        word: 0x4A18_0401,
        inputs: &[(36, 0x1000), (39, 0xFFFF_FFFB), (58, 0xC8)],
        outputs: &[(11, 0x0), (19, 0x0), (27, 0xFFFF_FFFB), (63, 0x8006_0000)],
    },
    Row {
        name: "gte/25-rtps-sx-3ff-exactly",
        word: 0x4A18_0001,
        inputs: &[(32, 0x1000), (34, 0x1000), (36, 0x1000), (56, 0x03FF_0000), (1, 0x3E8)],
        outputs: &[(14, 0x3FF), (63, 0x0)],
    },
    Row {
        name: "gte/26-rtps-sx-400-clamps",
        word: 0x4A18_0001,
        inputs: &[(32, 0x1000), (34, 0x1000), (36, 0x1000), (56, 0x0400_0000), (1, 0x3E8)],
        outputs: &[(14, 0x3FF), (63, 0x8000_4000)],
    },
    Row {
        name: "gte/27-rtps-sy-400-exactly",
        word: 0x4A18_0001,
        inputs: &[(32, 0x1000), (34, 0x1000), (36, 0x1000), (57, 0xFC00_0000), (1, 0x3E8)],
        outputs: &[(14, 0xFC00_0000), (63, 0x0)],
    },
    Row {
        name: "gte/28-rtps-ir0-1000-exactly",
        word: 0x4A18_0001,
        inputs: &[(32, 0x1000), (34, 0x1000), (36, 0x1000), (58, 0xC8), (60, 0x0100_0000), (1, 0x3E8)],
        outputs: &[(8, 0x1000), (24, 0x0100_0000), (63, 0x0)],
    },
    Row {
        name: "gte/29-rtps-unr-clamp-no-flag",
        word: 0x4A18_0001,
        inputs: &[(39, 0x7F20), (58, 0xFE3F), (59, 0x1)],
        outputs: &[(24, 0x0001_FFFF), (63, 0x0)],
    },
    Row {
        name: "gte/30-rtpt-three-vertices",
        word: 0x4A28_0030,
        inputs: &[(32, 0x1000), (34, 0x1000), (36, 0x1000), (39, 0x400), (56, 0x00A0_0000), (57, 0x0078_0000), (58, 0x140), (0, 0x0010_0010), (1, 0x0), (2, 0xFFF0_0010), (3, 0x40), (4, 0x0010_FFF0), (5, 0xFFFF_FFC0)],
        outputs: &[(12, 0x007D_00A5), (13, 0x0073_00A4), (14, 0x007D_009A), (17, 0x400), (18, 0x440), (19, 0x3C0), (25, 0xFFFF_FFF0), (26, 0x10), (27, 0x3C0), (63, 0x0)],
    },
    Row {
        name: "gte/31-nclip-clockwise",
        word: 0x4B40_0006,
        inputs: &[(12, 0x0), (13, 0x64), (14, 0x0064_0000)],
        outputs: &[(24, 0x2710), (63, 0x0)],
    },
    Row {
        name: "gte/32-nclip-overflow",
        word: 0x4B40_0006,
        inputs: &[(12, 0x7FFF_7FFF), (13, 0x7FFF_8000), (14, 0x8000_7FFF)],
        outputs: &[(24, 0xFFFE_0001), (63, 0x8001_0000)],
    },
    Row {
        name: "gte/33-nclip-cancels",
        word: 0x4B40_0006,
        inputs: &[(12, 0x7FFF_7FFF), (13, 0x8000_8000), (14, 0x0)],
        outputs: &[(24, 0x0), (63, 0x0)],
    },
    Row {
        name: "gte/34-op",
        word: 0x4B78_000C,
        inputs: &[(32, 0x1000), (34, 0x2000), (36, 0x3000), (9, 0x100), (10, 0x80), (11, 0x40)],
        outputs: &[(9, 0xFFFF_FF00), (10, 0x2C0), (11, 0xFFFF_FE80), (25, 0xFFFF_FF00), (26, 0x2C0), (27, 0xFFFF_FE80), (63, 0x0)],
    },
    Row {
        name: "gte/35-sqr-32768-sf-0",
        word: 0x4AA0_0428,
        inputs: &[(9, 0x8000)],
        outputs: &[(9, 0x7FFF), (25, 0x4000_0000), (63, 0x8100_0000)],
    },
    Row {
        name: "gte/36-avsz3-otz-ffff",
        word: 0x4B58_002D,
        inputs: &[(17, 0x5555), (18, 0x5555), (19, 0x5555), (61, 0x1000)],
        outputs: &[(7, 0xFFFF), (24, 0x0FFF_F000), (63, 0x0)],
    },
    Row {
        name: "gte/37-avsz3-negative-factor",
        word: 0x4B58_002D,
        inputs: &[(17, 0x64), (18, 0xC8), (19, 0x12C), (61, 0xF000)],
        outputs: &[(7, 0x0), (24, 0xFFDA_8000), (63, 0x8004_0000)],
    },
    Row {
        name: "gte/38-avsz4",
        word: 0x4B68_002E,
        inputs: &[(16, 0x1000), (17, 0x1100), (18, 0x1200), (19, 0x1300), (62, 0x100)],
        outputs: &[(7, 0x460), (24, 0x0046_0000), (63, 0x0)],
    },
    Row {
        name: "gte/39-avsz4-mac0-overflow",
        word: 0x4B68_002E,
        inputs: &[(16, 0xFFFF), (17, 0xFFFF), (18, 0xFFFF), (19, 0xFFFF), (62, 0x7FFF)],
        outputs: &[(7, 0xFFFF), (24, 0xFFFA_0004), (63, 0x8005_0000)],
    },
    Row {
        name: "gte/40-mvmva-max-matrix-v0-no-t",
        word: 0x4A48_6012,
        inputs: &[(32, 0x7FFF_7FFF), (33, 0x7FFF_7FFF), (34, 0x7FFF_7FFF), (35, 0x7FFF_7FFF), (36, 0x7FFF), (0, 0x7FFF_7FFF), (1, 0x7FFF)],
        outputs: &[(9, 0x7FFF), (25, 0x000B_FFD0), (26, 0x000B_FFD0), (27, 0x000B_FFD0), (63, 0x81C0_0000)],
    },
    Row {
        name: "gte/41-mvmva-tr",
        word: 0x4A48_0012,
        inputs: &[(37, 0x64), (38, 0xC8), (39, 0x12C), (0, 0x7FFF_7FFF), (1, 0x7FFF)],
        outputs: &[(25, 0x64), (26, 0xC8), (27, 0x12C), (63, 0x0)],
    },
    Row {
        name: "gte/42-mvmva-cv-fc-bug",
        word: 0x4A48_4012,
        inputs: &[(32, 0x2000_1000), (33, 0x3000), (34, 0x1000), (36, 0x1000), (53, 0x100), (54, 0x200), (55, 0x300), (0, 0x0002_0001), (1, 0x3)],
        outputs: &[(25, 0xD), (26, 0x2), (27, 0x3), (63, 0x0)],
    },
    Row {
        name: "gte/43-mvmva-cv-fc-bug-discarded-part-saturates",
        word: 0x4A48_4012,
        inputs: &[(32, 0x1000), (34, 0x1000), (36, 0x1000), (53, 0x9000), (54, 0x200), (55, 0x300), (0, 0x0002_0001), (1, 0x3)],
        outputs: &[(25, 0x0), (26, 0x2), (27, 0x3), (63, 0x8100_0000)],
    },
    Row {
        name: "gte/44-mvmva-mx-3-garbage-matrix",
        word: 0x4A4E_6012,
        inputs: &[(6, 0x20), (8, 0x1000), (33, 0x800), (34, 0x400), (0, 0x1000_1000), (1, 0x1000)],
        outputs: &[(25, 0x1000), (26, 0x1800), (27, 0xC00), (63, 0x0)],
    },
    Row {
        name: "gte/45-mvmva-44-bit-positive-overflow",
        word: 0x4A40_0012,
        inputs: &[(32, 0x7FFF), (37, 0x7FFF_FFFF), (0, 0x7FFF)],
        outputs: &[(9, 0x7FFF), (25, 0x3FFE_F001), (63, 0xC100_0000)],
    },
    Row {
        name: "gte/46-mvmva-44-bit-negative-overflow",
        word: 0x4A40_0012,
        inputs: &[(32, 0x7FFF), (37, 0x8000_0000), (0, 0x8000)],
        outputs: &[(9, 0xFFFF_8000), (25, 0xC000_8000), (63, 0x8900_0000)],
    },
    Row {
        name: "gte/47-dpcs-half-fog-to-black",
        word: 0x4A78_0010,
        inputs: &[(6, 0x00FF_FFFF), (8, 0x800)],
        outputs: &[(22, 0x007F_7F7F), (25, 0x7F8), (63, 0x0)],
    },
    Row {
        name: "gte/48-dpcs-sf-0",
        word: 0x4A70_0010,
        inputs: &[(6, 0x1020_3040), (8, 0x800), (53, 0x100), (54, 0x200), (55, 0x300)],
        outputs: &[(9, 0xFFFF_8000), (10, 0xFFFF_8000), (11, 0x7FFF), (22, 0x10FF_0000), (25, 0xFC40_0000), (26, 0xFC30_0000), (27, 0x041F_F800), (63, 0x81F8_0000)],
    },
    Row {
        name: "gte/49-dpct",
        word: 0x4AF8_002A,
        inputs: &[(6, 0x5A00_0000), (20, 0x0011_2233), (21, 0x0044_5566), (22, 0x0077_8899), (8, 0x800), (53, 0xFF0), (54, 0xFF0), (55, 0xFF0)],
        outputs: &[(20, 0x5A88_9099), (21, 0x5AA1_AAB2), (22, 0x5ABB_C3CC), (25, 0xCC0), (26, 0xC38), (27, 0xBB0), (63, 0x0)],
    },
    Row {
        name: "gte/50-intpl",
        word: 0x4A98_0011,
        inputs: &[(6, 0x0080_8080), (8, 0x800), (9, 0x1000), (10, 0x1000), (11, 0x1000)],
        outputs: &[(9, 0x800), (22, 0x0080_8080), (25, 0x800), (63, 0x0)],
    },
    Row {
        name: "gte/51-gpf-at-255",
        word: 0x4B98_003D,
        inputs: &[(6, 0x0080_8080), (8, 0x1000), (9, 0xFF0), (10, 0xFF0), (11, 0xFF0)],
        outputs: &[(22, 0x00FF_FFFF), (25, 0xFF0), (63, 0x0)],
    },
    Row {
        name: "gte/52-gpf-at-256",
        word: 0x4B98_003D,
        inputs: &[(6, 0x0080_8080), (8, 0x1000), (9, 0x1000), (10, 0x100), (11, 0x100)],
        outputs: &[(22, 0x0010_10FF), (25, 0x1000), (63, 0x0020_0000)],
    },
    Row {
        name: "gte/53-gpf-negative",
        word: 0x4B98_003D,
        inputs: &[(6, 0x0080_8080), (8, 0x1000), (9, 0x8000), (10, 0x100), (11, 0x100)],
        outputs: &[(9, 0xFFFF_8000), (22, 0x0010_1000), (25, 0xFFFF_8000), (63, 0x0020_0000)],
    },
    Row {
        name: "gte/54-gpf-negative-lm-1",
        word: 0x4B98_043D,
        inputs: &[(6, 0x0080_8080), (8, 0x1000), (9, 0x8000), (10, 0x100), (11, 0x7FFF)],
        outputs: &[(9, 0x0), (22, 0x00FF_1000), (25, 0xFFFF_8000), (63, 0x8128_0000)],
    },
    Row {
        name: "gte/55-gpl-negative-base",
        word: 0x4BA8_003E,
        inputs: &[(6, 0x0080_8080), (8, 0x1000), (9, 0x64), (10, 0xC8), (11, 0x12C), (25, 0xFFFF_D8F0), (26, 0xFFFF_B1E0), (27, 0xFFFF_8AD0)],
        outputs: &[(25, 0xFFFF_D954), (26, 0xFFFF_B2A8), (27, 0xFFFF_8BFC), (63, 0x0038_0000)],
    },
    Row {
        name: "gte/56-gpl-44-bit-overflow",
        word: 0x4BA8_003E,
        inputs: &[(8, 0x7FFF), (9, 0x7FFF), (25, 0x7FFF_FFFF)],
        outputs: &[(9, 0xFFFF_8000), (22, 0x0), (25, 0x8003_FFEF), (63, 0xC120_0000)],
    },
    Row {
        name: "gte/57-ncs",
        word: 0x4AC8_041E,
        inputs: &[(40, 0x1000), (42, 0x1000), (44, 0x1000), (48, 0x1000), (50, 0x1000), (52, 0x1000), (45, 0x100), (46, 0x200), (47, 0x300), (6, 0x1200_0000), (0, 0x0800_0400), (1, 0xC00)],
        outputs: &[(9, 0x500), (10, 0xA00), (11, 0xF00), (22, 0x12F0_A050), (63, 0x0)],
    },
    Row {
        name: "gte/58-nccs",
        word: 0x4B08_041B,
        inputs: &[(40, 0x1000), (42, 0x1000), (44, 0x1000), (48, 0x1000), (50, 0x1000), (52, 0x1000), (6, 0x1280_4020), (0, 0x0800_0400), (1, 0xC00)],
        outputs: &[(9, 0x80), (10, 0x200), (11, 0x600), (22, 0x1260_2008), (25, 0x80), (26, 0x200), (27, 0x600), (63, 0x0)],
    },
    Row {
        name: "gte/59-ncds",
        word: 0x4AE8_0413,
        inputs: &[(40, 0x1000), (42, 0x1000), (44, 0x1000), (48, 0x1000), (50, 0x1000), (52, 0x1000), (6, 0x1280_4020), (8, 0x800), (53, 0x800), (54, 0x800), (55, 0x800), (0, 0x0800_0400), (1, 0xC00)],
        outputs: &[(9, 0x440), (10, 0x500), (11, 0x700), (22, 0x1270_5044), (25, 0x440), (26, 0x500), (27, 0x700), (63, 0x0)],
    },
    Row {
        name: "gte/60-ncct-three-normals",
        word: 0x4B18_043F,
        inputs: &[(40, 0x1000), (42, 0x1000), (44, 0x1000), (48, 0x1000), (50, 0x1000), (52, 0x1000), (6, 0x0080_8080), (0, 0x0), (1, 0x1000), (2, 0x1000), (3, 0x0), (4, 0x1000_0000), (5, 0x0)],
        outputs: &[(20, 0x0080_0000), (21, 0x80), (22, 0x8000), (25, 0x0), (26, 0x800), (27, 0x0), (63, 0x0)],
    },
    Row {
        name: "gte/61-cc",
        word: 0x4B38_041C,
        inputs: &[(48, 0x1000), (50, 0x1000), (52, 0x1000), (6, 0x34FF_8040), (9, 0x800), (10, 0x1000), (11, 0x1800)],
        outputs: &[(9, 0x200), (10, 0x800), (11, 0x17E8), (22, 0x34FF_8020), (63, 0x0008_0000)],
    },
    Row {
        name: "gte/62-cdp",
        word: 0x4B28_0414,
        inputs: &[(48, 0x1000), (50, 0x1000), (52, 0x1000), (6, 0x34FF_8040), (8, 0x400), (9, 0x800), (10, 0x1000), (11, 0x1800), (53, 0x100), (54, 0x200), (55, 0x300)],
        outputs: &[(9, 0x1C0), (10, 0x680), (11, 0x12AE), (22, 0x34FF_681C), (63, 0x0008_0000)],
    },
    Row {
        name: "gte/63-dcpl",
        word: 0x4A68_0029,
        inputs: &[(6, 0x34FF_8040), (8, 0x400), (9, 0x800), (10, 0x1000), (11, 0x1800), (53, 0x100), (54, 0x200), (55, 0x300)],
        outputs: &[(9, 0x1C0), (10, 0x680), (11, 0x12AE), (22, 0x34FF_681C), (63, 0x0008_0000)],
    },
];
