import { begin, type CommandLine, failed, painter, shownArgument, wrapped } from '../commandLine.ts';
import type { Fetch } from '../core/http/types.ts';
import { checkMediaUrl } from './checkMediaUrl.ts';
import { inspectMedia } from './inspectMedia.ts';
import { judgeCarousel, judgeMedia } from './judgeMedia.ts';
import { mend, type MediaJob, type SharpStep } from './mend.ts';
import {
  type MediaFacts,
  type MediaFinding,
  type MediaKind,
  mediaKinds,
  type MediaSeverity,
} from './types.ts';

/** The command line of `check`. */
export interface CheckLine extends CommandLine {
  /** Asks public addresses only, also by the addresses that names lead to. */
  readonly fetch: Fetch;
  /** The files of a folder; `undefined` if it is none. */
  readonly filesIn: (path: string) => Promise<readonly string[] | undefined>;
  /** Shows how far it is, in one line that is written anew; only where there is a terminal. */
  readonly progress?: (text: string) => void;
  /** Begins to listen for signals, so it is only called to mend a file. */
  readonly mender?: () => Mender;
}

/** A picture on its way to ffmpeg, which reads the file itself where sharp is missing, unless it is needed. */
interface Prepared {
  readonly steps: readonly SharpStep[];
  readonly isNeeded: boolean;
}

/** Writes files. What its functions return is what went wrong, in words for people. */
interface Mender {
  readonly isThere: (path: string) => Promise<boolean>;
  readonly isSame: (one: string, other: string) => Promise<boolean>;
  /** Writes the target, which is only there once it is complete and `check` has looked at it. */
  readonly write: (
    job: Pick<MediaJob, 'tool' | 'args'> & {
      readonly before: readonly string[];
      /** What sharp makes of the picture for ffmpeg: where it can, or it has to. */
      readonly picture?: Prepared | undefined;
    },
    paths: {
      readonly source: string;
      readonly target: string;
      /** Whether what is there by then is overwritten. */
      readonly isForced: boolean;
      readonly onProgress: (ms: number) => void;
      readonly check: (path: string) => Promise<void>;
    },
  ) => Promise<string | undefined>;
  /** What `read` makes of the same pictures and sounds in another container; `undefined` if that cannot be had. */
  readonly remux: <TValue>(
    source: string,
    read: (path: string) => Promise<TValue>,
  ) => Promise<TValue | undefined>;
}

const usage = `Usage: pagepics check <file, folder or address> … --for <kind> [--json]
       pagepics check <file> --for <kind> --mend <out> [--force] [--changes]

Reads the headers of files, and tells what the platform refuses, changes or may
refuse of them, with what mends it. Nothing is published, and nothing is sent,
but to the hosts of addresses. It exits with 1 if something is refused, and with
2 if a file could not be judged.

  --for <kind>   what the files are to be published as:
                 story, carousel (all of them, in this order),
${wrapped([...mediaKinds, ...mediaKinds.flatMap((kind) => /^pics\.(.*)/.exec(kind)?.[1] ?? [])].join(', '), ' '.repeat(17)).join('\n')}
  --json         prints JSON
  --mend <out>   mends what is refused or at risk, in one go, by the ffmpeg of the
                 PATH or the sharp of your project, and checks what comes out: a
                 video as MP4, a picture as JPEG. It exits with 0 only if nothing
                 of that is refused or at risk. Nothing is left of a file that
                 breaks off.
  --force        overwrites what is there
  --changes      also does what the platform would do by itself: bars where it
                 crops, sizes, colours
  --help         shows this

Kinds are those of checkMedia; those of pics go without it, too.

An address is met as by the platform: with the name of its robot, without
following redirects, and with robots.txt. Addresses of your own network are not
asked.`;

/** How the platform would take a file. */
interface Checked {
  /** Without the query of an address, which may be a signature. */
  readonly source: string;
  readonly kind: MediaKind;
  readonly isAccepted?: boolean;
  readonly facts?: MediaFacts;
  readonly findings: readonly MediaFinding[];
  /** Why it could not be judged. */
  readonly error?: string;
}

/** What `--for` takes: a kind, or one that depends on the file. */
type Target = (facts: MediaFacts | undefined, path: string) => MediaKind;

