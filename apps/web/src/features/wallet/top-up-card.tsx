import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Card } from '../../components/ui/card.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { topUpInfoQuery } from './api.ts'
import { TopUpFields } from './top-up-fields.tsx'

/** Buying balance online, where the administrator has set it up. */
export function TopUpCard() {
  const { t } = useTranslation('wallet')
  return (
    <Card title={t('topUp.title')}>
      <QueryBoundary query={useQuery(topUpInfoQuery)}>
        {(info) =>
          info.enable_online_topup ? (
            <TopUpFields info={info} />
          ) : (
            <Notice tone="info">{t('topUp.disabled')}</Notice>
          )
        }
      </QueryBoundary>
    </Card>
  )
}
