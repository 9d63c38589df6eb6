import { platform } from '../support/context.ts';

/** A response that echoes secrets. `secrets` are all that the platform has seen. */
export type Echo = (secrets: readonly string[], valid: unknown, request: Request) => Response;

/** The encodings in which a secret is echoed. */
const forms: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'in an address': (secret) => `https://graph.test/v26.0/me?access_token=${encodeURIComponent(secret)}&x=1`,
  'encoded as in a form': (secret) => new URLSearchParams([['k', secret]]).toString(),
  'encoded twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'encoded throughout': (secret) => secret.replace(/[^a-z\d]/gi, (sign) => hexOf(sign, '%', 2)),
  'in JSON': (secret) => JSON.stringify({ deep: secret }),
  'in JSON in JSON': (secret) => JSON.stringify(JSON.stringify({ deep: secret })),
  'in JSON as PHP writes it': (secret) => JSON.stringify(secret).replaceAll('/', '\\/'),
  'in JSON, each sign escaped': (secret) => secret.replace(/[^a-z\d]/gi, (sign) => hexOf(sign, '\\u', 4)),
  'in HTML': (secret) =>
    secret
      .replaceAll('&', '&amp;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
      .replaceAll('<', '&lt;'),
  'in HTML, each sign escaped': (secret) =>
    secret.replace(/[^a-z\d]/gi, (sign) => `&#${sign.charCodeAt(0)};`),
  'after its scheme': (secret) => `Authorization: OAuth ${secret}`,
  'in capitals': (secret) => secret.toUpperCase(),
  'in brackets': (secret) => `Malformed access token [${secret}].`,
};

function hexOf(sign: string, prefix: string, digits: number): string {
  return `${prefix}${sign.charCodeAt(0).toString(16).padStart(digits, '0')}`;
}

const codes = [4, 10, 100, 190, 2, 368, 9007, 200];

/** Successes whose data holds secrets. Data is returned as the platform sent it. */
export const inData: readonly string[] = [
  'a success of another shape',
  'a success with one bad entry',
  'an upload address elsewhere',
  'an upload address with secrets',
  'a state of failure',
];