const parallel = 4;

/** Runs `check`, and returns the exit code. */
export async function run([, ...args]: readonly string[], line: CheckLine): Promise<number> {
  const read = begin(args, line, usage, ['for', 'mend'], ['json', 'force', 'changes']);
  if (typeof read === 'number') return read;
  const { words, values, flags } = read;
  if (words.length === 0) return failed(line, `Name a file, a folder or an address.\n\n${usage}`);
  const name = values['for'];
  if (name === undefined)
    return failed(line, `--for is missing: what are they to be published as?\n\n${usage}`);
  const target = targetOf(name);
  if (target === undefined) {
    // The word that people have for the most usual kind.
    const hint = name === 'post' ? ' A post is an image of an account, or a page.photo or page.video.' : '';
    return failed(line, `--for takes no ${shownArgument(name)}.${hint}\n\n${usage}`);
  }
  const out = values['mend'];
  const changes = flags.has('changes');
  if (out !== undefined) {
    const [source = ''] = words;
    if (words.length > 1 || isAddress(source) || (await line.filesIn(source)))
      return failed(line, 'Name one file to be mended.');
    return mendFile(
      { source, out, target, changes, isForced: flags.has('force'), isJson: flags.has('json') },
      line,
    );
  }
  const sources = await sourcesIn(words, line);
  if (sources.length === 0) return failed(line, 'There is no file in it.');
  const checked = await checkAll(sources, target, line);
  const all = checked.flatMap(({ facts }) => facts ?? []);
  // Positions are those of the files given, so a set that is not known whole is not judged as one.
  const isSet = name === 'carousel';
  const set = isSet && all.length === checked.length ? judgeCarousel(all) : [];
  const paint = painter(line);
  if (flags.has('json'))
    line.write(JSON.stringify({ files: checked, ...(isSet && { carousel: set }) }, null, 2));
  else {
    for (const [at, one] of checked.entries()) {
      for (const text of shown(one, paint)) line.write(text);
      const source = sources[at] ?? '';
      const command = isAddress(source) ? undefined : commandOf(one, source, changes);
      if (command !== undefined) line.write(`Mend it by one command:\n  ${paint.bold(printable(command))}\n`);
    }
    for (const text of set.flatMap((one) => shownFinding(one, paint))) line.write(text);
    if (checked.length > 1) line.write(`${set.length > 0 ? '\n' : ''}${summary(checked)}`);
  }
  const refusals = [...checked.flatMap(({ findings }) => findings), ...set].filter(isRefused);
  if (refusals.length > 0) return 1;
  return checked.every(({ isAccepted }) => isAccepted === true) ? 0 : 2;
}

function isRefused({ severity }: MediaFinding): boolean {
  return severity === 'refused';
}

/** What no judgement can do without. */
function isUnread({ severity, property }: MediaFinding): boolean {
  return severity === 'unknown' && property === 'frame_rate';
}

/** Whether a mended file may be published without a doubt. */
function isGood({ severity }: MediaFinding): boolean {
  return severity === 'changed';
}

/** How the names of what is written end. */
const extensions: Readonly<Record<string, string>> = {
  mp4: 'mp4 m4v mov',
  m4a: 'm4a mp4 aac',
  jpeg: 'jpg jpeg',
};

/** What is to be mended, and how. */
interface Mending {
  readonly source: string;
  readonly out: string;
  readonly target: Target;
  readonly changes: boolean;
  readonly isForced: boolean;
  readonly isJson: boolean;
}

