"""The text of the integrator's control: step sizes, events, output times, ends and refills of lanes."""

from __future__ import annotations

CONTROL = '''
MOST_DEFECT = 20.0


@njit(**INSIDE)
def wanted_inside(times, place, t, h):
    """Whether an output time lies strictly inside the step (one at its end needs no interpolant)."""
    return place < times.size and times[place] < t + h * (1.0 - 1e-12)


@njit(**OPTIONS)
def first_step(lanes, l, relative, longest):
    """A step on which the solution changes by its own size at most, and the error starts near the tolerance."""
    state, speed, size = 0.0, 0.0, lanes.y.size // LANES
    for e in range(l, lanes.y.size, LANES):
        scale = lanes.absolute[e] + relative * abs(lanes.y[e])
        state += (lanes.y[e] / scale) ** 2
        speed += (lanes.k[0, e] / scale) ** 2
    state, speed = sqrt(state / size), sqrt(speed / size)
    if not speed > 1e-10:
        return longest if speed == speed else 0.0
    step = sqrt(sqrt(sqrt(0.01 / speed)))
    if state > 1e-5:
        step = min(step, state / speed)
    return min(step, longest)


@njit(**INSIDE)
def refill(task, lanes, results, queue, last):
    """A lane without a trajectory takes the next one; returns the first that is still waiting."""
    for l in range(LANES):
        if lanes.is_new[l]:
            if queue < last:
                o = queue
                queue += 1
                lanes.owner[l], lanes.t[l] = o, task.start_time
                lanes.steps[l], lanes.next_time[l], lanes.landing[l], lanes.hard[l] = 0, 0, -1, 0
                for i in range(task.starts.shape[0]):
                    lanes.y[i * LANES + l] = task.starts[i, o]
                    lanes.absolute[i * LANES + l] = task.absolutes[o]
                for i in range(task.given.shape[0]):
                    lanes.p[i, l] = task.given[i, o]
                while lanes.next_time[l] < task.times.size and task.times[lanes.next_time[l]] <= task.start_time:
                    for i in range(task.starts.shape[0]):
                        results.kept[lanes.next_time[l], i, o] = task.starts[i, o]
                    lanes.next_time[l] += 1
            else:
                lanes.owner[l] = -1
                lanes.wish[l] = 0.0
                lanes.is_new[l] = False
    return queue


@njit(**INSIDE)
def start_new_lanes(observe, task, lanes, results, events, looking):
    """First steps, and the side of each event on which a trajectory begins."""
    for l in range(LANES):
        if lanes.is_new[l]:
            o = lanes.owner[l]
            most = min(task.longest, task.end_times[o] - lanes.t[l])
            lanes.wish[l] = first_step(lanes, l, task.relative, most)
    if looking:
        evaluate(observe, lanes.t, lanes.y, lanes.p, lanes.seen)
        for e in range(events):
            for l in range(LANES):
                if lanes.is_new[l]:
                    lanes.side[e, l] = lanes.seen[e, l]
        record_watch(lanes.seen, events, results.watched, lanes.owner, lanes.t)
    for l in range(LANES):
        lanes.is_new[l] = False


@njit(**INSIDE)
def choose_steps(task, lanes):
    """The wish of each lane, cut at its end."""
    for l in range(LANES):
        lanes.h[l], lanes.is_last[l] = lanes.wish[l], False
        if lanes.owner[l] >= 0:
            left = task.end_times[lanes.owner[l]] - lanes.t[l]
            if lanes.h[l] >= left * (1.0 - 1e-12):
                lanes.h[l], lanes.is_last[l] = left, True
    for i in range(1, lanes.h.size // LANES):
        for l in range(LANES):
            lanes.h[i * LANES + l] = lanes.h[l]


@njit(**INSIDE)
def judge_steps(task, lanes):
    """Accept or reject by the error, and wish for the next step."""
    for l in range(lanes.error.size):
        root = sqrt(sqrt(sqrt(lanes.error[l])))
        lanes.third[l] = max(min(0.8 / root, 3.0), 0.2)
    for l in range(LANES):
        error, h = lanes.error[l], lanes.h[l]
        factor = lanes.third[l] if error < 1e300 else 0.1
        accepted = error <= 1.0
        # a last or landing step was cut short, so it says little about the step the solution allows
        grown = h * factor
        cut = lanes.is_last[l] or lanes.landing[l] >= 0
        wish = min(max(lanes.wish[l], grown) if cut else grown, task.longest)
        lanes.wish[l] = wish if accepted else grown
        lanes.accepted[l] = accepted


@njit(**INSIDE)
def needs_interpolant(observe, task, lanes, events, looking):
    """Whether an event or an output time lies inside the step of some lane."""
    need = False
    if looking:
        for l in range(LANES):
            lanes.moment[l] = lanes.t[l] + lanes.h[l]
        evaluate(observe, lanes.moment, lanes.fresh, lanes.p, lanes.seen)
        for e in range(events):
            for l in range(LANES):
                if lanes.owner[l] >= 0 and lanes.accepted[l] and lanes.landing[l] != e:
                    if lanes.seen[e, l] * lanes.side[e, l] < 0.0:
                        need = True
    if task.times.size:
        for l in range(LANES):
            if lanes.owner[l] >= 0 and lanes.accepted[l]:
                if wanted_inside(task.times, lanes.next_time[l], lanes.t[l], lanes.h[l]):
                    need = True
    return need


@njit(**OPTIONS)
def interpolate_step(right_side, task, lanes):
    """Make the interpolant; where it is needed and less accurate than the step, the step has to be shorter."""
    t, h, y, fresh = lanes.t, lanes.h, lanes.y, lanes.fresh
    prepare_dense(right_side, t, h, y, fresh, lanes.p, lanes.k, lanes.trial, lanes.moment, lanes.dense)
    for l in range(LANES):
        lanes.error[l] = 0.0
    for x in (0.2, 0.5):
        add_defect(right_side, x, t, h, y, fresh, lanes.p, lanes.dense, task.relative, lanes.absolute, lanes.trial,
                   lanes.k[13], lanes.moment, lanes.error)
    for l in range(LANES):
        if lanes.accepted[l] and lanes.error[l] > MOST_DEFECT:
            if wanted_inside(task.times, lanes.next_time[l], t[l], h[l]):
                lanes.accepted[l] = False
                lanes.wish[l] = h[l] * max(0.3, 0.9 * (MOST_DEFECT / lanes.error[l]) ** 0.125)


@njit(**OPTIONS)
def locate(observe, lanes, event, l):
    """The fraction of the step at which an event changes sign, by bisection on the interpolant."""
    low, high = 0.0, 1.0
    for _ in range(52):
        middle = 0.5 * (low + high)
        for e in range(l, lanes.y.size, LANES):
            lanes.trial[e] = interpolate(lanes.dense, lanes.y, e, middle)
        lanes.moment[l] = lanes.t[l] + middle * lanes.h[l]
        evaluate(observe, lanes.moment, lanes.trial, lanes.p, lanes.seen)
        if lanes.seen[event, l] * lanes.side[event, l] < 0.0 or lanes.seen[event, l] != lanes.seen[event, l]:
            high = middle
        else:
            low = middle
    return high


@njit(**INSIDE)
def count_event(results, event, owner, time):
    results.event_counts[event, owner] += 1
    if results.event_counts[event, owner] == 1:
        results.event_times[event, owner] = time


@njit(**OPTIONS)
def land_on_events(observe, lanes, results, events):
    """Cut the step of a lane at its first event; the shortened step is then taken and checked like any other."""
    after = lanes.after
    for e in range(after.shape[0]):
        for l in range(LANES):
            after[e, l] = lanes.seen[e, l]
    for l in range(LANES):
        if lanes.owner[l] < 0 or not lanes.accepted[l]:
            continue
        best, which = 2.0, -1
        for e in range(events):
            if lanes.landing[l] != e and after[e, l] * lanes.side[e, l] < 0.0:
                x = locate(observe, lanes, e, l)
                if x < best:
                    best, which = x, e
        if which < 0:
            continue
        if best < 1e-12 or (best > 1.0 - 1e-13 and lanes.landing[l] >= 0):
            # it happened together with the event this step began or ends with
            lanes.side[which, l] = -lanes.side[which, l]
            count_event(results, which, lanes.owner[l], lanes.t[l] + best * lanes.h[l])
        else:
            lanes.accepted[l] = best > 1.0 - 1e-13
            lanes.landing[l] = which
            lanes.wish[l] = best * lanes.h[l] if not lanes.accepted[l] else lanes.wish[l]
    for e in range(after.shape[0]):
        for l in range(LANES):
            lanes.seen[e, l] = after[e, l]


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


@njit(**INSIDE)
def bounded(y, l, bound):
    """Whether the state of a lane is finite and within the bound."""
    fine = True
    for e in range(l, y.size, LANES):
        fine = fine and abs(y[e]) <= bound
    return fine


@njit(**OPTIONS)
def check_stiffness(task, lanes):
    """Count how often the step was as long as stability, not accuracy, allows while many steps remain."""
    k, h = lanes.k, lanes.h
    for l in range(LANES):
        if lanes.owner[l] >= 0 and lanes.accepted[l] and not lanes.is_new[l] and h[l] > 0.0:
            above, below = 0.0, 0.0
            for e in range(l, lanes.y.size, LANES):
                above += (k[0, e] - k[11, e]) ** 2
                below += (lanes.y[e] - lanes.trial[e]) ** 2
            far = task.end_times[lanes.owner[l]] - lanes.t[l] > 500.0 * h[l]
            if far and lanes.steps[l] > 100 and below > 0.0 and h[l] * sqrt(above / below) > 6.1:
                lanes.hard[l] += 1
            else:
                lanes.hard[l] = 0


@njit(**INSIDE)
def move_on(task, lanes, results, l, size, events):
    """An accepted step: output inside it, the new state, the event it landed on; -1 or how the trajectory ended."""
    o = lanes.owner[l]
    stop_time = lanes.t[l] + lanes.h[l] if not lanes.is_last[l] else task.end_times[o]
    while lanes.next_time[l] < task.times.size and task.times[lanes.next_time[l]] <= stop_time:
        place = lanes.next_time[l]
        x = min(max((task.times[place] - lanes.t[l]) / lanes.h[l], 0.0), 1.0)
        for i in range(size):
            e = i * LANES + l
            results.kept[place, i, o] = interpolate(lanes.dense, lanes.y, e, x) if x < 1.0 else lanes.fresh[e]
        lanes.next_time[l] += 1
    lanes.t[l] = stop_time
    ending = FINISHED if lanes.is_last[l] else -1
    for e in range(l, lanes.y.size, LANES):
        lanes.y[e] = lanes.fresh[e]
    if lanes.landing[l] >= 0:
        e = lanes.landing[l]
        lanes.side[e, l] = -lanes.side[e, l]
        lanes.landing[l] = -1
        count_event(results, e, o, stop_time)
        if task.stops[e]:
            ending = STOPPED
    for e in range(events):
        # an exact zero says nothing about the side, so the last known one stays
        if lanes.side[e, l] == 0.0:
            lanes.side[e, l] = lanes.seen[e, l]
    return ending if bounded(lanes.y, l, task.bound) else DIVERGED


@njit(**INSIDE)
def finish_steps(task, lanes, results, size, events):
    """Move every lane on, and let trajectories that ended go; returns how many did."""
    ended = 0
    for l in range(LANES):
        o = lanes.owner[l]
        if o < 0:
            continue
        lanes.steps[l] += 1
        ending = -1
        if lanes.accepted[l]:
            ending = move_on(task, lanes, results, l, size, events)
        elif lanes.t[l] + 4.0 * lanes.wish[l] == lanes.t[l]:
            ending = UNDEFINED if lanes.error[l] != lanes.error[l] else SINGULAR
        if ending < 0 and lanes.steps[l] >= task.most_steps:
            ending = STEP_LIMIT
        if ending < 0 and lanes.hard[l] >= 5:
            ending = STIFF
        if ending >= 0:
            results.status[o], results.final_time[o], results.steps[o] = ending, lanes.t[l], lanes.steps[l]
            for i in range(size):
                results.final[i, o] = lanes.y[i * LANES + l]
            lanes.is_new[l] = True
            ended += 1
    return ended


@njit(void(i8, i8, *(typeof(part) for part in example(LANES)), i8, i8), **OPTIONS)
def integrate_range(right_side, observe, task, lanes, results, first, last):
    """Integrate trajectories first..last."""
    size, events = task.starts.shape[0], task.stops.size
    looking = events + results.watched.shape[0] // 3
    waiting, ended, turn, need = first, LANES, 0, False
    active = 0
    while True:
        if ended:
            queue = waiting
            waiting = refill(task, lanes, results, queue, last)
            active += waiting - queue
            if active == 0:
                break
        evaluate(right_side, lanes.t, lanes.y, lanes.p, lanes.k[0])
        turn += 1
        if turn % 8 == 0 and not need:
            check_stiffness(task, lanes)
        if ended:
            start_new_lanes(observe, task, lanes, results, events, looking)
        choose_steps(task, lanes)
        take_stages(right_side, lanes.t, lanes.h, lanes.y, lanes.p, lanes.k, lanes.trial, lanes.fresh, lanes.moment)
        high, low = lanes.dense[0], lanes.dense[1]  # not in use yet
        scaled_errors(lanes.y, lanes.fresh, lanes.k, task.relative, lanes.absolute, high, low)
        combine_errors(lanes.h, high.reshape(size, LANES), low.reshape(size, LANES), lanes.error, lanes.third)
        judge_steps(task, lanes)
        need = needs_interpolant(observe, task, lanes, events, looking)
        if need:
            interpolate_step(right_side, task, lanes)
            if events:
                land_on_events(observe, lanes, results, events)
        ended = finish_steps(task, lanes, results, size, events)
        active -= ended
        if looking > events:
            evaluate(observe, lanes.t, lanes.y, lanes.p, lanes.seen)
            record_watch(lanes.seen, events, results.watched, lanes.owner, lanes.t)
'''
