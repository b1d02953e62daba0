import { Link } from '@tanstack/react-router'
import type { RefusedModel } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { FirstOf } from '../../components/ui/first-of.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { formatInteger } from '../../lib/format/format.ts'
import { actionLink, ProblemRow } from './channel-rows.tsx'

/** Most models with a row of their own; the others are in one row. */
const maxRows = 3

/** Models that callers ask for in vain, because they have no price. */
export function UnpricedRows({ models }: { readonly models: readonly RefusedModel[] }) {
  const { t } = useTranslation('dashboard')
  return (
    <FirstOf items={models} max={maxRows} more={() => <OtherModels models={models.slice(maxRows)} />}>
      {({ model_name, count, last_at }) => (
        <ProblemRow
          key={model_name}
          tone="bad"
          title={<span className="font-mono text-[0.93em]">{model_name}</span>}
          word={t('unpriced.word')}
          action={
            <Link to="/models" search={{ price: model_name }} className={actionLink}>
              {t('unpriced.set')}
            </Link>
          }
        >
          {t('unpriced.refused', { count, visible: formatInteger(count) })} <RelativeTime at={last_at} />
        </ProblemRow>
      )}
    </FirstOf>
  )
}

function OtherModels({ models }: { readonly models: readonly RefusedModel[] }) {
  const { t } = useTranslation('dashboard')
  return (
    <ProblemRow
      tone="bad"
      title={t('unpriced.more', { count: models.length })}
      action={
        <Link to="/models" search={{ state: 'unpriced' }} className={actionLink}>
          {t('unpriced.show')}
        </Link>
      }
    >
      {t('unpriced.refusedMore', {
        visible: formatInteger(models.reduce((sum, { count }) => sum + count, 0)),
      })}
    </ProblemRow>
  )
}
