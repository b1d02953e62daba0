import { useMutation } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { fetchModels } from '../api.ts'
import { type ChannelForm, trimAddress } from './channel-form.ts'

/** Asks the upstream for its models: with the key that is typed in, else with those of the stored channel. */
export function useFetchModels(form: ChannelForm, channel: Channel | undefined) {
  const { t } = useTranslation('channels')
  const fetching = useMutation({ mutationFn: fetchModels })
  return {
    isPending: fetching.isPending,
    /** What the upstream answered, until it is closed. */
    names: fetching.data,
    close: fetching.reset,
    start() {
      if (form.keys.trim() !== '') {
        fetching.mutate({ type: form.type, key: form.keys.trim(), base_url: trimAddress(form.baseUrl) })
      } else if (channel) fetching.mutate({ id: channel.id })
      else toast.error(t('problem.keyRequired'))
    },
  }
}
