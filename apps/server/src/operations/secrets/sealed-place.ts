import { isSecret, isSettingKey } from '@tollgate/api/settings'
import type { SealedPlace } from '../../lib/key-ring.ts'

/** Whether the text of this place is sealed: of settings, the secret ones are. */
export function isSealedPlace({ column, row }: SealedPlace): boolean {
  return column !== 'options.value' || (isSettingKey(row) && isSecret(row))
}