async function mendFile(
  { source, out, target, changes, isForced, isJson }: Mending,
  line: CheckLine,
): Promise<number> {
  const mender = line.mender?.();
  if (!mender) return failed(line, 'Nothing can be mended here.');
  if (await mender.isSame(source, out)) return failed(line, 'The file to be mended is never overwritten.');
  if ((await line.filesIn(out)) !== undefined)
    return failed(line, `${printable(out)} is a folder: name the file that is to be written into it.`);
  if (!isForced && (await mender.isThere(out)))
    return failed(line, `${printable(out)} is there already. --force overwrites it.`);
  const paint = painter(line);
  const before = await checkFile(source, target);
  const { facts, kind, error } = before;
  if (!facts) return failed(line, `${before.source}: ${error}`);
  const known = (await factsWithin(facts, source, mender)) ?? facts;
  const unknown = known === facts ? [] : before.findings.filter(({ severity }) => severity === 'unknown');
  const job = mend({ kind, facts: known, findings: [...judgeMedia(known, kind), ...unknown] }, { changes });
  const isLost = job.tool === undefined && before.findings.some((one) => !isGood(one));
  const say = (text: string): void => {
    if (!isJson) line.write(text);
  };
  for (const text of shown(before, paint)) say(text);
  if (isLost) {
    if (isJson) line.write(JSON.stringify({ files: [before], job }, null, 2));
    say('Nothing of it can be mended by a tool.');
    return before.isAccepted === undefined ? 2 : 1;
  }
  const lasts = Math.min(known.durationMs ?? Infinity, durationIn(job.args));
  let after: Checked | undefined;
  const wrong = await mender.write(
    { ...job, before: beforeInput(known), picture: pictureFor(known) },
    {
      source,
      target: out,
      isForced,
      onProgress: (ms) =>
        line.progress?.(
          lasts < Infinity ? `${Math.min(100, Math.round((ms / lasts) * 100))} %` : `${ms / 1000} s`,
        ),
      check: async (path) => {
        after = { ...(await checkFile(path, () => kind)), source: printable(out) };
      },
    },
  );
  line.progress?.('');
  if (wrong !== undefined || after === undefined) return failed(line, printable(wrong ?? 'it failed'));
  if (isJson) line.write(JSON.stringify({ files: [before], job, mended: after }, null, 2));
  for (const text of shown(after, paint)) say(text);
  if (job.tool === undefined) say('There was nothing to mend: it is a copy.');
  const [is, end = ''] = [after.facts?.format ?? '', /\.(\w{1,5})$/.exec(out)?.[1]?.toLowerCase()];
  // Hosts tell the type of a file by its name.
  if (job.tool && !(extensions[is] ?? end).split(' ').includes(end))
    say(
      `It is a file of ${is}, whatever it is called: give it a name that ends in .${extensions[is]?.split(' ')[0]}.`,
    );
  return after.isAccepted === undefined ? 2 : after.findings.every(isGood) ? 0 : 1;
}

/** The facts of a video in a container that is not read here, by what ffmpeg finds in it. */
async function factsWithin(
  facts: MediaFacts,
  source: string,
  { remux }: Mender,
): Promise<MediaFacts | undefined> {
  if (facts.kind !== 'video' || facts.video) return undefined;
  const read = await remux(source, async (path) => inspectMedia(path));
  if (!read?.isOk() || !read.value.video) return undefined;
  // The list is that of the other container: it tells whether the picture comes late.
  const { editList: _, editMs: _ms, moov: _moov, ...inside } = read.value;
  const isLate = judgeMedia(read.value, 'pics.reel').some(({ property }) => property === 'edit_list');
  const more = isLate ? {} : { editList: 'harmless' as const };
  return { ...inside, ...more, format: facts.format, size: facts.size };
}

function durationIn(args: MediaJob['args']): number {
  const at = args.findIndex((each) => each === '-t');
  return at < 0 ? Infinity : Number(args[at + 1]) * 1000;
}

/** ffmpeg 8 turns these pictures too, which the job does. */
function beforeInput({ kind, format }: MediaFacts): readonly string[] {
  return kind === 'image' && format !== 'jpeg' ? ['-noautorotate'] : [];
}

/** Of these, ffmpeg gets what sharp makes of it, in sRGB. Of an animation, that would be one picture. */
function pictureFor({ kind, format, image }: MediaFacts): Prepared | undefined {
  if (kind !== 'image' || image?.isAnimated) return undefined;
  // JPEG is turned by ffmpeg itself, the others by the job.
  const isTurned = format === 'jpeg' && /^(?:display_p3|adobe_rgb|other|cmyk)$/.test(image?.colour ?? '');
  if (!isTurned && !/^(?:png|webp|tiff)$/.test(format)) return undefined;
  const turn: readonly SharpStep[] = isTurned ? [['rotate']] : [];
  return { steps: [...turn, ['png', { compressionLevel: 1 }]], isNeeded: format === 'tiff' };
}

