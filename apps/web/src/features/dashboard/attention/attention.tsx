import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState, Skeleton } from '../../../components/ui/states.tsx'
import { ChannelRows } from './channel-rows.tsx'
import { ExpiringKeyRows, KeyRows } from './key-rows.tsx'
import { BalanceRow, ErrorsRow } from './own-rows.tsx'
import { ProxyRow } from './proxy-row.tsx'
import { useProblems } from './use-problems.ts'

export interface AttentionProps {
  readonly admin: boolean
  /** Nothing has happened yet: it says nothing unless something is wrong. */
  readonly isNew: boolean
}

/** What is wrong, the worst first; or that nothing is. */
export function Attention({ admin, isNew }: AttentionProps) {
  const { t } = useTranslation('dashboard')
  const problems = useProblems(admin)
  const {
    self,
    summary,
    spentInWeek,
    failingChannels,
    keys,
    expiring,
    isShort,
    isFailing,
    proxy,
    known,
    error,
  } = problems
  const count =
    failingChannels.length +
    keys.length +
    expiring.length +
    Number(isShort) +
    Number(isFailing) +
    Number(proxy !== '')
  if (error)
    return (
      <Box>
        <ErrorState error={error} onRetry={problems.retry} />
      </Box>
    )
  if (!known) {
    return (
      <Box>
        <div className="flex flex-col gap-3 p-4" role="status" aria-label={t('attention.looking')}>
          <Skeleton className="w-64!" />
          <Skeleton className="w-96! max-w-full" />
        </div>
      </Box>
    )
  }
  if (count === 0 && isNew) return null
  if (count === 0) {
    return (
      <Box>
        <p className="flex items-center gap-2.5 px-4 py-3 text-sm">
          <CircleCheck className="size-4 shrink-0 text-good" aria-hidden />
          {t(admin ? 'attention.nothingAdmin' : 'attention.nothing')}
        </p>
      </Box>
    )
  }
  return (
    <Box>
      <ul className="flex flex-col">
        {isFailing && summary && <ErrorsRow today={summary.today} everybody={admin} />}
        {proxy !== '' && <ProxyRow address={proxy} />}
        <ChannelRows channels={failingChannels} />
        {isShort && self && <BalanceRow self={self} spentInWeek={spentInWeek} />}
        <KeyRows keys={keys} />
        <ExpiringKeyRows keys={expiring} />
      </ul>
    </Box>
  )
}

function Box({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('dashboard')
  return (
    <section className="min-w-0 rounded-lg border bg-surface">
      <h2 className="border-b px-4 py-2.5 font-semibold text-sm">{t('attention.title')}</h2>
      {children}
    </section>
  )
}
