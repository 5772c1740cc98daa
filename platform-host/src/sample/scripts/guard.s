; The guard walks along four way-points, and looks around at the third.
        nop.25
        seat 24, 19, 4, 1
        nop.f
patrol: walk_to 26, 19, 2
        walk_to 26, 22, 2
        face 0x82, 8                    ; the short way round to X-
        wait 30
        walk_to 24, 22, 2
        walk_to 24, 19, 2
        nop.f
        jmp patrol
