import type { RoutedChannel } from '../../channels/routing/routing-types.ts'

/**
 * Index of the key that a task was submitted with: another account at the upstream knows nothing of it. Where no key of the
 * channel is that one any more, the first: a key that was replaced most likely belongs to the same account.
 */
export function accountKey(
  { keys }: Pick<RoutedChannel, 'keys'>,
  keyHash: string,
  hashKey: (key: string) => string,
): number {
  return Math.max(
    0,
    keys.findIndex((key) => hashKey(key) === keyHash),
  )
}
