import { Eye } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '../../lib/format/format.ts'
import { secondsNow } from '../../lib/server-clock.ts'
import { useUser } from '../../lib/session/session.ts'
import { type ConsoleView, leaveView } from '../../lib/session/view.ts'
import { Button } from '../ui/button.tsx'
import { endView } from './end-view.ts'

/** Says on every page as whom an administrator sees the console, until when, and takes them back. */
export function ViewBar({ view }: { readonly view: ConsoleView }) {
  const { t } = useTranslation()
  const user = useUser()
  useEffect(() => {
    const timer = setTimeout(leaveView, Math.max(0, (view.endsAt - secondsNow()) * 1000))
    return () => clearTimeout(timer)
  }, [view])
  if (user === undefined) return null
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
