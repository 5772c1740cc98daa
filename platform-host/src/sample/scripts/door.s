; Whoever touches the door stands inside, facing Z+.
door:   move_to@player 40, 41
        face@player 4, 0
        nop.f
        jmp door
