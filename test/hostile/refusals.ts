import { facts } from '../../src/core/codes.ts';
import { token } from '../support/context.ts';

/** What a refusal is known by. */
interface Coded {
  readonly code: number;
  readonly subcode?: number | undefined;
  readonly message: string;
}

/** The refusal of a code of the table: under a code of its own, where it is a subcode, and any of a family of codes. */
function codedAs(code: string): readonly Coded[] {
  const [first = '', second] = code.split('/');
  const subcode = second === undefined ? undefined : Number(second);
  const codes = first === '' ? ['-1', '1', '100'] : first === '2xx' ? ['200', '299'] : [first];
  return (first === '800xx' ? ['80000', '80006', '80014'] : codes).map((one) => ({
    code: Number(one),
    subcode,
    message: 'No',
  }));
}

/** What no code of the table tells: words, subcodes of tokens, and what nobody knows. */
const further: readonly Coded[] = [
  {
    code: 190,
    subcode: 460,
    message: 'The session has been invalidated because the user changed the password',
  },
  { code: 190, subcode: 463, message: 'Session has expired' },
  { code: 190, message: 'This method must be called with a Page Access Token' },
  { code: 190, message: 'The user is enrolled in a blocking, logged-in checkpoint' },
  { code: 102, subcode: 492, message: 'The user does not have a role on the page' },
  { code: 1, message: 'Please reduce the amount of data you are asking for' },
  { code: 100, message: 'The token must be at least 24 hours old' },
  { code: 100, message: 'The specified scheduled publish time is invalid' },
  { code: 2500, message: 'Unknown path components: /x' },
  { code: 10, message: 'You are not the thread owner' },
  { code: 200, message: 'API access blocked.' },
  { code: 1, subcode: 99, message: 'An unknown error occurred' },
  { code: 99, message: 'No' },
  { code: 0, message: '' },
  { code: 100, subcode: 987_654, message: 'No' },
];

/** Every code of the table, and what stands beside it. */
export const refusals: readonly Coded[] = [
  ...facts.flatMap(({ codes }) => codes.split(' ')).flatMap(codedAs),
  ...further,
];

/** A response that refuses. */
export interface Shown {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function envelope({ code, subcode, message }: Coded, more: object = {}): object {
  return { error: { message, type: 'OAuthException', code, error_subcode: subcode, ...more } };
}

const words = { error_user_title: 'No', error_user_msg: 'It cannot be done' };

/** The upload host's own form. Its text may hold the other one. */
function ofUpload(coded: Coded, retriable: boolean | undefined): object {
  const message = JSON.stringify({ success: false, ...envelope(coded) });
  return { debug_info: { retriable, type: 'ProcessingFailedError', message } };
}

/** The ways in which the platform, and what stands before it, show the same refusal. */
export const ways: Readonly<Record<string, (coded: Coded) => Shown>> = {
  'under 400': (coded) => ({ status: 400, body: envelope(coded) }),
  'under 200': (coded) => ({ status: 200, body: envelope(coded) }),
  'under 401': (coded) => ({ status: 401, body: envelope(coded) }),
  'under 403': (coded) => ({ status: 403, body: envelope(coded) }),
  'under 404': (coded) => ({ status: 404, body: envelope(coded) }),
  'under 429': (coded) => ({ status: 429, body: envelope(coded) }),
  'under 500': (coded) => ({ status: 500, body: envelope(coded) }),
  'under 503, with a time': (coded) => ({
    status: 503,
    body: envelope(coded),
    headers: { 'retry-after': '90' },
  }),
  'with a time': (coded) => ({ status: 400, body: envelope(coded), headers: { 'retry-after': '120' } }),
  'with no time at all': (coded) => ({ status: 400, body: envelope(coded), headers: { 'retry-after': '0' } }),
  'with the time of a limit': (coded) => ({
    status: 400,
    body: envelope(coded),
    headers: {
      'x-business-use-case-usage': JSON.stringify({
        42: [{ type: 'pages', call_count: 100, estimated_time_to_regain_access: 7 }],
      }),
    },
  }),
  'as passing': (coded) => ({ status: 400, body: envelope(coded, { is_transient: true }) }),
  'as passing, under 500': (coded) => ({ status: 500, body: envelope(coded, { is_transient: true }) }),
  'as lasting, to a person': (coded) => ({
    status: 400,
    body: envelope(coded, { is_transient: false, ...words }),
  }),
  'as lasting, under 500': (coded) => ({
    status: 500,
    body: envelope(coded, { is_transient: false, ...words }),
  }),
  'with a code that is a text': ({ code, subcode, message }) => ({
    status: 400,
    body: { error: { message, code: String(code), error_subcode: String(subcode ?? '') } },
  }),
  'as the token endpoint does': ({ code, message }) => ({
    status: 400,
    body: { error_type: 'OAuthException', code, error_message: message },
  }),
  'as the upload host does': (coded) => ({ status: 400, body: ofUpload(coded, false) }),
  'as passing, by the upload host': (coded) => ({ status: 412, body: ofUpload(coded, true) }),
  'by the upload host, under 500': (coded) => ({ status: 500, body: ofUpload(coded, undefined) }),
  'by a gateway': ({ message }) => ({ status: 502, body: { error: message } }),
  'in a text': (coded) => ({ status: 400, body: JSON.stringify(envelope(coded)).slice(1) }),
  'with its token in it': (coded) => ({ status: 400, body: envelope({ ...coded, message: `No ${token}` }) }),
};
