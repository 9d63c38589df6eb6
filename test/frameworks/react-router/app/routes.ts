import { route, type RouteConfig } from '@react-router/dev/routes';

export default ['webhooks/*', 'login/*'].map((path) =>
  route(path, 'routes/platform.ts', { id: path }),
) satisfies RouteConfig;
