import type { D1Database } from '@cloudflare/workers-types';
import { createJournal, type Journal } from 'pagepics/journal';

/** For a migration. Expired rows stay until a Cron Trigger deletes them: `where ends_at < unixepoch() * 1000`. */
export const table = `create table pagepics_journal
  (key text primary key, value text not null, ends_at integer not null) without rowid`;

export function d1Journal(db: D1Database): Journal {
  return createJournal({
    async get(key, now = Date.now()) {
      const found = db.prepare('select value from pagepics_journal where key = ? and ends_at > ?');
      return (await found.bind(key, now).first<string>('value')) ?? undefined;
    },
    async compareAndSet(key, expected, value, ttlMs, now = Date.now()) {
      // Takes the place of an expired row.
      const insert = `insert into pagepics_journal as stored (key, value, ends_at) values (?, ?, ?) on conflict (key)
        do update set value = excluded.value, ends_at = excluded.ends_at where stored.ends_at <= ?`;
      const update = `update pagepics_journal set value = ?, ends_at = ? where key = ? and value = ? and ends_at > ?`;
      const endsAt = now + Math.ceil(ttlMs);
      const statement =
        expected === undefined
          ? db.prepare(insert).bind(key, value, endsAt, now)
          : db.prepare(update).bind(value, endsAt, key, expected, now);
      const { meta } = await statement.run();
      return meta.changes === 1;
    },
    // For `openKeys`.
    async *list({ prefix, without, now = Date.now() }) {
      const found = db.prepare(`select key, value from pagepics_journal
        where key >= ? and key < ? and instr(value, ?) = 0 and ends_at > ?`);
      const { results } = await found
        .bind(prefix, `${prefix}\u{10FFFF}`, without, now)
        .all<{ key: string; value: string }>();
      for (const { key, value } of results) yield [key, value] as const;
    },
  });
}
