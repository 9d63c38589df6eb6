/**
 * The moment of a local time, such as `2027-03-28 09:00` in `Europe/Berlin`. Where clocks are changed, some local times
 * never come, and some come twice: then it throws, since only a person knows what was meant. So it does for a day or an
 * hour that no calendar has, such as 30 February or 24:00.
 */
export function momentOf(local: string, timeZone: string): Date {
  const wanted = Date.parse(`${local.replace(' ', 'T')}Z`);
  // `Date` reads 30 February as 2 March, and 24:00 as the next day: what it has read must be what was given.
  if (new Date(wanted).toJSON()?.replace('T', ' ') !== `${local}:00.000Z`)
    throw new Error(`no time such as 2027-03-28 09:00: ${local}`);
  const swedish = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  // What clocks there show at a moment, in milliseconds, as if it were UTC. Swedish times are in ISO 8601.
  const shownAt = (at: number) => Date.parse(`${swedish.format(at).replace(' ', 'T')}Z`);
  // By the offsets of the day before and of the day after, which differ if the clocks are changed in between.
  const [at, other = at] = [wanted - 86_400_000, wanted + 86_400_000]
    .map((near) => wanted + near - shownAt(near))
    .filter((moment) => shownAt(moment) === wanted)
    .map((moment) => new Date(moment));
  if (at === undefined || other === undefined) throw new Error(`${local} never comes in ${timeZone}`);
  if (+at !== +other) throw new Error(`${local} comes twice: ${at.toISOString()}, ${other.toISOString()}`);
  return at;
}
