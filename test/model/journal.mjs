// Sequences of short steps and untyped states are what a model is made of.
/* oxlint-disable eslint/no-unused-expressions, typescript/restrict-template-expressions */
// An explicit-state model of publishing under idempotency keys: two keys, two processes, one list of the platform. It
// explores every interleaving of their steps with crashes, lost and late requests, lagging lists, strangers, edits,
// deletions, clock steps and failing stores, as many of these faults as a scenario allows (see `scenarios`).
//
//   npm run model                            all that end within a quarter of an hour
//   npm run model -- --all                   all of them: an hour, and 12 GB
//   npm run model -- next/a without          those whose names begin so
//   npm run model -- --walks 7               random walks from the seed 7, which journal.test.ts beside it replays
//
// One transition is one operation of the store or the platform. `t` is true time in ticks, which is the platform's. A
// compare-and-set is a flag: whether what a process last read or wrote is still stored, as records carry a nonce.

const lease = 1; // how long a claim keeps others off, by local clocks
const lasts = 1; // a request takes effect at most this long after it was sent
const lag = 1; // an entry younger than this may be missing from any read of the list
const settle = 1; // how long to wait after the end of a lost request; at least the lag
const cold = 12; // how far a local clock may be off where no platform time was recorded
const off = 1; // how far the time of an entry may be off by either clock for it to be taken by its text
const free = -Infinity; // the lease of an entry that nobody holds
const stepBy = 3; // by how much a clock steps
const kept = 5; // how long an entry is kept after it was last written
const keptOwner = 6; // how long an owner is
const keptLock = 3; // how long a lock is

// ---- The world -----------------------------------------------------------------------------------------------------

const initial = (sc) => ({
  t: 0,
  calls: sc.calls ?? 3,
  faults: sc.faults,
  e: [null, null], // entries, by key: { l: lease until, s: sending, m: made, a: applied, with no id known, w: when it was written }
  lives: [0, 0], // how often the store has forgotten each key
  L: Array.from({ length: sc.secrets ? 4 : 2 }, () => null), // locks, by content, and by secret: { k: holder, past: [{ k, s }], w }; in today's protocol { told: [{ k, s }] }
  fx: [], // effects: { k: key (-1: a stranger), n: its life, c: content, at, o: recorded owner, w: since when, gone }
  late: [], // what the store has yet to store, although its call has given up
  fl: [], // requests under way: { k, n: life of the key, p: who waits for it (-1: nobody), at, x: effect }
  pr: [idle(0), idle(0)], // processes
});
const idle = (off) => ({ pc: 'idle', k: -1, ce: false, cl: false, co: false, off });
const copy = (w) => ({
  ...w,
  e: w.e.map((e) => e && { ...e }),
  lives: [...w.lives],
  L: [...w.L],
  late: [...w.late],
  fx: w.fx.map((x) => ({ ...x })),
  fl: w.fl.map((f) => ({ ...f })),
  pr: w.pr.map((p) => ({ ...p })),
});

const hasSent = ({ s, m, a }) => s !== null || m !== null || a === true;

class Violation extends Error {}
function violate(message, label) {
  throw Object.assign(new Violation(message), { label });
}

/** A scenario at work: where its successors go, and what its steps have in common. */
class Run {
  constructor(sc) {
    Object.assign(this, { sc, out: [], content: sc.contents ?? ['a', 'a'], settled: 0 });
  }
  local = (w, p) => w.t + w.pr[p].off;
  /** The platform's time as a process sees it: a proxy may have written another `Date`. */
  date = (w, p) => w.t + (this.sc.dateOff?.[p] ?? 0);
  /** How long a lock is kept. */
  locksLast = () => this.sc.locksLast ?? keptLock;
  lockOf(k, p) {
    if (k < 0 || this.sc.lock === 'wide') return k;
    const ofContent = this.sc.lock === 'list' || this.content[k] === this.content[0] ? 0 : 1;
    return ofContent + 2 * this.secretOf(p);
  }
  /** The app secret of a process, under which it digests content and names locks. */
  secretOf = (p) => this.sc.secrets?.[p] ?? 0;
  /** Whether an entry was sent under another secret: its content cannot be compared. */
  isOfOther = (w, p, k) => w.e[k] !== null && w.e[k].u !== this.secretOf(p) && hasSent(w.e[k]);
  /** What lists show as the text of a key: that of the first one has a mention, if `mention` says so, and shows nothing in its place. */
  textOf = (k) => (this.sc.mention ? 'a' : this.content[k]);
  /** Whether nothing shows the effect of a key, but the platform accepts only one. */
  isSingle = (k) => this.sc.single?.includes(k) ?? false;
  /**
   * Whether an entry has the text of another key, whose outcome is open: its lock says which key that is. Where a list has
   * one lock, nothing is known of its text.
   */
  isOfOpenKey(w, p, k, x) {
    const other = 1 - k;
    const lock = w.L[this.lockOf(other, p)];
    const isNamed = lock !== null && (lock.k === other || lock.past.some((one) => one.k === other));
    const s = w.e[other]?.m == null ? w.e[other]?.s : null;
    const hasText =
      this.content[k] !== this.content[other] &&
      // Where a mention may be shown as nothing, an entry is left to the key without one.
      !(this.sc.mention && k === 1) &&
      (this.sc.lock === 'list' ? w.fx[x].c !== this.content[k] : w.fx[x].c === this.content[other]);
    return isNamed && s != null && hasText && isIn(effectSpan(s, this.date(w, p), this.sc), w.fx[x].at);
  }
  can = (w, fault) => w.faults > 0 && (this.sc.only?.includes(fault) ?? !this.sc.without?.includes(fault));
  push(label, w, change = () => {}, cost = 0) {
    const v = copy(w);
    v.faults -= cost;
    change(v);
    this.out.push([label, v]);
  }
  fault(kind, label, w, change) {
    if (this.can(w, kind)) this.push(label, w, change, 1);
  }
  /** Whether a call stores what belongs together in one step: not once that was refused, nor after an earlier request. */
  joins(w, p) {
    const { k, pc, s, isSplit } = w.pr[p];
    const isFirst = pc === 'own' || (s === undefined && w.e[k]?.a !== true);
    return this.sc.joint === true && isFirst && isSplit !== true;
  }
  isFree = (w, p, k) => w.e[k] === null || (w.e[k].m === null && w.e[k].l <= this.local(w, p));
  /** A compare-and-set of process `p`. If the store fails, the call is given up, whether or not it has stored. */
  cas(w, p, name, isCurrent, write, then, refused) {
    if (!isCurrent) return this.push(`P${p} ${name}: refused`, w, (v) => refused(v, v.pr[p]));
    const commit = typeof write === 'function' ? write : (v) => this.store(v, p, write);
    this.push(`P${p} ${name}`, w, (v) => (commit(v), then(v, v.pr[p])));
    this.fault('store', `P${p} ${name}: the store fails before`, w, (v) => this.end(v, p));
    this.fault('store', `P${p} ${name}: the store fails after`, w, (v) => (commit(v), this.end(v, p)));
    const end = (v) => (v.late.push(write), this.end(v, p));
    if (commit !== write) this.fault('late', `P${p} ${name}: the store fails, and stores late`, w, end);
  }
  /** Stores an entry, a lock, or the owner of an effect, or an entry with one of the others: both or neither. */
  store(w, p, { changes, k, lock, at, x }) {
    if (x !== undefined && w.fx[x].o !== null) return;
    if (x !== undefined) Object.assign(w.fx[x], { o: k, w: w.t });
    if (lock !== undefined) this.setLock(w, p, at, lock);
    if (changes !== undefined) this.setEntry(w, p, k, changes);
  }
  /** The last one of a call, on its entry. */
  last(w, p, name, changes) {
    const end = (v) => this.end(v, p);
    this.cas(w, p, name, w.pr[p].ce, { k: w.pr[p].k, changes }, end, end);
  }
  end = (w, p) => void (w.pr[p] = idle(w.pr[p].off));
  setEntry(w, p, k, changes) {
    w.e[k] = { l: free, s: null, m: null, u: 0, ...w.e[k], ...changes, w: w.t };
    this.hasChanged(w, p, k);
    w.late = w.late.filter((one) => one.changes === undefined || one.k !== k);
  }
  hasChanged(w, p, k) {
    for (const [q, other] of w.pr.entries()) if (q !== p) other[other.k === k ? 'ce' : 'co'] = false;
  }
  /** The store forgets what is old. */
  expire(w) {
    if (this.sc.expires !== true) return;
    // What is scheduled is kept from then on.
    const due = this.sc.withoutScheduledTime ? 0 : (this.sc.scheduledFor ?? 0);
    for (const [k, e] of w.e.entries()) {
      if (e === null || w.t < Math.max(e.w, due) + kept) continue;
      w.e[k] = null;
      w.lives[k]++;
      this.hasChanged(w, -1, k);
    }
    for (const [at, lock] of w.L.entries())
      if (
        lock !== null &&
        w.t >= (this.sc.scheduled ? Math.max(lock.w, due) + kept : lock.w + this.locksLast())
      )
        this.setLock(w, -1, at, null);
    for (const x of w.fx) if (w.t >= Math.max(x.w, due) + keptOwner) x.o = null;
  }
  setLock(w, p, at, lock) {
    w.L[at] = lock && { ...lock, w: w.t };
    w.late = w.late.filter((one) => one.at !== at);
    for (const [q, one] of w.pr.entries()) if (q !== p && this.lockOf(one.k, q) === at) one.cl = false;
  }
  /** Checks that a person is never offered the effect of another key that a call of that one can still find. */
  checkCandidates(w, k, candidates, label) {
    const other = 1 - k;
    // Of equal texts, a person decides; and what was sent under another secret nobody can compare.
    if (this.content[k] === this.content[other] || this.sc.secrets) return;
    const isOpen = w.e[other] !== null && w.e[other].m === null && w.e[other].s !== null;
    for (const x of candidates)
      if (isOpen && w.fx[x].k === other && w.fx[x].c === this.content[other] && w.fx[x].n === w.lives[other])
        violate(`candidate ${x} of key ${k} is of key ${other}, which is open`, label);
  }
  /** Checks that what a call returns is the effect of its key. */
  checkValue(w, k, x, label, life = w.lives[k]) {
    const { k: by, n } = w.fx[x];
    if (by === k && n !== life) violate(`the value of key ${k} is of before it was forgotten`, label);
    if (by === k || (by === -1 && this.sc.acceptsStrangers)) return;
    violate(`the value of key ${k} is of ${by === -1 ? 'a stranger' : `key ${by}`}`, label);
  }
}

