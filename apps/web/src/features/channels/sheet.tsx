import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { Channel } from '@tollgate/api'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState, Skeleton } from '../../components/ui/states.tsx'
import { formatDateTime } from '../../lib/format/format.ts'
import { channelApi } from './api.ts'
import { ChannelHead } from './channel-head.tsx'
import { blankForm, formOf } from './form/channel-form.ts'
import { ChannelFormSheet } from './form/channel-form-sheet.tsx'
import { typeName } from './form/type-facts.ts'

const editRoute = getRouteApi('/console/channel/edit/$id')

function useClose(): () => void {
  const navigate = useNavigate()
  return () => void navigate({ to: '/channel', search: true })
}

/** Back to the list, which offers the next steps. */
function useSaved(): (channel: Pick<Channel, 'id'>, tested: boolean) => void {
  const navigate = useNavigate({ from: '/channel' })
  return ({ id }, tested) =>
    void navigate({
      to: '/channel',
      search: (now) => ({ ...now, saved: id, tested: tested || undefined }),
    })
}

/** `/channel/add` */
export function CreateChannelSheet(): ReactNode {
  const { t } = useTranslation('channels')
  return (
    <ChannelFormSheet
      title={t('create.title')}
      description={t('create.description')}
      start={blankForm}
      onClose={useClose()}
      onSaved={useSaved()}
    />
  )
}

/** `/channel/edit/:id` */
export function EditChannelSheet(): ReactNode {
  const id = Number(editRoute.useParams().id)
  return <EditSheet key={id} id={id} onClose={useClose()} />
}

interface StoredSheetProps {
  readonly id: number
  readonly onClose: () => void
}

function EditSheet({ id, onClose }: StoredSheetProps) {
  const { t } = useTranslation('channels')
  const { data: channel, error, isFetching, refetch } = useQuery(channelApi.one(useQueryClient(), id))
  const start = useMemo(() => channel && formOf(channel), [channel])
  return (
    <ChannelFormSheet
      title={channel?.name ?? t('edit.title')}
      description={
        channel &&
        t('edit.description', {
          id,
          type: typeName(channel.type),
          created: formatDateTime(channel.created_time),
        })
      }
      start={start}
      fallback={
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />
        ) : (
          <FormSkeleton />
        )
      }
      channel={channel}
      head={channel && <ChannelHead channel={channel} />}
      onClose={onClose}
      onSaved={useSaved()}
    />
  )
}

function FormSkeleton() {
  const { t } = useTranslation('channels')
  return (
    <div className="flex flex-col gap-6" aria-busy>
      <span className="sr-only">{t('form.loading')}</span>
      {skeletonFields.map((field) => (
        <div key={field} className="flex flex-col gap-2">
          <Skeleton className="w-24!" />
          <Skeleton className="h-8!" />
        </div>
      ))}
    </div>
  )
}

const skeletonFields = ['type', 'name', 'key', 'address', 'models', 'groups']
