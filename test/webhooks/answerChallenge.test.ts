import { describe, expect, test } from 'vitest';

import { answerChallenge } from '../../src/webhooks/index.ts';
import { verifyToken } from './support.ts';

const query = `hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${verifyToken}`;
const url = `https://app.test/webhooks?${query}`;

describe('answerChallenge', () => {
  test.each([
    ['a request', new Request(url)],
    ['an address', new URL(url)],
    ['an address as text', `${url}#part`],
    ['a path', `/webhooks?${query}`],
    ['a query', query],
    ['a parsed query', new URLSearchParams(query)],
    ['what Node calls a request', { url: `/webhooks?${query}` } as unknown as Request],
  ])('answers the challenge of %s', (_, from) => {
    expect(answerChallenge(from, verifyToken)._unsafeUnwrap()).toBe('1158201444');
  });

  test.each([
    ['missing', ''],
    ['missing', 'hub.mode=subscribe&hub.challenge=1'],
    ['missing', 'hub.mode=subscribe&hub.verify_token=&hub.challenge=1'],
    ['missing', `hub.mode=subscribe&hub.verify_token=${verifyToken}`],
    ['missing', `hub.verify_token=${verifyToken}&hub.challenge=1`],
    ['malformed', query.replace('subscribe', 'unsubscribe')],
    ['malformed', `${query}&hub.challenge=2`],
    ['malformed', `${query}&hub.verify_token=${verifyToken}`],
    ['malformed', `${query}&hub.mode=subscribe`],
    ['mismatch', `${query}x`],
    ['mismatch', query.slice(0, -1)],
    ['mismatch', query.replace(verifyToken, verifyToken.toUpperCase())],
  ])('calls a handshake %s: %s', (reason, from) => {
    const refused = answerChallenge(from, verifyToken)._unsafeUnwrapErr();

    expect(refused).toMatchObject({ name: 'SignatureError', reason });
    expect(`${refused.message} ${refused.stack}`).not.toContain(verifyToken);
  });

  test.each(['', ' ', `${verifyToken}\n`, ` ${verifyToken}`, undefined, ['verify-token']])(
    'refuses %j for a verify token',
    (token) => {
      expect(answerChallenge(url, token as string)._unsafeUnwrapErr()).toMatchObject({
        name: 'ConfigurationError',
        option: 'verifyToken',
      });
    },
  );

  test.each([undefined, null, 42, {}, Object.create(null), Symbol('from')])('never throws: %o', (from) => {
    expect(answerChallenge(from as string, verifyToken).isErr()).toBe(true);
  });
});
