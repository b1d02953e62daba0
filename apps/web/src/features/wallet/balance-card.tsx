import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Card, Stat } from '../../components/ui/card.tsx'
import { Money } from '../../components/ui/money.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { formatInteger } from '../../lib/format.ts'
import { accountQuery } from './api.ts'

/** What is left, and what was spent. */
export function BalanceCard() {
  const { t } = useTranslation('wallet')
  return (
    <Card title={t('balance.title')}>
      <QueryBoundary query={useQuery(accountQuery)}>
        {({ quota, used_quota, request_count }) => (
          <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-2">
            <Stat label={t('balance.available')}>
              <Money quota={quota} />
            </Stat>
            <Stat label={t('balance.used')}>
              <Money quota={used_quota} />
            </Stat>
            <Stat label={t('balance.calls')}>{formatInteger(request_count)}</Stat>
          </div>
        )}
      </QueryBoundary>
    </Card>
  )
}
