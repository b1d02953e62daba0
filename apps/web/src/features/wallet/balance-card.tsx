import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Card, Figure } from '../../components/ui/card.tsx'
import { Money } from '../../components/ui/money.tsx'
import { QueryPart } from '../../components/ui/query-part.tsx'
import { formatInteger } from '../../lib/format.ts'
import { accountQuery } from './api.ts'

/** What is left, and what was spent. */
export function BalanceCard() {
  const { t } = useTranslation('wallet')
  return (
    <Card title={t('balance.title')}>
      <QueryPart query={useQuery(accountQuery)}>
        {({ quota, used_quota, request_count }) => (
          <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-2">
            <Figure label={t('balance.available')}>
              <Money quota={quota} />
            </Figure>
            <Figure label={t('balance.used')}>
              <Money quota={used_quota} />
            </Figure>
            <Figure label={t('balance.calls')}>{formatInteger(request_count)}</Figure>
          </div>
        )}
      </QueryPart>
    </Card>
  )
}
