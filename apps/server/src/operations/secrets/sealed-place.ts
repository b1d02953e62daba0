import { isSecret, isSettingKey } from '@tollgate/api/settings'
import type { SealContext } from '../../lib/key-ring.ts'

/** Whether the text of this place is sealed: of settings, the secret ones are. */
export function isSealContext({ column, row }: SealContext): boolean {
  return column !== 'options.value' || (isSettingKey(row) && isSecret(row))
}
