; Behind the open gate the road leads on: once, as C1 names the flag set here. It leads round the town, and in
; again on its other side.
        sset 0x226
        input.lock
        glide@player 4, 2               ; two tiles towards Z+
        wait 10
        input.unlock
        scene_change 3, "town", 20, 16, 4
idle:   nop.f
        jmp idle
