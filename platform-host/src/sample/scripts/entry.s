; The entry script: opens on a prologue mark, so that it runs while the scene loads.
.equ gate_open, 0x225
.equ guard, 2

        nop.24
        stst gate_open, open
        wall.fill 20, 24, 22, 24        ; the gate is shut: row 25, which bars row 24
        nop.f
        jmp idle
open:   wall.clear 20, 24, 22, 24
        nop.f
idle:   cset@guard 8                    ; the guard gets slices, after a word with it too
        nop.f
        jmp idle
