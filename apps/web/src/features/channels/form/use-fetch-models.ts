import { useMutation } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fetchModels } from '../api.ts'
import { type ChannelForm, trimAddress } from './channel-form.ts'

/** Asks the upstream for its models: with the key that is typed in, else with those of the stored channel. */
export function useFetchModels(form: ChannelForm, channel: Channel | undefined) {
  const { t } = useTranslation('channels')
  const [requestedWithoutKey, setRequestedWithoutKey] = useState(false)
  const fetching = useMutation({ mutationFn: fetchModels })
  const key = form.keys.trim()
  return {
    isPending: fetching.isPending,
    /** What the upstream answered, until it is closed. */
    names: fetching.data,
    close: fetching.reset,
    /** Why the upstream was not asked, until that has changed. */
    problem: requestedWithoutKey && key === '' ? t('problem.keyRequired') : undefined,
    start() {
      setRequestedWithoutKey(key === '' && channel === undefined)
      if (key !== '') fetching.mutate({ type: form.type, key, base_url: trimAddress(form.baseUrl) })
      else if (channel) fetching.mutate({ id: channel.id })
    },
  }
}
