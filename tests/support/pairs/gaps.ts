/** Pairs that are not walked, as `one call | another` by name: what is missing there, or why no order of the two explains them. */
export const gaps: ReadonlyMap<string, string> = new Map([
  ...pairsOf(
    'none is left to end for a caller who was admitted before the ban, and none is what they are told',
    ['userAdmin.delete', 'userAdmin.manageBatch', 'accounts.deleteSelf'].map(
      (end) => [end, 'sessions.endOthers'] as const,
    ),
  ),
  ...pairsOf('a clearing is cancelled while it runs, never before it or after it', [
    ['logs.cancelClear', 'logs.clear'],
  ]),
  ...pairsOf('the key is read again after its edit', [
    ['tokens.update', 'tokens.batch'],
    ['tokens.update', 'tokens.delete'],
  ]),
])

function pairsOf(
  gap: string,
  pairs: readonly (readonly [string, string])[],
): (readonly [pair: string, gap: string])[] {
  return pairs.map((pair) => [pair.toSorted().join(' | '), gap])
}
