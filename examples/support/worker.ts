import { createWebhookHandler } from 'pagepics/webhooks';

interface Environment {
  readonly VERIFY_TOKEN: string;
  readonly APP_SECRET: string;
  /** Keys of the events that were handled. */
  readonly HANDLED: {
    put(key: string, value: string): Promise<void>;
    get(key: string): Promise<string | null>;
  };
}

interface Execution {
  waitUntil(work: Promise<void>): void;
}

export default {
  fetch(request: Request, env: Environment, execution: Execution): Promise<Response> {
    const handler = createWebhookHandler({
      verifyToken: env.VERIFY_TOKEN,
      secrets: env.APP_SECRET,
      // The response is sent at once; the events are handled afterwards.
      background: (work) => execution.waitUntil(work),
      onEvent: async ({ key, type }) => {
        if ((await env.HANDLED.get(key)) === null) await env.HANDLED.put(key, type);
      },
    });
    return handler(request);
  },
};
