// What the grammar cannot read without help.
export type * from './types';
export type * as names from './names';

/** A context. */
export type Context<S = State> = import('walk').Context<Node, S>;

test('mock', async () => {
  const module = await load<typeof import('./module')>();
});

export const lazy = () => import('./page').then((page) => page.default);
