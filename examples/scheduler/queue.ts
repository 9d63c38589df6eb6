import type { Outcome } from 'pagepics';
import { PgBoss } from 'pg-boss';

/** A planned post. */
export interface PlannedPost {
  /** The id of the row that plans it, never of an attempt: whoever publishes it uses the same one. */
  readonly key: string;
  readonly platform: 'page' | 'pics';
  readonly text: string;
  readonly imageUrl?: string;
}

/** A post that is due. */
export interface DuePost extends PlannedPost {
  /** How many attempts were made. */
  readonly attempts: number;
}

/** What a worker reports, for the figures at the end. */
export interface WorkerMessage {
  readonly key: string;
  readonly event: 'begins' | 'published' | 'handed over' | 'busy' | 'held back' | 'failed';
  readonly outcome?: Outcome | undefined;
}

export const publishing = 'publish';
export const forPeople = 'for-a-person';

/** Connects to the queue, whose tables pg-boss creates on first use. */
export async function openQueue(url: string): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: url,
    max: 4,
    schedule: false,
    // Jobs of workers that died come back soon here.
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  });
  boss.on('error', (error) => console.error(`pg-boss: ${error.message}`));
  await boss.start();
  await boss.createQueue(forPeople);
  await boss.createQueue(publishing, {
    deadLetter: forPeople,
    // A worker that died says nothing: after this time another one gets its job. If the first one is still alive, the
    // journal tells the second one that the key is busy.
    expireInSeconds: 10,
    retryLimit: 1000,
  });
  return boss;
}
