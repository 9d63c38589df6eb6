export * from '@sentry/node';
