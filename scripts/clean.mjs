// An old output module must not survive its source: it would be packed.
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