/** The command that mends a file, for a shell. */
function commandOf({ kind, facts, findings }: Checked, source: string, changes: boolean): string | undefined {
  if (!facts) return undefined;
  const { tool, args } = mend({ kind, facts, findings }, { changes });
  const named = `${source.replace(/\.\w{1,5}$/, '')}.mended`;
  const isFfmpeg = tool === 'ffmpeg';
  const extension =
    isFfmpeg && (facts.kind === 'audio' || args.includes('-vn'))
      ? 'm4a'
      : !isFfmpeg || args.includes('image2')
        ? 'jpg'
        : 'mp4';
  if (isFfmpeg && !pictureFor(facts)?.isNeeded) {
    const all = [...beforeInput(facts), '-i', asPath(source), ...args, asPath(`${named}.${extension}`)];
    return ['ffmpeg', ...all].map(inShell).join(' ');
  }
  // sharp has no command of its own. A name that begins like an option is none behind a folder.
  const [from, to] = [source, `${named}.${extension}`].map((path) => inShell(path.replace(/^-/, './-')));
  const more = changes ? ' --changes' : '';
  return tool && `npx pagepics check ${from} --for ${kind} --mend ${to}${more}`;
}

function asPath(path: string): string {
  return /^[-:]|^[^/]*:/.test(path) ? `file:${path}` : path;
}

