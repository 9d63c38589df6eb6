// Wrappers pass methods on, and those of journals need no `this`.
/* oxlint-disable typescript/unbound-method */
import { expect, test, vi } from 'vitest';

import { createJournal, type Journal, type JournalStore, memoryJournal } from '../../../../src/core/index.ts';
import { createPageContext, publishPost } from '../../../../src/page/index.ts';
import { createSandbox } from '../../../../src/sandbox/index.ts';

type Write = JournalStore['compareAndSet'];

/** Publishes a post, whose five texts a journal stores in three steps, or one after another. */
async function publish(journal: Journal): Promise<void> {
  const sandbox = createSandbox();
  const [page] = sandbox.pages;
  const { app, platform, fetch } = sandbox;
  const made = createPageContext({ appId: app.id, appSecret: app.secret, platform, fetch, journal });
  const post = await publishPost(made._unsafeUnwrap(), {
    pageId: page?.id ?? '',
    pageToken: page?.token ?? '',
    message: 'Open until nine',
    idempotencyKey: 'post-1',
  });
  expect(post.isOk()).toBe(true);
}

/** Ways to see each write of a journal. */
/** Counts the writes that it sees. */
function createCounter() {
  let writes = 0;
  return {
    count: () => writes,
    seeing:
      (write: Write): Write =>
      (...args) => {
        writes++;
        return write(...args);
      },
  };
}

const ways: Readonly<Record<string, (journal: Journal, seeing: (write: Write) => Write) => Journal>> = {
  'a copy by spreading': (journal, seeing) => ({ ...journal, compareAndSet: seeing(journal.compareAndSet) }),
  'a Proxy': (journal, seeing) => {
    const compareAndSet = seeing(journal.compareAndSet);
    return new Proxy(journal, {
      get: (target, name): unknown => (name === 'compareAndSet' ? compareAndSet : Reflect.get(target, name)),
    });
  },
  'an assignment': (journal, seeing) =>
    Object.assign(journal, { compareAndSet: seeing(journal.compareAndSet) }),
  'an object that inherits from it': (journal, seeing) =>
    // What it inherits has no type.
    Object.assign(Object.create(journal) as Journal, { compareAndSet: seeing(journal.compareAndSet) }),
  'a spy': (journal, seeing) => {
    const write = journal.compareAndSet;
    vi.spyOn(journal, 'compareAndSet').mockImplementation(seeing(write));
    return journal;
  },
  'a getter': (journal, seeing) => {
    const write = journal.compareAndSet;
    return Object.defineProperty(journal, 'compareAndSet', { get: () => seeing(write) });
  },
};

test.each(Object.keys(ways))('%s sees each write of a journal', async (name) => {
  const { seeing, count } = createCounter();

  await publish(ways[name]?.(memoryJournal(), seeing) ?? memoryJournal());

  expect(count()).toBe(5);
});

/** A store that can replace several texts in one step, as somebody's class. */
class Store implements JournalStore {
  readonly #inner = memoryJournal();
  get(...key: Parameters<JournalStore['get']>) {
    return this.#inner.get(...key);
  }
  compareAndSet(...replacement: Parameters<Write>) {
    return this.#inner.compareAndSet(...replacement);
  }
  async compareAndSetAll(...all: Parameters<NonNullable<JournalStore['compareAndSetAll']>>) {
    return (await this.#inner.compareAndSetAll?.(...all)) ?? false;
  }
}

test.each<[string, (seeing: (write: Write) => Write) => JournalStore]>([
  ...Object.entries(ways).map(([name, wrap]): [string, (seeing: (write: Write) => Write) => JournalStore] => [
    `${name} of a journal`,
    (seeing) => wrap(memoryJournal(), seeing),
  ]),
  [
    'a subclass',
    (seeing) =>
      new (class extends Store {
        override compareAndSet(...replacement: Parameters<Write>) {
          return seeing(async (...given) => super.compareAndSet(...given))(...replacement);
        }
      })(),
  ],
  [
    'a store whose class was patched for it alone',
    (seeing) => {
      const store = new Store();
      return Object.assign(store, { compareAndSet: seeing(store.compareAndSet.bind(store)) });
    },
  ],
  [
    'an object that inherits from a store',
    (seeing) => {
      const { get, compareAndSet, compareAndSetAll } = memoryJournal();
      const store: JournalStore = { get, compareAndSet, ...(compareAndSetAll && { compareAndSetAll }) };
      // What it inherits has no type.
      return Object.assign(Object.create(store) as JournalStore, { compareAndSet: seeing(compareAndSet) });
    },
  ],
  [
    'a Proxy of a store',
    (seeing) => {
      const { get, compareAndSet, compareAndSetAll } = memoryJournal();
      const seen = seeing(compareAndSet);
      return new Proxy<JournalStore>(
        { get, compareAndSet, ...(compareAndSetAll && { compareAndSetAll }) },
        {
          get: (target, name): unknown => (name === 'compareAndSet' ? seen : Reflect.get(target, name)),
        },
      );
    },
  ],
])('%s, of which a journal is made, sees each write', async (_, make) => {
  const { seeing, count } = createCounter();

  await publish(createJournal(make(seeing)));

  expect(count()).toBe(5);
});

test('a store that is a class stores what belongs together in one step', async () => {
  const store = new Store();
  const all = vi.spyOn(Store.prototype, 'compareAndSetAll');
  await publish(createJournal(store));
  expect(all).toHaveBeenCalledTimes(2);
  all.mockRestore();
});

test('a store whose own compareAndSet is replaced later sees each write, too', async () => {
  const { get, compareAndSet, compareAndSetAll } = memoryJournal();
  const all = vi.fn<NonNullable<JournalStore['compareAndSetAll']>>(
    async (...args) => (await compareAndSetAll?.(...args)) ?? false,
  );
  const store = { get, compareAndSet, compareAndSetAll: all };
  const journal = createJournal(store);
  await publish(journal);
  expect(all).toHaveBeenCalledTimes(2);

  const spy = vi.spyOn(store, 'compareAndSet');
  const fresh = memoryJournal();
  Object.assign(store, { get: fresh.get });
  spy.mockImplementation(fresh.compareAndSet);
  await publish(journal);

  expect(all).toHaveBeenCalledTimes(2);
  expect(spy).toHaveBeenCalledTimes(5);
});

test('a journal that nobody wrapped stores what belongs together in one step', async () => {
  const steps: number[] = [];
  const inner = memoryJournal();
  await publish(
    createJournal({
      get: inner.get,
      compareAndSet: async (...args) => {
        steps.push(1);
        return inner.compareAndSet(...args);
      },
      compareAndSetAll: async (replacements, now) => {
        steps.push(replacements.length);
        return (await inner.compareAndSetAll?.(replacements, now)) ?? false;
      },
    }),
  );

  expect(steps).toEqual([1, 2, 2]);
});
