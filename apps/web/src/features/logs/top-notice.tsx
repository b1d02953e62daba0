import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '../../lib/format/format.ts'
import { type LogView, logTopQuery } from './api.ts'

/** Says what a ranking has: its figure, its length, and, of a very long log, how far back it was searched. */
export function TopNotice(view: LogView) {
  const { t } = useTranslation('logs')
  const { data } = useQuery(logTopQuery(view))
  if (view.sort === undefined) return null
  return (
    <p role="status" className="text-muted text-xs">
      {t(`top.${view.sort}`)}{' '}
      {data?.complete === false && t('top.since', { time: formatDateTime(data.since) })}
    </p>
  )
}
