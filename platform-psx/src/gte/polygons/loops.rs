//! The loops over the records of a group, one for each of the twelve kinds, and the two that fill the table
//! of vertices: assembly, because nothing else keeps all that a loop needs in registers.
//!
//! A loop takes about 85 cycles for a textured quad in the emulator's model, of which 38 are its six words
//! from RAM. What it does, in this order: words of the record from RAM; corners as addresses of the table;
//! positions and depths from there into the engine; NCLIP, and the words of the packet are stored meanwhile;
//! AVSZ3 or AVSZ4; position and link.
//!
//! What is out of the ordinary lies behind the loop, so that it costs the ordinary nothing: seen from behind,
//! and depths beyond the limits. With a depth cue, light or a large object, the limits are such that all
//! polygons go that way.
//!
//! Registers, for all of a loop:
//!
//! | | |
//! |---|---|
//! | $4, $6 | record, and the end of the records |
//! | $5, $13 | packet, and its bus address less that |
//! | $7, $8 | table of vertices, and the mask of an offset in it (in both halves) |
//! | $9, $14 | ordering table, and its length in bytes |
//! | $10, $11 | least depth, and the number of depths from there on (0: look closer at all of them) |
//! | $12 | command and, for lit kinds, neutral colour |
//! | $15 | mask of the colour bytes |
//! | $24 | number of polygons that were turned away |
//! | $25 | bits: 1 two-sided, 2 the object may be too large, 4 cued or lit |
//!
//! For one polygon: $16 to $19 its corners in the table, $20 to $23 its colours; $1 to $3 texture words, then
//! whatever is on its way; $30 position of the fourth corner, then the packet's bus address. For lit kinds $20
//! and $21 are normals and their length in bytes, $22 the neutral colour.

use core::arch::global_asm;

use super::super::geometry::{AVSZ3, AVSZ4, DPCS, NCLIP, RTPS, RTPT};
use super::super::lighting::NCCS;
use super::SAVED;

