import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Channel, channelStatuses } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStops } from '../../../components/stops/index.ts'
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
  const { ask, offerUndo } = useStops()
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
      const message = t('toast.modelsUpdated', { name, count: listOf(changed.models).length })
      offerUndo(message, [{ action: 'channel.update', kind: 'channel', target: id }])
      onClose()
    },
  })
  /** A model that the upstream lists no more may be served by no other channel. */
  async function save(next: readonly string[]): Promise<void> {
    const question = { title: t('stops.editTitle', { name }), confirmLabel: t('stops.edit') }
    const isLess = models.some((model) => !next.includes(model))
    const isOn = channel.status === channelStatuses.enabled
    if (isLess && isOn && !(await ask({ ids: [id], models: next.join() }, question))) return
    apply.mutate(next)
  }
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
      onApply={(next) => void save(next)}
    />
  )
}
