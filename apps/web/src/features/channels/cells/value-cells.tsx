import type { Channel } from '@tollgate/api'
import { CircleCheck, CircleX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Money } from '../../../components/ui/money.tsx'
import { RelativeTime } from '../../../components/ui/relative-time.tsx'
import { formatDateTime, formatProviderBalance } from '../../../lib/format/format.ts'

/** Shows the times of the last response and of the last failure. */
export function LastCell({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels')
  const { last_success_time: success, last_failure_time: failure } = channel.health
  if (success === 0 && failure === 0) return <span className="text-muted">{t('last.never')}</span>
  return (
    <span className="flex flex-col text-xs leading-4">
      {success > 0 && (
        <span className="inline-flex items-center gap-1">
          <CircleCheck className="size-3 text-good" role="img" aria-label={t('last.success')} />
          <RelativeTime at={success} />
        </span>
      )}
      {failure > 0 && (
        <span className="inline-flex items-center gap-1">
          <CircleX className="size-3 text-bad" role="img" aria-label={t('last.failure')} />
          <RelativeTime at={failure} />
        </span>
      )}
    </span>
  )
}

/** The cost of its calls, and below it the balance of the upstream account where that was read. */
export function UsedCell({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels')
  const { balance, balance_updated_time: updated } = channel
  return (
    <span className="inline-flex flex-col items-end leading-4">
      <Money quota={channel.used_quota} single />
      {updated > 0 && (
        <span
          className="text-2xs text-muted leading-4"
          title={t('list.balanceAt', { time: formatDateTime(updated) })}
        >
          {t('list.balance', { balance: formatProviderBalance(balance) })}
        </span>
      )}
    </span>
  )
}