/** Every way of echoing secrets. */
export const echoes: Readonly<Record<string, Echo>> = {
  ...Object.fromEntries(
    Object.entries(forms).map(([name, form], index): [string, Echo] => [
      `a refusal that holds it ${name}`,
      (secrets) => refusal(secrets.map(form).join(' '), codes[index % codes.length] ?? 100),
    ]),
  ),
  ...Object.fromEntries(
    codes.map((code): [string, Echo] => [
      `a refusal with code ${code}`,
      (secrets) => refusal(secrets.join(' '), code),
    ]),
  ),
  'the fields of a refusal': (secrets) => {
    const echo = secrets.join(' ');
    const error = {
      code: 200,
      message: 'No',
      type: echo,
      fbtrace_id: echo,
      error_user_title: echo,
      error_user_msg: echo,
      error_data: { [echo]: [echo, { deep: echo }] },
    };
    return Response.json({ error, [echo]: echo }, { status: 403 });
  },
  'escapes that JSON resolves': (secrets) => {
    const text = JSON.stringify(secrets.join(' ')).replace(/[^\w"\\ ]/g, (sign) => hexOf(sign, '\\u', 4));
    return new Response(`{"error":{"code":100,"message":${text},"error_user_msg":${text}}}`, { status: 400 });
  },
  'an older kind of envelope': (secrets) =>
    Response.json({ error_type: secrets[0], error_message: secrets.join(' '), code: 400 }, { status: 400 }),
  'an error at status 200': (secrets) => Response.json({ error: { message: secrets.join(' '), code: 1 } }),
  'a text where the error belongs': (secrets) => Response.json({ error: secrets.join(' ') }, { status: 400 }),
  'an upload host’s refusal': (secrets) =>
    Response.json(
      { debug_info: { retriable: false, type: 'ProcessingFailedError', message: secrets.join(' ') } },
      { status: 400 },
    ),
  HTML: (secrets) => new Response(`<h1>Bad gateway</h1>${secrets.join('<br>')}`, { status: 502 }),
  'HTML at status 200': (secrets) => new Response(`<title>Log in</title>${secrets.join('<br>')}`),
  'truncated JSON': (secrets) =>
    new Response(`{"id":"1","access_token":${JSON.stringify(secrets.join(' '))},"da`, { status: 200 }),
  'JSON cut within a secret': (secrets) =>
    new Response(`${'x'.repeat(188)} ${secrets.join(' ')}`, { status: 400 }),
  'a form': (secrets) =>
    new Response(new URLSearchParams(secrets.map((secret) => ['access_token', secret])).toString(), {
      status: 500,
    }),
  'a success of another shape': (secrets) =>
    Response.json({
      [secrets.join(' ')]: secrets,
      access_token: secrets,
      data: [secrets],
      id: { id: secrets },
    }),
  'a success with one bad entry': (secrets, valid) =>
    Response.json({
      ...(valid as object),
      data: [{ id: '1', access_token: 'EAAunseenCNRYunseen1', name: 5 }, ...secrets],
      paging: { next: `https://graph.test/x?access_token=${encodeURIComponent(secrets[0] ?? '')}` },
    }),
  'success: false': (secrets) => Response.json({ success: false, reason: secrets.join(' ') }),
  'the headers': (secrets) =>
    Response.json(
      { error: { code: 4, message: 'No' } },
      {
        status: 400,
        headers: Object.fromEntries(
          ['x-fb-trace-id', 'facebook-api-version', 'retry-after', 'x-app-usage', 'www-authenticate'].map(
            (name) => [name, `${secrets.join(' ')} {"call_count":1}`],
          ),
        ),
      },
    ),
  'the headers of a success': (secrets, valid) =>
    Response.json(valid, {
      headers: { 'x-fb-trace-id': secrets.join(' '), 'facebook-api-version': secrets.join(' ') },
    }),
  'a redirect with the query': (_, __, { url }) =>
    new Response('', { status: 302, headers: { location: url.replace('https://', 'https://evil.test/') } }),
  'a redirect with the secrets in its path': (secrets) =>
    new Response('', {
      status: 307,
      headers: {
        location: `https://evil.test/${secrets.map(encodeURIComponent).join('/')}/x#${encodeURI(secrets.join(''))}`,
      },
    }),
  'a next page elsewhere': (secrets, valid) => {
    const next = `https://evil.test/?access_token=${encodeURIComponent(secrets[0] ?? '')}&appsecret_proof=${secrets.map(encodeURIComponent).join('&appsecret_proof=')}`;
    return Response.json({ ...(valid as object), data: [], paging: { next, previous: next } });
  },
  'pages in a loop': (secrets, valid) => {
    const next = `https://graph.test/v26.0/x?after=1&access_token=${secrets.map(encodeURIComponent).join('&appsecret_proof=')}`;
    return Response.json({ ...(valid as object), data: [], paging: { next, previous: next } });
  },
  'an upload address elsewhere': (secrets, valid) => {
    const address = `https://evil.test/${secrets.join('/')}`;
    return Response.json({ ...(valid as object), upload_url: address, uri: address });
  },
  // Without a proof, since uploads are not signed.
  'an upload address with secrets': (secrets, valid) => {
    const address = `${platform.uploadUrl}/v/${secrets
      .filter((secret) => !/^[\da-f]{64}$/.test(secret))
      .map(encodeURIComponent)
      .join('/')}`;
    return Response.json({ ...(valid as object), upload_url: address, uri: address });
  },
  'a state of failure': (secrets) => {
    const echo = secrets.join(' ');
    const errors = [{ code: 1, message: echo, [echo]: [echo] }];
    return Response.json({
      id: '501',
      status_code: 'ERROR',
      status: {
        video_status: 'error',
        uploading_phase: { status: 'error', error: { message: echo } },
        processing_phase: { status: 'error', errors },
      },
    });
  },
  'a container that failed': (secrets) =>
    Response.json({ id: '501', status_code: 'ERROR', status: `Error: 2207026 ${secrets.join(' ')}` }),
  'a container that is not ready': (secrets) =>
    Response.json({ id: '501', status_code: 'IN_PROGRESS', status: secrets.join(' ') }),
  'a network failure’s text': (secrets, _, { url }) => {
    throw new TypeError(`request to ${url} failed: ${secrets.join(' ')}`);
  },
  'a network failure’s causes': (secrets, _, { url }) => {
    const inner = Object.assign(new Error(`connect ${url}`), { code: secrets.join(' '), path: url });
    throw new TypeError('fetch failed', { cause: new Error(secrets.join(' '), { cause: inner }) });
  },
  'a network failure’s properties': (secrets, _, request) => {
    const error = Object.assign(new Error('no'), { request, config: { url: request.url }, secrets });
    error.name = secrets.join(' ');
    error.stack = `${error.stack}\n${request.url}`;
    throw error;
  },
  'many network failures': (secrets) => {
    throw new AggregateError([new Error(secrets.join(' '))], secrets.join(' '));
  },
  'a thrown text': (secrets) => {
    throw secrets.join(' ');
  },
  'a thrown object': (secrets, _, request) => {
    throw { message: secrets.join(' '), code: secrets[0], cause: { message: request.url } };
  },
  'a body that breaks': (secrets, _, { url }) =>
    new Response(
      new ReadableStream({ pull: (body) => body.error(new Error(`${url} ${secrets.join(' ')}`)) }),
    ),
  'what is no response': (secrets, _, request) =>
    ({
      status: 200,
      headers: { secrets },
      text: async () => secrets.join(' '),
      request,
    }) as unknown as Response,
};

function refusal(echo: string, code: number): Response {
  const error = { message: `No: ${echo}`, type: 'OAuthException', code, error_user_msg: echo };
  return Response.json({ error }, { status: code === 2 ? 500 : 400 });
}
