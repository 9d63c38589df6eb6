// Vitest evaluates this file anew for each test file, and what it imports once a process.
import './imports.ts';
import { watchNetwork } from './network.ts';
import './results.ts';

watchNetwork();