// ---- What surrounds the processes ----------------------------------------------------------------------------------

function environment(run, w) {
  // No process is frozen between its last check and the request (`prompt`: nor elsewhere); requests end in time.
  const isSending = w.pr.some(({ pc }) => (run.sc.prompt ? !/idle|wait/.test(pc) : pc === 'send'));
  const isDue = w.fl.some(({ at }) => w.t >= at + lasts);
  if (w.t < (run.sc.until ?? 4) && !isSending && !isDue) run.push('tick', w, (v) => (v.t++, run.expire(v)));
  const answer = (v, i, pc, x) => {
    Object.assign(v.pr[v.fl[i].p], { pc, x });
    v.fl.splice(i, 1);
  };
  for (const [i, { k, n, p, x }] of w.fl.entries()) {
    if (x !== undefined) {
      const pc = run.sc.object === 'without an id' ? 'takeResponse' : 'own';
      run.push(`P${p} gets its response`, w, (v) => answer(v, i, pc, x));
      run.fault('lose', `the response to P${p} is lost`, w, (v) => answer(v, i, 'look'));
      continue;
    }
    const isRepeat = run.isSingle(k) && w.fx.some((one) => one.k === k);
    if (isRepeat && p >= 0)
      run.push(`the platform tells P${p} that there is one`, w, (v) => answer(v, i, 'repeated'));
    if (!isRepeat)
      run.push(`the request of key ${k} takes effect`, w, (v) => {
        v.fx.push({ k, n, c: run.textOf(k), at: v.t, since: v.t, o: null, gone: false });
        if (p < 0) v.fl.splice(i, 1);
        else v.fl[i].x = v.fx.length - 1;
      });
    if (p < 0) run.push(`the request of key ${k} never arrives`, w, (v) => v.fl.splice(i, 1));
    if (p < 0) continue;
    run.fault('refuse', `the platform refuses P${p}`, w, (v) => answer(v, i, 'refused'));
    run.fault('lose', `P${p} times out`, w, (v) => {
      v.pr[p].pc = 'look';
      v.fl[i].p = -1; // it may still take effect
    });
  }
  for (const p of [0, 1]) {
    if (w.pr[p].pc !== 'idle') {
      run.fault('crash', `P${p} crashes`, w, (v) => {
        run.end(v, p);
        v.fl = v.fl.flatMap((f) => (f.p !== p ? [f] : f.x === undefined ? [{ ...f, p: -1 }] : []));
      });
    }
    for (const by of [stepBy, -stepBy])
      run.fault('step', `the clock of P${p} steps by ${by}`, w, (v) => (v.pr[p].off += by));
  }
  for (const [i, write] of w.late.entries()) {
    const { changes, k, lock, x } = write;
    const what = [lock && 'lock', x !== undefined && `owner ${x}`, changes && `entry ${k}`];
    run.push(
      `what was late is stored: ${what.filter(Boolean).join(' and ')}`,
      w,
      (v) => (v.late.splice(i, 1), run.store(v, -1, write)),
    );
  }
  run.fault('stranger', 'a stranger makes an equal entry', w, (v) =>
    v.fx.push({ k: -1, c: run.textOf(0), at: v.t, since: v.t, o: null, gone: false }),
  );
  for (const [x, { gone, k, c, at }] of w.fx.entries()) {
    if (gone || k === -1) continue;
    // Lists show it all the same, at once.
    if (run.sc.scheduled && at < w.t)
      run.fault('publish', `entry ${x} is published by hand`, w, (v) => (v.fx[x].at = w.t));
    run.fault('delete', `entry ${x} is deleted`, w, (v) => (v.fx[x].gone = true));
    const texts = (run.sc.edits ?? ['z']).filter((text) => text !== c);
    for (const text of texts)
      run.fault('edit', `entry ${x} is edited to ${text}`, w, (v) => (v.fx[x].c = text));
  }
}

/** What a read of the list can show: each entry that is not old enough may be missing. */
function reads(run, w, p) {
  if (run.sc.list === 'elsewhere') return [[]]; // the effect appears under another parent
  // What is read of an object, such as a video, is whether it is published itself.
  const isShown = (x) => !w.fx[x].gone && (!run.sc.object || w.fx[x].k === w.pr[p].k);
  const live = [...w.fx.keys()].filter(isShown);
  const young = live.filter((x) => w.t - w.fx[x].since < lag);
  return Array.from({ length: 2 ** young.length }, (_, bits) =>
    live.filter((x) => !young.includes(x) || bits & (1 << young.indexOf(x))),
  );
}

