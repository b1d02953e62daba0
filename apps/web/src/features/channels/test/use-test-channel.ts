import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../../lib/format/format.ts'
import { toast } from '../../../lib/toast.ts'
import { refreshChannel, testChannel } from '../api.ts'

/** Sends a test through a channel and tells by message how it went; the row then shows the new figures. */
export function useTestChannel(channel: Pick<Channel, 'id' | 'name'>) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const { id, name } = channel
  return useMutation({
    mutationFn: (model: string | undefined) => testChannel(id, model),
    onSuccess: (seconds) =>
      toast.success(t('toast.testPassed', { name, time: formatDuration(seconds * 1000) })),
    onError: (error) => toast.error(t('toast.testFailed', { name, message: error.message })),
    onSettled: () => refreshChannel(client, id),
    meta: { silent: true },
  })
}
