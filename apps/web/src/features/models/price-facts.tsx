import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ContextSize, Vendor } from '../../components/prices/model-facts.tsx'
import { SurchargeTerms } from '../../components/prices/price-details.tsx'
import { KeyValue } from '../../components/ui/card.tsx'
import { ChannelCosts } from './cost-cells.tsx'
import type { ModelRow } from './model-rows.ts'

interface RowProps {
  readonly row: ModelRow
  /** Shows the charges beside tokens too, where no field has them. */
  readonly isWhole?: boolean
}

/** Shows facts of the model, its channels, and its charges beside tokens. */
export function PriceFacts({ row, isWhole = false }: RowProps) {
  const { t } = useTranslation('models')
  return (
    <section className="flex flex-col gap-3 rounded border bg-sunken px-3 py-2.5">
      <KeyValue
        items={[
          { label: t('column.vendor'), value: <Vendor name={row.owner_by} /> },
          { label: t('column.context'), value: <ContextSize tokens={row.context_size} /> },
        ]}
      />
      <div className="flex flex-col gap-1.5 border-t pt-2.5">
        <h3 className="text-muted text-xs">{t('sheet.costs')}</h3>
        <ChannelCosts row={row} />
      </div>
      {isWhole && <SurchargeTerms row={row} groupRatio={1} />}
      <p className="text-muted text-xs">
        {t('sheet.surcharges')}{' '}
        <Link to="/setting" search={{ tab: 'operation' }} className="text-accent-text underline">
          {t('moreSettings')}
        </Link>
      </p>
    </section>
  )
}
