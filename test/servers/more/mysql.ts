import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { createJournal, type Journal } from 'pagepics/journal';

/** Bytes, since collations take different texts for equal ones. Delete expired rows now and then, by `ends_at`. */
export const table = `create table pagepics_journal
  (id varbinary(1500) primary key, value mediumblob not null, ends_at datetime(3) not null, index (ends_at))`;

const codeOf = (thrown: unknown) => (thrown as { readonly code?: unknown }).code;

/** Fails where a connection is without autocommit, which would lose what is stored: a subquery may have one row only. */
const isKept = 'if(@@autocommit, 1, (select 1 union select 2)) = 1';

export function mysqlJournal(pool: Pool): Journal {
  async function write(statement: string, values: readonly (Buffer | number)[]): Promise<boolean> {
    try {
      const [{ affectedRows }] = await pool.execute<ResultSetHeader>(statement, [...values]);
      return affectedRows === 1;
    } catch (thrown) {
      if (codeOf(thrown) !== 'ER_SUBQUERY_NO_1_ROW') throw thrown;
      throw Object.assign(new Error('autocommit is off'), { code: 'AUTOCOMMIT_IS_OFF' });
    }
  }
  return createJournal({
    async get(key) {
      const find = 'select value from pagepics_journal where id = ? and ends_at > utc_timestamp(3)';
      const [[row]] = await pool.execute<RowDataPacket[]>(find, [Buffer.from(key)]);
      return row && String(row['value']);
    },
    async compareAndSet(key, expected, value, ttlMs) {
      const id = Buffer.from(key);
      const next = [Buffer.from(value), Math.ceil(ttlMs) * 1000];
      const update = `update pagepics_journal set value = ?, ends_at = utc_timestamp(3) + interval ? microsecond
        where id = ? and ${isKept}`;
      if (expected !== undefined) {
        const isCurrent = 'value = ? and ends_at > utc_timestamp(3)';
        return write(`${update} and ${isCurrent}`, [...next, id, Buffer.from(expected)]);
      }
      const insert = `insert into pagepics_journal (value, ends_at, id)
        select ?, utc_timestamp(3) + interval ? microsecond, ? from dual where ${isKept}`;
      try {
        return await write(insert, [...next, id]);
      } catch (thrown) {
        if (codeOf(thrown) !== 'ER_DUP_ENTRY') throw thrown;
        return write(`${update} and ends_at <= utc_timestamp(3)`, [...next, id]);
      }
    },
    // For `openKeys`.
    async *list({ prefix, without }) {
      const from = Buffer.from(prefix);
      // No text has this byte.
      const to = Buffer.concat([from, Buffer.of(0xff)]);
      const find = `select id, value from pagepics_journal
        where id >= ? and id < ? and locate(?, value) = 0 and ends_at > utc_timestamp(3)`;
      const [rows] = await pool.execute<RowDataPacket[]>(find, [from, to, Buffer.from(without)]);
      for (const { id, value } of rows) yield [String(id), String(value)] as const;
    },
  });
}
