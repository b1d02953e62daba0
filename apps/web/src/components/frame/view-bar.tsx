import { calls } from '@tollgate/api'
import { Eye } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { request } from '../../lib/api/api-client.ts'
import { formatDateTime } from '../../lib/format/format.ts'
import { actAsOneself, useUser } from '../../lib/session/session.ts'
import { currentView, leaveView } from '../../lib/session/view.ts'
import { Button } from '../ui/button.tsx'

/** Ends the view of this tab, here and at the server. */
export async function endView(userId: number): Promise<void> {
  actAsOneself()
  // A view that the server does not end now ends by its time.
  await request(calls.userAdmin.endView, { params: { id: userId } }).catch(() => undefined)
  leaveView()
}

/** Says on every page as whom an administrator sees the console, until when, and takes them back. */
export function ViewBar() {
  const { t } = useTranslation()
  const user = useUser()
  const [view] = useState(currentView)
  useEffect(() => {
    if (view === undefined) return
    const timer = setTimeout(leaveView, Math.max(0, view.endsAt * 1000 - Date.now()))
    return () => clearTimeout(timer)
  }, [view])
  if (view === undefined || user === undefined) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-warn-soft px-4 py-1.5 text-sm text-warn"
    >
      <Eye className="size-4 shrink-0" aria-hidden />
      <span className="min-w-0 flex-1">
        {t('view.as', { name: user.username })}{' '}
        <span className="text-muted">
          {t('view.until', { time: formatDateTime(view.endsAt).slice(11, 16) })}
        </span>
      </span>
      <Button size="sm" onClick={() => void endView(user.id)}>
        {t('view.end')}
      </Button>
    </div>
  )
}