// ---- The protocol of the design ------------------------------------------------------------------------------------

/**
 * When a lost request can have taken effect: by all clocks together, until it is over. A clock that is later than when
 * the request was first seen is wrong. What is scheduled a person may publish at any later time.
 */
const effectSpan = ({ l, p, seen, more = 0 }, date, { scheduled, withoutCold } = {}) => ({
  from: p !== null ? Math.min(l, p) : seen !== null && seen < l ? -Infinity : withoutCold ? l : l - cold,
  until: scheduled ? Infinity : Math.max(l, p ?? Math.max(seen ?? date, date)) + more + lasts + settle - 1,
});
/** Whether a request is over, and lists show it: all clocks must agree. */
const isOver = ({ l, p, seen, more = 0 }, local, date, { withoutSeen } = {}) => {
  const first = p ?? (withoutSeen ? l : seen);
  return first !== null && date - first >= more + lasts + settle && local - l >= more + lasts + settle;
};
/** Whether each clock that is known allows an entry of a time. */
const isAllowedByClocks = ({ l, p }, at) =>
  at >= Math.max(l, p ?? l) - off && at <= Math.min(l, p ?? l) + off;
const isIn = ({ from, until }, at) => at >= from && at <= until;
/** What a call records of the request that it is about to send, and until when it then holds its entry. */
function requestOf(run, w, p) {
  const { date, earlier } = w.pr[p];
  const [l, d] = [run.local(w, p), date ? run.date(w, p) : null];
  // An earlier request that nothing shows counts as one with this.
  const more = earlier && Math.max(0, l - earlier.l, d - (earlier.p ?? earlier.seen));
  const isWrong = earlier && earlier.p === null && earlier.seen < earlier.l;
  const of = earlier && (earlier.p === null ? { p: null, seen: d - more } : { p: d - more, seen: null });
  const both = isWrong ? { ...earlier, more } : { l: l - more, ...of, more };
  const s = more && !run.sc.withoutMore ? both : { l, p: d, seen: null };
  return { s, l: l + lease };
}
const next = {
  /** A call begins by reading its entry. */
  idle(run, w, p) {
    for (const k of w.calls > 0 ? [0, 1] : []) next.begin(run, w, p, k);
  },
  begin(run, w, p, k) {
    const label = `P${p} begins a call under key ${k}`;
    const e = w.e[k];
    const isRefused = run.isOfOther(w, p, k) && !run.sc.takesForEqual;
    if (run.isOfOther(w, p, k) && !isRefused) violate(`key ${k} goes on with what cannot be compared`, label);
    if (!isRefused && e !== null && e.m !== null) run.checkValue(w, k, e.m, label);
    run.push(label, w, (v) => {
      v.calls--;
      if (isRefused) return;
      // Else it is done, or busy.
      if (run.isFree(w, p, k))
        v.pr[p] = { ...v.pr[p], pc: 'claimEntry', k, ce: true, date: run.sc.warm ?? false };
    });
  },
  claimEntry(run, w, p) {
    const { k, ce } = w.pr[p];
    const claim = { k, changes: { l: run.local(w, p) + lease, u: run.secretOf(p) } };
    const then = (v, its) => {
      const { s, a } = v.e[k];
      its.n = v.lives[k];
      // An object is published by its own key alone; one whose entry has a text takes a lock all the same.
      const pc =
        !run.sc.object || run.sc.hasText ? 'lock' : a ? 'reportApplied' : s ? 'look' : 'recordSending';
      Object.assign(its, { pc, s: s ?? undefined });
    };
    run.cas(w, p, 'claims', ce, claim, then, (v, its) => (its.pc = 'reread'));
  },
  reread(run, w, p) {
    const { k } = w.pr[p];
    run.push(`P${p} reads its entry again`, w, (v) =>
      run.isFree(w, p, k) && !run.isOfOther(w, p, k)
        ? Object.assign(v.pr[p], { pc: 'claimEntry', ce: true })
        : run.end(v, p),
    );
  },
  lock(run, w, p) {
    const lock = w.L[run.lockOf(w.pr[p].k, p)];
    // Mostly nothing is stored: then the first attempt takes it without reading.
    if (lock === null)
      return run.joins(w, p) ? next.lockAndRecord(run, w, p) : next['lock.take'](run, w, p, true);
    const pc = lock.k === w.pr[p].k ? 'lock.take' : 'readHolder';
    run.push(`P${p} reads the lock`, w, (v) => Object.assign(v.pr[p], { cl: true, pc }));
  },
  readHolder(run, w, p) {
    // One that was forgotten is free.
    const { l, s, m, a } = w.e[1 - w.pr[p].k] ?? { l: free, s: null, m: null, a: true };
    const isDone = m !== null || (a && s === null);
    // Of single ones, none takes an entry by its text: they need not wait for each other's outcome.
    const shares = run.isSingle(w.pr[p].k);
    const isFree = s === null || shares || isOver(s, run.local(w, p), run.date(w, p), run.sc);
    const canFence = l <= run.local(w, p) && !isDone && (isFree || (s.p ?? s.seen) === null);
    const pc = isDone && isFree ? 'lock.take' : canFence ? 'fence' : 'release';
    // To learn whether its request is over, it asks the platform.
    const isAsked = s !== null && !shares && (isDone || l <= run.local(w, p));
    run.push(`P${p} reads the entry of the lock's holder`, w, (v) =>
      Object.assign(v.pr[p], { co: true, pc, date: v.pr[p].date || isAsked }),
    );
  },
  fence(run, w, p) {
    const { k, co, date } = w.pr[p];
    const { s } = w.e[1 - k] ?? { s: null };
    const isFree = s === null || run.isSingle(k) || isOver(s, run.local(w, p), run.date(w, p), run.sc);
    const seen = s && s.p === null ? (s.seen ?? (date ? run.date(w, p) : null)) : null;
    const fence = { k: 1 - k, changes: { s: s && { ...s, seen } } };
    const then = (v, its) => (its.pc = isFree ? 'lock.take' : 'release');
    if (run.sc.withoutFence) return run.push(`P${p} does not fence`, w, (v) => then(v, v.pr[p]));
    run.cas(w, p, "fences the holder's entry", co, fence, then, (v, its) => (its.pc = 'lock'));
  },
  'lock.take'(run, w, p, isGuess = false) {
    const { k, cl } = w.pr[p];
    const { k: holder, past = [] } = w.L[run.lockOf(k, p)] ?? {};
    const other = w.e[1 - k];
    const kept = past.filter((one) => one.k !== k && one.k !== holder);
    const isShelved = holder === 1 - k && other?.s != null && !run.sc.withoutShelf;
    const lock = { k, past: isShelved ? [...kept, { k: holder, s: other.s }] : holder === k ? past : kept };
    const { a } = w.e[k] ?? {};
    const then = (v, its) =>
      Object.assign(its, {
        pc: a ? 'reportApplied' : its.s === undefined || its.isResolved ? 'recordSending' : 'look',
        ...(run.sc.expires && { lockedAt: v.t }),
      });
    run.cas(
      w,
      p,
      'takes the lock',
      isGuess || cl,
      { at: run.lockOf(k, p), lock },
      then,
      (v, its) => (its.pc = 'lock'),
    );
  },
  /** A first request: the lock and its record are stored in one step. */
  lockAndRecord(run, w, p) {
    const { k, n, ce, date } = w.pr[p];
    const { s, l } = requestOf(run, w, p);
    const both = { at: run.lockOf(k, p), lock: { k, past: [] }, k, changes: { s, l } };
    const lockedAt = run.sc.expires ? w.t : undefined;
    const then = (v, { off }) => (v.pr[p] = { ...idle(off), pc: 'send', k, n, ce: true, date, s, lockedAt });
    run.cas(
      w,
      p,
      'takes the lock and records that it sends',
      ce,
      both,
      then,
      (v, its) => (its.isSplit = true),
    );
  },
  /** A call that has waited long for its response first renews its lease. */
  renew(run, w, p) {
    const { k, ce } = w.pr[p];
    const renew = { k, changes: { l: run.local(w, p) + lease } };
    const then = (v, its) => Object.assign(its, { pc: 'look', isRenewed: true });
    run.cas(w, p, 'renews its lease', ce, renew, then, then);
  },
  look(run, w, p) {
    const { k, s, sentAt, isRenewed } = w.pr[p];
    if (run.isSingle(k))
      return sentAt === undefined
        ? next.askTime(run, w, p)
        : s.p === null
          ? next.learnTime(run, w, p)
          : next.release(run, w, p);
    if (w.t > sentAt && !isRenewed) return next.renew(run, w, p);
    const date = run.date(w, p);
    // The sender itself knows by its monotonic clock what time it was.
    const at = s.p === null && sentAt !== undefined ? { ...s, p: sentAt + date - w.t } : s;
    for (const list of reads(run, w, p)) {
      const over = isOver(at, run.local(w, p), run.sc.localOnly ? Infinity : date, run.sc);
      const seen = at.p === null ? { ...at, seen: at.seen ?? date } : at;
      const looked = {
        pc: 'decide',
        list,
        date: true,
        span: effectSpan(at, date, run.sc),
        over,
        s: seen,
      };
      run.push(`P${p} reads the list: ${list}`, w, (v) => Object.assign(v.pr[p], looked));
    }
  },
  /** Nothing shows the effect of an earlier request: once it is over, it is sent again, since the platform takes only one. */
  askTime(run, w, p) {
    const { s } = w.pr[p];
    const date = run.date(w, p);
    const seen = s.p === null ? { ...s, seen: s.seen ?? date } : s;
    const pc = isOver(seen, run.local(w, p), date, run.sc) ? 'recordSending' : 'release';
    const asked = { pc, s: seen, date: true, ...(pc !== 'release' && { isResolved: true, earlier: seen }) };
    run.push(`P${p} asks for the time and decides: ${pc}`, w, (v) => Object.assign(v.pr[p], asked));
  },
  /** The sender of a request that nothing shows asks for the time, to tell when a call can say more. */
  learnTime(run, w, p) {
    const { s, sentAt } = w.pr[p];
    const at = { ...s, p: sentAt + run.date(w, p) - w.t };
    run.push(`P${p} asks for the time`, w, (v) =>
      Object.assign(v.pr[p], { pc: 'release', date: true, s: at }),
    );
  },
  /** An object says itself whether it is published; one of them also by which id. */
  decideObject(run, w, p) {
    const { list, over, sentAt } = w.pr[p];
    const isFound = run.sc.object === 'without an id' ? 'finishCall' : 'reportApplied';
    const pc = list.length > 0 ? isFound : over && sentAt === undefined ? 'recordSending' : 'release';
    run.push(`P${p} decides: ${pc}`, w, (v) => {
      for (const name of ['list', 'span', 'over']) delete v.pr[p][name];
      Object.assign(v.pr[p], { pc, x: list[0] });
    });
  },
  decide(run, w, p) {
    if (run.sc.object) return next.decideObject(run, w, p);
    const { k, s, list, span, over, sentAt } = w.pr[p];
    const date = run.date(w, p);
    const lock = w.L[run.lockOf(k, p)];
    // A larger list shows the entries of this one.
    const wide = run.sc.lock === 'wide' && !run.sc.withoutWide ? w.L[1 - k] : null;
    // A text with a mention may be shown as the other one.
    const alike = run.sc.mention && !run.sc.withoutBare ? w.L[run.lockOf(1 - k, p)] : null;
    const others = [wide, alike].reduce(
      (all, one) => (one === null ? all : [...all, { k: one.k }, ...one.past]),
      lock?.past ?? [],
    );
    const past = others.flatMap((one) => {
      const e = one.k === k ? { s: null } : w.e[one.k];
      const open = e !== null && e.s === null ? [] : [one.s, e?.s].filter(Boolean);
      // What is on record as made by its request, another call of its key will find: it made nothing else.
      const isMade = ({ o, at }, s) => o === one.k && isIn(effectSpan(s, date, run.sc), at);
      const mayAppear = (s) => alike !== null && !isOver(s, run.local(w, p), date, run.sc);
      return open.filter((s) => mayAppear(s) || !list.some((x) => isMade(w.fx[x], s)));
    });
    const recorded = list.find((x) => w.fx[x].o === k && isIn(span, w.fx[x].at));
    // By then, it may have been forgotten which entries are of other keys.
    const isOld = run.sc.expires && !run.sc.withoutAge && w.t - s.l >= kept;
    const open = list.filter((x) => {
      const { o, at, k: by } = w.fx[x];
      return o === null && isIn(span, at) && !(by === -1 && run.sc.showsMaker);
    });
    const equal = run.sc.opaque ? [] : open.filter((x) => w.fx[x].c === run.textOf(k));
    const isMine = (x) =>
      !isOld &&
      (run.sc.scheduled || run.sc.atAnyTime || isAllowedByClocks(s, w.fx[x].at)) &&
      !past.some((one) => isIn(effectSpan(one, date, run.sc), w.fx[x].at));
    const theirs = run.sc.withoutOthers ? [] : open.filter((one) => run.isOfOpenKey(w, p, k, one));
    // Of several, those are left to the other key first that have its text and time.
    const own = equal.length === 1 ? equal : equal.filter((one) => !theirs.includes(one));
    const x = recorded ?? (own.length === 1 && isMine(own[0]) ? own[0] : undefined);
    const candidates = open.filter((one) => !theirs.includes(one));
    // The key with the mention may know more: not if it has left all of them to this one.
    const its = alike !== null && k === 1 ? w.e[0] : null;
    const isKnown =
      its?.s == null ||
      ((its.m !== null || its.left === true) && isOver(its.s, run.local(w, p), date, run.sc));
    const waits = its?.s != null && candidates.some((x) => isIn(effectSpan(its.s, date, run.sc), w.fx[x].at));
    // What the other one has taken by its text may be that of the key with the mention.
    const isTaken = (x) => w.fx[x].o === 1 && w.fx[x].c === run.textOf(0) && isIn(span, w.fx[x].at);
    const taker = run.sc.mention && k === 0 && list.some(isTaken) && w.e[1]?.s != null ? w.e[1] : null;
    const why =
      (run.sc.absentByContent ? equal : open).length > 0
        ? theirs.length > 0 || (waits && !isKnown)
          ? `waits for key ${1 - k}, candidates ${candidates.join()}`
          : `${over ? 'for good' : 'not settled yet'}, candidates ${candidates.join()}`
        : !over
          ? 'not settled yet'
          : run.sc.list === 'elsewhere'
            ? 'no list is known to show it'
            : sentAt !== undefined
              ? 'not found'
              : taker === null
                ? undefined
                : taker.m === null
                  ? 'waits for key 1'
                  : 'for good, key 1 has taken it';
    const isConcluded = x !== undefined && x !== recorded;
    const toOwn = isConcluded && !run.sc.withoutConfirm ? 'confirm' : 'own';
    const pc = x !== undefined ? toOwn : why ? 'release' : 'recordSending';
    const label = `P${p} reads the owners and decides: ${pc} ${x ?? why ?? ''}`;
    if (pc === 'release') run.checkCandidates(w, k, candidates, label);
    run.push(label, w, (v) => {
      for (const name of ['list', 'span', 'over']) delete v.pr[p][name];
      Object.assign(v.pr[p], { pc, x, isShown: true, isOpen: isConcluded || undefined });
      if (run.sc.mention && k === 0) v.pr[p].left = theirs.length > 0 && candidates.length === 0;
    });
  },
  confirm(run, w, p) {
    const { k, ce, s } = w.pr[p];
    const confirm = { k, changes: { s, l: run.local(w, p) + lease } };
    run.cas(
      w,
      p,
      'confirms its entry',
      ce,
      confirm,
      (v, its) => (its.pc = 'own'),
      (v) => run.end(v, p),
    );
  },
  own(run, w, p) {
    const { k, x, isShown } = w.pr[p];
    const { o } = w.fx[x];
    const isFree = [null, k].includes(o);
    if (o === null && run.joins(w, p) && !isShown) return next.ownAndFinish(run, w, p);
    const then = (v, its) => (its.pc = 'finishCall');
    // The id in a response counts all the same, and the request stays open to others.
    const refused = (v, its) =>
      Object.assign(its, isShown ? { pc: 'release', x: undefined } : { pc: 'finishCall', isOpen: true });
    run.cas(w, p, `records itself as the owner of ${x}`, isFree, { x, k }, then, refused);
  },
  /** By its response: the owner and the value are stored in one step. */
  ownAndFinish(run, w, p) {
    const { k, n, ce, x } = w.pr[p];
    run.checkValue(w, k, x, `P${p} returns ${x}`, n);
    const both = { x, k, changes: { m: x, l: free, s: null } };
    const end = (v) => run.end(v, p);
    run.cas(
      w,
      p,
      `records itself as the owner of ${x} and its value`,
      ce,
      both,
      end,
      (v, its) => (its.isSplit = true),
    );
  },
  /**
   * Of an object, the response gives no id that lists show. That it took effect is in the entry from now on: the next
   * write stores it, which is a renewal of the lease or the value.
   */
  takeResponse(run, w, p) {
    const { k, ce, x } = w.pr[p];
    const taken = { s: null, a: !run.sc.withoutApplied };
    const renew = { k, changes: { ...taken, l: run.local(w, p) + lease } };
    const then = (v, its) => (its.pc = 'finishCall');
    run.cas(w, p, 'renews its lease, and notes that it is published', ce, renew, then, then);
    run.push(`P${p} has the value of ${x}`, w, (v) => (v.pr[p].pc = 'finishCall'));
  },
  reportApplied(run, w, p) {
    const { k, s } = w.pr[p];
    run.last(w, p, 'reports that it is published', { l: free, a: true, ...(s && w.e[k]?.s && { s }) });
  },
  recordSending(run, w, p) {
    const { k, n, ce, date, earlier, lockedAt } = w.pr[p];
    // It may expire, or has expired, during a long wait.
    if (w.t - lockedAt >= keptLock / 2 && !run.sc.withoutRelock)
      return run.push(`P${p} takes the lock again`, w, (v) =>
        Object.assign(v.pr[p], { pc: 'lock', isResolved: true }),
      );
    const { s, l } = requestOf(run, w, p);
    const record = { k, changes: { s, l } };
    const then = (v, { off }) =>
      (v.pr[p] = { ...idle(off), pc: 'send', k, n, ce: true, date, s, earlier, lockedAt });
    run.cas(w, p, 'records that it sends', ce, record, then, (v) => run.end(v, p));
  },
  send(run, w, p) {
    const flight = { k: w.pr[p].k, n: w.pr[p].n, p, at: w.t };
    run.push(
      `P${p} sends`,
      w,
      (v) => (Object.assign(v.pr[p], { pc: 'wait', sentAt: w.t }), v.fl.push(flight)),
    );
  },
  wait() {},
  /** A refusal says nothing of an earlier request that nothing shows. */
  refused(run, w, p) {
    const { k, n, ce, earlier } = w.pr[p];
    const s = (!run.sc.withoutEarlier && earlier) || null;
    // One that has lost its entry reports that it does not know.
    if (s === null && ce && w.fx.some((x) => x.k === k && x.n === n && !x.gone))
      violate(`key ${k} is reported as refused, and has an effect`, `P${p} is refused`);
    if (run.sc.retries) {
      const clear = { k, changes: { s, l: run.local(w, p) + lease } };
      const then = (v, its) => Object.assign(its, { pc: 'recordSending', isResolved: true });
      run.cas(w, p, 'waits to send again', ce, clear, then, (v) => run.end(v, p));
    }
    run.last(w, p, 'records the refusal', { s, l: free });
  },
  /** The platform says that there is one: it is that of an earlier request. */
  repeated(run, w, p) {
    const { k, earlier } = w.pr[p];
    if (earlier === undefined)
      violate(`key ${k} is reported as refused, and has an effect`, `P${p} is refused`);
    run.last(w, p, 'records that it is published', { s: earlier, a: true, l: free });
  },
  finishCall(run, w, p) {
    const { k, n, x, isOpen } = w.pr[p];
    run.checkValue(w, k, x, `P${p} returns ${x}`, n);
    run.last(w, p, `records its value ${x}`, { m: x, l: free, ...(!isOpen && { s: null }) });
  },
  release(run, w, p) {
    const { k, s, left } = w.pr[p];
    run.last(w, p, 'releases its entry', {
      l: free,
      ...(s && w.e[k]?.s && { s }),
      ...(run.sc.mention && { left }),
    });
  },
};

