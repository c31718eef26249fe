"""The text of the integrator's control: step sizes, events, output times, ends and refills of lanes."""

from __future__ import annotations

CONTROL = '''
MOST_DEFECT = 20.0


@njit(**OPTIONS)
def wanted_inside(times, place, t, h):
    """Whether an output time lies strictly inside the step (one at its end needs no interpolant)."""
    return place < times.size and times[place] < t + h * (1.0 - 1e-12)

@njit(**OPTIONS)
def first_step(y, f, size, l, relative, absolute, longest):
    """A step on which the solution changes by its own size at most, and the error starts near the tolerance."""
    state, speed = 0.0, 0.0
    for i in range(size):
        scale = absolute + relative * abs(y[i, l])
        state += (y[i, l] / scale) ** 2
        speed += (f[i, l] / scale) ** 2
    state, speed = sqrt(state / size), sqrt(speed / size)
    if not speed > 1e-10:
        return longest if speed == speed else 0.0
    step = sqrt(sqrt(sqrt(0.01 / speed)))
    if state > 1e-5:
        step = min(step, state / speed)
    return min(step, longest)


@njit(**OPTIONS)
def locate(observe, t, h, y, p, dense, before, event, l, size, moment, trial, seen):
    """The fraction of the step at which an event changes sign, by bisection on the interpolant."""
    low, high = 0.0, 1.0
    for _ in range(52):
        middle = 0.5 * (low + high)
        for i in range(size):
            trial[i, l] = interpolate(dense, y, i, l, middle)
        moment[l] = t[l] + middle * h[l]
        observe_at(observe, moment, trial, p, seen)
        if seen[event, l] * before < 0.0 or seen[event, l] != seen[event, l]:
            high = middle
        else:
            low = middle
    return high


@njit(**OPTIONS)
def record_watch(seen, events, watched, owner, t):
    """Lowest, highest, and the first time a margin was violated."""
    for w in range(watched.shape[0] // 3):
        for l in range(LANES):
            o = owner[l]
            if o >= 0:
                value = seen[events + w, l]
                if value < watched[3 * w, o]:
                    watched[3 * w, o] = value
                if value > watched[3 * w + 1, o]:
                    watched[3 * w + 1, o] = value
                if (value < 0.0 or value != value) and t[l] < watched[3 * w + 2, o]:
                    watched[3 * w + 2, o] = t[l]


@njit(**OPTIONS)
def bounded(y, l, size, bound):
    """Whether the state of a lane is finite and within the bound."""
    fine = True
    for i in range(size):
        fine = fine and abs(y[i, l]) <= bound
    return fine


@njit(**OPTIONS)
def land_on_events(observe, t, h, y, p, dense, seen, side, owner, accepted, landing, wish, size, events, moment, trial,
                   event_times, event_counts):
    """Cut the step of a lane at its first event; the shortened step is then taken and checked like any other."""
    after = seen.copy()
    for l in range(LANES):
        if owner[l] < 0 or not accepted[l]:
            continue
        best, which = 2.0, -1
        for e in range(events):
            if landing[l] != e and after[e, l] * side[e, l] < 0.0:
                x = locate(observe, t, h, y, p, dense, side[e, l], e, l, size, moment, trial, seen)
                if x < best:
                    best, which = x, e
        if which >= 0:
            if best < 1e-12 or (best > 1.0 - 1e-13 and landing[l] >= 0):
                # it happened together with the event this step began or ends with
                side[which, l] = -side[which, l]
                event_counts[which, owner[l]] += 1
                if event_counts[which, owner[l]] == 1:
                    event_times[which, owner[l]] = t[l] + best * h[l]
            else:
                accepted[l] = best > 1.0 - 1e-13
                landing[l] = which
                wish[l] = best * h[l] if not accepted[l] else wish[l]
    for e in range(after.shape[0]):
        for l in range(LANES):
            seen[e, l] = after[e, l]


@njit(**OPTIONS)
def check_stiffness(k, y, trial, h, t, owner, accepted, is_new, steps, end_times, hard, size):
    """Count how often the step was as long as stability, not accuracy, allows while many steps remain."""
    for l in range(LANES):
        if owner[l] >= 0 and accepted[l] and not is_new[l] and h[l] > 0.0:
            above, below = 0.0, 0.0
            for i in range(size):
                above += (k[0, i, l] - k[11, i, l]) ** 2
                below += (y[i, l] - trial[i, l]) ** 2
            far = end_times[owner[l]] - t[l] > 500.0 * h[l]
            if far and steps[l] > 100 and below > 0.0 and h[l] * sqrt(above / below) > 6.1:
                hard[l] += 1
            else:
                hard[l] = 0


@njit("void(i8, i8, f8[:, ::1], f8[:, ::1], i8, i8, f8, f8[::1], f8[::1], f8, f8[::1], f8, i8, f8, b1[::1], "
      "f8[:, :, ::1], f8[:, ::1], f8[::1], i8[::1], i8[::1], f8[:, ::1], i8[:, ::1], f8[:, ::1])", **OPTIONS)
def integrate_range(right_side, observe, starts, given, begin, end, start_time, end_times, times, relative, absolutes,
                    longest, most_steps, bound, stops, kept, final, final_time, status, step_counts, event_times,
                    event_counts, watched):
    size, count, events = starts.shape[0], given.shape[0], stops.size
    looking = events + watched.shape[0] // 3
    y, trial, fresh = np.zeros((size, LANES)), np.zeros((size, LANES)), np.zeros((size, LANES))
    k, dense = np.zeros((16, size, LANES)), np.zeros((7, size, LANES))
    p = np.zeros((max(count, 1), LANES))
    t, h, wish, moment = np.zeros(LANES), np.zeros(LANES), np.zeros(LANES), np.zeros(LANES)
    error, third, absolute = np.zeros(LANES), np.zeros(LANES), np.ones(LANES)
    owner, steps, next_time = np.full(LANES, -1), np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    landing, hard = np.full(LANES, -1), np.zeros(LANES, np.int64)
    accepted, is_new, is_last = np.zeros(LANES, np.bool_), np.zeros(LANES, np.bool_), np.zeros(LANES, np.bool_)
    seen, side = np.zeros((max(looking, 1), LANES)), np.zeros((max(events, 1), LANES))
    queue, active, turn, need = begin, 0, 0, False
    for l in range(LANES):
        is_new[l] = True
    while True:
        # ends and refills: a free lane takes the next trajectory
        for l in range(LANES):
            if is_new[l]:
                if queue < end:
                    o = queue
                    queue += 1
                    active += 1
                    owner[l], t[l], steps[l], landing[l], hard[l] = o, start_time, 0, -1, 0
                    absolute[l] = absolutes[o]
                    next_time[l] = 0
                    for i in range(size):
                        y[i, l] = starts[i, o]
                    for i in range(count):
                        p[i, l] = given[i, o]
                    while next_time[l] < times.size and times[next_time[l]] <= start_time:
                        for i in range(size):
                            kept[next_time[l], i, o] = y[i, l]
                        next_time[l] += 1
                else:
                    owner[l] = -1
                    wish[l] = 0.0
                    is_new[l] = False
        if active == 0:
            break
        evaluate(right_side, t, y, p, k[0])
        turn += 1
        if turn % 8 == 0 and not need:
            check_stiffness(k, y, trial, h, t, owner, accepted, is_new, steps, end_times, hard, size)
        fresh_lanes = False
        for l in range(LANES):
            if is_new[l]:
                fresh_lanes = True
                wish[l] = first_step(y, k[0], size, l, relative, absolute[l], min(longest, end_times[owner[l]] - t[l]))
        if fresh_lanes and looking:
            observe_at(observe, t, y, p, seen)
            for e in range(events):
                for l in range(LANES):
                    if is_new[l]:
                        side[e, l] = seen[e, l]
            record_watch(seen, events, watched, owner, t)
        for l in range(LANES):
            is_new[l] = False
            h[l], is_last[l] = wish[l], False
            if owner[l] >= 0:
                left = end_times[owner[l]] - t[l]
                if h[l] >= left * (1.0 - 1e-12):
                    h[l], is_last[l] = left, True
        take_stages(right_side, t, h, y, p, k, trial, fresh, moment, size)
        estimate_error(h, y, fresh, k, relative, absolute, size, error, third)
        for l in range(LANES):
            root = sqrt(sqrt(sqrt(error[l])))
            factor = 0.9 / root if root > 0.15 else 6.0
            accepted[l] = error[l] <= 1.0
            if accepted[l]:
                # a last or landing step was cut short, so it says little about the step the solution allows
                grown = h[l] * factor
                wish[l] = min(max(wish[l], grown) if is_last[l] or landing[l] >= 0 else grown, longest)
            else:
                wish[l] = h[l] * max(factor, 0.2) if error[l] == error[l] and error[l] < 1e300 else h[l] * 0.1
        need = False
        if looking:
            for l in range(LANES):
                moment[l] = t[l] + h[l]
            observe_at(observe, moment, fresh, p, seen)
            for e in range(events):
                for l in range(LANES):
                    if owner[l] >= 0 and accepted[l] and landing[l] != e and seen[e, l] * side[e, l] < 0.0:
                        need = True
        for l in range(LANES):
            if owner[l] >= 0 and accepted[l] and wanted_inside(times, next_time[l], t[l], h[l]):
                need = True
        if need:
            prepare_dense(right_side, t, h, y, fresh, p, k, trial, moment, dense, size)
            for l in range(LANES):
                error[l] = 0.0
            for x in (0.2, 0.5):
                add_defect(right_side, x, t, h, y, fresh, p, dense, relative, absolute, trial, k[13], moment, size,
                           error)
            for l in range(LANES):
                # the interpolant is less accurate than the step: shorten the step until it is good enough too
                if accepted[l] and error[l] > MOST_DEFECT and wanted_inside(times, next_time[l], t[l], h[l]):
                    accepted[l] = False
                    wish[l] = h[l] * max(0.3, 0.9 * (MOST_DEFECT / error[l]) ** 0.125)
            if events:
                land_on_events(observe, t, h, y, p, dense, seen, side, owner, accepted, landing, wish, size, events,
                               moment, trial, event_times, event_counts)
        for l in range(LANES):
            o = owner[l]
            if o < 0:
                continue
            steps[l] += 1
            ending = -1
            if accepted[l]:
                stop_time = t[l] + h[l] if not is_last[l] else end_times[o]
                while next_time[l] < times.size and times[next_time[l]] <= stop_time:
                    x = min(max((times[next_time[l]] - t[l]) / h[l], 0.0), 1.0)
                    for i in range(size):
                        kept[next_time[l], i, o] = interpolate(dense, y, i, l, x) if x < 1.0 else fresh[i, l]
                    next_time[l] += 1
                t[l] = stop_time
                for i in range(size):
                    y[i, l] = fresh[i, l]
                if landing[l] >= 0:
                    e = landing[l]
                    side[e, l] = -side[e, l]
                    event_counts[e, o] += 1
                    if event_counts[e, o] == 1:
                        event_times[e, o] = t[l]
                    if stops[e]:
                        ending = STOPPED
                    landing[l] = -1
                for e in range(events):
                    # an exact zero says nothing about the side, so the last known one stays
                    if side[e, l] == 0.0:
                        side[e, l] = seen[e, l]
                if ending < 0 and is_last[l]:
                    ending = FINISHED
                if not bounded(y, l, size, bound):
                    ending = DIVERGED
            elif t[l] + 4.0 * wish[l] == t[l]:
                ending = UNDEFINED if error[l] != error[l] else SINGULAR
            if ending < 0 and steps[l] >= most_steps:
                ending = STEP_LIMIT
            if ending < 0 and hard[l] >= 5:
                ending = STIFF
            if ending >= 0:
                status[o], final_time[o], step_counts[o] = ending, t[l], steps[l]
                for i in range(size):
                    final[i, o] = y[i, l]
                active -= 1
                is_new[l] = True
        if looking > events:
            observe_at(observe, t, y, p, seen)
            record_watch(seen, events, watched, owner, t)
'''
