import { Link } from '@tanstack/react-router'
import type { ModelChannelCost } from '@tollgate/api'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { FirstOf } from '../../components/ui/first-of.tsx'
import { loadTexts } from '../../i18n/index.ts'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import { formatQuota, type MoneyDisplay } from '../../lib/format/format.ts'
import { actionLink, ProblemRow } from './channel-rows.tsx'

/** Loaded with its texts where there are such times. */
const LosingTimes = lazy(async () => {
  const [module] = await Promise.all([
    import('../../components/prices/losing-times.tsx'),
    loadTexts('prices'),
  ])
  return { default: module.LosingTimes }
})

/** Most models that are named; the others are counted. */
const maxModels = 5

/** Models that some group is charged less for than they cost, each with the channels where that is so. */
export function LosingRows({ losing }: { readonly losing: readonly ModelChannelCost[] }) {
  const { t } = useTranslation('dashboard')
  const models = [...new Set(losing.map(({ model_name }) => model_name))]
  return (
    <FirstOf
      items={models}
      max={maxModels}
      more={(count) => <ProblemRow tone="warn" title={t('losing.many', { count })} action={<SetPrice />} />}
    >
      {(model) => (
        <ProblemRow
          key={model}
          tone="warn"
          title={<span className="font-mono text-[0.93em]">{model}</span>}
          word={t('losing.word')}
          action={<SetPrice model={model} />}
        >
          <Where costs={losing.filter(({ model_name }) => model_name === model)} />
        </ProblemRow>
      )}
    </FirstOf>
  )
}

function SetPrice({ model }: { readonly model?: string }) {
  const { t } = useTranslation('dashboard')
  return (
    <Link to="/models" search={model === undefined ? {} : { price: model }} className={actionLink}>
      {t('losing.setPrice')}
    </Link>
  )
}

/** Channel, groups and cost, channel by channel, and the times where it is so at some only. */
function Where({ costs }: { readonly costs: readonly ModelChannelCost[] }) {
  const { t } = useTranslation('dashboard')
  const display = useMoneyDisplay()
  return costs.map((each) => (
    <span key={each.channel} className="block">
      {t('losing.at', {
        channel: each.channel_name,
        groups: each.losing_groups.join(', '),
        cost:
          each.quota_type === 1
            ? t('losing.perCall', { price: formatQuota(each.model_price * display.quotaPerUnit, display) })
            : t('losing.perMillion', perMillion(each, display)),
      })}
      {each.losing_times !== undefined && each.losing_times.length > 0 && (
        <Suspense>
          <LosingTimes times={each.losing_times} />
        </Suspense>
      )}
    </span>
  ))
}

function perMillion({ model_ratio: input, completion_ratio }: ModelChannelCost, display: MoneyDisplay) {
  const price = (ratio: number) => formatQuota(ratio * 1_000_000, display)
  return { input: price(input), output: price(input * completion_ratio) }
}
