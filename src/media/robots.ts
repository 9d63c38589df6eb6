/** What a robots.txt says of a path: a rule that names the robot forbids it, a rule for all robots does, or nothing. */
export function robotsVerdict(text: string, robot: string, path: string): 'named' | 'all' | undefined {
  const own: Rule[] = [];
  const all: Rule[] = [];
  let isNamed = false;
  let agents: string[] = [];
  let isOpen = false;
  for (const line of text.split(/\r\n?|\n/)) {
    const [, name = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const key = name.toLowerCase();
    if (key === 'user-agent') {
      // Several lines of names in a row share the rules that follow.
      if (!isOpen) agents = [];
      isOpen = true;
      // A version is no part of the name.
      agents.push(value.trim().split('/')[0]?.toLowerCase() ?? '');
      if (agents.includes(robot)) isNamed = true;
    } else if (key === 'allow' || key === 'disallow') {
      isOpen = false;
      const rule = { allows: key === 'allow', pattern: value.trim() };
      if (agents.includes(robot)) own.push(rule);
      if (agents.includes('*')) all.push(rule);
    }
  }
  // Whoever is named by a group keeps to it, and to no other.
  if (!isForbidden(isNamed ? own : all, path)) return undefined;
  return isNamed ? 'named' : 'all';
}

interface Rule {
  readonly allows: boolean;
  readonly pattern: string;
}

/** The longest pattern that fits counts; of two, the one that allows. */
function isForbidden(rules: readonly Rule[], path: string): boolean {
  let best: Rule | undefined;
  for (const rule of rules) {
    const { length } = rule.pattern;
    if (length === 0 || !fits(rule.pattern, path)) continue;
    if (!best || length > best.pattern.length || (length === best.pattern.length && rule.allows)) best = rule;
  }
  return best?.allows === false;
}

/** Whether a pattern with `*`, and perhaps `$` at its end, fits the beginning of a path. In linear time for each part. */
function fits(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  const [first = '', ...others] = parts;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = isWhole && others.length > 0 ? others.pop() : undefined;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (last !== undefined) return path.length - last.length >= at && path.endsWith(last);
  return !isWhole || at === path.length;
}
