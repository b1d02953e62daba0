import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PricingRow } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Card } from '../../components/ui/card.tsx'
import { Skeleton } from '../../components/ui/states.tsx'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import { hasPart, useUser } from '../../lib/session/session.ts'
import { leadingModels, priceTexts, servedModelsQuery } from './served-models.ts'

/** Models on the card; the others are one link away. */
const listed = 8
const link = 'text-accent-text hover:underline'

/** Lists what can be called here and its prices. */
export function ModelsCard() {
  const { t } = useTranslation('home')
  const { data: served } = useQuery(servedModelsQuery(useUser()?.id))
  const count = served?.rows.length ?? 0
  return (
    <Card
      title={t('models')}
      description={t('modelsHint')}
      action={
        count > 0 && (
          <Link to="/pricing" className={`shrink-0 text-sm ${link}`}>
            {t('allModels', { count: served?.listed ?? count })}
          </Link>
        )
      }
    >
      {served === undefined ? (
        <Skeleton className="h-40!" />
      ) : count === 0 ? (
        <NoModels />
      ) : (
        <ul className="-my-2 flex flex-col divide-y">
          {leadingModels(served.rows, listed).map((row) => (
            <ModelLine key={row.model_name} row={row} groupRatio={served.groupRatio} />
          ))}
        </ul>
      )}
    </Card>
  )
}

interface ModelLineProps {
  readonly row: PricingRow
  readonly groupRatio: number
}

function ModelLine({ row, groupRatio }: ModelLineProps) {
  const { t } = useTranslation('home')
  const { quotaPerUnit } = useMoneyDisplay()
  const prices = priceTexts(row, groupRatio, quotaPerUnit)
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 py-2 text-sm">
      <Link
        to="/pricing"
        search={{ keyword: row.model_name }}
        title={row.model_name}
        className="min-w-0 truncate font-medium hover:text-accent-text hover:underline"
      >
        {row.model_name}
      </Link>
      <span className="figures text-muted">
        {'call' in prices ? t('pricePerCall', prices) : t('pricePerTokens', prices)}
      </span>
    </li>
  )
}

/** Nothing can be called yet; who can change that is led there. */
function NoModels() {
  const { t } = useTranslation('home')
  const user = useUser()
  return (
    <p className="text-muted text-sm">
      {t('noModels')}{' '}
      {hasPart(user, 'channels') && (
        <Link to="/channel/add" search={true} className={link}>
          {t('addChannel')}
        </Link>
      )}
    </p>
  )
}
