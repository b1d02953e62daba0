import type { LosingTime, ModelChannelCost, PriceWindow } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { localList } from '../../i18n/local-list.ts'
import { useWindowText } from './window-text.ts'

/** The groups that are charged less than a model costs at all times, without those that are at some only. */
export function alwaysLosing({
  losing_groups,
  losing_times = [],
}: Pick<ModelChannelCost, 'losing_groups' | 'losing_times'>): readonly string[] {
  const sometimes = new Set(losing_times.flatMap(({ groups }) => groups))
  return losing_groups.filter((group) => !sometimes.has(group))
}

/** The times at which a price is below its cost, a line each, with the groups that lose then. */
export function LosingTimes({ times }: { readonly times: readonly LosingTime[] }) {
  const { t } = useTranslation('prices')
  const textOf = useTimeText()
  return times.map((time) => (
    <span key={JSON.stringify(time)} className="block">
      {t('losing.at', { groups: localList(time.groups), time: textOf(time) })}
    </span>
  ))
}

function useTimeText(): (time: LosingTime) => string {
  const { t } = useTranslation('prices')
  const windowText = useWindowText()
  const partOf = (kind: 'price' | 'cost', window: (PriceWindow & { readonly zone: string }) | undefined) =>
    window === undefined
      ? []
      : [t(`losing.${kind}`, { ratio: window.ratio, window: windowText(window), zone: window.zone })]
  return ({ price_window, cost_window }) => {
    const parts = [...partOf('price', price_window), ...partOf('cost', cost_window)]
    return parts.length === 0 ? t('losing.outside') : parts.join(' · ')
  }
}
