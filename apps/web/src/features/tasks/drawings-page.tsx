import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { Drawing } from '@tollgate/api'
import { Image } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { activeFilters, ListPage, useList } from '../../components/list/index.ts'
import { TimeFilter } from '../../components/list/time-filter.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { useLocal } from '../../lib/local-store.ts'
import { isAdmin, useUser } from '../../lib/session.ts'
import { drawingsRange, drawingsSource, pageSizeAtFirst, refreshMs } from './api.ts'
import { useDrawingColumns } from './drawing-columns.tsx'
import type { DrawingsSearch } from './search.ts'
import { useChannelFilter } from './use-channel-filter.ts'

const DetailsDialog = lazy(() =>
  import('./details-dialog.tsx').then((module) => ({ default: module.DetailsDialog })),
)
const ImageDialog = lazy(() =>
  import('./image-dialog.tsx').then((module) => ({ default: module.ImageDialog })),
)

const route = getRouteApi('/console/midjourney')

/** Drawings: how far each is, and what came of it. */
export function DrawingsPage(): ReactNode {
  const { t } = useTranslation('tasks')
  const admin = isAdmin(useUser())
  const search = route.useSearch()
  const { page, ...filter } = search
  const navigate = useNavigate({ from: '/midjourney' })
  const [opened, setOpened] = useState<Drawing>()
  const [pictured, setPictured] = useState<Drawing>()
  const list = useList(
    drawingsSource(admin, filter),
    { page },
    { refreshMs, defaultPageSize: pageSizeAtFirst },
  )
  const show = (next: DrawingsSearch) => void navigate({ search: next })
  return (
    <ListPage<Drawing, DrawingsSearch>
      name="drawings"
      title={t('drawings.title')}
      notice={<CallbackNotice admin={admin} />}
      columns={useDrawingColumns(admin, setPictured)}
      list={list}
      search={search}
      onSearch={show}
      searchBox={{
        placeholder: t('filter.search'),
        value: filter.id ?? '',
        toSearch: (text) => ({ id: text || undefined }),
      }}
      filters={useChannelFilter(admin)}
      moreFilters={
        <TimeFilter
          times={filter}
          defaultRange={drawingsRange}
          onChange={(times) => show({ ...filter, ...times })}
        />
      }
      empty={{
        narrowed: activeFilters(search, ['id', 'channel']).length > 0,
        first: (
          <EmptyState icon={Image} title={t('drawings.empty')}>
            {t('drawings.emptyHint')}
          </EmptyState>
        ),
      }}
      onOpen={setOpened}
    >
      <Suspense>
        {opened && (
          <DetailsDialog title={t('drawings.details')} row={opened} onClose={() => setOpened(undefined)} />
        )}
        {pictured && (
          <ImageDialog
            url={pictured.image_url}
            prompt={pictured.prompt}
            onClose={() => setPictured(undefined)}
          />
        )}
      </Suspense>
    </ListPage>
  )
}

/** Without callbacks an upstream is asked how far it is, and says so later. */
function CallbackNotice({ admin }: { readonly admin: boolean }) {
  const { t } = useTranslation('tasks')
  if (useLocal('mj_notify_enabled') === 'true') return null
  return <Notice tone="info">{t(admin ? 'drawings.noCallbackAdmin' : 'drawings.noCallback')}</Notice>
}
