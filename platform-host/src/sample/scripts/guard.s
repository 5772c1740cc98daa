; The guard walks along four way-points, and looks around at the third.
        nop.25
        seat 10, 10, 4, 1
        nop.f
patrol: walk_to 12, 10, 2
        walk_to 12, 14, 2
        face 0x82, 8                    ; the short way round to X-
        wait 30
        walk_to 10, 14, 2
        walk_to 10, 10, 2
        nop.f
        jmp patrol
