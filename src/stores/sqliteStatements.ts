import type { JournalTableOptions } from './adapter.ts';
import * as adapter from './adapter.ts';

/** The SQL of a journal in SQLite. */
export function statementsOf(options: JournalTableOptions) {
  const { table, schema, local, index } = adapter.namesOf(options);
  return {
    local,
    index,
    count: `select count(*) as count from ${schema === '' ? '' : `"${schema}".`}sqlite_master where name in (?, ?)`,
    create: `create table if not exists ${table}
  (key text primary key, value text not null, ends_at integer not null) without rowid;
create index if not exists ${schema === '' ? '' : `"${schema}".`}"${index}" on "${local}" (ends_at)`,
    get: `select value from ${table} where key = ? and ends_at > ?`,
    insert: `insert into ${table} as stored (key, value, ends_at) values (?, ?, ?)
      on conflict (key) do update set value = excluded.value, ends_at = excluded.ends_at where stored.ends_at <= ?`,
    update: `update ${table} set value = ?, ends_at = ? where key = ? and value = ? and ends_at > ?`,
    /** Several texts, all or none. It returns a row for each. */
    replaceAll: (count: number) => `insert into ${table} (key, value, ends_at)
      with wanted (key, expected, value, ends_at) as
        (values ${Array.from({ length: count }, () => '(?, ?, ?, ?)').join(', ')})
      select key, value, ends_at from wanted
      where not exists (select 1 from wanted left join ${table} as stored
        on stored.key = wanted.key and stored.ends_at > ? where stored.value is not wanted.expected)
      on conflict (key) do update set value = excluded.value, ends_at = excluded.ends_at returning 1`,
    clean: `delete from ${table} where key in (select key from ${table} where ends_at <= ? limit 200)`,
    list: `select key, value from ${table}
      where key > ? and key >= ? and key < ? and instr(value, ?) = 0 and ends_at > ? order by key limit ?`,
  };
}
