; The villager opens the gate for those who ask.
.equ gate_open, 0x225

        nop.25
        seat 18, 22, 0, 2
        nop.f
talk:   stst gate_open, thanks
        .text "The gate is shut."
        .text "Shall I open it?"
        .pick yes, no
        .text "Yes"
        .text "No"
yes:    sset gate_open
        wall.clear 20, 24, 22, 24
        .text "There you are."
        nop.f
        jmp talk
no:     nop.f
        jmp talk
thanks: .text "Mind the owl."
        nop.f
        jmp talk
