// What share of a core 3,000 calls take that wait in a governor: for a limit of their own that is used up, and behind a call
// that waits for one, with which they share the limit of the app.
import { type Build, builds } from './builds.ts';
import { processorTime, type Row } from './rows.ts';

const calls = 3000;
const forMs = 5000;
const aim = '5 %';
const token = `EAAB${'x'.repeat(190)}`;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

/** The percentage of a core. `isBehind`: all but the first are to another Page. */
async function measure({ core, page, governor }: Build, isBehind: boolean): Promise<number> {
  const usage = (percent: number): object => ({
    type: 'pages',
    call_count: percent,
    total_cputime: 0,
    total_time: 0,
    estimated_time_to_regain_access: percent < 100 ? 0 : 60,
  });
  /** Page 42 is used up for an hour, and 43 not at all; the app is used to 2 %. */
  const fetch = async (input: string | URL | Request): Promise<Response> => {
    const id = new URL(input instanceof Request ? input.url : input).pathname.split('/')[2] ?? '';
    const headers = {
      'x-app-usage': '{"call_count":2}',
      'x-business-use-case-usage': JSON.stringify({ [id]: [usage(id === '42' ? 100 : 0)] }),
    };
    return Response.json({ id, name: 'Page' }, { headers });
  };
  const context = page
    .createPageContext({
      appId: '7',
      appSecret: 'a-secret',
      fetch,
      governor: governor.createGovernor({ maxWaitMs: 2 * 3_600_000 }),
      deadlineMs: 3 * 3_600_000,
    })
    ._unsafeUnwrap();
  const read = async (pageId: string): Promise<void> => {
    await page.pageProfile(context, { pageId, pageToken: token });
  };
  await read('42');
  const waiting = [read('42')];
  await pause(100);
  for (let call = 1; call < calls; call++) waiting.push(read(isBehind ? '43' : '42'));
  await pause(2000);
  const [began, before] = [performance.now(), processorTime()];
  await pause(forMs);
  const share = (100 * (processorTime() - before)) / (performance.now() - began);
  void core.close(context);
  await Promise.all(waiting);
  return share;
}

const inPercent = (share: number): string => `${share.toFixed(1)} % of a core`;

export async function waiting(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [figure, isBehind] of [
    ['3,000 calls that wait in a governor for a limit that is used up', false],
    ['3,000 calls of another Page behind one that waits', true],
  ] as const) {
    const shares: number[] = [];
    for (const build of builds) shares.push(await measure(build, isBehind));
    const [own = NaN, before] = shares;
    rows.push({
      figure,
      own: inPercent(own),
      aim,
      ...(before !== undefined && { before: inPercent(before) }),
    });
  }
  return rows;
}
