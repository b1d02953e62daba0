import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState, ErrorState, Skeleton } from '../../components/ui/states.tsx'
import { ApiError } from '../../lib/api/api-client.ts'
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

/** `/channel/add` */
export function CreateChannelSheet(): ReactNode {
  const { t } = useTranslation('channels')
  return (
    <ChannelFormSheet
      title={t('create.title')}
      description={t('create.description')}
      start={blankForm}
      onClose={useClose()}
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
  const query = useQuery(channelApi.one(useQueryClient(), id))
  const { data: channel } = query
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
      fallback={<NoFormYet query={query} />}
      channel={channel}
      head={channel && <ChannelHead channel={channel} />}
      onClose={onClose}
    />
  )
}

interface NoFormYetProps {
  readonly query: {
    readonly error: Error | null
    readonly isFetching: boolean
    readonly refetch: () => unknown
  }
}

function NoFormYet({ query }: NoFormYetProps) {
  const { t } = useTranslation('channels')
  if (query.error instanceof ApiError && query.error.code === 'record_not_found') {
    return (
      <EmptyState icon={SearchX} title={t('edit.notFound')}>
        {t('edit.notFoundHint')}
      </EmptyState>
    )
  }
  if (query.error) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
  }
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
