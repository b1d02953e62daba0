import type { TopUpStatus, WireTopUpOrder } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '../../components/data-table/index.ts'
import { CopyText } from '../../components/ui/copy.tsx'
import { Money } from '../../components/ui/money.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { StatusDot, type Tone } from '../../components/ui/tag.tsx'
import { formatPayment } from '../../lib/format.ts'
import { useMethodName } from './method-name.ts'

const tones = {
  pending: 'warn',
  success: 'good',
  expired: 'neutral',
  failed: 'bad',
} as const satisfies Record<TopUpStatus, Tone>

/** The columns of the own top-ups, in reading order. */
export function useOrderColumns(): readonly DataColumn<WireTopUpOrder>[] {
  const { t, i18n } = useTranslation('wallet')
  const nameOf = useMethodName()
  return useMemo(
    () => [
      {
        id: 'time',
        header: t('orders.time'),
        card: 'title',
        cell: ({ create_time }) => <RelativeTime at={create_time} />,
      },
      {
        id: 'status',
        header: t('orders.status'),
        card: 'corner',
        cell: ({ status }) => <StatusDot tone={tones[status]}>{t(`status.${status}`)}</StatusDot>,
      },
      {
        id: 'quota',
        header: t('orders.quota'),
        numeric: true,
        card: 'figure',
        cell: ({ quota }) => <Money quota={quota} />,
      },
      {
        id: 'money',
        header: t('orders.money'),
        numeric: true,
        card: 'figure',
        cell: ({ money, currency }) => (
          <span className="figures">{formatPayment(money, currency, i18n.language)}</span>
        ),
      },
      {
        id: 'method',
        header: t('orders.method'),
        cell: ({ payment_method }) => nameOf(payment_method),
      },
      {
        id: 'trade_no',
        header: t('orders.tradeNo'),
        card: 'none',
        cell: ({ trade_no }) => <CopyText value={trade_no} />,
      },
    ],
    [t, i18n.language, nameOf],
  )
}