// ---- Today's protocol, without its sharing out of equal entries ----------------------------------------------------

const today = {
  ...next,
  claimEntry(run, w, p) {
    const { k, ce } = w.pr[p];
    const claim = (v) => run.setEntry(v, p, k, { l: run.local(w, p) + lease });
    const then = (v, its) =>
      Object.assign(its, {
        pc: v.e[k].s ? 'look' : 'recordSending',
        s: v.e[k].s ?? undefined,
        n: v.lives[k],
      });
    run.cas(w, p, 'claims', ce, claim, then, (v) => run.end(v, p));
  },
  look(run, w, p) {
    const { s, off } = w.pr[p];
    const began = s.p ?? s.l - off; // the platform's clock; if it was not known then, by what is known of it now
    const span = { from: began, until: began + lasts + settle };
    const over = run.local(w, p) - s.l >= lasts + settle; // the local clock alone
    for (const list of reads(run, w, p)) {
      run.push(`P${p} reads the list: ${list}`, w, (v) =>
        Object.assign(v.pr[p], { pc: 'decide', list, span, over }),
      );
    }
  },
  decide(run, w, p) {
    const { k, list, span, over, sentAt } = w.pr[p];
    const others = w.L[run.lockOf(k, p)].told.filter(
      (one) => one.k !== k && !list.some((x) => w.fx[x].o === one.k),
    );
    const isDoubtful = (at) => others.some(({ s }) => isIn({ from: s.l, until: s.l + lasts + settle }, at));
    const fitting = list.filter((x) => {
      const { c, at, o } = w.fx[x];
      return (run.sc.opaque || c === run.content[k]) && at >= span.from && (o === null || o === k);
    });
    const [x] = fitting;
    const isHidden = run.sc.opaque && sentAt === undefined; // the first call does take it
    const isMine = fitting.length === 1 && isIn(span, w.fx[x].at) && !isHidden && !isDoubtful(w.fx[x].at);
    const pc = isMine
      ? 'own'
      : fitting.length > 0 || sentAt !== undefined || !over
        ? 'release'
        : 'recordSending';
    run.push(`P${p} decides: ${pc}`, w, (v) => {
      for (const name of ['list', 'span', 'over']) delete v.pr[p][name];
      Object.assign(v.pr[p], { pc, x });
    });
  },
  recordSending(run, w, p) {
    const { k, n, ce } = w.pr[p];
    const s = { l: run.local(w, p), p: run.sc.warm ? run.date(w, p) : null, seen: null };
    const record = (v) => {
      run.setEntry(v, p, k, { s, l: run.local(w, p) + lease });
      const told = v.L[run.lockOf(k, p)]?.told.filter((one) => one.k !== k) ?? [];
      run.setLock(v, p, run.lockOf(k, p), { told: [...told, { k, s }] });
    };
    const then = (v, { off }) => (v.pr[p] = { ...idle(off), pc: 'send', k, n, ce: true, s });
    run.cas(w, p, 'records that it sends, and tells others', ce, record, then, (v) => run.end(v, p));
  },
};

