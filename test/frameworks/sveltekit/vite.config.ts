import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

// The platform's forms name no origin. Other forms of the app must then check theirs themselves.
const csrf = { trustedOrigins: ['*'] };
export default defineConfig({ plugins: [sveltekit({ adapter: adapter(), csrf })] });
