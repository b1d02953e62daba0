import { useMutation } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fetchModels } from '../api.ts'
import { type ChannelForm, draftBodyOf } from './channel-form.ts'

/** Asks the upstream for its models, by the form as it stands: without a key with those of the stored channel. */
export function useFetchModels(form: ChannelForm, channel: Channel | undefined) {
  const { t } = useTranslation('channels')
  const [requestedWithoutKey, setRequestedWithoutKey] = useState(false)
  const fetching = useMutation({ mutationFn: fetchModels })
  const isKeyMissing = form.keys.trim() === '' && channel === undefined
  return {
    isPending: fetching.isPending,
    /** Response of the upstream, until it is closed. */
    names: fetching.data,
    close: fetching.reset,
    /** Reason for which the upstream was not asked, until that has changed. */
    problem: requestedWithoutKey && isKeyMissing ? t('problem.keyRequired') : undefined,
    start() {
      setRequestedWithoutKey(isKeyMissing)
      if (!isKeyMissing) fetching.mutate(draftBodyOf(form, channel))
    },
  }
}
