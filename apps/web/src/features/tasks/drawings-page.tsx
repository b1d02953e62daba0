import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Image } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../components/ui/tag.tsx'
import { useLocal } from '../../lib/browser/local-store.ts'
import { hasPart, useUser } from '../../lib/session/session.ts'
import { drawingsRange, drawingsSource } from './api.ts'
import { useDrawingColumns } from './drawing-columns.tsx'
import { JobListPage } from './job-list-page.tsx'

const route = getRouteApi('/console/midjourney')

/** Drawings: how far each is, and what came of it. */
export function DrawingsPage(): ReactNode {
  const admin = hasPart(useUser(), 'log')
  const navigate = useNavigate({ from: '/midjourney' })
  return (
    <JobListPage
      name="drawings"
      icon={Image}
      source={drawingsSource}
      columns={useDrawingColumns(admin)}
      search={route.useSearch()}
      onSearch={(search, options) => void navigate({ search, ...options })}
      range={drawingsRange}
      notice={<CallbackNotice admin={admin} />}
    />
  )
}

/** Explains that without callbacks an upstream is polled for progress, which it reports later. */
function CallbackNotice({ admin }: { readonly admin: boolean }) {
  const { t } = useTranslation('tasks')
  if (useLocal('mj_notify_enabled') === 'true') return null
  return <Notice tone="info">{t(admin ? 'drawings.noCallbackAdmin' : 'drawings.noCallback')}</Notice>
}
