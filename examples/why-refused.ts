// Finds out why a video is refused, or would be: what its header says, and how its host answers.
import { checkMedia, checkMediaUrl } from 'pagepics/media';

// Without a file of yours, a GIF that somebody named clip.mp4.
const gif = new TextEncoder().encode('GIF89a\u0038\u0004\u0070\u0007\0\0\0');
const [source = gif] = process.argv.slice(2);

const isAddress = typeof source === 'string' && /^https?:/.test(source);
const check = await (isAddress
  ? checkMediaUrl(source, { kind: 'pics.reel' })
  : checkMedia(source, { kind: 'pics.reel' }));
if (check.isErr()) throw check.error; // there is no such file, or its host does not answer

const { facts, findings, isAccepted } = check.value;
for (const { severity, message, remedy, code } of findings) {
  console.log(`${severity}  ${message}${code ? ` (${code})` : ''}`);
  if (remedy) console.log(`  ${remedy}`);
}

console.log(facts ? `${facts.format}, ${facts.size} bytes` : 'The host did not give the file.');
console.log(isAccepted ? 'Nothing is known that refuses it.' : 'The platform refuses it.');
