import { isSecret, isSettingKey } from '@tollgate/api/settings'
import type { SealContext } from '../../lib/key-ring.ts'

/** Decides whether the text in this column and row is sealed: of settings, the secret ones are. */
export function isSealContext({ column, row }: SealContext): boolean {
  return column !== 'options.value' || (isSettingKey(row) && isSecret(row))
}