function inShell(word: string): string {
  return /^[\w./:=,+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function targetOf(name: string): Target | undefined {
  const isPicture = (facts: MediaFacts | undefined, path: string): boolean =>
    facts && facts.kind !== 'unknown'
      ? facts.kind === 'image'
      : /\.(?:jpe?g|png|gif|webp|heic|heif|avif|tiff?|bmp)$/i.test(path);
  if (name === 'carousel') return (...of) => (isPicture(...of) ? 'pics.carouselImage' : 'pics.carouselVideo');
  if (name === 'story') return (...of) => (isPicture(...of) ? 'pics.storyImage' : 'pics.storyVideo');
  const kind = mediaKinds.find((each) => each === name || each === `pics.${name}`);
  return kind && (() => kind);
}

async function sourcesIn(words: readonly string[], { filesIn }: CheckLine): Promise<readonly string[]> {
  const found = await Promise.all(
    words.map(async (word) => (isAddress(word) ? [word] : ((await filesIn(word)) ?? [word]))),
  );
  return found.flat();
}

function isAddress(word: string): boolean {
  return /^https?:\/\//i.test(word);
}

/** Checks a few at a time, in order. */
async function checkAll(
  sources: readonly string[],
  target: Target,
  line: CheckLine,
): Promise<readonly Checked[]> {
  const checked: Checked[] = [];
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < sources.length; at = next++) {
      const source = sources[at] ?? '';
      checked[at] = isAddress(source)
        ? await checkAddress(source, target, line)
        : await checkFile(source, target);
      done++;
      if (sources.length > 1) line.progress?.(`${done} of ${sources.length}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  if (sources.length > 1) line.progress?.('');
  return checked;
}

async function checkFile(path: string, target: Target): Promise<Checked> {
  const source = printable(path);
  const read = await inspectMedia(path);
  if (read.isErr()) {
    // Such as: cannot be opened: there is no such file.
    const error = printable(read.error.message.replace(/^source /, 'it ').replace(`: ${path}`, ''));
    return { source, kind: target(undefined, path), findings: [], error };
  }
  const facts = read.value;
  const kind = target(facts, path);
  return judged({ source, kind, facts, findings: judgeMedia(facts, kind) });
}

async function checkAddress(address: string, target: Target, { fetch }: CheckLine): Promise<Checked> {
  const [shownAddress = ''] = address.split(/[?#]/);
  const isMasked = shownAddress.length < address.length;
  // Credentials make the address wrong, and are not shown either.
  const source = printable(`${shownAddress.replace(/\/\/[^/]*@/, '//…@')}${isMasked ? '?…' : ''}`);
  const guess = target(undefined, shownAddress);
  const read = await checkMediaUrl(address, { kind: guess, fetch });
  if (read.isErr()) return { source, kind: guess, findings: [], error: read.error.message };
  const { facts, findings } = read.value;
  const kind = facts ? target(facts, shownAddress) : guess;
  if (!facts || kind === guess) return judged({ source, kind, ...(facts && { facts }), findings });
  const ofUrl = findings.filter(({ property }) => property === 'url');
  return judged({ source, kind, facts, findings: [...ofUrl, ...judgeMedia(facts, kind)] });
}

function judged(checked: Omit<Checked, 'isAccepted' | 'error'>): Checked {
  const isAccepted = !checked.findings.some(isRefused);
  // Of what a host does not give now, or nobody can read, neither is known.
  if (isAccepted && !checked.facts)
    return { ...checked, error: 'the host did not give the file, so it was not judged' };
  if (isAccepted && checked.facts?.format === 'unknown') return checked;
  if (isAccepted && checked.findings.some(isUnread))
    return { ...checked, error: 'its header does not tell how long it is, and how many pictures a second' };
  return { ...checked, isAccepted };
}

/** A text of somebody else's in a terminal. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�');
}

type Paint = ReturnType<typeof painter>;

const colours = {
  refused: 'red',
  changed: 'blue',
  risk: 'yellow',
  unknown: 'yellow',
} as const satisfies Readonly<Record<MediaSeverity, keyof Paint>>;
const severities = Object.keys(colours);

/** A file for people: what it is, and what was found, the worst first. */
function shown(
  { source, kind, facts, findings, error, isAccepted }: Checked,
  paint: Paint,
): readonly string[] {
  const rank = ({ severity }: MediaFinding): number => severities.indexOf(severity);
  const rows = findings
    .toSorted((one, other) => rank(one) - rank(other))
    .flatMap((finding) => shownFinding(finding, paint));
  const verdict =
    isAccepted === undefined
      ? paint.yellow('not judged')
      : isAccepted
        ? findings.length === 0
          ? paint.green('nothing found')
          : paint.green('not refused')
        : paint.red('refused');
  return [
    `${paint.bold(source)}: ${verdict} as ${kind}`,
    ...(facts ? wrapped(inWords(facts), '  ').map(paint.dim) : []),
    ...(error === undefined ? [] : wrapped(error, '  ')),
    ...rows,
    '',
  ];
}

function shownFinding(
  { severity, message, remedy, code, source }: MediaFinding,
  paint: Paint,
): readonly string[] {
  const space = ' '.repeat(11);
  const [first = '', ...others] = wrapped(`${severity.padEnd(9)}${message}`, '  ', space);
  const paintMark = (text: string): string => text.replace(severity, paint[colours[severity]]);
  const more = [source, ...(code ? [`code ${code}`] : [])].join('; ');
  return [
    paintMark(first),
    ...others,
    // A command is not broken into lines, so that it can be copied.
    ...(remedy ? [`${space}${paint.bold(printable(remedy))}`] : []),
    ...wrapped(more, space).map(paint.dim),
  ];
}

function inWords(facts: MediaFacts): string {
  const { format, width, height, durationMs, frameRate, video, audio, size } = facts;
  return [
    format,
    width && height && `${width} × ${height}`,
    durationMs !== undefined && `${Math.round(durationMs / 100) / 10} s`,
    frameRate && `${frameRate.average} frames a second`,
    video?.codec,
    audio?.codec,
    size < 1_000_000 ? `${Math.ceil(size / 1000)} kB` : `${Math.round(size / 10_000) / 100} MB`,
  ]
    .filter((word) => typeof word === 'string')
    .join(', ');
}

function summary(checked: readonly Checked[]): string {
  const count = (is: (one: Checked) => boolean): number => checked.filter(is).length;
  const parts = [
    `${count(({ isAccepted }) => isAccepted === false)} of ${checked.length} refused`,
    `${count(({ isAccepted, findings }) => isAccepted === true && findings.length > 0)} with remarks`,
    `${count(({ isAccepted, findings }) => isAccepted === true && findings.length === 0)} without`,
  ];
  const lost = count(({ isAccepted }) => isAccepted === undefined);
  return `${[...parts, ...(lost > 0 ? [`${lost} not judged`] : [])].join(', ')}.`;
}
