; The door of the house rests shut. For whoever touches it it swings open; they stand inside, facing Z+, while it
; shuts behind them.
        nop.24
        ramp.pace 0x20, 0               ; a frame of the clip each vertical blank
        local.20a                       ; shut, and held there
        nop.f
door:   lclr 7                          ; forwards,
        lclr 1                          ; not held,
        lset 3                          ; and at the end it stays
        cset 0                          ; nothing bars the way from here on
        lclr 8
        ltst 8                          ; the end
        move_to@player 40, 41
        face@player 4, 0
        lset 7                          ; backwards, by itself
        cclr 0
        nop.f
        jmp door
        nop.f                           ; what is touched never runs its last instruction