// ---- Exploring -----------------------------------------------------------------------------------------------------

const protocols = { next, today };

function check(w, label, { scheduledFor = 0 }) {
  for (const k of [0, 1]) {
    const own = w.fx.filter((x) => x.k === k && !x.gone);
    if (new Set(own.map(({ n }) => n)).size < own.length) violate(`key ${k} has two effects`, label);
    // A key may be forgotten, but not before its effect is out.
    if (own.length > 1 && own.at(-1).since < scheduledFor) violate(`key ${k} was forgotten too early`, label);
  }
}

/** Without further faults, and with calls again and again, each key must get its value, unless open entries show why. */
function finish(run, w) {
  let v = { ...copy(w), faults: 0, calls: Infinity };
  const calm = new Run(run.sc);
  const isForPerson = [false, false];
  for (let round = 0; round < 6; round++) {
    v.t += 4;
    for (const k of [0, 1]) {
      calm.out = [];
      // Only a process with the secret of the entry can settle it.
      const p = v.e[k] === null ? 0 : (run.sc.secrets?.indexOf(v.e[k].u) ?? 0);
      next.begin(calm, v, p, k);
      [[, v]] = calm.out;
      while (v.pr[p].pc !== 'idle') {
        calm.out = [];
        (v.pr[p].pc === 'wait' ? environment : next[v.pr[p].pc])(calm, v, p);
        const [label, after] = calm.out.findLast(([name]) => name !== 'tick');
        check(after, label, run.sc);
        v = after;
        if (label.includes('for good')) isForPerson[k] = true;
      }
      // What was sent under another secret nobody can compare.
      if (isForPerson[k] && !run.sc.secrets && (v.e[k].m !== null || v.e[k].a))
        violate(`key ${k} was left to a person, and settled by a call`, 'later');
    }
  }
  for (const [k, { s, m, a }] of v.e.entries()) {
    // What the key with the mention may have made counts, although the other one has taken it.
    const isOthers = ({ k: by, o }) =>
      (o !== null && !(run.sc.mention && k === 0 && o === 1)) || (by === -1 && run.sc.showsMaker);
    const isOpen = (x) => !x.gone && !isOthers(x) && isIn(effectSpan(s, v.t, run.sc), x.at);
    if (m === null && !a && run.isSingle(k)) violate(`key ${k} is never settled`, 'later');
    if (m === null && !a && run.sc.list !== 'elsewhere' && !v.fx.some(isOpen))
      violate(`key ${k} is never settled`, 'later');
  }
  run.settled++;
}

