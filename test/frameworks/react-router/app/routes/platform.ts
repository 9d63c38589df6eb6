import { respond } from '../app.ts';

export const loader = ({ request }: { readonly request: Request }) => respond(request);
export const action = loader;
