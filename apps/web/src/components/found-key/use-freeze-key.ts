import { useQueryClient } from '@tanstack/react-query'
import { calls, type FoundKey } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { request } from '../../lib/api/api-client.ts'
import { confirm } from '../../lib/confirm.ts'
import { toast } from '../../lib/toast.ts'

/** Every key of others in memory. */
export const foundKeysKey = ['found-keys'] as const

/** Freezes a key of somebody after a question, and lifts a freeze. */
export function useFreezeKey() {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  async function act(call: typeof calls.keys.freeze | typeof calls.keys.unfreeze, key: FoundKey, note = '') {
    const values = { name: key.name, user: key.username }
    const isFreeze = call === calls.keys.freeze
    try {
      if (isFreeze) await request(calls.keys.freeze, { params: { id: key.id }, body: { note } })
      else await request(calls.keys.unfreeze, { params: { id: key.id } })
      toast.success(t(isFreeze ? 'key.frozen' : 'key.unfrozen', values))
      await client.invalidateQueries({ queryKey: foundKeysKey })
    } catch (error) {
      toast.error((error as Error).message)
    }
  }
  return {
    /** @param note for the owner to read */
    async freeze(key: FoundKey, note?: string): Promise<void> {
      const yes = await confirm({
        title: t('key.freezeTitle', { name: key.name, user: key.username }),
        description: t('key.freezeDescription'),
        confirmLabel: t('key.freeze'),
        danger: true,
      })
      if (yes) await act(calls.keys.freeze, key, note)
    },
    unfreeze: (key: FoundKey): Promise<void> => act(calls.keys.unfreeze, key),
  }
}