/** A text that is equal for worlds that differ only in the names of processes, or of keys of equal content. */
function textOf(sc, w) {
  const [same, other] = [
    [0, 1],
    [1, 0],
  ];
  const orders = [[same, same]];
  if (!sc.dateOff && !sc.secrets) orders.push([other, same]);
  if (!sc.contents && sc.lock !== 'wide') orders.push(...orders.map(([ps]) => [ps, other]));
  return orders.map(([ps, ks]) => encode(sc, w, ps, ks)).sort()[0];
}
const pcs = Object.keys(next);
function encode(sc, w, ps, ks) {
  let text = '';
  const put = (...ns) => ns.forEach((n) => (text += String.fromCharCode(n == null ? 33 : 60 + Number(n))));
  const key = (k) => (k == null || k < 0 ? k : ks[k]);
  const sent = (s) => (s ? put(s.l, s.p, s.seen, ...(sc.single ? [s.more] : [])) : put(null));
  put(w.t, w.calls, w.faults);
  if (sc.expires) for (const k of ks) (put(w.lives[k], w.e[k]?.w), w.L.forEach((lock) => put(lock?.w)));
  for (const k of ks) (put(w.e[k] && w.e[k].l, w.e[k]?.m, w.e[k]?.a), sent(w.e[k]?.s));
  if (sc.secrets) for (const k of ks) put(w.e[k]?.u);
  if (sc.mention) for (const k of ks) put(w.e[k]?.left);
  for (const lock of w.L) {
    put(lock && key(lock.k));
    for (const one of lock?.past ?? lock?.told ?? []) (put(key(one.k)), sent(one.s));
  }
  for (const { k, n, c, at, since, o, w: owned, gone } of w.fx) {
    ((text += c), put(key(k), at, since, key(o), gone));
    if (sc.expires) put(n, o === null ? null : owned);
  }
  text += '|';
  for (const { changes, k, lock, at, x } of w.late) {
    put(
      key(k),
      at,
      x,
      changes?.l,
      changes?.m,
      changes?.a,
      changes && changes.s === undefined,
      lock && key(lock.k),
    );
    sent(changes?.s);
    for (const one of lock?.past ?? []) (put(key(one.k)), sent(one.s));
  }
  text += '|';
  for (const { k, p, at, x } of w.fl) put(key(k), p < 0 ? p : ps[p], at, x);
  for (const p of ps) {
    const { pc, k, ce, cl, co, off, date, x, sentAt, s, list, span, over, isShown, isOpen, isRenewed } =
      w.pr[p];
    const { n, earlier, lockedAt, isResolved, isSplit } = w.pr[p];
    if (sc.joint) put(isSplit);
    if (sc.mention) put(w.pr[p].left);
    put(
      pcs.indexOf(pc),
      key(k),
      ce,
      cl,
      co,
      off,
      date,
      x,
      sentAt,
      over,
      span?.from,
      span?.until,
      isShown,
      isOpen,
      isRenewed,
    );
    sent(s);
    if (sc.single || sc.expires) (sent(earlier), put(n, lockedAt, isResolved));
    text += list?.join('') ?? '';
  }
  return text;
}

