import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { addCaptions, type AddCaptionsOptions } from '../../src/page/addCaptions.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const text = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';
const options = {
  videoId: '9',
  pageToken: token,
  captions: new TextEncoder().encode(text),
  locale: 'en_US',
};

/** The parts of the next request, by their names. */
function adds(parts: Record<string, string>): nock.Interceptor {
  return nock(graphBase, { reqheaders: { 'content-type': /^multipart\/form-data; boundary=\w+$/ } })
    .post('/9/captions', (body: string) => {
      for (const [, head = '', content = ''] of body.matchAll(
        /Content-Disposition: form-data; (name=.*?)\r\n(?:Content-Type: .*\r\n)?\r\n([^]*?)\r\n--/g,
      )) {
        parts[head] = content;
      }
      return true;
    })
    .query(authenticated);
}

describe('addCaptions', () => {
  test('passes the language in the name of the file, and that they are the default', async () => {
    const parts: Record<string, string> = {};
    adds(parts).reply(200, { success: true });

    const added = await addCaptions(pageContext(), { ...options, isDefault: true });

    expect(added._unsafeUnwrap()).toEqual({ success: true });
    expect(parts).toEqual({
      'name="default_locale"': 'en_US',
      'name="captions_file"; filename="captions.en_US.srt"': text,
    });
  });

  test('is sent again when the response was lost', async () => {
    const parts: Record<string, string> = {};
    adds({}).reply(502, 'Bad Gateway');
    adds(parts).reply(200, { success: 'true' });

    const added = await addCaptions(pageContext(), { ...options, locale: 'fil_PH', isDefault: false });

    expect(added._unsafeUnwrap()).toEqual({ success: true });
    expect(parts).toEqual({ 'name="captions_file"; filename="captions.fil_PH.srt"': text });
  });

  test('fails with what the platform says when it refuses', async () => {
    adds({}).reply(400, refusal(100));

    expect((await addCaptions(pageContext(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      code: 100,
      outcome: 'rejected',
    });
  });

  test.each([
    ['locale', { locale: 'en' }, 'locale must be a locale such as en_US'],
    ['locale', { locale: 'en_US.srt"\r\n' }, 'locale must be a locale such as en_US'],
    ['captions', { captions: 'https://example.com/tour.srt' }, 'captions must be a file'],
  ])('refuses a bad %s before anything is sent: %j', async (option, own, message) => {
    const bad = { ...options, ...own } as AddCaptionsOptions;

    const error = (await addCaptions(pageContext(), bad))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
    expect(error.message).toMatch(message);
  });
});
