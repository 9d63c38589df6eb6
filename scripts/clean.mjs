// Deletes the output, so that a module whose source is gone is not packed.
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
