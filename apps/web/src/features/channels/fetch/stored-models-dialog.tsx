import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { channelApi, fetchModels, updateChannel } from '../api.ts'
import { listOf } from '../channel-state.ts'
import { mappingDraftOf, mappingOf } from '../mapping/mapping.ts'
import { FetchModelsDialog } from './fetch-models-dialog.tsx'

export interface StoredModelsDialogProps {
  readonly channel: Channel
  readonly onClose: () => void
}

/** Brings the models of a stored channel in step with its upstream. */
export function StoredModelsDialog({ channel, onClose }: StoredModelsDialogProps) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const { id, name } = channel
  const listed = useQuery({
    queryKey: ['upstream-models', id],
    queryFn: () => fetchModels({ id }),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const apply = useMutation({
    mutationFn: (models: readonly string[]) => updateChannel({ id, models: models.join() }),
    onSuccess: (changed) => {
      channelApi.lists.saved(client, changed)
      toast.success(t('toast.modelsUpdated', { name, count: listOf(changed.models).length }))
      onClose()
    },
  })
  const models = useMemo(() => listOf(channel.models), [channel.models])
  const mapping = useMemo(() => mappingOf(mappingDraftOf(channel.model_mapping)), [channel.model_mapping])
  return (
    <FetchModelsDialog
      listed={listed.data}
      error={listed.error}
      models={models}
      mapping={mapping}
      applying={apply.isPending}
      onClose={onClose}
      onApply={apply.mutate}
    />
  )
}
