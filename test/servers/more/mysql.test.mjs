// The journal that docs/stores.md has for MySQL and MariaDB, on a MariaDB of this machine.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createPool } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createPageContext, publishPost } from '../../../src/page/index.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { keepsItsWord } from '../../support/journalContract.ts';
import { mysqlJournal, table } from './mysql.ts';

const folder = mkdtempSync(join(tmpdir(), 'pagepics-mariadb-'));

describe('a journal in MariaDB', () => {
  let server;
  let pools = [];
  let connect;
  beforeAll(async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address();
    await new Promise((resolve) => void probe.close(resolve));
    const user = process.getuid?.() === 0 ? ['--user=root'] : [];
    const flags = ['--no-defaults', ...user, `--datadir=${join(folder, 'data')}`];
    const { status, stderr } = spawnSync('mariadb-install-db', flags, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`this needs a MariaDB, such as Debian's mariadb-server: ${stderr}`);
    const address = [
      '--skip-grant-tables',
      '--skip-networking=0',
      '--bind-address=127.0.0.1',
      `--port=${port}`,
    ];
    server = spawn('mariadbd', [...flags, ...address, `--socket=${join(folder, 'socket')}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    for await (const text of server.stderr.iterator({ destroyOnReturn: false }))
      if (`${text}`.includes('ready for connections')) break;
    server.stderr.resume();
    const admin = createPool({ host: '127.0.0.1', port, user: 'root' });
    await admin.query('create database journal');
    await admin.end();
    connect = () => createPool({ host: '127.0.0.1', port, user: 'root', database: 'journal' });
    pools = [connect(), connect()];
    await pools[0].query(table);
  });
  afterAll(async () => {
    for (const pool of pools) await pool.end();
    const ended = server && once(server, 'exit');
    server?.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  keepsItsWord(() => pools.map((pool) => mysqlJournal(pool)));

  describe('without autocommit', () => {
    const count = async () => {
      const [[{ n }]] = await pools[0].query(
        'select count(*) as n from pagepics_journal where id like "auto%"',
      );
      return n;
    };
    const refusal = { code: 'AUTOCOMMIT_IS_OFF' };

    test('stores nothing, whichever connection of a pool lacks it', async () => {
      const [pool] = pools;
      const connection = await pool.getConnection();
      const write = connection.execute.bind(connection);
      // As a pool whose only free connection somebody has left so.
      const journal = mysqlJournal({ execute: write });
      expect(await journal.compareAndSet('auto-1', undefined, 'one', 60_000)).toBe(true);
      await connection.query('set autocommit = 0');
      await expect(journal.compareAndSet('auto-2', undefined, 'two', 60_000)).rejects.toMatchObject(refusal);
      await expect(journal.compareAndSet('auto-1', 'one', 'two', 60_000)).rejects.toMatchObject(refusal);
      await connection.query('set autocommit = 1');
      expect(await count()).toBe(1);
      expect(await journal.compareAndSet('auto-1', 'one', 'two', 60_000)).toBe(true);
      connection.release();
    });

    test('publishes nothing', async () => {
      const [[{ on }]] = await pools[0].query('select @@global.autocommit as `on`');
      expect(on).toBe(1);
      await pools[0].query('set global autocommit = 0');
      const pool = connect();
      const sandbox = createSandbox();
      const [page] = sandbox.pages;
      const { app, platform, fetch } = sandbox;
      const context = createPageContext({
        appId: app.id,
        appSecret: app.secret,
        platform,
        fetch,
        journal: mysqlJournal(pool),
      })._unsafeUnwrap();
      const post = { pageId: page.id, pageToken: page.token, message: 'Hi', idempotencyKey: 'auto-3' };

      const failed = await publishPost(context, post);

      expect(failed._unsafeUnwrapErr()).toMatchObject({ reason: 'journal', outcome: 'rejected' });
      expect(failed._unsafeUnwrapErr().message).toContain('AUTOCOMMIT_IS_OFF');
      await pools[0].query('set global autocommit = 1');
      await pool.end();
      expect(await count()).toBe(1);
    });
  });

  const texts = ['post-a', 'post-A', 'pöst-a', 'post-a '];
  test.each([
    ['by default', 'plain', '', 1],
    // It pads the shorter text with spaces.
    ['with utf8mb4_bin', 'exact', 'collate utf8mb4_bin', 3],
    ['with utf8mb4_nopad_bin', 'unpadded', 'collate utf8mb4_nopad_bin', 4],
  ])('%s tells some of four texts apart', async (_, name, collation, distinct) => {
    const connection = await pools[0].getConnection();
    await connection.query(`create table ${name} (id varchar(50) character set utf8mb4 ${collation})`);
    for (const text of texts) await connection.query(`insert into ${name} values (?)`, [text]);
    const [[{ count }]] = await connection.query(`select count(distinct id) as count from ${name}`);
    connection.release();
    expect(count).toBe(distinct);
  });
});