function explore(sc, protocol) {
  const run = new Run(sc);
  const seen = Array.from({ length: 64 }, () => new Set()); // one set takes 16 million texts at most
  const [worlds, parents, labels] = [[], [], []];
  const names = new Map();
  let transitions = 0;
  const add = (w, parent, label) => {
    const text = textOf(sc, w);
    let hash = 0;
    for (let i = 0; i < text.length; i += 3) hash = (hash * 31 + text.charCodeAt(i)) | 0;
    if (seen[hash & 63].has(text)) return;
    seen[hash & 63].add(text);
    if (!names.has(label)) names.set(label, names.size);
    worlds.push(w);
    parents.push(parent);
    labels.push(names.get(label));
  };
  const traceTo = (at, last) => {
    const steps = [last];
    for (; parents[at] >= 0; at = parents[at]) steps.unshift([...names.keys()][labels[at]]);
    return steps;
  };
  add(initial(sc), -1, '');
  for (let i = 0; i < worlds.length; i++) {
    const w = worlds[i];
    worlds[i] = undefined;
    try {
      if (protocol === next && w.fl.length + w.late.length === 0 && w.pr.every(({ pc }) => pc === 'idle'))
        finish(run, w);
      run.out = [];
      environment(run, w);
      for (const p of [0, 1]) protocol[w.pr[p].pc](run, w, p);
      transitions += run.out.length;
      for (const [label, v] of run.out) (check(v, label, sc), add(v, i, label));
    } catch (thrown) {
      if (!(thrown instanceof Violation)) throw thrown;
      const found = { found: thrown.message, steps: traceTo(i, thrown.label) };
      return { states: worlds.length, transitions, ends: run.settled, ...found };
    }
  }
  return { states: worlds.length, transitions, ends: run.settled };
}

const shown = { showsMaker: true, warm: true }; // warm: the sender knows the platform's time
const [coldly, moved] = [{ showsMaker: true }, { contents: ['a', 'b'], edits: ['a', 'b'] }];
/** The first key has a mention in its text, which is shown as nothing: as the text of the second. */
const mentioned = { contents: ['m', 'a'], mention: true, calls: 2, faults: 2, until: 3 };
const scenarios = {
  // The design: nothing may be found.
  'next/one fault of any kind, cold': { ...coldly, faults: 1 },
  'next/two faults of any kind, warm': { ...shown, faults: 2, until: 3 },
  'next/lost, clock steps, cold': { ...coldly, faults: 2, only: ['lose', 'step'] },
  'next/lost, edited, deleted, strangers': {
    ...shown,
    faults: 2,
    only: ['lose', 'edit', 'delete', 'stranger'],
  },
  'next/crashes and store errors, cold': { ...coldly, faults: 2, only: ['crash', 'store', 'late'] },
  'next/lost, crashes, strangers accepted': {
    warm: true,
    acceptsStrangers: true,
    faults: 2,
    only: ['lose', 'crash', 'stranger'],
  },
  'next/list without content': { opaque: true, faults: 1 },
  'next/list without content, lost, strangers': {
    warm: true,
    opaque: true,
    faults: 2,
    until: 3,
    only: ['lose', 'stranger', 'crash'],
  },
  'next/other parent': { list: 'elsewhere', faults: 1 },
  'next/scheduled': {
    ...shown,
    scheduled: true,
    faults: 2,
    until: 3,
    only: ['lose', 'publish', 'edit', 'crash'],
  },
  'next/an object without an id': {
    ...shown,
    object: 'without an id',
    contents: ['a', 'b'],
    faults: 2,
    until: 3,
    only: ['lose', 'crash', 'store', 'late'],
  },
  'next/an object whose id no list shows': {
    ...shown,
    object: 'with an id',
    contents: ['a', 'b'],
    faults: 2,
    until: 3,
    only: ['lose', 'crash', 'refuse', 'store', 'late'],
  },
  'next/an object with a text': {
    ...shown,
    object: 'with an id',
    hasText: true,
    calls: 2,
    faults: 2,
    until: 3,
    only: ['lose', 'crash', 'refuse', 'store', 'late'],
  },
  'next/single': {
    ...shown,
    single: [0, 1],
    retries: true,
    faults: 2,
    until: 3,
    only: ['lose', 'refuse', 'crash'],
  },
  'next/single, cold': {
    ...coldly,
    single: [0, 1],
    faults: 2,
    until: 3,
    only: ['lose', 'crash', 'step'],
  },
  'next/single, beside an entry in a larger list': {
    ...shown,
    single: [0],
    lock: 'wide',
    faults: 2,
    until: 3,
    only: ['lose', 'refuse', 'crash'],
  },
  'next/keys and locks expire': { ...shown, expires: true, calls: 2, faults: 2, until: 6, only: ['lose'] },
  'next/keys expire, among many calls': {
    ...shown,
    expires: true,
    prompt: true,
    calls: 4,
    faults: 2,
    until: 6,
    only: ['lose', 'crash'],
  },
  'next/scheduled far ahead, keys expire': {
    ...shown,
    scheduled: true,
    scheduledFor: 6,
    expires: true,
    prompt: true,
    calls: 3,
    faults: 1,
    until: 6,
    only: ['lose', 'crash'],
  },
  'next/two secrets': {
    ...shown,
    secrets: [0, 1],
    contents: ['a', 'b'],
    calls: 2,
    faults: 2,
    until: 3,
    only: ['lose', 'refuse', 'crash'],
  },
  'next/a Date ahead': { ...shown, dateOff: [3, 0], faults: 1, without: ['step'] },
  'next/a Date behind': { ...shown, dateOff: [0, -3], faults: 1, without: ['step'] },
  'next/two calls, lost, clock steps': { ...shown, calls: 2, faults: 3, until: 3, only: ['lose', 'step'] },
  'next/edited to the other content, one lock': {
    ...shown,
    ...moved,
    lock: 'list',
    faults: 3,
    until: 3,
    only: ['lose', 'edit'],
  },
  'next/two texts': {
    ...shown,
    contents: ['a', 'b'],
    calls: 2,
    faults: 2,
    until: 3,
    only: ['lose', 'crash'],
  },
  'next/two texts, cold': {
    ...coldly,
    contents: ['a', 'b'],
    calls: 2,
    faults: 2,
    until: 3,
    only: ['lose', 'crash'],
  },
  'next/two texts, strangers, deleted': {
    ...shown,
    contents: ['a', 'b'],
    calls: 2,
    faults: 2,
    until: 3,
    only: ['lose', 'stranger', 'delete'],
  },
  'next/two texts, one lock': {
    ...shown,
    contents: ['a', 'b'],
    lock: 'list',
    calls: 2,
    faults: 2,
    until: 3,
    only: ['lose', 'crash'],
  },
  'next/two texts, keys and locks expire': {
    ...shown,
    contents: ['a', 'b'],
    expires: true,
    prompt: true,
    locksLast: kept + keptLock,
    calls: 2,
    faults: 2,
    until: 6,
    only: ['lose'],
  },
  'next/a text with a mention, warm': { ...shown, ...mentioned, only: ['lose', 'crash', 'refuse'] },
  'next/a text with a mention, cold': { ...coldly, ...mentioned, only: ['lose', 'crash'] },
  'next/a text with a mention, strangers, deleted': {
    ...shown,
    ...mentioned,
    only: ['lose', 'stranger', 'delete'],
  },
  // What is not promised: found.
  'residue/edited to the other content': { ...shown, ...moved, faults: 3, only: ['lose', 'edit'] },
  'residue/both clocks of a machine off': { ...shown, dateOff: [3, 0], faults: 1, only: ['step'] },
  'residue/a stranger, maker hidden': { warm: true, faults: 2, only: ['stranger', 'lose'] },
  'residue/two secrets, equal content': { ...shown, secrets: [0, 1], faults: 2, only: ['lose'] },
  // The design without one of its parts: found. An entry that is taken only near its request may hide the lack.
  'without/fence': { ...shown, withoutFence: true, faults: 1 },
  'without/confirmation': {
    ...shown,
    withoutConfirm: true,
    atAnyTime: true,
    calls: 2,
    faults: 3,
    until: 3,
    only: ['lose', 'step'],
  },
  'without/shelf': {
    ...shown,
    withoutShelf: true,
    atAnyTime: true,
    calls: 2,
    faults: 3,
    until: 3,
    only: ['lose', 'step'],
  },
  'without/earlier request': {
    ...shown,
    single: [0, 1],
    withoutEarlier: true,
    faults: 2,
    until: 3,
    only: ['lose', 'refuse'],
  },
  'without/larger list': {
    ...shown,
    single: [0],
    lock: 'wide',
    withoutWide: true,
    faults: 2,
    until: 3,
    only: ['lose', 'crash'],
  },
  'without/earlier times': {
    ...shown,
    single: [0],
    lock: 'wide',
    withoutMore: true,
    faults: 2,
    until: 3,
    only: ['lose', 'crash'],
  },
  'without/lock again': {
    ...shown,
    expires: true,
    withoutRelock: true,
    calls: 2,
    faults: 1,
    until: 6,
    only: ['lose'],
  },
  'without/age': {
    ...shown,
    expires: true,
    prompt: true,
    withoutAge: true,
    calls: 4,
    faults: 2,
    until: 6,
    only: ['lose', 'crash'],
  },
  'without/scheduled time': {
    ...shown,
    scheduled: true,
    scheduledFor: 6,
    withoutScheduledTime: true,
    expires: true,
    prompt: true,
    calls: 3,
    faults: 1,
    until: 6,
    only: ['lose', 'crash'],
  },
  'without/secrets': { ...shown, secrets: [0, 1], takesForEqual: true, contents: ['a', 'b'], faults: 1 },
  'without/open keys': {
    ...shown,
    contents: ['a', 'b'],
    withoutOthers: true,
    calls: 2,
    faults: 2,
    until: 3,
    only: ['lose'],
  },
  'without/a text without its mention': { ...shown, ...mentioned, withoutBare: true, only: ['lose'] },
  'without/long locks': {
    ...shown,
    contents: ['a', 'b'],
    expires: true,
    calls: 3,
    faults: 2,
    until: 6,
    only: ['lose'],
  },
  'without/applied': {
    ...shown,
    object: 'without an id',
    contents: ['a', 'b'],
    withoutApplied: true,
    faults: 1,
  },
  // What is known of the request of a process that knew only its own clock, which may be ahead, or behind.
  'without/cold': { ...coldly, withoutCold: true, calls: 1, faults: 2, only: ['crash', 'step'] },
  'without/seen': { ...coldly, withoutSeen: true, calls: 2, faults: 2, until: 1, only: ['crash', 'step'] },
  'without/both clocks': { ...shown, localOnly: true, faults: 1 },
  'without/absence of all': { ...shown, absentByContent: true, faults: 2, only: ['lose', 'edit'] },
  // Today's protocol: found.
  'today/1 other parent': { prompt: true, warm: true, list: 'elsewhere', faults: 1, only: ['lose'] },
  'today/2 edited': { prompt: true, warm: true, faults: 2, only: ['lose', 'edit'] },
  'today/4 a Date ahead': { prompt: true, warm: true, dateOff: [3, 3], faults: 1, only: ['lose'] },
  'today/5 clock step': { warm: true, faults: 1, only: ['step'] },
  'today/7 list without content': {
    prompt: true,
    warm: true,
    opaque: true,
    faults: 2,
    only: ['lose', 'stranger'],
  },
};

