//! The memory functions that compiled code calls: memcpy, memmove, memset, memcmp, bcmp.
//!
//! The target's `core` comes without them. They are assembly, because a loop in Rust may be compiled
//! into a call of the function it is meant to be. Words are moved where the addresses allow, and
//! unaligned sources are read by `lwl`/`lwr` pairs. `memcpy` works from low to high addresses and has
//! read a word before it writes it, which `memmove` relies on.

core::arch::global_asm!(
    r#"
    .set push
    .set noreorder
    .set noat

    .section .text.memmove, "ax", @progbits
    .global memmove
    .global memcpy
    .type memmove, @function
    .type memcpy, @function
    # memmove(to $4, from $5, size $6): backwards only if `to` lies inside what is read
memmove:
    subu    $8, $4, $5
    sltu    $8, $8, $6
    bne     $8, $0, 70f
    move    $2, $4

    # memcpy(to $4, from $5, size $6), all of which it uses up; also $8..$15
memcpy:
    sltiu   $8, $6, 16
    bne     $8, $0, 50f
    move    $2, $4
    subu    $9, $0, $4
    andi    $9, $9, 3               # bytes before `to` is aligned
    beq     $9, $0, 20f
    subu    $6, $6, $9
10:
    lbu     $8, 0($5)
    addiu   $5, $5, 1
    addiu   $9, $9, -1
    sb      $8, 0($4)
    bne     $9, $0, 10b
    addiu   $4, $4, 1
20:
    andi    $8, $5, 3
    bne     $8, $0, 40f
    srl     $9, $6, 5               # blocks of eight words
    beq     $9, $0, 30f
    andi    $6, $6, 31
22:
    lw      $8, 0($5)
    lw      $10, 4($5)
    lw      $11, 8($5)
    lw      $12, 12($5)
    sw      $8, 0($4)
    sw      $10, 4($4)
    sw      $11, 8($4)
    sw      $12, 12($4)
    lw      $8, 16($5)
    lw      $10, 20($5)
    lw      $11, 24($5)
    lw      $12, 28($5)
    sw      $8, 16($4)
    sw      $10, 20($4)
    sw      $11, 24($4)
    sw      $12, 28($4)
    addiu   $9, $9, -1
    addiu   $5, $5, 32
    bne     $9, $0, 22b
    addiu   $4, $4, 32
30:
    srl     $9, $6, 2               # words
    beq     $9, $0, 50f
    andi    $6, $6, 3
32:
    lw      $8, 0($5)
    addiu   $9, $9, -1
    addiu   $5, $5, 4
    sw      $8, 0($4)
    bne     $9, $0, 32b
    addiu   $4, $4, 4
    b       50f
    nop
40:
    srl     $9, $6, 2               # words from an unaligned place: at least three
    andi    $6, $6, 3
42:
    lwl     $8, 3($5)
    lwr     $8, 0($5)
    addiu   $9, $9, -1
    addiu   $5, $5, 4
    sw      $8, 0($4)
    bne     $9, $0, 42b
    addiu   $4, $4, 4
50:
    beq     $6, $0, 60f
    nop
52:
    lbu     $8, 0($5)
    addiu   $6, $6, -1
    addiu   $5, $5, 1
    sb      $8, 0($4)
    bne     $6, $0, 52b
    addiu   $4, $4, 1
60:
    jr      $31
    nop

    # memmove backwards: $2 is set
70:
    beq     $6, $0, 60b
    addu    $4, $4, $6              # the ends
    addu    $5, $5, $6
    or      $8, $4, $5
    andi    $8, $8, 3
    bne     $8, $0, 80f
    srl     $9, $6, 2
    beq     $9, $0, 80f
    andi    $6, $6, 3
72:
    lw      $8, -4($5)
    addiu   $9, $9, -1
    addiu   $5, $5, -4
    sw      $8, -4($4)
    bne     $9, $0, 72b
    addiu   $4, $4, -4
    beq     $6, $0, 60b
    nop
80:
    lbu     $8, -1($5)
    addiu   $6, $6, -1
    addiu   $5, $5, -1
    sb      $8, -1($4)
    bne     $6, $0, 80b
    addiu   $4, $4, -1
    jr      $31
    nop
    .size memmove, . - memmove

    # memset(to $4, byte $5, size $6)
    .section .text.memset, "ax", @progbits
    .global memset
    .type memset, @function
memset:
    sltiu   $8, $6, 16
    bne     $8, $0, 50f
    move    $2, $4
    andi    $5, $5, 0xFF
    sll     $8, $5, 8
    or      $5, $5, $8
    sll     $8, $5, 16
    or      $5, $5, $8
    subu    $9, $0, $4
    andi    $9, $9, 3
    beq     $9, $0, 20f
    subu    $6, $6, $9
10:
    addiu   $9, $9, -1
    sb      $5, 0($4)
    bne     $9, $0, 10b
    addiu   $4, $4, 1
20:
    srl     $9, $6, 5
    beq     $9, $0, 30f
    andi    $6, $6, 31
22:
    sw      $5, 0($4)
    sw      $5, 4($4)
    sw      $5, 8($4)
    sw      $5, 12($4)
    sw      $5, 16($4)
    sw      $5, 20($4)
    sw      $5, 24($4)
    sw      $5, 28($4)
    addiu   $9, $9, -1
    bne     $9, $0, 22b
    addiu   $4, $4, 32
30:
    srl     $9, $6, 2
    beq     $9, $0, 50f
    andi    $6, $6, 3
32:
    addiu   $9, $9, -1
    sw      $5, 0($4)
    bne     $9, $0, 32b
    addiu   $4, $4, 4
50:
    beq     $6, $0, 60f
    nop
52:
    addiu   $6, $6, -1
    sb      $5, 0($4)
    bne     $6, $0, 52b
    addiu   $4, $4, 1
60:
    jr      $31
    nop
    .size memset, . - memset

    # memcmp(left $4, right $5, size $6): the difference of the first bytes that differ
    .section .text.memcmp, "ax", @progbits
    .global memcmp
    .global bcmp
    .type memcmp, @function
    .type bcmp, @function
bcmp:
memcmp:
    or      $8, $4, $5
    andi    $8, $8, 3
    bne     $8, $0, 20f
    srl     $9, $6, 2
    beq     $9, $0, 20f
    nop
10:
    lw      $8, 0($4)
    lw      $10, 0($5)
    addiu   $9, $9, -1
    bne     $8, $10, 20f            # the bytes tell which is less
    nop
    addiu   $4, $4, 4
    addiu   $5, $5, 4
    bne     $9, $0, 10b
    addiu   $6, $6, -4
20:
    beq     $6, $0, 40f
    move    $2, $0
30:
    lbu     $8, 0($4)
    lbu     $10, 0($5)
    addiu   $6, $6, -1
    subu    $2, $8, $10
    bne     $2, $0, 40f
    addiu   $4, $4, 1
    bne     $6, $0, 30b
    addiu   $5, $5, 1
40:
    jr      $31
    nop
    .size memcmp, . - memcmp
    .set pop
    "#
);