global_asm!(
    r#"
    .set push
    .set noreorder
    .set noat
    .set nomacro

    .section .text.overworld_polygons, "ax", @progbits

    # Back to where the loop was called from.
    .p2align 4
overworld_polygons_end:
    lui     $2, 0x1F80
    lw      $31, {SAVED}($2)
    nop
    jr      $31
    nop

    # The first half of a quad is turned away: $2 is negative if the other half is not, or both sides are wanted, for
    # which $2 is not 0 at first. The other half runs the other way; NCLIP of (3, 1, 2) is that of (1, 2, 3).
    .p2align 4
overworld_polygons_behind:
    bne     $2, $0, 1f
    addiu   $2, $0, -1
    lwc2    $12, 0($19)
    nop
    nop
    .word   {NCLIP}
    mfc2    $2, $24
    lwc2    $12, 0($16)
1:
    jr      $31
    nop

    # A polygon that wants a closer look, $1 four times its depth: it is left to others, or drawn, and then $2 is
    # not 0 if its colours are to be moved. $19 is the last corner, of triangles too.
    .p2align 4
overworld_polygons_special:
    srl     $2, $1, 2
    sltu    $2, $2, $10
    bne     $2, $0, overworld_polygons_end
    sltu    $2, $1, $14
    beq     $2, $0, overworld_polygons_end
    andi    $2, $25, 2
    beq     $2, $0, 9f
    lui     $3, 0xFE00
    # No bit of these in any corner: nothing is too large.
    ori     $3, $3, 0xFC00
    lw      $2, 0($16)
    lw      $30, 0($17)
    nop
    or      $2, $2, $30
    lw      $30, 0($18)
    nop
    or      $2, $2, $30
    lw      $30, 0($19)
    nop
    or      $2, $2, $30
    and     $2, $2, $3
    beq     $2, $0, 9f
    # Nor when every number has its highest bits alike.
    lw      $2, 0($16)
    nop
    sll     $30, $2, 1
    xor     $2, $2, $30
    and     $2, $2, $3
    bne     $2, $0, overworld_polygons_end
    lw      $2, 0($17)
    nop
    sll     $30, $2, 1
    xor     $2, $2, $30
    and     $2, $2, $3
    bne     $2, $0, overworld_polygons_end
    lw      $2, 0($18)
    nop
    sll     $30, $2, 1
    xor     $2, $2, $30
    and     $2, $2, $3
    bne     $2, $0, overworld_polygons_end
    lw      $2, 0($19)
    nop
    sll     $30, $2, 1
    xor     $2, $2, $30
    and     $2, $2, $3
    bne     $2, $0, overworld_polygons_end
    nop
9:
    addu    $30, $5, $13
    jr      $31
    andi    $2, $25, 4

    # overworld_tabulate_three(vertices $4, table $5, count $6 >= 3): project three at a time, the last three once more
    # if need be. Answers all positions, ored. The six words of the next three come from RAM while the engine works.
    .global overworld_tabulate_three
    .type overworld_tabulate_three, @function
    .p2align 4
overworld_tabulate_three:
    sll     $6, $6, 3
    addiu   $6, $6, -24
    addu    $25, $4, $6             # the last three
    addu    $7, $5, $6
    move    $2, $0
    addiu   $6, $5, 24              # where the next go
    lw      $8, 0($4)
    lw      $9, 4($4)
    lw      $10, 8($4)
    lw      $11, 12($4)
    lw      $12, 16($4)
    lw      $13, 20($4)
    mtc2    $8, $0
    mtc2    $9, $1
    mtc2    $10, $2
    mtc2    $11, $3
    mtc2    $12, $4
    mtc2    $13, $5
    addiu   $4, $4, 24
    sltu    $3, $25, $4
    .word   {RTPT}
    bne     $3, $0, 3f
    nop
2:
    lw      $8, 0($4)
    lw      $9, 4($4)
    lw      $10, 8($4)
    lw      $11, 12($4)
    lw      $12, 16($4)
    lw      $13, 20($4)
    swc2    $17, 4($5)
    swc2    $18, 12($5)
    swc2    $19, 20($5)
    mtc2    $8, $0
    mtc2    $9, $1
    mtc2    $10, $2
    mfc2    $14, $12
    mfc2    $15, $13
    mfc2    $24, $14
    sw      $14, 0($5)
    or      $2, $2, $14
    sw      $15, 8($5)
    or      $2, $2, $15
    sw      $24, 16($5)
    or      $2, $2, $24
    move    $5, $6
    mtc2    $11, $3
    mtc2    $12, $4
    mtc2    $13, $5
    addiu   $4, $4, 24
    sltu    $3, $25, $4
    addiu   $6, $6, 24
    .word   {RTPT}
    beq     $3, $0, 2b
    nop
3:
    addiu   $3, $25, 24
    beq     $4, $3, 4f
    nop
    move    $4, $25
    beq     $0, $0, 2b
    move    $6, $7
4:
    mfc2    $14, $12
    mfc2    $15, $13
    mfc2    $24, $14
    swc2    $17, 4($5)
    swc2    $18, 12($5)
    swc2    $19, 20($5)
    sw      $14, 0($5)
    or      $2, $2, $14
    sw      $15, 8($5)
    or      $2, $2, $15
    sw      $24, 16($5)
    jr      $31
    or      $2, $2, $24
    .size overworld_tabulate_three, . - overworld_tabulate_three

    # overworld_tabulate_cued(vertices $4, table $5, count $6 >= 1): one at a time, for the IR0 of each, which goes
    # into the high half of the word with its depth. Answers as the other.
    .global overworld_tabulate_cued
    .type overworld_tabulate_cued, @function
    .p2align 4
overworld_tabulate_cued:
    lw      $8, 0($4)
    lw      $9, 4($4)
    move    $2, $0
    mtc2    $8, $0
    mtc2    $9, $1
    addiu   $6, $6, -1
    addiu   $4, $4, 8
    .word   {RTPS}
    beq     $6, $0, 2f
    nop
1:
    lw      $8, 0($4)
    lw      $9, 4($4)
    addiu   $4, $4, 8
    addiu   $6, $6, -1
    swc2    $19, 4($5)
    swc2    $14, 0($5)
    mtc2    $8, $0
    mfc2    $10, $8
    mfc2    $11, $14
    sh      $10, 6($5)
    mtc2    $9, $1
    addiu   $5, $5, 8
    or      $2, $2, $11
    .word   {RTPS}
    bne     $6, $0, 1b
    nop
2:
    mfc2    $10, $8
    mfc2    $11, $14
    swc2    $19, 4($5)
    swc2    $14, 0($5)
    sh      $10, 6($5)
    jr      $31
    or      $2, $2, $11
    .size overworld_tabulate_cued, . - overworld_tabulate_cued

    # $2: the colour in RGBC, towards the far colour by the share in IR0. Whoever calls this writes RGBC right before.
    .p2align 4
overworld_polygons_cue:
    nop
    nop
    .word   {DPCS}
    mfc2    $2, $22
    jr      $31
    nop

    # $2: the colour in RGBC, times the light on the normal whose offset is on its way into $2. If there is no such
    # normal, the polygon is left to others.
    .p2align 4
overworld_polygons_light:
    nop
    andi    $2, $2, 0xFFF8
    sltu    $3, $2, $21
    beq     $3, $0, overworld_polygons_end
    addu    $2, $2, $20
    lwc2    $0, 0($2)
    lwc2    $1, 4($2)
    nop
    nop
    .word   {NCCS}
    mfc2    $2, $22
    jr      $31
    nop

    .macro cued colour, to
    bgezal  $0, overworld_polygons_cue
    mtc2    \colour, $6
    sw      $2, \to($5)
    .endm

    .macro lit at, to
    bgezal  $0, overworld_polygons_light
    lhu     $2, \at($4)
    sw      $2, \to($5)
    .endm

    # N: corners. S: words of a record. P: words of a packet, with the tag. C: colours of a record. T: its first
    # texture word, -1 for none. V: halfword of the first corner. L: of the first normal. X: words of the packet
    # from corner to corner. G: 1 if every corner has a colour.
    .macro polygons name, N, S, P, C, T, V, L, X, G
    .global overworld_polygons_\name
    .type overworld_polygons_\name, @function
    .p2align 4
overworld_polygons_\name:
    lui     $2, 0x1F80
    sw      $31, {SAVED}($2)
    .if \C == 0
    and     $22, $12, $15
    .endif
.Lhead_\name:
    .if \N == 4
    lw      $17, 2*\V($4)
    lw      $19, 2*\V+4($4)
    .elseif \V & 1
    lw      $16, 2*\V-2($4)         # for kinds with colours, also the third texture word
    lw      $17, 2*\V+2($4)
    .else
    lw      $17, 2*\V($4)
    lw      $18, 2*\V+4($4)
    .endif
    .if \C
    lw      $20, 0($4)
    .endif
    .if \C > 1
    lw      $21, 4($4)
    lw      $22, 8($4)
    .endif
    .if \C > 3
    lw      $23, 12($4)
    .endif
    .if \T >= 0
    lw      $1, 4*\T($4)
    lw      $2, 4*\T+4($4)
    .if \C == 0 || \N == 4
    lw      $3, 4*\T+8($4)
    .else
    andi    $3, $16, 0xFFFF
    .endif
    .endif
    # What stands here is free while the last word is on its way.
    and     $17, $17, $8
    .if \N == 4
    and     $19, $19, $8
    andi    $16, $17, 0xFFFF
    srl     $17, $17, 16
    andi    $18, $19, 0xFFFF
    srl     $19, $19, 16
    .elseif \V & 1
    srl     $16, $16, 16
    and     $16, $16, $8
    srl     $18, $17, 16
    andi    $17, $17, 0xFFFF
    .else
    and     $18, $18, $8
    andi    $16, $17, 0xFFFF
    srl     $17, $17, 16
    andi    $18, $18, 0xFFFF
    .endif
    addu    $16, $16, $7
    addu    $17, $17, $7
    addu    $18, $18, $7
    lwc2    $12, 0($16)
    lwc2    $13, 0($17)
    lwc2    $14, 0($18)
    .if \N == 4
    addu    $19, $19, $7
    lwc2    $16, 4($16)
    lwc2    $17, 4($17)
    lwc2    $18, 4($18)
    lwc2    $19, 4($19)
    .else
    lwc2    $17, 4($16)
    lwc2    $18, 4($17)
    lwc2    $19, 4($18)
    .endif
    .word   {NCLIP}
    .if \C
    and     $20, $20, $15
    or      $20, $20, $12
    sw      $20, 4($5)
    .else
    sw      $12, 4($5)
    .endif
    .if \G && \C
    and     $21, $21, $15
    and     $22, $22, $15
    sw      $21, 4+4*\X($5)
    sw      $22, 4+8*\X($5)
    .if \N == 4
    and     $23, $23, $15
    sw      $23, 4+12*\X($5)
    .endif
    .elseif \G
    sw      $22, 4+4*\X($5)
    sw      $22, 4+8*\X($5)
    .if \N == 4
    sw      $22, 4+12*\X($5)
    .endif
    .endif
    .if \T >= 0
    sw      $1, 12($5)
    sw      $2, 12+4*\X($5)
    .if \N == 4 || \C == 0
    andi    $2, $3, 0xFFFF
    sw      $2, 12+8*\X($5)
    .else
    sw      $3, 12+8*\X($5)
    .endif
    .endif
    .if \N == 4 && \T < 0
    lw      $30, 0($19)
    .endif
    mfc2    $1, $24
    .if \N == 4
    .word   {AVSZ4}
    .else
    .word   {AVSZ3}
    .endif
    blez    $1, .Lbehind_\name
    .if \N == 3
    addu    $30, $5, $13
    .elseif \T < 0
    nop
    .else
    lw      $30, 0($19)
    .endif
.Lseen_\name:
    .if \N == 4
    .if \T >= 0
    srl     $3, $3, 16
    sw      $3, 12+12*\X($5)
    .endif
    sw      $30, 8+12*\X($5)
    addu    $30, $5, $13
    .endif
    mfc2    $1, $7
    swc2    $12, 8($5)
    subu    $2, $1, $10
    sltu    $2, $2, $11
    beq     $2, $0, .Lspecial_\name
    sll     $1, $1, 2
.Llink_\name:
    addu    $1, $1, $9
    lw      $2, 0($1)
    sw      $30, 0($1)
    # From here free again.
    swc2    $13, 8+4*\X($5)
    swc2    $14, 8+8*\X($5)
    addiu   $4, $4, 4*\S
    addiu   $5, $5, 4*\P
    lui     $3, (\P-1)<<8
    or      $2, $2, $3
    bne     $4, $6, .Lhead_\name
    sw      $2, -4*\P($5)
    beq     $0, $0, overworld_polygons_end
    nop
.Lbehind_\name:
    .if \N == 4
    bgezal  $0, overworld_polygons_behind
    andi    $2, $25, 1
    bltz    $2, .Lseen_\name
    .else
    andi    $2, $25, 1
    bne     $2, $0, .Lseen_\name
    .endif
    nop
    addiu   $4, $4, 4*\S
    bne     $4, $6, .Lhead_\name
    addiu   $24, $24, 1
    beq     $0, $0, overworld_polygons_end
    nop
.Lspecial_\name:
    bgezal  $0, overworld_polygons_special
    .if \N == 4
    nop
    .else
    move    $19, $18
    .endif
    beq     $2, $0, .Llink_\name
    .if \C
    lhu     $2, 6($19)              # IR0 of the last corner
    nop
    mtc2    $2, $8
    cued    $20, 4
    .if \G
    cued    $21, 4+4*\X
    cued    $22, 4+8*\X
    .if \N == 4
    cued    $23, 4+12*\X
    .endif
    .endif
    .else
    mtc2    $12, $6
    lit     2*\L, 4
    .if \G
    mtc2    $22, $6
    lit     2*\L+2, 4+4*\X
    lit     2*\L+4, 4+8*\X
    .if \N == 4
    lit     2*\L+6, 4+12*\X
    .endif
    .endif
    .endif
    beq     $0, $0, .Llink_\name
    nop
    .size overworld_polygons_\name, . - overworld_polygons_\name
    .endm

    #           name    N  S  P   C  T   V   L  X  G
    polygons    ft3lit, 3, 5, 8,  0, 0,  7,  6, 2, 0
    polygons    ft4lit, 4, 6, 10, 0, 0,  6,  10, 2, 0
    polygons    gt3lit, 3, 6, 10, 0, 0,  6,  9, 3, 1
    polygons    gt4lit, 4, 7, 13, 0, 0,  6,  10, 3, 1
    polygons    f3,     3, 3, 5,  1, -1, 2,  0, 1, 0
    polygons    f4,     4, 3, 6,  1, -1, 2,  0, 1, 0
    polygons    g3,     3, 5, 7,  3, -1, 6,  0, 2, 1
    polygons    g4,     4, 6, 9,  4, -1, 8,  0, 2, 1
    polygons    ft3,    3, 5, 8,  1, 1,  7,  0, 2, 0
    polygons    ft4,    4, 6, 10, 1, 1,  8,  0, 2, 0
    polygons    gt3,    3, 7, 10, 3, 3,  11, 0, 3, 1
    polygons    gt4,    4, 9, 13, 4, 4,  14, 0, 3, 1
    .set pop
    "#,
    SAVED = const SAVED,
    RTPS = const RTPS,
    RTPT = const RTPT,
    NCLIP = const NCLIP,
    AVSZ3 = const AVSZ3,
    AVSZ4 = const AVSZ4,
    DPCS = const DPCS,
    NCCS = const NCCS,
);
