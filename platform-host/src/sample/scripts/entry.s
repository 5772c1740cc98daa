; The entry script: opens on a prologue mark, so that it runs while the scene loads.
.equ gate_open, 0x225
.equ guard, 2

        nop.24
        stst gate_open, open
        wall.fill 20, 30, 22, 30        ; the gate is shut: row 31
        nop.f
        jmp begin
open:   wall.clear 20, 30, 22, 30
        nop.f
begin:  cset@guard 8                    ; from now on the guard gets slices
idle:   nop.f
        jmp idle
