; Behind the open gate the road leads on: once, as C1 names the flag set here.
        sset 0x226
        input.lock
        glide@player 0, 2               ; two tiles towards Z-
        wait 10
        input.unlock
        scene_change 3, "town02", 5, 6, 0
idle:   nop.f
        jmp idle
