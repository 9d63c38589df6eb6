import node from '@astrojs/node';
import { defineConfig } from 'astro/config';

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  // The platform's forms name no origin. Other forms of the app must then check theirs themselves.
  security: { checkOrigin: false },
});
