/** Types of files: their extensions, the first of which is given to a file without a name, and how their bytes begin. */
const types: readonly (readonly [type: string, extensions: string, begin?: RegExp])[] = [
  ['image/jpeg', 'jpg jpeg', /^\xff\xd8\xff/],
  ['image/png', 'png', /^\x89PNG/],
  ['image/gif', 'gif', /^GIF8/],
  ['image/webp', 'webp', /^RIFF.{4}WEBP/s],
  ['video/quicktime', 'mov', /^.{4}ftypqt/s],
  ['audio/mp4', 'm4a', /^.{4}ftypM4A/s],
  ['video/mp4', 'mp4 m4v', /^.{4}ftyp/s],
  ['video/webm', 'webm', /^.E\xdf\xa3/s],
  ['video/x-msvideo', 'avi', /^RIFF.{4}AVI /s],
  ['audio/wav', 'wav', /^RIFF.{4}WAVE/s],
  ['audio/mpeg', 'mp3', /^(?:ID3|\xff[\xe2-\xef\xfa\xfb])/],
  ['audio/aac', 'aac', /^\xff[\xf0\xf1\xf8\xf9]/],
  ['audio/ogg', 'ogg oga', /^OggS/],
  ['application/pdf', 'pdf', /^%PDF/],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
  ['application/msword', 'doc'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.ms-powerpoint', 'ppt'],
  ['text/plain', 'txt'],
  ['text/csv', 'csv'],
  ['application/zip', 'zip', /^PK/],
];

/** The type of a file by its name, or by its first bytes; `undefined` if neither tells. */
export async function typeOfFile(name: string | undefined, bytes: Blob): Promise<string | undefined> {
  const extension = /\.(\w+)$/.exec(name ?? '')?.[1]?.toLowerCase() ?? ' ';
  const [named] = types.find(([, extensions]) => extensions.split(' ').includes(extension)) ?? [];
  if (named !== undefined) return named;
  const begin = String.fromCodePoint(...new Uint8Array(await bytes.slice(0, 16).arrayBuffer()));
  return types.find(([, , pattern]) => pattern?.test(begin))?.[0];
}

export function extensionOf(type: string): string {
  const [, extensions] = types.find(([one]) => one === type) ?? [];
  return extensions === undefined ? '' : `.${extensions.replace(/ .*/, '')}`;
}
