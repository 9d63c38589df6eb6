// By how much times may be off, and how long things take, in once-only writes: all in milliseconds, each with its reason.
// What callers can set (`timeoutMs`, `journalLeaseMs`, `journalSettleMs`, `journalTtlMs`) is in the context.

// ---- How far clocks may be off -------------------------------------------------------------------------------------

/**
 * Two clocks that differ by no more than this agree: machines that are set over the network differ by less. Whatever goes
 * by recorded times is also this much wider, or waits this much longer.
 */
export const agreedMs = 60_000;
/**
 * An entry of a list that is older than a request by more than this, by either clock, is not taken by its text: it may be
 * anybody's. Clocks that nobody sets are a few minutes off.
 */
export const textOffMs = 360_000;
/** How far a clock may be off that nothing was compared with: an hour, as by summer time. */
export const coldOffMs = 3_600_000;
/**
 * A `created_time` is rounded down to the second, and the platform may set it some seconds before or after the `Date` of
 * its response.
 */
export const createdOffMs = 5000;
/**
 * How precisely the platform's clock must be known for an entry to be taken by text and time alone: in early lookups, and
 * in the last one. A `Date` is uncertain by a second plus the time that the response took. An identical entry that is
 * older by less than this cannot be told apart.
 */
export const preciseMs = 2000;
export const preciseEnoughMs = 4000;

// ---- How long things take ------------------------------------------------------------------------------------------

/** How long a process remembers a write after it ended: a lost one may still take effect. */
export const memoryMs = 600_000;
/** How long one lookup of the call that sent the write may take: it looks several times. */
export const oneLookupMs = 5000;
/** How long the one lookup of a later call may take, with all its pages. */
export const laterLookupMs = 15_000;
/** How long to wait after the platform refused a lookup. */
export const refusedLookupMs = 60_000;
/** How long to wait for a call of another key, to which an entry seems to belong: nobody knows when that comes. */
export const otherKeyMs = 60_000;
/** How long the last writes of a call to its journal may take together after its deadline, an abort or `close`. */
export const finalMs = 5000;
/** How often a call asks the store whether the holder of its lock has finished, and how often at most its own process. */
export const turnMs = 250;
export const glanceMs = 10;
/** A holder that has stored nothing for so long may be dead: calls no longer wait for it. */
export const busyMs = 5000;
