// The types of Cloudflare's bindings, which the journals name by their shape, fit them.
import type { D1Database, DurableObjectState } from '@cloudflare/workers-types';
import { d1Journal, durableObjectJournal, type Journal } from 'pagepics/journal';

export function journalsOf(db: D1Database, { storage }: DurableObjectState): readonly Journal[] {
  return [d1Journal(db), durableObjectJournal(storage)];
}
