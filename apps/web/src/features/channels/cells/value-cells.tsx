import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { CircleCheck, CircleX, LoaderCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Money } from '../../../components/ui/money.tsx'
import { RelativeTime } from '../../../components/ui/relative-time.tsx'
import { formatProviderBalance } from '../../../lib/format/format.ts'
import { refreshChannel, updateBalance } from '../api.ts'

/** When it last answered, and when it last failed. */
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

/** The cost of its calls and the balance of the upstream account; a press refreshes the balance. */
export function UsedCell({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const { id, name, balance, balance_updated_time } = channel
  const update = useMutation({
    mutationFn: () => updateBalance(id),
    onSuccess: () => refreshChannel(client, id),
    meta: { successMessage: t('toast.balance', { name }) },
  })
  const known = balance_updated_time > 0
  return (
    <span className="inline-flex flex-col items-end leading-4">
      <Money quota={channel.used_quota} single />
      <button
        type="button"
        title={t('list.updateBalance', { name })}
        disabled={update.isPending}
        onClick={() => update.mutate()}
        className="inline-flex items-center gap-1 rounded-sm text-2xs text-muted leading-4 hover:text-accent-text hover:underline"
      >
        {update.isPending && <LoaderCircle className="size-2.5 animate-spin" aria-hidden />}
        {known ? t('list.balance', { balance: formatProviderBalance(balance) }) : t('list.noBalance')}
        <span className="sr-only">{t('list.updateBalance', { name })}</span>
      </button>
    </span>
  )
}