// The same with stores that store two records in one step.
for (const [name, sc] of Object.entries(scenarios))
  if (name.startsWith('next/')) scenarios[name.replace('next', 'joint')] = { ...sc, joint: true };

/** Scenarios of more than a million states. */
const large =
  /^(?:next|joint)\/(?:two faults|lost, clock|lost, edited|lost, crashes|list without content|an object|keys and|a Date|two calls|edited|one fault|single, cold)/;

/**
 * A walk through a scenario: at each state one of the next steps by chance, with the state after it, until nothing is
 * left to do.
 */
export function walk(name, random) {
  const sc = { ...scenarios[name], calls: 4, until: 8, retries: false };
  const run = new Run(sc);
  const steps = [];
  for (let w = initial(sc); ;) {
    run.out = [];
    environment(run, w);
    for (const p of [0, 1]) next[w.pr[p].pc](run, w, p);
    const kinds = Object.groupBy(run.out, ([label, { faults }]) =>
      faults < w.faults ? 'faults' : label === 'tick' ? 'ticks' : 'steps',
    );
    const passes = (label) => label !== 'tick' && !label.startsWith('the clock');
    const among = [
      ...(kinds.steps ?? []),
      ...(random() < 0.2 ? (kinds.faults ?? []) : []),
      ...(random() < 0.4 || kinds.steps === undefined ? (kinds.ticks ?? []) : []),
    ]
      .filter(([label]) => passes(label) || !w.pr.some(hasReadClock))
      // The engine takes the texts as it has read them, the model as they are when it decides.
      .filter(([label]) => !label.includes('is edited') || w.pr.every(({ pc }) => pc !== 'decide'));
    if (among.length === 0) return { name, sc, steps };
    const [label, after] = among[Math.floor(random() * among.length)];
    check(after, label, sc);
    steps.push({ label, after });
    w = after;
  }
}

/** The engine reads its clock before these steps, the model in them: in walks, no time passes in between. */
function hasReadClock({ pc, s, isRenewed }) {
  return /^(?:claimEntry|fence|confirm|decide|send)$/.test(pc) || isRenewed || (pc === 'recordSending' && s);
}

/** Numbers from 0 to 1 from a seed. */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The scenarios whose walks the engine takes: of posts, whose list shows their content, of containers, and of private replies. */
export const walkable = Object.keys(scenarios).filter(
  (name) =>
    /^(?:next|joint)/.test(name) &&
    !/parent|content|one lock|scheduled|without an id|with a text|larger list|expire|secrets/.test(name),
);

function main(args) {
  const isSmall = args.includes('--small');
  const wanted = args.filter((arg) => !arg.startsWith('--'));
  if (args.includes('--walks')) {
    const random = randomFrom(Number(wanted[0] ?? 1));
    for (const name of walkable) {
      console.log(name);
      for (const { label } of walk(name, random).steps) console.log(`    ${label}`);
    }
    return;
  }
  for (const [name, sc] of Object.entries(scenarios)) {
    if (
      wanted.length > 0
        ? !wanted.some((one) => name.startsWith(one))
        : large.test(name) && !args.includes('--all')
    )
      continue;
    if (
      isSmall &&
      !/^(?:today|without\/(?:applied|earlier request|larger|absence|both|cold|seen|secrets|scheduled))/.test(
        name,
      )
    )
      continue;
    const {
      states,
      transitions,
      ends,
      found,
      steps = [],
    } = explore(sc, protocols[name.split('/')[0]] ?? next);
    console.log(
      `${name}: ${found ?? 'holds'} (${states} states, ${transitions} transitions, ${ends} quiet states)`,
    );
    for (const step of steps) console.log(`    ${step}`);
    // The protocol must hold, and each of its parts be needed.
    if ((found === undefined) !== /^(?:next|joint)/.test(name)) process.exitCode = 1;
  }
}

if (import.meta.main) main(process.argv.slice(2));
